//! Keeps captures whose fields look as asked, in the words of pywb or of OutbackCDX.
//!
//! | | pywb | OutbackCDX |
//! |---|---|---|
//! | form | `[!][=\|~]field:text` | `[~][!]field:text` |
//! | no sign | contains | regex over the whole field |
//! | `=` | is equal | |
//! | `~` | regex from the start | contains |
//! | `!` | not | not |
//!
//! A field that is missing counts as `-`, as it stands in a CDX line; one that captures do not have at all as nothing.

use std::borrow::Cow;

use memchr::memmem;
use regex::{Regex, RegexBuilder};

use crate::{Capture, Error, Field, Layout};

/// A condition on one field, or on the line as CDX-11 would have it.
#[derive(Debug, Clone)]
pub struct Filter {
    /// `None` for the whole line.
    field: Option<Field>,
    test: Test,
    negated: bool,
}

#[derive(Debug, Clone)]
enum Test {
    Contains(String),
    Equals(String),
    Matches(Regex),
}

/// Regexes come from outside; one that needs more memory than this is refused.
const REGEX_BYTES_MAX: usize = 1 << 20;

impl Filter {
    /// Reads a filter as pywb understands it. Without a colon it looks at the whole line.
    ///
    /// # Errors
    /// When a regex is broken or too large.
    pub fn pywb(text: &str) -> Result<Filter, Error> {
        let (negated, rest) = strip(text, '!');
        let (is_equals, rest) = strip(rest, '=');
        let (is_regex, rest) = if is_equals { (false, rest) } else { strip(rest, '~') };
        let (field, expected) = match rest.split_once(':') {
            Some((name, expected)) => (Some(Field::named(name)), expected),
            None => (None, rest),
        };
        let test = if is_regex {
            Test::Matches(regex(text, &format!("^(?:{expected})"))?)
        } else if is_equals {
            Test::Equals(expected.to_owned())
        } else {
            Test::Contains(expected.to_owned())
        };
        Ok(Filter { field, test, negated })
    }

    /// Reads a filter as OutbackCDX understands it.
    ///
    /// # Errors
    /// When no field is named, or a regex is broken or too large.
    pub fn outback(text: &str) -> Result<Filter, Error> {
        let (negated_first, rest) = strip(text, '!');
        let (is_contains, rest) = strip(rest, '~');
        let (negated_second, rest) = strip(rest, '!');
        let Some((name, expected)) = rest.split_once(':') else {
            return Err(Error::BadFilter {
                text: text.to_owned(),
                why: "no field is named before a colon".to_owned(),
            });
        };
        let test = if is_contains {
            Test::Contains(expected.to_owned())
        } else {
            Test::Matches(regex(text, &format!("^(?:{expected})$"))?)
        };
        Ok(Filter { field: Some(Field::named(name)), test, negated: negated_first || negated_second })
    }

    /// Whether the capture looks as asked.
    #[must_use]
    pub fn accepts(&self, capture: &Capture<'_>) -> bool {
        let text = self.text(capture);
        let holds = match &self.test {
            Test::Contains(expected) => memmem::find(text.as_bytes(), expected.as_bytes()).is_some(),
            Test::Equals(expected) => text == expected.as_str(),
            Test::Matches(regex) => regex.is_match(&text),
        };
        holds != self.negated
    }

    fn text<'c>(&self, capture: &'c Capture<'_>) -> Cow<'c, str> {
        let Some(field) = &self.field else {
            let mut line = Vec::new();
            Layout::cdx11().write(capture, &mut line);
            return Cow::Owned(String::from_utf8(line).unwrap_or_default());
        };
        let missing = if matches!(field, Field::Other(_)) { "" } else { "-" };
        capture.text(field).unwrap_or(Cow::Borrowed(missing))
    }
}

fn strip(text: &str, sign: char) -> (bool, &str) {
    text.strip_prefix(sign).map_or((false, text), |rest| (true, rest))
}

fn regex(text: &str, pattern: &str) -> Result<Regex, Error> {
    RegexBuilder::new(pattern).size_limit(REGEX_BYTES_MAX).dfa_size_limit(REGEX_BYTES_MAX).build().map_err(
        |error| {
            let why = match error {
                regex::Error::CompiledTooBig(_) => "the regex is too large".to_owned(),
                error => error.to_string(),
            };
            Error::BadFilter { text: text.to_owned(), why }
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(filter: Result<Filter, Error>, expect: bool) {
        let capture = Capture {
            key: Some("org,a)/".into()),
            mime: Some("text/html".into()),
            status: Some(200),
            ..Capture::default()
        };
        let filter = filter.unwrap();
        assert_eq!(filter.accepts(&capture), expect, "{filter:?}");
    }

    #[test]
    fn signs_mean_what_pywb_means() {
        check(Filter::pywb("mime:html"), true);
        check(Filter::pywb("mimetype:htm"), true);
        check(Filter::pywb("=mime:html"), false);
        check(Filter::pywb("!=mime:html"), true);
        check(Filter::pywb("~mime:html"), false);
        check(Filter::pywb("~mime:.*html$"), true);
        check(Filter::pywb("!~mime:a|text"), false);
        check(Filter::pywb("=redirect:-"), true);
        check(Filter::pywb("blah:-"), false);
        check(Filter::pywb("text/html 200 -"), true);
    }

    #[test]
    fn signs_mean_what_outback_means() {
        check(Filter::outback("mime:text"), false);
        check(Filter::outback("mime:text.*"), true);
        check(Filter::outback("~mime:ext"), true);
        check(Filter::outback("~!mime:ext"), false);
        check(Filter::outback("!~mime:ext"), false);
        check(Filter::outback("!status:200|404"), false);
    }

    #[test]
    fn broken_filters_are_refused() {
        assert!(Filter::outback("nothing").is_err());
        assert!(Filter::pywb("~mime:(").is_err());
        assert!(Filter::pywb("~mime:((a{1000}){1000}){1000}").is_err());
    }
}
