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
    // A message need not come from a lane, which lets no others in.
    let kind: String =
        message.kind().unwrap_or("several").chars().filter(char::is_ascii_alphanumeric).collect();
    // Machines do not answer machines (RFC 3834, 5).
    for (name, value) in [("Auto-Submitted", "auto-generated"), ("X-Varve-Kind", kind.as_str())] {
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
    use jiff::Timestamp;
    use proptest::prelude::*;

    use super::*;
    use crate::notice::Notice;

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

    /// The names of a letter's headers.
    fn headers(letter: &[u8]) -> Vec<String> {
        let text = String::from_utf8(letter.to_vec()).unwrap();
        let head = text.split("\r\n\r\n").next().unwrap();
        let lines = head.split("\r\n").filter(|line| !line.starts_with([' ', '\t']));
        lines.map(|line| line.split(':').next().unwrap().to_owned()).collect()
    }

    proptest! {
        #[test]
        fn whatever_it_says_a_letter_has_its_own_headers_and_no_others(
            subject in "\\PC{0,300}|(?s:.{0,300})", kind in "(?s:.{0,20})", line in "(?s:.{0,2000})",
        ) {
            let notice = Notice::new(Timestamp::UNIX_EPOCH, &kind, Severity::Alarm, subject).line(line);
            let message = Message::of("1".to_owned(), notice);
            let address: Address = "a@b.example".parse().unwrap();
            let letter = write(&address, std::slice::from_ref(&address), &message).unwrap();
            prop_assert!(letter.is_ascii());
            let names = headers(&letter).join(" ");
            let wanted = "From Subject Date Message-ID To Auto-Submitted X-Varve-Kind MIME-Version Content-Type Content-Transfer-Encoding";
            let sorted = |names: &str| { let mut names: Vec<String> = names.split(' ').map(str::to_owned).collect(); names.sort(); names };
            prop_assert_eq!(sorted(&names), sorted(wanted));
            // RFC 5322, 2.1.1.
            prop_assert!(letter.split(|byte| *byte == b'\n').all(|line| line.len() <= 999));
        }
    }
}
