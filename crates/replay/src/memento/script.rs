//! What is put into the head of an archived page, and before the script of a worker: what scripts need to know of where they are, and
//! the shim.

use archive::Found;
use rewrite::Modifier;
use serde_json::json;

use crate::visit::Visit;

/// The elements for the head of a page, in ASCII.
pub(crate) fn head(visit: &Visit, time: &str, modifier: Modifier, found: &Found) -> Vec<u8> {
    let facts = facts(visit, time, modifier, &found.url, &cookies(found, visit.replay.limits().head_bytes));
    format!("<script>window.__varve={facts}</script><script src=\"/-/shim.js\"></script>").into_bytes()
}

/// What is put before the script of a worker, on its first line, so that lines keep their numbers.
pub(crate) fn before_worker(visit: &Visit, time: &str, url: &str) -> Vec<u8> {
    let facts = facts(visit, time, Modifier::Worker, url, &[]);
    format!("self.__varve={facts};importScripts(\"/-/shim.js\");").into_bytes()
}

/// The cookies that came with a page, as far as its scripts could read them. When they end is of another time: those that were to
/// last last as long as the visit.
fn cookies(found: &Found, bytes_max: usize) -> Vec<String> {
    let Some(head) = &found.head else { return Vec::new() };
    let mut left = bytes_max;
    let set = head.fields().filter(|(name, _)| name.eq_ignore_ascii_case(b"set-cookie"));
    let cookies = set.filter_map(|(_, value)| lasting(std::str::from_utf8(value).ok()?));
    cookies
        .filter(|cookie| {
            left = left.saturating_sub(cookie.len());
            left > 0
        })
        .collect()
}

/// A cookie without its end; nothing if scripts may not read it or it is taken back.
fn lasting(cookie: &str) -> Option<String> {
    let mut kept: Vec<&str> = Vec::new();
    for (number, part) in cookie.split(';').map(str::trim).enumerate() {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        match name.trim().to_ascii_lowercase().as_str() {
            _ if number == 0 => kept.push(part),
            "httponly" => return None,
            "max-age" if value.trim().parse().is_ok_and(|seconds: i64| seconds <= 0) => return None,
            // How servers take one back that bore no age.
            "expires" if value.contains("1970") => return None,
            "path" | "domain" | "secure" => kept.push(part),
            _ => {}
        }
    }
    Some(kept.join("; "))
}

fn facts(visit: &Visit, time: &str, modifier: Modifier, url: &str, cookies: &[String]) -> String {
    let settings = visit.replay.settings();
    let mut facts = json!({
        "prefix": format!("/{}/", visit.collection.name()),
        "timestamp": time,
        "modifier": modifier.as_str(),
        "url": url,
        "pages": settings.pages,
        "pin": settings.is_pinned,
    });
    if let Some(facts) = facts.as_object_mut().filter(|_| !cookies.is_empty()) {
        facts.insert("cookies".to_owned(), cookies.into());
    }
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
    fn cookies_that_scripts_read_are_kept() {
        let check = |cookie, expected: Option<&str>| assert_eq!(lasting(cookie).as_deref(), expected);
        check("a=b; Path=/c; Expires=Wed, 13 Jan 2021 22:23:01 GMT; Max-Age=5", Some("a=b; Path=/c"));
        check("expires=b;Domain=e.org; SameSite=Lax ;secure", Some("expires=b; Domain=e.org; secure"));
        check("a=b; HttpOnly", None);
        check("a=; max-age=0", None);
        check("a=; expires=Thu, 01 Jan 1970 00:00:00 GMT", None);
    }

    #[test]
    fn nothing_gets_out_of_the_script() {
        let text = ascii(r#"{"url":"http://a.org/</script><!--é😀&"}"#);
        assert_eq!(text, r#"{"url":"http://a.org/\u003c/script\u003e\u003c!--\u00e9\ud83d\ude00\u0026"}"#);
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["url"], "http://a.org/</script><!--é😀&");
    }
}
