//! A revisit as the whole answer: its own head, with the payload of the record that it refers to, framed as that record has it.

use std::io::{self, Cursor, Read, Seek as _, SeekFrom};

use warc::{Draft, HttpHead, Name, Profile, RecordType};

use super::loaded::Loaded;

/// The header of the whole answer, how long its block is, and the block.
pub(super) fn whole<'a>(
    revisit: &mut Loaded,
    original: &'a mut Loaded,
) -> io::Result<(Draft, u64, Box<dyn Read + 'a>)> {
    let own = revisit.http()?;
    let first = original.http()?;
    let payload_from = first.as_ref().map_or(0, |(_, length)| *length);
    let payload_bytes = original.length.saturating_sub(payload_from);
    let is_not_modified = revisit.head.profile() == Some(Profile::ServerNotModified);
    let mut draft = Draft::like(&revisit.head).sanitized().0;
    for name in [
        Name::Profile,
        Name::RefersTo,
        Name::RefersToTargetUri,
        Name::RefersToDate,
        Name::Truncated,
        Name::BlockDigest,
    ] {
        draft.remove(name);
    }
    let kind = match original.head.record_type() {
        RecordType::Resource => RecordType::Resource,
        _ => RecordType::Response,
    };
    draft = draft.with(Name::RecordType, kind.name());
    if let Some(media) = original.head.content_type().filter(|_| !original.head.version().is_arc()) {
        draft = draft.content_type(&media);
    }
    // "Not modified" is no head to send a document with: that of the first answer is.
    let (head, from) = match own.filter(|_| !is_not_modified) {
        Some((head, _)) => {
            let is_chunked = first.is_some_and(|(first, _)| first.is_chunked());
            (framed(&head, is_chunked, payload_bytes), payload_from)
        }
        None => (Vec::new(), 0),
    };
    let length = head.len() as u64 + original.length.saturating_sub(from);
    original.block.seek(SeekFrom::Start(from))?;
    Ok((draft, length, Box::new(Cursor::new(head).chain(&mut original.block))))
}

/// A head that says of the bytes behind it what is true: that they are chunks, or how many they are.
fn framed(head: &HttpHead, is_chunked: bool, bytes: u64) -> Vec<u8> {
    let length = head.text("content-length").and_then(|value| value.trim().parse::<u64>().ok());
    if head.is_chunked() == is_chunked && (is_chunked || length.is_none_or(|length| length == bytes)) {
        return head.raw().to_vec();
    }
    let mut out = Vec::with_capacity(head.raw().len() + 40);
    let mut is_left_out = false;
    for line in head.raw().split_inclusive(|byte| *byte == b'\n') {
        if line.trim_ascii().is_empty() {
            break;
        }
        // A line that begins with a space goes on with the one before it.
        if !line.starts_with(b" ") && !line.starts_with(b"\t") {
            let name = line.split(|byte| *byte == b':').next().unwrap_or_default().trim_ascii();
            is_left_out = name.eq_ignore_ascii_case(b"transfer-encoding")
                || name.eq_ignore_ascii_case(b"content-length");
        }
        if !is_left_out {
            out.extend_from_slice(line);
        }
    }
    let field = match is_chunked {
        true => "Transfer-Encoding: chunked\r\n\r\n".to_owned(),
        false => format!("Content-Length: {bytes}\r\n\r\n"),
    };
    out.extend_from_slice(field.as_bytes());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(head: &str, is_chunked: bool, expect: &str) {
        let head = HttpHead::parse(format!("HTTP/1.1 200 OK\r\n{head}\r\n").as_bytes()).unwrap().0;
        let framed = String::from_utf8(framed(&head, is_chunked, 5)).unwrap();
        assert_eq!(framed, format!("HTTP/1.1 200 OK\r\n{expect}\r\n"));
    }

    #[test]
    fn a_head_says_how_the_bytes_are_framed() {
        let (chunked, length) = ("Transfer-Encoding: chunked\r\n", "Content-Length: 5\r\n");
        check(chunked, true, chunked);
        check(length, false, length);
        check("A: b\r\n", false, "A: b\r\n");
        check("content-length: 5\r\nA: b\r\n", true, &format!("A: b\r\n{chunked}"));
        check("Transfer-Encoding:\r\n chunked\r\nA: b\r\n", false, &format!("A: b\r\n{length}"));
        check("Content-Length: 11\r\n", false, length);
    }
}
