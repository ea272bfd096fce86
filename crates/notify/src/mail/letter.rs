//! A letter (RFC 5322): text, or text and HTML to choose from, every header encoded as it must be.

use std::time::SystemTime;

use data_encoding::HEXLOWER;
use jiff::Timestamp;
use lettre::message::header::{ContentTransferEncoding, ContentType, HeaderName, HeaderValue};
use lettre::message::{MultiPart, SinglePart};
use sha2::{Digest as _, Sha256};

use super::Address;
use crate::bounded::{cut, one_line, plain_id};
use crate::error::Error;
use crate::limits::{HTML_MAX, LETTER_SUBJECT_MAX, TEXT_MAX};
use crate::message::Message;
use crate::notice::Severity;

/// What is told to people by mail.
///
/// Its texts may come from outside. Whatever they hold, they end no header and no part; of a text that is too long the end is cut off, and HTML
/// that is too long is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// A name of its own, which stays the same however often it is tried; the `Message-ID` is made from it.
    pub id: String,
    /// What it is about, in a line.
    pub subject: String,
    /// What it says, for everybody.
    pub text: String,
    /// The same for those who would rather see it in HTML: a whole document, with nothing in it that had to be fetched.
    pub html: Option<String>,
    /// When it is from.
    pub at: Timestamp,
}

impl Letter {
    /// What a message tells, as a letter.
    pub(super) fn of(message: &Message) -> Letter {
        let severity = message.severity();
        let subject = match severity {
            Severity::Info => format!("[varve] {}", message.subject()),
            _ => format!("[varve] {severity}: {}", message.subject()),
        };
        Letter { id: message.id.clone(), subject, text: message.text(), html: None, at: message.last() }
    }

    /// Its bytes, with line ends as they are sent. The same letter has the same bytes each time.
    pub(super) fn write(&self, from: &Address, to: &[Address], kind: &str) -> Result<Vec<u8>, Error> {
        // Mail is younger than 1970, and its dates cannot be older.
        let at = self.at.max(Timestamp::UNIX_EPOCH);
        let mut letter = lettre::Message::builder()
            .from(from.mailbox.clone())
            .subject(one_line(&self.subject, LETTER_SUBJECT_MAX))
            .date(SystemTime::from(at))
            .message_id(Some(format!("<{}@{}>", plain_id(&self.id), from.domain())));
        for address in to {
            letter = letter.to(address.mailbox.clone());
        }
        // A message need not come from a lane, which lets no others in.
        let kind: String = kind.chars().filter(char::is_ascii_alphanumeric).take(40).collect();
        // Machines do not answer machines (RFC 3834, 5).
        for (name, value) in [("Auto-Submitted", "auto-generated"), ("X-Varve-Kind", kind.as_str())] {
            letter =
                letter.raw_header(HeaderValue::new(HeaderName::new_from_ascii_str(name), value.to_owned()));
        }
        let text = cut(self.text.clone(), TEXT_MAX);
        let letter = match self.html.as_ref().filter(|html| html.len() <= HTML_MAX) {
            None => letter.singlepart(part(ContentType::TEXT_PLAIN, text)),
            Some(html) => {
                // The better one last (RFC 2046, 5.1.4).
                let parts = MultiPart::alternative().boundary(self.boundary());
                let parts = parts.singlepart(part(ContentType::TEXT_PLAIN, text));
                letter.multipart(parts.singlepart(part(ContentType::TEXT_HTML, html.clone())))
            }
        };
        letter.map(|letter| letter.formatted()).map_err(|error| Error::Letter { why: error.to_string() })
    }

    /// What stands between the parts: nobody can write a text that holds the digest of itself.
    fn boundary(&self) -> String {
        let mut digest = Sha256::new();
        for text in [&self.id, &self.text, self.html.as_ref().unwrap_or(&self.id)] {
            digest.update((text.len() as u64).to_le_bytes());
            digest.update(text.as_bytes());
        }
        let digest = HEXLOWER.encode(&digest.finalize());
        format!("varve_{}", digest.get(..40).unwrap_or_default())
    }
}

fn part(content_type: ContentType, text: String) -> SinglePart {
    // Base64 never breaks the bound on the length of lines, and no server on the way touches it.
    let coding = match text.is_ascii() {
        true => ContentTransferEncoding::QuotedPrintable,
        false => ContentTransferEncoding::Base64,
    };
    SinglePart::builder().header(content_type).header(coding).body(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::notice::Notice;

    /// The names of the headers that stand before the first empty line, sorted.
    fn headers(text: &str) -> Vec<&str> {
        let head = text.split("\r\n\r\n").next().unwrap();
        let lines = head.split("\r\n").filter(|line| !line.is_empty() && !line.starts_with([' ', '\t']));
        let mut names: Vec<&str> = lines.map(|line| line.split(':').next().unwrap()).collect();
        names.sort_unstable();
        names
    }

    const OF_A_LETTER: [&str; 9] = [
        "Auto-Submitted",
        "Content-Type",
        "Date",
        "From",
        "MIME-Version",
        "Message-ID",
        "Subject",
        "To",
        "X-Varve-Kind",
    ];
    const OF_A_PART: [&str; 2] = ["Content-Transfer-Encoding", "Content-Type"];

    fn written(letter: &Letter, kind: &str) -> String {
        let address: Address = "a@b.example".parse().unwrap();
        let bytes = letter.write(&address, std::slice::from_ref(&address), kind).unwrap();
        assert!(bytes.is_ascii());
        // RFC 5322, 2.1.1.
        assert!(bytes.split(|byte| *byte == b'\n').all(|line| line.len() <= 999));
        let text = String::from_utf8(bytes).unwrap();
        assert!(!text.replace("\r\n", "").contains(['\r', '\n', '\0']));
        text
    }

    proptest! {
        #[test]
        fn whatever_a_message_says_its_letter_has_its_own_headers_and_no_others(
            subject in "\\PC{0,300}|(?s:.{0,300})", kind in "(?s:.{0,20})", line in "(?s:.{0,2000})",
        ) {
            let notice = Notice::new(Timestamp::UNIX_EPOCH, &kind, Severity::Alarm, subject).line(line);
            let message = Message::of("1".to_owned(), notice);
            let text = written(&Letter::of(&message), &kind);
            let mut wanted = [&OF_A_LETTER[..], &["Content-Transfer-Encoding"]].concat();
            wanted.sort_unstable();
            prop_assert_eq!(headers(&text), wanted);
        }

        #[test]
        fn whatever_a_letter_says_it_has_its_own_headers_and_parts_and_no_others(
            id in "(?s:.{0,120})", subject in "\\PC{0,600}|(?s:.{0,300})", text in "[ -~\r\n]{0,500}|(?s:.{0,500})",
            html in "[ -~\r\n]{0,500}|(?s:.{0,500})", seconds in any::<i64>(),
        ) {
            let at = Timestamp::from_second(seconds % 253_402_200_000).unwrap();
            let html = format!("{html}\r\n--varve_\r\nBcc: x@y.example\r\n\r\n");
            let letter = Letter { id, subject, text, html: Some(html), at };
            let text = written(&letter, "watch");
            prop_assert_eq!(headers(&text), OF_A_LETTER);
            let boundary = letter.boundary();
            let parts: Vec<&str> = text.split(&format!("\r\n--{boundary}")).collect();
            prop_assert_eq!(parts.len(), 4);
            prop_assert_eq!((headers(parts[1].trim_start()), headers(parts[2].trim_start())), (OF_A_PART.to_vec(), OF_A_PART.to_vec()));
            prop_assert_eq!(parts[3], "--\r\n");
            prop_assert_eq!(text.clone(), written(&letter, "watch"));
        }
    }

    #[test]
    fn html_that_is_too_long_is_left_out_and_text_is_cut() {
        let html = Some("x".repeat(HTML_MAX + 1));
        let text = "y".repeat(TEXT_MAX + 1);
        let letter =
            Letter { id: "1".to_owned(), subject: String::new(), text, html, at: Timestamp::UNIX_EPOCH };
        let written = written(&letter, "watch");
        assert!(!written.contains("multipart") && (TEXT_MAX..2 * TEXT_MAX).contains(&written.len()));
    }
}
