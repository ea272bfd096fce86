//! Addresses in the archive: what stands behind `/web/`. This is the one place that reads them.

mod url;

use crate::{Error, Form};

/// A replay address: `20261116080000im_/http://example.org/a.png`.
///
/// ```
/// use rewrite::{Address, Modifier, When};
///
/// let address = Address::parse("2026im_/example.org/a.png")?;
/// assert_eq!(address.when, When::Near("2026".to_owned()));
/// assert_eq!(address.form.modifier, Modifier::Image);
/// assert_eq!(address.url, "http://example.org/a.png");
/// # Ok::<(), rewrite::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// Which captures are meant.
    pub when: When,
    /// What they are asked for as.
    pub form: Form,
    /// The archived URL, absolute. With a star at its end it stands for all that begin so.
    pub url: String,
}

/// Which captures of a URL are meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum When {
    /// The last one, or the one that a header asks for.
    Latest,
    /// The one that is nearest to a time, of which the first digits may be enough.
    Near(String),
    /// A list of those within a time.
    List(Span),
}

/// From one time on to another: `*`, `2010*`, `2010-2012*`, `*2012`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Span {
    /// The first digits of the earliest, or nothing.
    pub from: String,
    /// The first digits of the latest, or nothing. Where only a year or month is named, it is both.
    pub to: String,
}

/// Digits of a whole timestamp.
const DIGITS: usize = 14;

/// Digits with those of the thousandths of a second, which some software adds.
const DIGITS_MAX: usize = 17;

impl Address {
    /// Reads what follows the prefix of a collection. URLs without a scheme, and with one whose slashes got lost on the way, are
    /// mended.
    ///
    /// # Errors
    /// [`Error::Address`], if there is no URL in it.
    pub fn parse(address: &str) -> Result<Address, Error> {
        let none = || Error::Address { address: address.to_owned() };
        let (when, form, rest) = head(address).unwrap_or((When::Latest, Form::of(""), address));
        let url = Address::url(rest).ok_or_else(none)?;
        Ok(Address { when, form, url })
    }

    /// The URL that is meant by what stands where one is expected; nothing if that is none.
    #[must_use]
    pub fn url(text: &str) -> Option<String> {
        url::absolute(text)
    }
}

impl Span {
    /// Whether a timestamp of fourteen digits lies in it.
    #[must_use]
    pub fn holds(&self, time: &str) -> bool {
        let start = |length: usize| time.get(..length).unwrap_or(time);
        start(self.from.len()) >= self.from.as_str() && start(self.to.len()) <= self.to.as_str()
    }
}

impl std::fmt::Display for Span {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.from.as_str(), self.to.as_str()) {
            ("", to) => write!(formatter, "*{to}"),
            (from, to) if from == to => write!(formatter, "{from}*"),
            (from, to) => write!(formatter, "{from}-{to}*"),
        }
    }
}

impl std::fmt::Display for Address {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let form = self.form.text.as_str();
        match &self.when {
            When::Latest if form.is_empty() => {}
            When::Latest => write!(formatter, "{form}/")?,
            When::Near(time) => write!(formatter, "{time}{form}/")?,
            When::List(span) => write!(formatter, "{span}/")?,
        }
        formatter.write_str(&self.url)
    }
}

/// The time and form before the first slash; nothing if what stands there is part of the URL.
fn head(address: &str) -> Option<(When, Form, &str)> {
    let (first, rest) = address.split_once('/')?;
    if let Some(span) = span(first) {
        return Some((When::List(span), Form::of(""), rest));
    }
    let digits = first.bytes().take_while(u8::is_ascii_digit).count();
    let (time, form) = first.split_at_checked(digits)?;
    if digits > DIGITS_MAX || first.is_empty() || !is_form(form) {
        return None;
    }
    let time = time.get(..DIGITS).unwrap_or(time);
    let when = if time.is_empty() { When::Latest } else { When::Near(time.to_owned()) };
    Some((when, Form::of(form), rest))
}

fn span(word: &str) -> Option<Span> {
    let is_time = |text: &str| text.len() <= DIGITS && text.bytes().all(|byte| byte.is_ascii_digit());
    let (from, to) = match (word.strip_prefix('*'), word.strip_suffix('*')) {
        (Some(to), _) => ("", to),
        (None, Some(times)) => times.split_once('-').unwrap_or((times, times)),
        (None, None) => return None,
    };
    (is_time(from) && is_time(to)).then(|| Span { from: from.to_owned(), to: to.to_owned() })
}

/// Nothing, or a few letters and an underscore.
fn is_form(text: &str) -> bool {
    let is_named = |letters: &str| {
        (1..=4).contains(&letters.len()) && letters.bytes().all(|letter| letter.is_ascii_lowercase())
    };
    text.is_empty() || text.strip_suffix('_').is_some_and(is_named)
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
    fn times_and_forms_are_read() {
        check("20260102im_/https://example.org", "20260102im_/https://example.org");
        check("cs_/example.org", "cs_/http://example.org");
        check("https://example.org/x", "https://example.org/x");
        check("2026/example.org:8080/", "2026/http://example.org:8080/");
        // What it was called is kept, so that one who is sent on finds it again.
        check("mp_/example.org/", "mp_/http://example.org/");
        check("20261116080000123/example.org/", "20261116080000/http://example.org/");
    }

    #[test]
    fn lists_are_read() {
        check("*/http://example.org/*", "*/http://example.org/*");
        check("2010*/example.org", "2010*/http://example.org");
        check("2010-2012*/example.org", "2010-2012*/http://example.org");
        check("*2015/example.org", "*2015/http://example.org");
    }

    #[test]
    fn spans_hold_what_lies_in_them() {
        let holds = |span: &str, time: &str| super::span(span).unwrap().holds(time);
        assert!(holds("*", "20260102030405"));
        assert!(holds("2026*", "20261231235959") && !holds("2026*", "20270101000000"));
        assert!(holds("2010-2012*", "20121231235959") && !holds("2010-2012*", "20091231235959"));
        assert!(holds("2010-*", "20121231235959") && !holds("2010-*", "20091231235959"));
        assert!(holds("*2012", "20121231235959") && !holds("*2012", "20130101000000"));
    }

    #[test]
    fn digits_may_be_a_host() {
        check("1.2.3.4/a", "http://1.2.3.4/a");
        check("2026", "http://2026");
    }

    #[test]
    fn nothing_is_no_address() {
        for address in ["", "2026/", "http://", "*/", "im_/", "/", "///"] {
            assert!(Address::parse(address).is_err(), "{address}");
        }
    }
}
