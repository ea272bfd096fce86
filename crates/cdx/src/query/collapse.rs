//! Of captures that are alike, keeps one.
//!
//! "Alike" is said of neighbours only, so nothing needs to be remembered but the last.

use crate::{Capture, Error, Field, Timestamp};

/// Says of each capture whether it is the first of a run of like ones.
#[derive(Debug, Clone)]
pub struct Collapse {
    by: By,
    last: Option<Token>,
}

#[derive(Debug, Clone)]
enum By {
    /// Key, status and leading digits of the time.
    Time { digits: u32 },
    /// Leading characters of a field, or all of it.
    Field { field: Field, length: Option<usize> },
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Time { key: Option<String>, status: Option<u16>, time: Option<u64> },
    Field(Option<String>),
}

impl Collapse {
    /// Captures of the same key, status and so many leading digits of the time are alike: `collapseTime` of pywb.
    #[must_use]
    pub fn by_time(digits: u32) -> Collapse {
        Collapse { by: By::Time { digits: digits.min(14) }, last: None }
    }

    /// Captures are alike whose field is: `collapse=field` or `collapse=field:N` of OutbackCDX, where the first N characters
    /// count.
    ///
    /// # Errors
    /// When N is not a number.
    pub fn by_field(text: &str) -> Result<Collapse, Error> {
        let (name, length) = match text.split_once(':') {
            Some((name, length)) => match length.parse() {
                Ok(length) => (name, Some(length)),
                Err(_) => {
                    let (field, value) = ("collapse length".to_owned(), crate::error::excerpt(length));
                    return Err(Error::BadNumber { field, value });
                }
            },
            None => (text, None),
        };
        Ok(Collapse { by: By::Field { field: Field::named(name), length }, last: None })
    }

    /// Whether the capture is unlike the one asked about before.
    pub fn accepts(&mut self, capture: &Capture<'_>) -> bool {
        let token = self.token(capture);
        let is_new = self.last.as_ref() != Some(&token);
        self.last = Some(token);
        is_new
    }

    fn token(&self, capture: &Capture<'_>) -> Token {
        match &self.by {
            By::Time { digits } => Token::Time {
                key: capture.key.as_deref().map(str::to_owned),
                status: capture.status,
                time: capture.timestamp.map(|time| leading(time, *digits)),
            },
            By::Field { field, length } => Token::Field(capture.text(field).map(|text| match length {
                Some(length) => text.chars().take(*length).collect(),
                None => text.into_owned(),
            })),
        }
    }
}

fn leading(time: Timestamp, digits: u32) -> u64 {
    time.as_number() / 10_u64.pow(14_u32.saturating_sub(digits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_that_is_no_number_is_refused() {
        assert!(Collapse::by_field("timestamp:x").is_err());
    }
}
