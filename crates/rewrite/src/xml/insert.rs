//! What is put into pages that are XML: only what leaves them well-formed.

use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::attributes::Attribute;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use crate::html::Inserted;

/// What may be put in, with the text of scripts made safe.
pub(super) fn fitting(inserted: Inserted) -> Inserted {
    let fit = |markup: String| {
        // Whatever the elements around a script are, it is one of HTML.
        let markup = quoted(&markup).replace("<script", "<script xmlns=\"http://www.w3.org/1999/xhtml\"");
        Some(markup).filter(|markup| is_balanced(markup)).unwrap_or_default()
    };
    Inserted { head: fit(inserted.head), foot: fit(inserted.foot), limits: inserted.limits }
}

/// Puts markup behind the tag of an element, which may be an empty one.
pub(super) fn into_element(tag: &str, head: &str, out: &mut Vec<u8>) {
    match tag.strip_suffix("/>") {
        Some(open) => {
            let name = open.trim_start_matches('<').split_ascii_whitespace().next().unwrap_or_default();
            out.extend_from_slice(format!("{open}>{head}</{name}>").as_bytes());
        }
        None => out.extend_from_slice(format!("{tag}{head}").as_bytes()),
    }
}

/// Scripts with characters that XML reads otherwise are quoted whole.
fn quoted(markup: &str) -> String {
    let mut quoted = String::with_capacity(markup.len() + 32);
    let mut rest = markup;
    while let Some(at) = rest.find("<script") {
        let Some(start) = rest.get(at..).and_then(|tag| tag.find('>')).map(|end| at + end + 1) else { break };
        let Some(end) = rest.get(start..).and_then(|text| text.find("</script")).map(|end| start + end)
        else {
            break;
        };
        let (before, text) =
            (rest.get(..start).unwrap_or_default(), rest.get(start..end).unwrap_or_default());
        quoted.push_str(before);
        if text.contains(['&', '<']) && !text.contains("]]>") {
            quoted.push_str(&format!("//<![CDATA[\n{text}\n//]]>"));
        } else {
            quoted.push_str(text);
        }
        rest = rest.get(end..).unwrap_or_default();
    }
    quoted.push_str(rest);
    quoted
}

/// Whether every tag is closed by its own, in order, every value quoted, and every `&` one of XML's.
fn is_balanced(markup: &str) -> bool {
    let mut reader = Reader::from_str(markup);
    let mut depth = 0_usize;
    loop {
        match reader.read_event() {
            Ok(Event::Eof) => return depth == 0,
            Ok(Event::Start(tag)) if has_known_values(&tag) => depth += 1,
            Ok(Event::Empty(tag)) if has_known_values(&tag) => {}
            Ok(Event::Start(_) | Event::Empty(_)) | Err(_) => return false,
            Ok(Event::End(_)) => depth = depth.saturating_sub(1),
            Ok(Event::GeneralRef(name))
                if !name.is_char_ref() && resolve_predefined_entity(&name).is_none() =>
            {
                return false;
            }
            Ok(_) => {}
        }
    }
}

fn has_known_values(tag: &BytesStart<'_>) -> bool {
    let is_known = |value: Attribute<'_>| value.normalized_value(XmlVersion::Implicit1_0).is_ok();
    tag.attributes().all(|attribute| attribute.is_ok_and(is_known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_quoted() {
        assert_eq!(quoted("<script>a&&b</script><p/>"), "<script>//<![CDATA[\na&&b\n//]]></script><p/>");
        assert_eq!(quoted("<script src=\"x\"></script>"), "<script src=\"x\"></script>");
    }

    #[test]
    fn what_is_not_well_formed_is_told() {
        for markup in
            ["", "a", "<p a=\"b\">c</p>", "<br/>", "<script>//<![CDATA[\n<&\n//]]></script>", "&amp;"]
        {
            assert!(is_balanced(markup), "{markup}");
        }
        for markup in ["<br>", "<p a=b></p>", "<p a></p", "<a></b>", "&nbsp;", "</p>"] {
            assert!(!is_balanced(markup), "{markup}");
        }
    }
}
