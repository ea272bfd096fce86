//! Any bytes as a sitemap.

use std::io::{BufRead, BufReader};

use robots::Limits;
use robots::sitemap::{self, EntryKind, Format, Sitemap};

const LIMITS: Limits = Limits {
    robots_bytes: 0,
    line_bytes: 0,
    robots_sitemaps: 0,
    sitemap_bytes: 1 << 20,
    sitemap_entries: 50,
    sitemap_extras: 50,
    extras_per_page: 10,
    sitemap_depth: 8,
    token_bytes: 10_000,
    url_bytes: 100,
    gzip_layers: 2,
};

pub(crate) fn attack(bytes: &[u8]) {
    let whole = read(bytes);
    for capacity in [1, 7] {
        let pieces = read(BufReader::with_capacity(capacity, bytes));
        assert_eq!(pieces.entries, whole.entries, "in pieces of {capacity}");
        assert_eq!(pieces.format, whole.format);
    }
    let main = |kind| matches!(kind, EntryKind::Page | EntryKind::Sitemap);
    let (pages, extras): (Vec<_>, Vec<_>) = whole.entries.iter().partition(|entry| main(entry.kind));
    assert!(pages.len() <= LIMITS.sitemap_entries, "too many entries");
    assert!(extras.len() <= LIMITS.sitemap_extras, "too many extras");
    for entry in &whole.entries {
        assert!(!entry.url.is_empty() && entry.url.len() <= LIMITS.url_bytes, "{entry:?}");
        assert_eq!(entry.url.trim(), entry.url);
        assert!(entry.priority.is_none_or(|priority| (0.0..=1.0).contains(&priority)));
    }
    assert!(whole.format != Format::Unknown || whole.entries.is_empty(), "entries of nothing");
    assert!(whole.notes.len() <= 16, "{:?}", whole.notes);
    // Packing changes nothing but one layer.
    if !bytes.starts_with(b"\x1f\x8b") {
        assert_eq!(read(stored(bytes).as_slice()).entries, whole.entries, "packed");
    }
}

fn read(source: impl BufRead) -> Sitemap {
    sitemap::parse(source, &LIMITS)
}

/// Gzip without compression, by hand: a header, stored blocks, and the sum at the end.
fn stored(bytes: &[u8]) -> Vec<u8> {
    let mut packed = b"\x1f\x8b\x08\0\0\0\0\0\0\xff".to_vec();
    let mut chunks = bytes.chunks(0xffff).peekable();
    if bytes.is_empty() {
        packed.extend(b"\x01\0\0\xff\xff");
    }
    while let Some(chunk) = chunks.next() {
        let length = u16::try_from(chunk.len()).unwrap();
        packed.push(u8::from(chunks.peek().is_none()));
        packed.extend(length.to_le_bytes());
        packed.extend((!length).to_le_bytes());
        packed.extend(chunk);
    }
    packed.extend(crc32(bytes).to_le_bytes());
    packed.extend(u32::try_from(bytes.len()).unwrap().to_le_bytes());
    packed
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg()))
    })
}
