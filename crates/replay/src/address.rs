//! The address of a request, taken apart: which collection, what of it, which URL at which time.
//!
//! ```text
//! /web/20261116080000if_/http://example.org/a   a memento; fewer digits, or none but a modifier, will do
//! /web/http://example.org/a                     a TimeGate, as /web/timegate/http://example.org/a
//! /web/timemap/link/http://example.org/a        a TimeMap: link, json or cdxj; /web/timemap/link/20261116080000/… from then on
//! /web/*/http://example.org/a                   a calendar; /web/2026*/… of that year
//! /web/*/http://example.org/*                   a listing of what begins so
//! /web/                                         the collection
//! ```

use rewrite::Modifier;

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Address {
    /// The first part of the path.
    pub(crate) collection: String,
    pub(crate) ask: Ask,
}

/// What of a collection is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ask {
    /// The collection itself.
    Start,
    /// A capture near this time, in this form.
    Memento { time: String, form: Form, url: String },
    /// The capture that the header of the request asks for.
    Gate { url: String },
    /// A list of all captures, or of those from a time on.
    Map { format: String, from: String, url: String },
    /// When it was captured, within the time that these digits begin.
    Calendar { within: String, url: String },
    /// What there is that begins like this, captured within the time that these digits begin; behind this key.
    Listing { within: String, prefix: String, after: Option<String> },
}

/// In which form a capture is asked for: what it means, and how it was spelt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Form {
    pub(crate) modifier: Modifier,
    pub(crate) text: String,
}

impl Form {
    pub(crate) fn of(text: &str) -> Form {
        Form { modifier: Modifier::parse(text), text: text.to_owned() }
    }

    /// Whether it is put into a page by the page itself. Such a thing is shown where it is asked for; anything else has an address
    /// of its own, to which one is sent.
    pub(crate) fn is_embedded(&self) -> bool {
        use Modifier::{Frame, Image, Object, Page, Raw, Script, Style, Worker};
        match self.modifier {
            Page | Frame | Raw => false,
            Image | Script | Style | Object | Worker => true,
        }
    }
}

impl Address {
    /// Reads a path with its query, as the request has it. `None` where it cannot be one of ours.
    pub(crate) fn parse(target: &str) -> Option<Address> {
        let path = target.strip_prefix('/')?;
        let (collection, rest) = match path.split_once('/') {
            Some(parts) => parts,
            None if path.contains('?') => return None,
            None => (path, ""),
        };
        is_collection(collection)
            .then(|| Address { collection: collection.to_owned(), ask: Ask::parse(rest) })
    }
}

impl Ask {
    fn parse(rest: &str) -> Ask {
        if rest.is_empty() {
            return Ask::Start;
        }
        if let Some(url) = rest.strip_prefix("timegate/") {
            return Ask::Gate { url: url_of(url) };
        }
        if let Some((format, url)) = rest.strip_prefix("timemap/").and_then(|rest| rest.split_once('/')) {
            let is_time = |word: &str| word.len() == 14 && word.bytes().all(|byte| byte.is_ascii_digit());
            let (from, url) = url.split_once('/').filter(|(word, _)| is_time(word)).unwrap_or(("", url));
            return Ask::Map { format: format.to_owned(), from: from.to_owned(), url: url_of(url) };
        }
        let whole = || Ask::Gate { url: url_of(rest) };
        let Some((word, url)) = rest.split_once('/') else { return whole() };
        if url.is_empty() {
            return whole();
        }
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        let Some((time, form)) = word.split_at_checked(digits) else { return whole() };
        if form == "*" && digits <= 14 {
            let (url, after) =
                url.rsplit_once("*?after=").map_or((url, None), |(url, after)| (url, Some(after)));
            let prefix = if after.is_some() { Some(url) } else { url.strip_suffix('*') };
            let (within, after) =
                (time.to_owned(), after.map(|after| urlkey::percent::decode_utf8(after).into_owned()));
            return match prefix {
                Some(prefix) => Ask::Listing { within, prefix: url_of(prefix), after },
                None => Ask::Calendar { within, url: url_of(url) },
            };
        }
        let is_time = digits <= 17 && (digits > 0 || !form.is_empty());
        if is_time && is_modifier(form) {
            let time = time.get(..14).unwrap_or(time).to_owned();
            return Ask::Memento { time, form: Form::of(form), url: url_of(url) };
        }
        whole()
    }
}

/// Whether this can be the name of a collection. What is there, the archive knows.
fn is_collection(name: &str) -> bool {
    let is_sound = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
    name.starts_with(|letter: char| letter.is_ascii_alphanumeric())
        && name.len() <= 100
        && name.chars().all(is_sound)
}

/// Nothing, or letters and an underscore.
fn is_modifier(text: &str) -> bool {
    text.is_empty()
        || text.strip_suffix('_').is_some_and(|letters| {
            (1..=4).contains(&letters.len()) && letters.bytes().all(|letter| letter.is_ascii_lowercase())
        })
}

/// The URL that is meant: with a scheme, and with both slashes behind it, one of which browsers and proxies like to squeeze out.
pub(crate) fn url_of(text: &str) -> String {
    let decoded = decode_scheme(text);
    let text = decoded.as_deref().unwrap_or(text);
    let end = text.find(|letter: char| !(letter.is_ascii_alphanumeric() || "+-.".contains(letter)));
    let Some((scheme, rest)) = end.and_then(|end| text.split_at_checked(end)) else {
        return format!("http://{text}");
    };
    let Some(behind) = rest.strip_prefix(':') else {
        return format!("http://{}", text.trim_start_matches('/'));
    };
    let has_authority =
        ["http", "https", "ftp", "ws", "wss"].iter().any(|known| scheme.eq_ignore_ascii_case(known));
    if has_authority {
        return format!("{scheme}://{}", behind.trim_start_matches('/'));
    }
    // `example.org:8080/a` has a port, and `urn:x` is whole.
    if behind.starts_with(|letter: char| letter.is_ascii_digit()) && scheme.contains('.') {
        return format!("http://{text}");
    }
    text.to_owned()
}

/// Clients that know no better escape the whole URL.
fn decode_scheme(text: &str) -> Option<String> {
    let lower = text.get(..text.len().min(12))?.to_ascii_lowercase();
    let is_escaped =
        ["http%3a", "https%3a", "http:%2f", "https:%2f"].iter().any(|start| lower.starts_with(start));
    is_escaped.then(|| {
        let bytes = urlkey::percent::decode(text.as_bytes());
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(target: &str, collection: &str, ask: Ask) {
        assert_eq!(
            Address::parse(target),
            Some(Address { collection: collection.to_owned(), ask }),
            "{target}"
        );
    }

    fn memento(time: &str, form: &str, url: &str) -> Ask {
        Ask::Memento { time: time.to_owned(), form: Form::of(form), url: url.to_owned() }
    }

    fn gate(url: &str) -> Ask {
        Ask::Gate { url: url.to_owned() }
    }

    #[test]
    fn mementos() {
        check(
            "/web/20261116080000/http://a.org/b?c=d",
            "web",
            memento("20261116080000", "", "http://a.org/b?c=d"),
        );
        check(
            "/web/20261116080000if_/http://a.org/",
            "web",
            memento("20261116080000", "if_", "http://a.org/"),
        );
        check("/web/2026/a.org", "web", memento("2026", "", "http://a.org"));
        check("/web/mp_/http:/a.org/", "web", memento("", "mp_", "http://a.org/"));
        check("/web/wkr_/http:/a.org/", "web", memento("", "wkr_", "http://a.org/"));
        check("/web/20261116080000123/http://a.org/", "web", memento("20261116080000", "", "http://a.org/"));
    }

    #[test]
    fn slashes_that_were_squeezed_come_back() {
        check("/web/https:/a.org//b", "web", gate("https://a.org//b"));
        check("/web/2026/HTTP:///a.org/", "web", memento("2026", "", "HTTP://a.org/"));
        check("/web/http%3A%2F%2Fa.org%2Fb", "web", gate("http://a.org/b"));
    }

    #[test]
    fn a_url_without_a_scheme_is_http() {
        check("/web/a.org/b", "web", gate("http://a.org/b"));
        check("/web/a.org:8080/b", "web", gate("http://a.org:8080/b"));
        check("/web/localhost", "web", gate("http://localhost"));
        check("/web//a.org/b", "web", gate("http://a.org/b"));
        check("/web/urn:isbn:1", "web", gate("urn:isbn:1"));
        check("/web/2026", "web", gate("http://2026"));
    }

    #[test]
    fn questions_about_many() {
        check("/web/", "web", Ask::Start);
        check("/web", "web", Ask::Start);
        check("/web/timegate/http:/a.org/", "web", gate("http://a.org/"));
        let map = |from: &str| Ask::Map {
            format: "link".to_owned(),
            from: from.to_owned(),
            url: "http://a.org/?b".to_owned(),
        };
        check("/web/timemap/link/http://a.org/?b", "web", map(""));
        check("/web/timemap/link/20260101000000/http://a.org/?b", "web", map("20260101000000"));
        let calendar = Ask::Calendar { within: "2026".to_owned(), url: "http://a.org/".to_owned() };
        check("/web/2026*/http://a.org/", "web", calendar);
        let listing = |after: Option<&str>| {
            let after = after.map(str::to_owned);
            Ask::Listing { within: String::new(), prefix: "http://a.org/".to_owned(), after }
        };
        check("/web/*/http://a.org/*", "web", listing(None));
        check("/web/*/http://a.org/*?after=org,a)/b%3Fc", "web", listing(Some("org,a)/b?c")));
    }

    #[test]
    fn what_is_no_collection() {
        for target in [
            "/../etc/passwd",
            "/.hidden/a",
            "/-/shim.js",
            "//a.org/",
            "/%77eb/",
            "/a b/",
            "x",
            "/favicon.ico?x",
        ] {
            assert_eq!(Address::parse(target), None, "{target}");
        }
    }
}
