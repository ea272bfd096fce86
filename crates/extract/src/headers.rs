//! Links in HTTP headers: `Link`, `Location`, `Content-Location`, `Refresh`, `SourceMap`.

use encoding_rs::UTF_8;

use crate::html::Refresh;
use crate::mime::quoted_text;
use crate::{Hop, Link, Links, Rule, relation};

/// Adds the links of HTTP headers, given as names and values in their order.
pub fn links<'a>(headers: impl IntoIterator<Item = (&'a str, &'a str)>, links: &mut Links) {
    for (name, value) in headers {
        let name = name.trim_ascii();
        let is = |known: &str| name.eq_ignore_ascii_case(known);
        let mut add = |value: &str, hop: Hop, attribute: &'static str| {
            links.add(Link::new(value.trim(), hop, Rule::new("http", attribute)));
        };
        if is("location") {
            add(value, Hop::Redirect, "location");
        } else if is("content-location") {
            add(value, Hop::Navigation, "content-location");
        } else if is("refresh") {
            let reference = Refresh::parse(value).and_then(|refresh| refresh.reference);
            add(&reference.unwrap_or_default(), Hop::Redirect, "refresh");
        } else if is("sourcemap") || is("x-sourcemap") {
            add(value, Hop::Speculative, "sourcemap");
        } else if is("link") {
            for target in targets(value) {
                let hop = relation::hop(&target.rel);
                let rule = Rule::new("http", "link");
                links.add(Link { text: target.title, rel: target.rel, ..Link::new(target.uri, hop, rule) });
            }
        }
    }
}

/// One link of a `Link` header.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Target {
    /// What stands between the angle brackets.
    pub uri: String,
    /// The relations, as written.
    pub rel: String,
    /// The title; the one that may hold any character, if both are there.
    pub title: String,
    /// All parameters, names in lower case, in their order.
    pub parameters: Vec<(String, String)>,
}

/// The links of a `Link` header, in their order. What is no link is passed over up to the next bracket.
///
/// <https://www.rfc-editor.org/rfc/rfc8288.html#appendix-B>
#[must_use]
pub fn targets(value: &str) -> Vec<Target> {
    let mut targets = Vec::new();
    let mut rest = value;
    while let Some((uri, behind)) = rest.split_once('<').and_then(|(_, inside)| inside.split_once('>')) {
        let (parameters, behind) = self::parameters(behind);
        rest = behind;
        let of =
            |wanted: &str| parameters.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.clone());
        targets.push(Target {
            uri: uri.trim().to_owned(),
            rel: of("rel").unwrap_or_default(),
            title: of("title*")
                .and_then(|value| extended(&value))
                .or_else(|| of("title"))
                .unwrap_or_default(),
            parameters,
        });
    }
    targets
}

/// Where a `Link` header says that the document really lives.
pub(crate) fn canonical<'a>(headers: impl IntoIterator<Item = (&'a str, &'a str)>) -> Option<String> {
    let values = headers.into_iter().filter(|(name, _)| name.trim_ascii().eq_ignore_ascii_case("link"));
    let found =
        values.flat_map(|(_, value)| targets(value)).find(|target| relation::is_canonical(&target.rel));
    found.map(|target| target.uri).filter(|uri| !uri.is_empty())
}

/// The parameters up to the comma before the next link, and what is behind it.
fn parameters(text: &str) -> (Vec<(String, String)>, &str) {
    let mut parameters = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_ascii_start();
        rest = match rest.as_bytes().first() {
            Some(b';') => rest.get(1..).unwrap_or_default().trim_ascii_start(),
            Some(b',') => return (parameters, rest.get(1..).unwrap_or_default()),
            Some(_) => rest,
            None => return (parameters, ""),
        };
        let end = rest.find(['=', ';', ',']).unwrap_or(rest.len());
        let (name, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
        let (value, behind) = match behind.strip_prefix('=').map(str::trim_ascii_start) {
            Some(behind) => match behind.strip_prefix('"') {
                Some(quoted) => quoted_text(quoted),
                None => {
                    let end = behind.find([';', ',']).unwrap_or(behind.len());
                    let (value, behind) = behind.split_at_checked(end).unwrap_or((behind, ""));
                    (value.trim_ascii_end().to_owned(), behind)
                }
            },
            None => (String::new(), behind),
        };
        rest = behind;
        let name = name.trim_ascii_end().to_ascii_lowercase();
        if !(name.is_empty() && value.is_empty()) && parameters.len() < PARAMETERS_MAX {
            parameters.push((name, value));
        }
    }
}

const PARAMETERS_MAX: usize = 64;

/// `UTF-8''sk%C3%A5l`: a value with its charset.
///
/// <https://www.rfc-editor.org/rfc/rfc8187.html>
fn extended(value: &str) -> Option<String> {
    let (charset, rest) = value.split_once('\'')?;
    let (_, text) = rest.split_once('\'')?;
    let encoding = encoding_rs::Encoding::for_label(charset.as_bytes()).unwrap_or(UTF_8);
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, behind)) = rest.split_first() {
        let digit = |byte: Option<&u8>| byte.and_then(|byte| char::from(*byte).to_digit(16));
        let code = match (byte, digit(behind.first()), digit(behind.get(1))) {
            (b'%', Some(high), Some(low)) => u8::try_from(high << 4 | low).ok(),
            _ => None,
        };
        bytes.push(code.unwrap_or(byte));
        rest = if code.is_some() { behind.get(2..).unwrap_or_default() } else { behind };
    }
    Some(encoding.decode_without_bom_handling(&bytes).0.into_owned())
}
