//! ARC, the format before WARC: a line of fields separated by blanks, then as many bytes as its last field says.
//!
//! ```text
//! filedesc://name.arc 0.0.0.0 20080430204825 text/plain 77      version block, describes the lines below
//! http://example.org/ 192.0.2.1 20080430204826 text/html 1234   version 1: URL IP date type length
//! http://example.org/ 192.0.2.1 20080430204826 text/html 200 - - 35 name.arc 1234             version 2
//! ```

use std::ops::Range;

use super::head::{FieldPlace, Head};
use super::kind::{RecordType, Version};
use super::name::Name;
use super::parse::decimal;
use crate::fault::{Fault, FaultKind};
use crate::lines::trimmed;

/// Longest line looked at to tell whether it is one of an ARC file's.
const LINE_BYTES: usize = 1 << 16;

/// Whether a line of an ARC file plausibly starts here.
pub(crate) fn starts_line(bytes: &[u8]) -> bool {
    let bytes = bytes.get(..LINE_BYTES).unwrap_or(bytes);
    // Cheap tests first: this is asked of every line when looking for the next record after damage.
    let Some(colon) = bytes.iter().take(16).position(|&byte| byte == b':') else { return false };
    if colon < 2 || !bytes.iter().take(colon).all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-') {
        return false;
    }
    let Some(end) = memchr::memchr(b'\n', bytes) else { return false };
    let line = bytes.get(..end).unwrap_or_default().trim_ascii_end();
    fields(line).is_some_and(|fields| line.get(fields.length).and_then(decimal).is_some())
}

struct Fields {
    version: Version,
    url: Range<usize>,
    ip: Range<usize>,
    date: Range<usize>,
    media: Range<usize>,
    length: Range<usize>,
}

/// Takes a line apart from its end, because URLs in the wild hold blanks.
fn fields(line: &[u8]) -> Option<Fields> {
    let ten = split_from_end(line, 9).filter(|parts| is_version_2(line, parts));
    let (version, parts) = match ten {
        Some(parts) => (Version::Arc2, parts),
        None => (Version::Arc1, split_from_end(line, 4)?),
    };
    let mut parts = parts.into_iter();
    let (url, ip, date, media) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let length = parts.next_back()?;
    let is_line = is_date(line.get(date.clone())?) || line.starts_with(b"filedesc:");
    let is_line = is_line && line.get(url.clone())?.contains(&b':');
    is_line.then_some(Fields { version, url, ip, date, media, length })
}

/// Digits, as many as a date may have; 14 are right, but 8 to 18 occur.
fn is_date(text: &[u8]) -> bool {
    (8..=18).contains(&text.len()) && text.iter().all(u8::is_ascii_digit)
}

/// A line of ten fields has its result code in digits and its date where version 2 puts it.
fn is_version_2(line: &[u8], parts: &[Range<usize>]) -> bool {
    let digits = |place: Option<&Range<usize>>| {
        place
            .and_then(|place| line.get(place.clone()))
            .is_some_and(|text| text.iter().all(u8::is_ascii_digit))
    };
    digits(parts.get(2)) && digits(parts.get(4))
}

/// The last `count` words and whatever is before them.
fn split_from_end(line: &[u8], count: usize) -> Option<Vec<Range<usize>>> {
    let mut parts = Vec::with_capacity(count + 1);
    let mut end = line.len();
    for _ in 0..count {
        let blank = memchr::memrchr(b' ', line.get(..end)?)?;
        parts.push(blank + 1..end);
        end = blank;
    }
    parts.push(0..end);
    parts.reverse();
    Some(parts)
}

/// Fills `head` from the line it holds, as the WARC fields that mean the same.
///
/// Returns false if this is no line of an ARC file.
pub(crate) fn parse_line(head: &mut Head, offset: u64, faults: &mut dyn FnMut(Fault)) -> bool {
    head.raw_length = head.text.len();
    head.fields.clear();
    let line = head.text.trim_ascii_end();
    let Some(parts) = fields(line).or_else(|| short_fields(line)) else { return false };
    let get = |place: &Range<usize>| line.get(place.clone()).unwrap_or_default();

    head.version = parts.version;
    head.content_length = decimal(get(&parts.length));
    let is_header = get(&parts.url).starts_with(b"filedesc:");
    head.record_type = if is_header { RecordType::ArcHeader } else { RecordType::Response };
    let date = get(&parts.date);
    if date.len() != 14 || !date.iter().all(u8::is_ascii_digit) {
        let shown = String::from_utf8_lossy(date.get(..40).unwrap_or(date)).into_owned();
        let message = format!("the date `{shown}` has not 14 digits");
        faults(Fault::new(offset, FaultKind::InvalidField, message));
    }
    let places = [
        (Name::TargetUri, parts.url),
        (Name::IpAddress, parts.ip),
        (Name::Date, parts.date),
        (Name::ContentType, parts.media),
        (Name::ContentLength, parts.length),
    ];
    for (name, value) in places {
        // A URL with blanks at its end would be another one in a header field.
        let value = trimmed(&head.text, value);
        if !value.is_empty() {
            head.fields.push(FieldPlace { name, spelling: 0..0, value });
        }
    }
    true
}

/// Lines of four fields, without the media type, as Alexa's early files have them.
fn short_fields(line: &[u8]) -> Option<Fields> {
    let mut parts = split_from_end(line, 3)?.into_iter();
    let (url, ip, date, length) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    decimal(line.get(length.clone())?)?;
    let is_line = is_date(line.get(date.clone())?) && line.get(url.clone())?.contains(&b':');
    is_line.then_some(Fields { version: Version::Arc1, url, ip, date, media: 0..0, length })
}
