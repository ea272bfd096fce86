//! The address of a request, taken apart: which collection, what of it, which URL at which time.
//!
//! Times, forms and URLs are read by [`rewrite::Address`]; here is what a server adds to them.
//!
//! ```text
//! /web/20261116080000if_/http://example.org/a   a memento; fewer digits, or none but a modifier, will do
//! /web/http://example.org/a                     a TimeGate, as /web/timegate/http://example.org/a
//! /web/timemap/link/http://example.org/a        a TimeMap: link, json or cdxj; /web/timemap/link/20261116080000/… from then on
//! /web/*/http://example.org/a                   a calendar; /web/2026*/… of that year, /web/2024-2026*/… of some
//! /web/*/http://example.org/*                   a listing of what begins so
//! /web/                                         the collection
//! ```

use rewrite::{Form, Span, When};

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
    /// When it was captured.
    Calendar { within: Span, url: String },
    /// What there is that begins like this; behind this key.
    Listing { within: Span, prefix: String, after: Option<String> },
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
    /// User names and passwords that were typed with a URL appear in no link, header or page.
    fn parse(rest: &str) -> Ask {
        let mut ask = Ask::read(rest);
        match &mut ask {
            Ask::Start => {}
            Ask::Memento { url, .. }
            | Ask::Gate { url }
            | Ask::Map { url, .. }
            | Ask::Calendar { url, .. }
            | Ask::Listing { prefix: url, .. } => *url = urlkey::remove_login(url).into_owned(),
        }
        ask
    }

    fn read(rest: &str) -> Ask {
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
        // Where there is no URL in it, there is no capture of what there is.
        let Ok(rewrite::Address { when, form, url }) = rewrite::Address::parse(rest) else {
            return Ask::Gate { url: rest.to_owned() };
        };
        match when {
            When::List(within) => Ask::list(within, url),
            When::Near(time) => Ask::Memento { time, form, url },
            When::Latest if form.text.is_empty() => Ask::Gate { url },
            When::Latest => Ask::Memento { time: String::new(), form, url },
        }
    }

    /// A calendar of one URL, or a listing of all that begin so.
    fn list(within: Span, url: String) -> Ask {
        if let Some((prefix, after)) = url.rsplit_once("*?after=") {
            let after = Some(urlkey::percent::decode_utf8(after).into_owned());
            return Ask::Listing { within, prefix: prefix.to_owned(), after };
        }
        match url.strip_suffix('*') {
            Some(prefix) => Ask::Listing { within, prefix: prefix.to_owned(), after: None },
            None => Ask::Calendar { within, url },
        }
    }
}

/// Whether this can be the name of a collection. What is there, the archive knows.
fn is_collection(name: &str) -> bool {
    let is_sound = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
    name.starts_with(|letter: char| letter.is_ascii_alphanumeric())
        && name.len() <= 100
        && name.chars().all(is_sound)
}

/// The URL that is meant, or the text as it is.
fn url_of(text: &str) -> String {
    rewrite::Address::url(text).unwrap_or_else(|| text.to_owned())
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
    fn user_names_and_passwords_are_removed() {
        check(
            "/web/http://u:PW@a.org/?b=http://c:d@e.org/",
            "web",
            gate("http://a.org/?b=http://c:d@e.org/"),
        );
        check("/web/2026/http:/u:PW@a.org/", "web", memento("2026", "", "http://a.org/"));
        let map =
            Ask::Map { format: "link".to_owned(), from: String::new(), url: "http://a.org/".to_owned() };
        check("/web/timemap/link/http://u:PW@a.org/", "web", map);
        assert!(!format!("{:?}", Address::parse("/web/*/http://u:PW@a.org/*")).contains("PW"));
        assert!(!format!("{:?}", Address::parse("/web/*/http://u:PW@a.org/")).contains("PW"));
    }

    #[test]
    fn slashes_that_were_squeezed_come_back() {
        check("/web/https:/a.org//b", "web", gate("https://a.org//b"));
        check("/web/2026/HTTP:///a.org/", "web", memento("2026", "", "http://a.org/"));
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
        check("/web/2026/", "web", gate("2026/"));
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
        let calendar = |from: &str, to: &str| {
            let within = Span { from: from.to_owned(), to: to.to_owned() };
            Ask::Calendar { within, url: "http://a.org/".to_owned() }
        };
        check("/web/2026*/http://a.org/", "web", calendar("2026", "2026"));
        check("/web/2024-2026*/a.org/", "web", calendar("2024", "2026"));
        check("/web/*2026/a.org/", "web", calendar("", "2026"));
        let listing = |after: Option<&str>| {
            let after = after.map(str::to_owned);
            Ask::Listing { within: Span::default(), prefix: "http://a.org/".to_owned(), after }
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
