//! ZIP files made by hand, so that everything in them can be a lie; and sound packages to spoil.

use std::io::{Cursor, Write as _};

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};
use wacz::{About, Checksum, IndexForm, Method, Page, PagesHead, Writer};

/// An entry as both headers are to have it.
#[derive(Clone)]
pub(crate) struct Raw {
    pub(crate) name: Vec<u8>,
    pub(crate) data: Vec<u8>,
    pub(crate) method: u16,
    pub(crate) bytes: u32,
    pub(crate) packed: u32,
    pub(crate) crc: u32,
    pub(crate) flags: u16,
    pub(crate) attributes: u32,
    /// Another place than its own.
    pub(crate) offset: Option<u32>,
    /// Another name in its own header.
    pub(crate) local_name: Option<Vec<u8>>,
}

pub(crate) fn stored(name: &str, text: impl AsRef<[u8]>) -> Raw {
    let data = text.as_ref().to_vec();
    let mut crc = Crc::new();
    crc.update(&data);
    Raw {
        name: name.as_bytes().to_vec(),
        bytes: data.len() as u32,
        packed: data.len() as u32,
        crc: crc.sum(),
        data,
        method: 0,
        flags: 0,
        attributes: 0o100_644 << 16,
        offset: None,
        local_name: None,
    }
}

pub(crate) fn deflated(name: &str, text: impl AsRef<[u8]>) -> Raw {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(9));
    encoder.write_all(text.as_ref()).unwrap();
    let data = encoder.finish().unwrap();
    Raw { packed: data.len() as u32, data, method: 8, ..stored(name, text) }
}

/// Puts entries together.
pub(crate) fn zip(entries: &[Raw]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut directory = Vec::new();
    for entry in entries {
        let offset = out.len() as u32;
        let name = entry.local_name.as_ref().unwrap_or(&entry.name);
        out.extend(0x0403_4b50_u32.to_le_bytes());
        let what = |out: &mut Vec<u8>| {
            for number in [20, entry.flags, entry.method, 0, 33] {
                out.extend(number.to_le_bytes());
            }
            for number in [entry.crc, entry.packed, entry.bytes] {
                out.extend(number.to_le_bytes());
            }
        };
        what(&mut out);
        out.extend((name.len() as u16).to_le_bytes());
        out.extend([0; 2]);
        out.extend(name);
        out.extend(&entry.data);
        directory.extend(0x0201_4b50_u32.to_le_bytes());
        directory.extend((3_u16 << 8 | 20).to_le_bytes());
        what(&mut directory);
        directory.extend((entry.name.len() as u16).to_le_bytes());
        directory.extend([0; 8]);
        directory.extend(entry.attributes.to_le_bytes());
        directory.extend(entry.offset.unwrap_or(offset).to_le_bytes());
        directory.extend(&entry.name);
    }
    let (start, count) = (out.len() as u32, entries.len() as u16);
    out.extend(&directory);
    out.extend(0x0605_4b50_u32.to_le_bytes());
    out.extend([0; 4]);
    out.extend([count.to_le_bytes(), count.to_le_bytes()].concat());
    out.extend((directory.len() as u32).to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend([0; 2]);
    out
}

pub(crate) const WARC: &[u8] = b"WARC/1.1\r\nWARC-Type: resource\r\nContent-Length: 5\r\n\r\nvarve\r\n\r\n";
pub(crate) const LINE: &str = r#"org,example)/ 20261116080000 {"url":"http://example.org/","offset":0,"length":57,"filename":"data.warc"}"#;
pub(crate) const PAGES: &str = concat!(
    "{\"format\":\"json-pages-1.0\",\"id\":\"pages\",\"title\":\"All\"}\n",
    "{\"url\":\"http://example.org/\",\"ts\":\"2026-11-16T08:00:00Z\"}\n"
);

/// The files of a sound package, but for the manifest.
pub(crate) fn parts() -> Vec<Raw> {
    vec![
        stored("archive/data.warc", WARC),
        deflated("indexes/index.cdxj", format!("{LINE}\n")),
        deflated("pages/pages.jsonl", PAGES),
    ]
}

/// A package of these files, with a manifest that is right but for what `change` does to it.
pub(crate) fn package(parts: &[Raw], change: impl FnOnce(&mut serde_json::Value)) -> Vec<u8> {
    let resources: Vec<serde_json::Value> = parts
        .iter()
        .map(|part| {
            let text = match part.method {
                0 => part.data.clone(),
                _ => {
                    let mut text = Vec::new();
                    std::io::Read::read_to_end(&mut flate2::read::DeflateDecoder::new(&part.data[..]), &mut text).unwrap();
                    text
                }
            };
            let hash = Checksum::of(wacz::Algorithm::Sha256, &text).to_string();
            let path = String::from_utf8_lossy(&part.name).into_owned();
            serde_json::json!({ "name": path.rsplit('/').next(), "path": path, "hash": hash, "bytes": text.len() })
        })
        .collect();
    let mut manifest = serde_json::json!({
        "profile": "data-package", "wacz_version": "1.1.1", "title": "Layers", "software": "hand",
        "created": "2026-11-16T08:00:00Z", "resources": resources,
    });
    change(&mut manifest);
    let manifest = manifest.to_string().into_bytes();
    let digest = wacz::DigestFile::of(&manifest).to_json();
    let mut parts = parts.to_vec();
    parts.push(deflated("datapackage.json", manifest));
    parts.push(stored("datapackage-digest.json", digest));
    zip(&parts)
}

/// A package that the crate itself has written.
pub(crate) fn written(form: IndexForm) -> Vec<u8> {
    let mut writer = Writer::new(Cursor::new(Vec::new()), "2026-11-16T08:00:00Z".parse().unwrap());
    writer.begin_archive("data.warc").unwrap();
    writer.write_all(WARC).unwrap();
    let mut lines = vec![LINE];
    writer
        .index(form, |line| Ok(lines.pop().map(|next| line.extend_from_slice(next.as_bytes())).is_some()))
        .unwrap();
    writer.begin("pages/pages.jsonl", Method::Deflated).unwrap();
    writer.write_all(&PagesHead { id: "pages".to_owned(), ..PagesHead::default() }.to_line()).unwrap();
    let page = Page {
        url: "http://example.org/".to_owned(),
        at: "2026-11-16T08:00:00Z".parse().unwrap(),
        // Frictionless takes the list for a table with the columns of its first line, and no row may be blank.
        id: Some("1".to_owned()),
        ..Page::default()
    };
    writer.write_all(&page.to_line()).unwrap();
    let about = About {
        title: Some("Layers".to_owned()),
        software: Some("test".to_owned()),
        main_page: Some((page.url, page.at)),
        ..About::default()
    };
    writer.finish(&about).unwrap().into_inner()
}
