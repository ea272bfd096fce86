//! Addresses in the archive: what stands behind `/web/`.

use crate::place::scheme;
use crate::{Error, Modifier};

/// A replay address: `20261116080000im_/http://example.org/a.png`.
///
/// ```
/// use rewrite::{Address, Modifier, When};
///
/// let address = Address::parse("2026im_/example.org/a.png")?;
/// assert_eq!(address.when, When::Near("2026".to_owned()));
/// assert_eq!(address.modifier, Modifier::Image);
/// assert_eq!(address.url, "http://example.org/a.png");
/// # Ok::<(), rewrite::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// Which captures are meant.
    pub when: When,
    /// What they are asked for as.
    pub modifier: Modifier,
    /// The archived URL, absolute. With a star at its end it stands for all that begin so.
    pub url: String,
}

/// Which captures of a URL are meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum When {
    /// The last one.
    Latest,
    /// The one that is nearest to a time, of which the first digits may be enough.
    Near(String),
    /// A list of those from one time on to another: `*`, `2010*`, `2010-2012*`, `*2012`.
    List {
        /// The first digits of the earliest, or nothing.
        from: String,
        /// The first digits of the latest, or nothing. Where only a year or month is named, it is both.
        to: String,
    },
}

impl Address {
    /// Reads what follows the prefix of a collection. URLs without a scheme, and with one whose slashes got lost on the way, are
    /// mended.
    ///
    /// # Errors
    /// [`Error::Address`], if there is no URL in it.
    pub fn parse(address: &str) -> Result<Address, Error> {
        let none = || Error::Address { address: address.to_owned() };
        let (when, modifier, rest) = head(address).unwrap_or((When::Latest, Modifier::Page, address));
        let url = absolute(rest.trim_matches(|character| character <= ' ')).ok_or_else(none)?;
        Ok(Address { when, modifier, url })
    }

    /// Whether all URLs that begin like this one are meant.
    #[must_use]
    pub fn is_prefix(&self) -> bool {
        self.url.ends_with('*')
    }
}

impl std::fmt::Display for Address {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let modifier = self.modifier.as_str();
        match &self.when {
            When::Latest if modifier.is_empty() => {}
            When::Latest => write!(formatter, "{modifier}/")?,
            When::Near(time) => write!(formatter, "{time}{modifier}/")?,
            When::List { from, to } if from.is_empty() => write!(formatter, "*{to}/")?,
            When::List { from, to } if from == to || to.is_empty() => write!(formatter, "{from}*/")?,
            When::List { from, to } => write!(formatter, "{from}-{to}*/")?,
        }
        formatter.write_str(&self.url)
    }
}

/// The time and modifier before the first slash; nothing if what stands there is part of the URL.
fn head(address: &str) -> Option<(When, Modifier, &str)> {
    let (first, rest) = address.split_once('/')?;
    let is_time = |text: &str| text.len() <= 14 && text.bytes().all(|byte| byte.is_ascii_digit());
    if let Some(to) = first.strip_prefix('*') {
        let list = When::List { from: String::new(), to: to.to_owned() };
        return is_time(to).then_some((list, Modifier::Page, rest));
    }
    if let Some(times) = first.strip_suffix('*') {
        let (from, to) = times.split_once('-').unwrap_or((times, times));
        let list = When::List { from: from.to_owned(), to: to.to_owned() };
        return (is_time(from) && is_time(to)).then_some((list, Modifier::Page, rest));
    }
    let digits = first.bytes().take_while(u8::is_ascii_digit).count();
    let (time, modifier) = first.split_at_checked(digits)?;
    let named = modifier.len() >= 3 && modifier.ends_with('_');
    let lower = modifier.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    let is_head = is_time(time) && (named && lower || modifier.is_empty() && !time.is_empty());
    if !is_head {
        return None;
    }
    let when = if time.is_empty() { When::Latest } else { When::Near(time.to_owned()) };
    Some((when, Modifier::parse(modifier), rest))
}

/// The URL with its scheme, its slashes, and its host as it is asked for.
fn absolute(url: &str) -> Option<String> {
    let url = mend(url.trim_start_matches("%20"))?;
    let host_at = url.find("://")? + 3;
    let (scheme, rest) = url.split_at_checked(host_at)?;
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (host, behind) = rest.split_at_checked(end)?;
    if host.is_empty() {
        return None;
    }
    let host = crate::place::in_ascii(host);
    Some(format!("{scheme}{host}{behind}"))
}

fn mend(url: &str) -> Option<String> {
    // Some clients encode the colon.
    for scheme in ["http", "https", "ftp"] {
        let encoded = |code: &str| {
            let (head, behind) = url.split_at_checked(scheme.len())?;
            head.eq_ignore_ascii_case(scheme).then(|| behind.strip_prefix(code)).flatten()
        };
        if let Some(rest) = encoded("%3A").or_else(|| encoded("%3a")).or_else(|| encoded(":")) {
            let rest = rest.strip_prefix("%2F%2F").unwrap_or(rest).trim_start_matches(['/', '\\']);
            return (!rest.is_empty()).then(|| format!("{scheme}://{rest}"));
        }
    }
    if let Some(scheme) = scheme(url)
        // A host with a port is no scheme: `example.org:8080/`.
        && !url.get(scheme.len() + 1..).is_some_and(|behind| behind.starts_with(|c: char| c.is_ascii_digit()))
    {
        return url.contains("://").then(|| url.to_owned());
    }
    let rest = url.trim_start_matches('/');
    (!rest.is_empty()).then(|| format!("http://{rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(address: &str, written: &str) {
        let parsed = Address::parse(address).unwrap();
        assert_eq!(parsed.to_string(), written, "{address} {parsed:?}");
    }

    #[test]
    fn times_and_modifiers_are_read() {
        check("20260102im_/https://example.org", "20260102im_/https://example.org");
        check("cs_/example.org", "cs_/http://example.org");
        check("https://example.org/x", "https://example.org/x");
        check("2026/example.org:8080/", "2026/http://example.org:8080/");
        check("mp_/example.org/", "if_/http://example.org/");
    }

    #[test]
    fn lists_are_read() {
        check("*/http://example.org/*", "*/http://example.org/*");
        check("2010*/example.org", "2010*/http://example.org");
        check("2010-2012*/example.org", "2010-2012*/http://example.org");
        check("*2015/example.org", "*2015/http://example.org");
        assert!(Address::parse("*/example.org/*").unwrap().is_prefix());
    }

    #[test]
    fn damaged_urls_are_mended() {
        check("2026/http:/example.org/a", "2026/http://example.org/a");
        check("https%3A%2F%2Fexample.org/", "https://example.org/");
        check("2026///example.org/", "2026/http://example.org/");
        check("příklad.example/a", "http://xn--pklad-zsa96e.example/a");
        check("example.org/?u=http://b.example/", "http://example.org/?u=http://b.example/");
    }

    #[test]
    fn digits_may_be_a_host() {
        check("1.2.3.4/a", "http://1.2.3.4/a");
    }

    #[test]
    fn nothing_is_no_address() {
        for address in ["", "2026/", "http://", "*/", "im_/", "mailto:a@b.example"] {
            assert!(Address::parse(address).is_err(), "{address}");
        }
    }
}
