//! Any bytes as the block of a response: the HTTP head in it, alone and through a record.

use std::io::Read;

use warc::{
    Algorithm, Digest, Draft, Encoding, HttpHead, Name, Options, Reader, RecordType, Version, Writer,
};

pub(crate) fn attack(bytes: &[u8]) {
    let parsed = HttpHead::parse(bytes);
    if let Some((head, length)) = &parsed {
        head_alone(head, *length, bytes);
    }
    let body = parsed.map_or(bytes, |(_, length)| &bytes[length..]);
    in_a_record(bytes, body);
}

fn head_alone(head: &HttpHead, length: usize, bytes: &[u8]) {
    assert!(length <= bytes.len(), "a head longer than the bytes");
    assert_eq!(head.raw(), &bytes[..length]);
    for (name, value) in head.fields() {
        assert!(!name.contains(&b'\n') && !value.contains(&b'\n'), "a field holds a line break");
        assert_eq!((name.trim_ascii(), value.trim_ascii()), (name, value));
    }
    assert!(head.status().is_none_or(|status| status <= 999));
    assert!(head.status().is_none() || head.method().is_none(), "both an answer and a question");
    let _ = (head.first_line(), head.target(), head.media_type(), head.is_chunked());

    let (again, length_again) = HttpHead::parse(head.raw()).unwrap();
    assert_eq!((length_again, again.status()), (length, head.status()));
    assert!(again.fields().eq(head.fields()), "the head alone reads differently");
}

/// The record finds the same head, goes on with the body behind it, and agrees on what the payload is.
fn in_a_record(block: &[u8], body: &[u8]) {
    let draft =
        Draft::new(Version::Warc1_1, &RecordType::Response, "urn:x", "2026-01-02T03:04:05Z".parse().unwrap())
            .target_uri("http://example.org/")
            .with(Name::ContentType, "application/http;msgtype=response")
            .block_digest(&Digest::of(Algorithm::Sha1, block))
            .payload_digest(&Digest::of(Algorithm::Sha1, body));
    let mut writer = Writer::new(Vec::new(), &Encoding::Plain).unwrap();
    writer.write(&draft, block).unwrap();
    let file = writer.into_inner();

    let mut reader = Reader::new(file.as_slice(), Options { verify: true, ..Options::default() }).unwrap();
    let mut record = reader.next_record().unwrap().unwrap();
    let length = record.http().unwrap().map_or(0, |head| head.raw().len());
    assert_eq!(length, block.len() - body.len(), "the record finds another head");
    let mut rest = Vec::new();
    record.read_to_end(&mut rest).unwrap();
    assert!(rest == body, "the body is not what follows the head");
    let verified = record.finish_with_faults().map(|(_, faults)| faults);
    assert_eq!(verified.map_err(|error| error.to_string()), Ok(Vec::new()));
}
