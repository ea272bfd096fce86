//! Which keys a question is about.

use api::Error;
use urlkey::{KeyRange, Match};

use super::parameters::{Parameters, excerpt};

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Captures of one key, and of those that are aliases for it.
    Key(String),
    /// Captures of all keys in a range. An empty end is no end.
    Range(KeyRange),
}

impl Scope {
    /// What `url` and `matchType` ask for. Without `matchType` a `*` at the end is a prefix, `*.` at the start a domain.
    pub(crate) fn of_url(parameters: &Parameters<'_>) -> Result<Scope, Error> {
        let url = parameters.get("url").ok_or_else(|| Error::bad("a `url` is needed"))?;
        let (url, matching) =
            match (parameters.get("matchType"), url.strip_prefix("*."), url.strip_suffix('*')) {
                (None, Some(domain), _) => (domain, Match::Domain),
                (None, None, Some(prefix)) => (prefix, Match::Prefix),
                (None, None, None) => (url, Match::Exact),
                (Some("range"), ..) => return Ok(Scope::starting(urlkey::key(url))),
                (Some(name), ..) => (url, name.parse::<Match>().map_err(|_| no_match(name))?),
            };
        match matching {
            Match::Exact => Ok(Scope::Key(urlkey::key(url))),
            Match::Prefix if url.is_empty() => Ok(Scope::starting(String::new())),
            matching => Ok(Scope::Range(urlkey::key_range(url, matching)?)),
        }
    }

    /// The same for a key that is given as it is (`urlkey`).
    pub(crate) fn of_key(key: &str, matching: Option<&str>) -> Result<Scope, Error> {
        let host = key.split_once(')').map_or(key, |(host, _)| host);
        let between = |start: String, end: String| Ok(Scope::Range(KeyRange { start, end }));
        match matching.unwrap_or("exact") {
            "exact" => Ok(Scope::Key(key.to_owned())),
            "prefix" => between(key.to_owned(), behind(key)),
            "host" => between(format!("{host})/"), format!("{host}*")),
            "domain" => between(format!("{host})"), format!("{host}-")),
            "range" => Ok(Scope::starting(key.to_owned())),
            other => Err(no_match(other)),
        }
    }

    /// All keys from one on.
    pub(crate) fn starting(start: String) -> Scope {
        Scope::Range(KeyRange { start, end: String::new() })
    }
}

/// That this is no `matchType`.
fn no_match(name: &str) -> Error {
    let name = excerpt(name);
    Error::bad(format!("`{name}` is no matchType; there are `exact`, `prefix`, `host`, `domain` and `range`"))
}

/// What sorts right behind all that begin like this; nothing where there is no such text.
fn behind(prefix: &str) -> String {
    let mut text = prefix.to_owned();
    while let Some(last) = text.pop() {
        if let Some(next) = (u32::from(last) + 1..=u32::from(char::MAX)).find_map(char::from_u32) {
            text.push(next);
            break;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use api::Limits;

    #[track_caller]
    fn check(query: &str, expect: &str) {
        let limits = Limits::default();
        let parameters = Parameters::parse(query, &limits).unwrap();
        let scope = match parameters.get("urlkey") {
            Some(key) => Scope::of_key(key, parameters.get("matchType")),
            None => Scope::of_url(&parameters),
        };
        let text = match scope {
            Ok(Scope::Key(key)) => key,
            Ok(Scope::Range(range)) => format!("{}…{}", range.start, range.end),
            Err(error) => error.to_string(),
        };
        assert_eq!(text, expect, "{query}");
    }

    #[test]
    fn stars_say_how_much_is_meant() {
        check("url=http://Example.org/A", "org,example)/a");
        check("url=example.org/a/*", "org,example)/a/…org,example)/a0");
        check("url=*.example.org", "org,example)/…org,example-");
        check("url=example.org/a*&matchType=exact", "org,example)/a*");
        check("url=example.org&matchType=host", "org,example)/…org,example*");
        check("url=*", "…");
        check("url=example.org&matchType=range", "org,example)/…");
    }

    #[test]
    fn keys_are_taken_as_they_are() {
        check("urlkey=Org,Example)/A", "Org,Example)/A");
        check("urlkey=org,a)/b&matchType=prefix", "org,a)/b…org,a)/c");
        check("urlkey=org,a)/b&matchType=host", "org,a)/…org,a*");
        check("urlkey=org,a)/b&matchType=domain", "org,a)…org,a-");
        let none = "`x` is no matchType; there are `exact`, `prefix`, `host`, `domain` and `range`";
        check("urlkey=org,a)/b&matchType=x", none);
        check("url=a&matchType=x", none);
    }

    #[test]
    fn what_is_no_question_is_refused() {
        check("", "a `url` is needed");
        check("url=", "a `url` is needed");
    }
}
