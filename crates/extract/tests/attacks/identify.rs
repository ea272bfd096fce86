//! Any bytes as a document, the first line of them as its `Content-Type`.

use extract::charset::Decoder;
use extract::identify::{Claims, Kind, identify, sniff};
use extract::mime::Mime;
use extract::{dates, language};

pub(crate) fn attack(bytes: &[u8]) {
    let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(0);
    let (line, body) = bytes.split_at(end);
    let header = String::from_utf8_lossy(line);
    mime_types(&header);
    let _ =
        (dates::read(&header), language::find(Some(&header), Some(&header), &String::from_utf8_lossy(body)));

    let options = [header.as_ref()];
    for claims in [
        Claims { content_types: &options, url: &header, ..Claims::default() },
        Claims { content_types: &options, content_type_options: &["nosniff"], ..Claims::default() },
        Claims::default(),
    ] {
        let identity = identify(body, &claims);
        assert_eq!(Mime::parse(&identity.mime.to_string()).as_ref(), Some(&identity.mime));
        assert!(
            identity.kind == Kind::Other || identity.charset.is_some() || identity.kind == Kind::Pdf,
            "{identity:?}"
        );
        if let Some(charset) = identity.charset {
            decoded(body, &mut Decoder::new(charset.encoding), &mut Decoder::new(charset.encoding));
        }
    }
    decoded(body, &mut Decoder::new(encoding_rs::UTF_8), &mut Decoder::new(encoding_rs::UTF_8));
}

fn mime_types(header: &str) {
    if let Some(mime) = Mime::parse(header) {
        assert_eq!(Mime::parse(&mime.to_string()), Some(mime));
    }
    if let Some(mime) = Mime::from_headers([header, header]) {
        assert_eq!(Mime::parse(&mime.to_string()), Some(mime));
    }
    let _ = sniff::is_nosniff(&[header]);
}

/// In pieces it is the same text as at once, and not much longer than the bytes.
fn decoded(body: &[u8], whole: &mut Decoder, pieces: &mut Decoder) {
    let text = whole.decode(body, true).into_owned();
    assert!(text.len() <= 4 * body.len() + 16);
    let size = body.iter().fold(0_usize, |sum, byte| sum + usize::from(*byte)) % 13 + 1;
    let mut again: String = body.chunks(size).map(|piece| pieces.decode(piece, false).into_owned()).collect();
    again.push_str(&pieces.decode(&[], true));
    assert_eq!(again, text, "in pieces of {size}");
}
