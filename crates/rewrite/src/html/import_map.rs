//! Import maps: JSON whose strings are addresses, or names that stand for them.
//!
//! <https://html.spec.whatwg.org/multipage/webappapis.html#import-maps>

use crate::{Modifier, Place};

/// The map with every address in it leading into the archive. Names stay, and what is no JSON as far as it is none.
pub(super) fn rewrite(map: &str, place: &Place) -> String {
    let mut rewritten = String::with_capacity(map.len() + 256);
    let mut rest = map;
    while let Some((before, behind)) = rest.split_once('"') {
        rewritten.push_str(before);
        rewritten.push('"');
        let end = end(behind);
        let (raw, after) = behind.split_at_checked(end).unwrap_or((behind, ""));
        rewritten.push_str(&string(raw, place));
        rest = after;
        if let Some(after) = rest.strip_prefix('"') {
            rewritten.push('"');
            rest = after;
        }
    }
    rewritten.push_str(rest);
    rewritten
}

/// Where a string ends.
fn end(text: &str) -> usize {
    let mut escaped = false;
    let quote = text.bytes().position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    quote.unwrap_or(text.len())
}

fn string(raw: &str, place: &Place) -> String {
    let value = raw.replace("\\/", "/");
    let is_path = ["/", "./", "../"].iter().any(|start| value.starts_with(start));
    let is_address = is_path || value.contains(':');
    if value.contains('\\') || !is_address {
        return raw.to_owned();
    }
    match place.rewritten(&value, Modifier::Script) {
        Some(link) => link.replace('\\', "\\\\").replace('"', "\\\"").replace('<', "\\u003c"),
        None => raw.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_lead_into_the_archive_and_names_stay() {
        let place = Place::new("/web/", "2026", Modifier::Page, "http://e.org/a/").unwrap();
        let map = r#"{"imports": {"x": "./y.js", "\/z": "http:\/\/f.org/", "a\"b": null, "c/": "d/"}} "open"#;
        let expected = r#"{"imports": {"x": "/web/2026js_/http://e.org/a/y.js", "/web/2026js_/http://e.org/z": "/web/2026js_/http://f.org/", "a\"b": null, "c/": "d/"}} "open"#;
        assert_eq!(rewrite(map, &place), expected);
    }
}
