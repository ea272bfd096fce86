//! What is put into the head of an archived page, and before the script of a worker: what scripts need to know of where they are, and
//! the shim.

use rewrite::Modifier;
use serde_json::json;

use crate::visit::Visit;

/// The elements for the head of a page, in ASCII.
pub(crate) fn head(visit: &Visit, time: &str, modifier: Modifier, url: &str) -> Vec<u8> {
    let facts = facts(visit, time, modifier, url);
    format!("<script>window.__varve={facts}</script><script src=\"/-/shim.js\"></script>").into_bytes()
}

/// What is put before the script of a worker, on its first line, so that lines keep their numbers.
pub(crate) fn before_worker(visit: &Visit, time: &str, url: &str) -> Vec<u8> {
    let facts = facts(visit, time, Modifier::Worker, url);
    format!("self.__varve={facts};importScripts(\"/-/shim.js\");").into_bytes()
}

fn facts(visit: &Visit, time: &str, modifier: Modifier, url: &str) -> String {
    let settings = visit.replay.settings();
    let facts = json!({
        "prefix": format!("/{}/", visit.collection.name()),
        "timestamp": time,
        "modifier": modifier.as_str(),
        "url": url,
        "pages": settings.pages,
        "pin": settings.is_pinned,
    });
    ascii(&facts.to_string())
}

/// JSON in which nothing can end a script, start a comment or be of another charset. All of these stand in strings only.
fn ascii(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for letter in json.chars() {
        if letter.is_ascii() && !matches!(letter, '<' | '>' | '&' | '\u{7f}') {
            out.push(letter);
        } else {
            let mut halves = [0; 2];
            for half in letter.encode_utf16(&mut halves) {
                out.push_str(&format!("\\u{half:04x}"));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_gets_out_of_the_script() {
        let text = ascii(r#"{"url":"http://a.org/</script><!--é😀&"}"#);
        assert_eq!(text, r#"{"url":"http://a.org/\u003c/script\u003e\u003c!--\u00e9\ud83d\ude00\u0026"}"#);
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["url"], "http://a.org/</script><!--é😀&");
    }
}
