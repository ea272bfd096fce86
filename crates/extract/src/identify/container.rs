//! Formats inside of formats: what a zip, an OLE file, an ISO media file or an Ogg stream really holds.

use memchr::memmem;

/// What a file is that one of the wrapping formats opens; `None` if it is none of them.
pub(super) fn content(start: &[u8]) -> Option<&'static str> {
    if start.starts_with(b"PK\x03\x04") {
        return Some(zip(start));
    }
    if start.starts_with(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1") {
        return Some(ole(start));
    }
    if start.get(4..8) == Some(b"ftyp") {
        return Some(iso_media(start));
    }
    if start.starts_with(b"OggS\0") {
        return Some(ogg(start));
    }
    if start.starts_with(b"\x1a\x45\xdf\xa3") {
        let film = memmem::find(start.get(..64).unwrap_or(start), b"matroska").is_some();
        return Some(if film { "video/x-matroska" } else { "video/webm" });
    }
    (start.starts_with(b"MZ") && is_program(start)).then_some("application/vnd.microsoft.portable-executable")
}

/// Looks at the names of the first entries.
fn zip(start: &[u8]) -> &'static str {
    let mut rest = start;
    // The names are found by the mark before each; packed data seldom has one by accident, and a wrong name means nothing.
    for _ in 0..64 {
        let Some(at) = memmem::find(rest, b"PK\x03\x04") else { break };
        let entry = rest.get(at..).unwrap_or_default();
        rest = entry.get(4..).unwrap_or_default();
        let Some([low, high]) = entry.get(26..28) else { break };
        let length = usize::from(u16::from_le_bytes([*low, *high]));
        let Some(name) = entry.get(30..).and_then(|behind| behind.get(..length)) else { break };
        if name == b"mimetype" {
            let text = entry.get(30 + length..).unwrap_or_default();
            if let Some((_, mime)) = STORED.iter().find(|(known, _)| text.starts_with(known)) {
                return mime;
            }
        }
        if let Some((_, mime)) = ENTRIES.iter().find(|(known, _)| name.starts_with(known)) {
            return mime;
        }
    }
    "application/zip"
}

/// A zip may begin with an entry that names its type.
#[rustfmt::skip]
const STORED: [(&[u8], &str); 7] = [
    (b"application/epub+zip", "application/epub+zip"),
    (b"application/vnd.oasis.opendocument.text", "application/vnd.oasis.opendocument.text"),
    (b"application/vnd.oasis.opendocument.spreadsheet", "application/vnd.oasis.opendocument.spreadsheet"),
    (b"application/vnd.oasis.opendocument.presentation", "application/vnd.oasis.opendocument.presentation"),
    (b"application/vnd.oasis.opendocument.graphics", "application/vnd.oasis.opendocument.graphics"),
    (b"application/vnd.oasis.opendocument.formula", "application/vnd.oasis.opendocument.formula"),
    (b"application/vnd.adobe.indesign-idml-package", "application/vnd.adobe.indesign-idml-package"),
];

#[rustfmt::skip]
const ENTRIES: [(&[u8], &str); 9] = [
    (b"word/", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    (b"xl/", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    (b"ppt/", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
    (b"visio/", "application/vnd.ms-visio.drawing"),
    (b"AndroidManifest.xml", "application/vnd.android.package-archive"),
    (b"META-INF/MANIFEST.MF", "application/java-archive"),
    (b"doc.kml", "application/vnd.google-earth.kmz"),
    (b"datapackage.json", "application/wacz"),
    (b"archive/", "application/wacz"),
];

/// Looks for the names of streams, which are in UTF-16. The directory may lie behind what we see.
fn ole(start: &[u8]) -> &'static str {
    let has = |name: &str| {
        let wide: Vec<u8> = name.bytes().flat_map(|byte| [byte, 0]).collect();
        memmem::find(start, &wide).is_some()
    };
    if has("WordDocument") {
        "application/msword"
    } else if has("PowerPoint Document") {
        "application/vnd.ms-powerpoint"
    } else if has("Workbook") || has("Book") {
        "application/vnd.ms-excel"
    } else if has("VisioDocument") {
        "application/vnd.visio"
    } else if has("__substg1.0_") {
        "application/vnd.ms-outlook"
    } else {
        "application/x-ole-storage"
    }
}

/// The brand tells which of the many.
fn iso_media(start: &[u8]) -> &'static str {
    let brand = start.get(8..12).unwrap_or_default();
    match brand {
        b"avif" | b"avis" => "image/avif",
        b"heic" | b"heix" | b"hevc" | b"hevx" | b"heim" | b"heis" => "image/heic",
        b"mif1" | b"msf1" => "image/heif",
        b"qt  " => "video/quicktime",
        b"M4A " | b"M4B " | b"M4P " => "audio/mp4",
        b"crx " => "image/x-canon-cr3",
        [b'3', b'g', b'p' | b'r' | b's' | b'e' | b'h', _] => "video/3gpp",
        [b'3', b'g', b'2', _] => "video/3gpp2",
        [b'f', b'4', _, _] => "video/x-f4v",
        _ => "video/mp4",
    }
}

/// The first packet names the codec.
fn ogg(start: &[u8]) -> &'static str {
    let head = start.get(..128).unwrap_or(start);
    let has = |name: &[u8]| memmem::find(head, name).is_some();
    if has(b"\x80theora") || has(b"fishead\0") || has(b"BBCD") {
        "video/ogg"
    } else if has(b"\x01vorbis") || has(b"OpusHead") || has(b"Speex  ") || has(b"\x7fFLAC") {
        "audio/ogg"
    } else {
        "application/ogg"
    }
}

/// Two letters are not enough: the header must point to another one, if that can be seen.
fn is_program(start: &[u8]) -> bool {
    let Some([a, b, c, d]) = start.get(60..64) else { return false };
    let at = u32::from_le_bytes([*a, *b, *c, *d]) as usize;
    match start.get(at..) {
        Some(there) => [b"PE".as_slice(), b"NE", b"LE", b"LX"].iter().any(|mark| there.starts_with(mark)),
        None => at < 1 << 20,
    }
}
