//! What was found in a document, for people and as JSON.

use std::borrow::Cow;

use extract::identify::Evidence;
use extract::{Document, Link, charset, language};
use serde_json::{Value, json};

use crate::session::Session;
use crate::terminal::{counted, escape};

/// A link a line: URL, hop, where it stands, anchor text.
pub(super) fn links(document: &Document, session: &mut Session) -> anyhow::Result<()> {
    for link in document.links.as_slice() {
        if session.globals.json {
            session.out.json(&link_json(document, link))?;
        } else {
            let (url, hop, rule) = (address(document, link), link.hop.name(), link.rule.to_string());
            let line = format!("{}\t{hop}\t{}\t{}", escape(&url), escape(&rule), escape(&link.text));
            session.out.line(line)?;
        }
    }
    Ok(())
}

/// A text as it is; control characters in it are not obeyed.
pub(super) fn text(text: &str, member: &str, session: &mut Session) -> anyhow::Result<()> {
    if session.globals.json {
        return session.out.json(&json!({ member: text }));
    }
    text.lines().try_for_each(|line| session.out.line(escape(line)))
}

/// What it is and says of itself.
pub(super) fn meta(document: &Document, session: &mut Session) -> anyhow::Result<()> {
    if session.globals.json {
        return session.out.json(&meta_json(document));
    }
    for (name, value) in facts(document) {
        session.out.line(format!("{name:<12} {}", escape(&value)))?;
    }
    Ok(())
}

/// Everything: for people facts and links, as JSON one object with the texts too.
pub(super) fn everything(document: &Document, session: &mut Session) -> anyhow::Result<()> {
    if session.globals.json {
        let mut all = meta_json(document);
        let links = document.links.as_slice().iter().map(|link| link_json(document, link)).collect();
        if let Value::Object(members) = &mut all {
            members.insert("links".to_owned(), Value::Array(links));
            members.insert("text".to_owned(), document.text.as_str().into());
            members.insert("main_text".to_owned(), document.main_text.as_str().into());
        }
        return session.out.json(&all);
    }
    meta(document, session)?;
    let count = document.links.as_slice().len() as u64;
    session.out.line(format!("{:<12} {}", "links", counted(count, "link")))?;
    if count > 0 {
        session.out.line("")?;
    }
    links(document, session)
}

/// The facts that there are, by name.
fn facts(document: &Document) -> Vec<(&'static str, String)> {
    let Document { identity, .. } = document;
    let mut facts = vec![("type", format!("{} ({})", identity.mime, evidence(identity.evidence)))];
    if let Some(claimed) = identity.claimed.as_ref().filter(|claimed| **claimed != identity.mime) {
        facts.push(("claimed", claimed.to_string()));
    }
    if let Some(charset) = identity.charset {
        facts.push(("charset", format!("{} ({})", charset.encoding.name(), charset_source(charset.source))));
    }
    if let Some(language) = &document.language {
        facts.push(("language", format!("{} ({})", language.tag, language_source(language.source))));
    }
    let said = [
        ("title", &document.title),
        ("description", &document.description),
        ("canonical", &document.canonical),
    ];
    facts.extend(said.into_iter().filter_map(|(name, value)| Some((name, value.clone()?))));
    if document.base != document.url {
        facts.extend(document.base.as_ref().map(|base| ("base", base.to_string())));
    }
    facts.extend(robots(document).map(|asked| ("robots", asked)));
    for heading in &document.headings {
        facts.push(("heading", format!("{} {}", heading.0, heading.1)));
    }
    for dated in &document.dates {
        let date = match &dated.date {
            Ok(date) => format!("{} ({})", date.timestamp, dated.from),
            Err(unread) => format!("not understood: {} ({})", unread.text, dated.from),
        };
        facts.push(("date", date));
    }
    facts
}

/// What the document asks of robots, in the words of the standard; nothing where it asks nothing.
fn robots(document: &Document) -> Option<String> {
    let asked = &document.robots;
    let words: Vec<Cow<'_, str>> = [(asked.noindex, "noindex"), (asked.nofollow, "nofollow")]
        .into_iter()
        .filter_map(|(is_asked, word)| is_asked.then_some(Cow::Borrowed(word)))
        .chain(asked.ignored.iter().map(|word| Cow::Owned(format!("{word} (ignored)"))))
        .collect();
    (!words.is_empty()).then(|| words.join(", "))
}

fn meta_json(document: &Document) -> Value {
    let Document { identity, .. } = document;
    let dates: Vec<Value> = document
        .dates
        .iter()
        .map(|dated| match &dated.date {
            Ok(date) => json!({ "from": dated.from, "date": date.timestamp.to_string() }),
            Err(unread) => json!({ "from": dated.from, "not_understood": unread.text }),
        })
        .collect();
    let headings: Vec<Value> =
        document.headings.iter().map(|(level, text)| json!({ "level": level, "text": text })).collect();
    let metas: Vec<Value> =
        document.metas.iter().map(|(name, content)| json!({ "name": name, "content": content })).collect();
    json!({
        "type": identity.mime.to_string(),
        "type_from": evidence(identity.evidence),
        "claimed": identity.claimed.as_ref().map(ToString::to_string),
        "charset": identity.charset.map(|charset| charset.encoding.name()),
        "charset_from": identity.charset.map(|charset| charset_source(charset.source)),
        "language": document.language.as_ref().map(|language| &language.tag),
        "language_from": document.language.as_ref().map(|language| language_source(language.source)),
        "title": document.title,
        "description": document.description,
        "canonical": document.canonical,
        "base": document.base.as_ref().map(ToString::to_string),
        "robots": {
            "noindex": document.robots.noindex,
            "nofollow": document.robots.nofollow,
            "ignored": document.robots.ignored,
        },
        "headings": headings,
        "dates": dates,
        "metas": metas,
        "cut": document.cut.iter().map(|cut| cut.message()).collect::<Vec<_>>(),
    })
}

fn link_json(document: &Document, link: &Link) -> Value {
    json!({
        "url": document.resolve(link).map(|url| url.to_string()),
        "reference": link.reference,
        "hop": link.hop.name(),
        "from": link.rule.to_string(),
        "text": link.text,
        "rel": link.rel,
    })
}

/// The resolved address, or what is written where that is none.
fn address<'a>(document: &Document, link: &'a Link) -> Cow<'a, str> {
    match document.resolve(link) {
        Some(url) => Cow::Owned(url.into()),
        None => Cow::Borrowed(&link.reference),
    }
}

fn evidence(evidence: Evidence) -> &'static str {
    match evidence {
        Evidence::Claim => "claimed",
        Evidence::Signature => "signature",
        Evidence::Content => "content",
        Evidence::Address => "address",
        _ => "nothing known",
    }
}

fn charset_source(source: charset::Source) -> &'static str {
    match source {
        charset::Source::Mark => "byte order mark",
        charset::Source::Header => "header",
        charset::Source::Meta => "meta element",
        charset::Source::Declaration => "declaration",
        charset::Source::Detected => "detected",
        _ => "default",
    }
}

fn language_source(source: language::Source) -> &'static str {
    match source {
        language::Source::Markup => "markup",
        language::Source::Header => "header",
        _ => "detected",
    }
}
