//! Who writes letters, and who gets them.

use std::str::FromStr;

use lettre::message::Mailbox;

use crate::bounded::one_line;
use crate::error::Error;
use crate::limits::LINE_MAX;

/// An address of somebody who reads mail, such as `archive@example.org`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    text: String,
    pub(super) mailbox: Mailbox,
}

impl Address {
    /// As it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// What stands behind the `@`.
    pub(super) fn domain(&self) -> &str {
        self.mailbox.email.domain()
    }
}

impl FromStr for Address {
    type Err = Error;

    fn from_str(text: &str) -> Result<Address, Error> {
        let given = |why: &str| Error::Given { text: one_line(text, LINE_MAX), why: why.to_owned() };
        // Whatever could end a line or an argument of the dialogue stays out, also where quotes would make it an address.
        let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic() && !br#"<>"\(),;"#.contains(&byte));
        if !is_plain {
            return Err(given("a plain address such as archive@example.org is wanted"));
        }
        let email = text.parse::<lettre::Address>().map_err(|_| given("it is no mail address"))?;
        Ok(Address { text: text.to_owned(), mailbox: Mailbox::new(None, email) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_plain() {
        for text in ["archive@example.org", "a.b+c@mail.example.org"] {
            assert_eq!(text.parse::<Address>().unwrap().as_str(), text);
        }
        for text in [
            "",
            "a",
            "a@",
            "@b",
            "a b@c.d",
            "<a@b.c>",
            "a@b.c\r\nBcc: x@y.z",
            "\"a\r\n\"@b.c",
            "é@b.c",
            "a@b.c>",
        ] {
            assert!(text.parse::<Address>().is_err(), "{text}");
        }
    }
}
