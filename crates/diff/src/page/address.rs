//! Addresses as far as they matter: without what changes at every visit though it leads to the same place.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

/// An archive's own prefix before the address of what it holds: `/web/20171105043925/http://…`.
static ARCHIVE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^(?:https?://[^/]+)?/(?:[^/?#]+/){0,4}[0-9]{4,14}(?:[a-z]{2}_)?/(https?:/.*|//.*)$").ok()
});

/// What names a visit and not a place, in paths and queries.
static SESSION: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let names = "jsessionid|phpsessid|aspsessionid[a-z]*|asp\\.net_sessionid|cfid|cftoken|sessionid|session_id|session|\
        sessid|sid|s_id|token|csrf|csrf_token|csrftoken|authenticity_token|nonce|_|cb|cachebuster|cache|timestamp|ts|\
        rnd|rand|random|v|ver|version|utm_[a-z]+|gclid|fbclid|msclkid";
    Regex::new(&format!(r"(?i)(?:;(?:{names})=[^/?#;]*|([?&])(?:{names})=[^&#]*)")).ok()
});

/// The address without session ids, cache busters and the prefixes of archives.
pub(crate) fn normal(address: &str) -> Cow<'_, str> {
    let mut address = address.trim();
    // No real address is so long; data is compared as it is.
    if address.len() > 4096 || address.starts_with("data:") {
        return Cow::Borrowed(address);
    }
    if let Some(archive) = &*ARCHIVE
        && let Some(inner) = archive.captures(address).and_then(|captures| captures.get(1))
    {
        address = inner.as_str();
    }
    match &*SESSION {
        Some(session) if address.contains([';', '?', '&']) => {
            let short = session.replace_all(address, "$1");
            if short == address { Cow::Borrowed(address) } else { Cow::Owned(tidy(&short)) }
        }
        _ => Cow::Borrowed(address),
    }
}

/// Without the signs that were left behind.
fn tidy(address: &str) -> String {
    let mut tidy = address.to_owned();
    while tidy.contains("&&") {
        tidy = tidy.replace("&&", "&");
    }
    let tidy = tidy.replace("?&", "?").replace("?#", "#").replace("&#", "#");
    tidy.trim_end_matches(['?', '&']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(address: &str, expect: &str) {
        assert_eq!(normal(address), expect, "{address}");
    }

    #[test]
    fn what_names_a_visit_is_left_out() {
        check("http://a.example/b;jsessionid=A2D?c=d", "http://a.example/b?c=d");
        check("/b?PHPSESSID=1&c=2&sid=3#x", "/b?c=2#x");
        check("/style.css?v=1234", "/style.css");
        check("/b?video=1&vs=2", "/b?video=1&vs=2");
        check(" /b ", "/b");
    }

    #[test]
    fn prefixes_of_archives_are_left_out() {
        check("/web/20171105043925/https://a.example/b", "https://a.example/b");
        check(
            "https://www.webarchive.example/wayback/en/archive/20190525141538/https://a.example/",
            "https://a.example/",
        );
        check("/web/20171105043925im_/http://a.example/b.png", "http://a.example/b.png");
        check("/news/20171105/b", "/news/20171105/b");
    }
}
