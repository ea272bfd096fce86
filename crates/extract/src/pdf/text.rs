//! What the bytes of a PDF's strings mean.

use encoding_rs::{UTF_16BE, UTF_16LE};

/// A text string: UTF-16 or UTF-8 by its mark, or else PDFDocEncoding; UTF-8 without a mark is common enough to be seen.
///
/// ISO 32000-1, 7.9.2.2.
pub(super) fn text(bytes: &[u8]) -> String {
    match bytes {
        [0xfe, 0xff, rest @ ..] => UTF_16BE.decode_without_bom_handling(rest).0.into_owned(),
        [0xff, 0xfe, rest @ ..] => UTF_16LE.decode_without_bom_handling(rest).0.into_owned(),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => bytes.iter().map(|byte| document_char(*byte)).collect(),
        },
    }
}

/// A character of PDFDocEncoding, which is Latin-1 but for these.
///
/// ISO 32000-1, annex D.2.
fn document_char(byte: u8) -> char {
    const FROM_18: [char; 8] = ['˘', 'ˇ', 'ˆ', '˙', '˝', '˛', '˚', '˜'];
    const FROM_80: [char; 33] = [
        '•', '†', '‡', '…', '—', '–', 'ƒ', '⁄', '‹', '›', '−', '‰', '„', '“', '”', '‘', '’', '‚', '™', 'ﬁ',
        'ﬂ', 'Ł', 'Œ', 'Š', 'Ÿ', 'Ž', 'ı', 'ł', 'œ', 'š', 'ž', '\u{fffd}', '€',
    ];
    let special = match byte {
        0x18..=0x1f => FROM_18.get(usize::from(byte - 0x18)),
        0x80..=0xa0 => FROM_80.get(usize::from(byte - 0x80)),
        _ => None,
    };
    special.copied().unwrap_or(char::from(byte))
}

/// The title in a packet of XMP metadata.
pub(super) fn metadata_title(xmp: &str) -> Option<String> {
    let (_, behind) = xmp.split_once("<dc:title")?;
    let (inside, _) = behind.split_once("</dc:title>")?;
    let (_, item) = inside.split_once("<rdf:li")?;
    let (_, text) = item.split_once('>')?;
    let (text, _) = text.split_once("</rdf:li>")?;
    let text = crate::xml::walk::unescape(text.trim()).into_owned();
    (!text.is_empty()).then_some(text)
}
