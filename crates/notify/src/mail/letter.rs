//! A message as a letter (RFC 5322): plain text, every header encoded as it must be.

use std::str::FromStr;
use std::time::SystemTime;

use lettre::message::header::{ContentTransferEncoding, ContentType, HeaderName, HeaderValue};
use lettre::message::{Mailbox, SinglePart};

use crate::error::Error;
use crate::message::Message;
use crate::notice::Severity;

/// An address of somebody who reads mail, such as `archive@example.org`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    text: String,
    mailbox: Mailbox,
}

impl Address {
    /// As it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    fn domain(&self) -> &str {
        self.mailbox.email.domain()
    }
}

impl FromStr for Address {
    type Err = Error;

    fn from_str(text: &str) -> Result<Address, Error> {
        let given = |why: &str| Error::Given { text: text.to_owned(), why: why.to_owned() };
        // Whatever could end a line or an argument of the dialogue stays out, also where quotes would make it an address.
        let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic() && !br#"<>"\(),;"#.contains(&byte));
        if !is_plain {
            return Err(given("a plain address such as archive@example.org is wanted"));
        }
        let email = text.parse::<lettre::Address>().map_err(|_| given("it is no mail address"))?;
        Ok(Address { text: text.to_owned(), mailbox: Mailbox::new(None, email) })
    }
}

/// The letter, with line ends as they are sent.
pub(super) fn write(from: &Address, to: &[Address], message: &Message) -> Result<Vec<u8>, Error> {
    let wrong = |why: String| Error::Letter { why };
    let severity = message.severity();
    let subject = match severity {
        Severity::Info => format!("[varve] {}", message.subject()),
        _ => format!("[varve] {severity}: {}", message.subject()),
    };
    let mut letter = lettre::Message::builder()
        .from(from.mailbox.clone())
        .subject(subject)
        .date(SystemTime::from(message.last()))
        .message_id(Some(format!("<{}@{}>", message.id, from.domain())));
    for address in to {
        letter = letter.to(address.mailbox.clone());
    }
    // Machines do not answer machines (RFC 3834, 5).
    for (name, value) in
        [("Auto-Submitted", "auto-generated"), ("X-Varve-Kind", message.kind().unwrap_or("several"))]
    {
        letter = letter.raw_header(HeaderValue::new(HeaderName::new_from_ascii_str(name), value.to_owned()));
    }
    let body = SinglePart::builder()
        .header(ContentType::TEXT_PLAIN)
        // Base64 never breaks the bound on the length of lines, and no server on the way touches it.
        .header(if message.text().is_ascii() {
            ContentTransferEncoding::QuotedPrintable
        } else {
            ContentTransferEncoding::Base64
        })
        .body(message.text());
    letter.singlepart(body).map(|letter| letter.formatted()).map_err(|error| wrong(error.to_string()))
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
