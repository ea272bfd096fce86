//! People, or programs, that ask: each has a memory of what it was told last (E3).

use crate::error::Error;

/// Somebody who asks. Made by [`Monitor::person`](crate::Monitor::person).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    pub(crate) id: i64,
    pub(crate) name: String,
}

impl Person {
    /// What it is called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// A name without blanks around it, if it can be one.
pub(crate) fn name(text: &str, chars_max: usize) -> Result<String, Error> {
    let name = text.trim();
    let is_sound =
        !name.is_empty() && name.chars().count() <= chars_max && !name.chars().any(char::is_control);
    if is_sound { Ok(name.to_owned()) } else { Err(Error::Name(name.chars().take(100).collect())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(name(" rrs_deliverables ", 20).unwrap(), "rrs_deliverables");
        assert_eq!(name("žena", 4).unwrap(), "žena");
        for bad in ["", "  ", "a\nb", "abcde"] {
            assert!(name(bad, 4).is_err(), "{bad}");
        }
    }
}
