//! The parameters of a query, decoded, within limits.

use std::borrow::Cow;

use api::{Error, Limits};
use urlkey::percent::decode_form;

/// Parameters in the order in which they came; any name may come more than once.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Parameters<'q> {
    pairs: Vec<(Cow<'q, str>, Cow<'q, str>)>,
}

impl<'q> Parameters<'q> {
    /// Reads `a=1&b=%20`. What is not UTF-8, or holds a byte 0, is refused.
    pub(crate) fn parse(query: &'q str, limits: &Limits) -> Result<Parameters<'q>, Error> {
        if query.len() > limits.query_bytes {
            return Err(Error::bad(format!("the query is longer than {} bytes", limits.query_bytes)));
        }
        let mut pairs = Vec::new();
        for field in query.split('&').filter(|field| !field.is_empty()) {
            if pairs.len() == limits.parameters {
                return Err(Error::bad(format!("more than {} parameters", limits.parameters)));
            }
            let (name, value) = field.split_once('=').unwrap_or((field, ""));
            pairs.push((decoded(name)?, decoded(value)?));
        }
        Ok(Parameters { pairs })
    }

    /// The first of this name that is not empty.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// All of this name that are not empty.
    pub(crate) fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        let named = self.pairs.iter().filter(move |(found, value)| found == name && !value.is_empty());
        named.map(|(_, value)| value.as_ref())
    }

    /// Whether there is one of this name, empty or not.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.pairs.iter().any(|(found, _)| found == name)
    }

    /// Whether a switch is on.
    pub(crate) fn is_on(&self, name: &str) -> bool {
        self.get(name).is_some_and(is_true)
    }

    /// A number.
    pub(crate) fn number<N: std::str::FromStr>(&self, name: &str) -> Result<Option<N>, Error> {
        let Some(text) = self.get(name) else { return Ok(None) };
        let bad = || Error::bad(format!("`{name}` is `{}`, which is not a number in range", excerpt(text)));
        text.trim().parse().map(Some).map_err(|_| bad())
    }
}

/// Whether a text switches something on.
pub(crate) fn is_true(text: &str) -> bool {
    ["true", "1", "yes", "on"].iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// The first few characters of what somebody sent, so that an answer stays small.
pub(crate) fn excerpt(text: &str) -> String {
    const CHARS_MAX: usize = 80;
    match text.char_indices().nth(CHARS_MAX) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

fn decoded(text: &str) -> Result<Cow<'_, str>, Error> {
    let text = if text.contains(['%', '+']) {
        let bytes = decode_form(text.as_bytes());
        Cow::Owned(String::from_utf8(bytes).map_err(|_| Error::bad("a parameter is not UTF-8"))?)
    } else {
        Cow::Borrowed(text)
    };
    if text.contains('\0') { Err(Error::bad("a parameter holds a byte 0")) } else { Ok(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_decoded_in_their_order() {
        let limits = Limits::default();
        let parameters = Parameters::parse("url=a%26b&filter=x&filter=y+z&&flag&limit=07", &limits).unwrap();
        assert_eq!(parameters.get("url"), Some("a&b"));
        assert_eq!(parameters.all("filter").collect::<Vec<_>>(), ["x", "y z"]);
        assert!(parameters.has("flag") && parameters.get("flag").is_none());
        assert_eq!(parameters.number::<u64>("limit").unwrap(), Some(7));
        assert_eq!(parameters.number::<u64>("none").unwrap(), None);
    }

    #[test]
    fn nonsense_is_refused() {
        let limits = Limits { parameters: 3, query_bytes: 20, ..Limits::default() };
        for bad in ["a=%ff", "a=%00", "a=1&b=2&c=3&d=4", "a=aaaaaaaaaaaaaaaaaaaaaaaaaa"] {
            assert!(Parameters::parse(bad, &limits).is_err(), "{bad}");
        }
        assert!(Parameters::parse("n=1x", &limits).unwrap().number::<u64>("n").is_err());
        assert!(Parameters::parse("n=99999999999999999", &limits).unwrap().number::<u32>("n").is_err());
    }
}
