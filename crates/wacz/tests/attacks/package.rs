//! Any bytes as a package: nothing panics or hangs, an entry never gives more than it says, and the judge reads all that opens.

use std::io::{Cursor, Read as _};

use wacz::{Limits, Manifest, PageReader, Wacz};

pub(crate) fn attack(bytes: &[u8]) {
    let limits = Limits {
        entries: 200,
        total_bytes: 8 << 20,
        manifest_bytes: 1 << 20,
        line_bytes: 1 << 16,
        problems: 50,
        ..Limits::default()
    };
    let _ = Manifest::parse(bytes);
    let pages = PageReader::new(bytes, "pages.jsonl", &limits);
    assert!(pages.take(100_000).count() <= bytes.len() + 1);
    for remnant in wacz::remnants(&mut Cursor::new(bytes), &limits).unwrap() {
        assert!(remnant.span.start.checked_add(remnant.span.bytes).unwrap() <= bytes.len() as u64);
        assert!(!remnant.name.split('/').any(|part| part == ".."));
    }
    let report = wacz::validate(Cursor::new(bytes), &limits).unwrap();
    let opened = Wacz::open(Cursor::new(bytes), limits);
    let Ok(mut wacz) = opened else {
        assert!(!report.is_valid() && report.problems.len() == 1);
        return;
    };
    let entries = wacz.entries().to_vec();
    for entry in &entries {
        assert!(!entry.name().starts_with('/') && !entry.name().split('/').any(|part| part == ".."));
        assert_eq!(wacz.entry(entry.name()), Some(entry));
        let mut read = 0;
        if let Ok(mut content) = wacz.content(entry) {
            let mut piece = [0; 4096];
            while let Ok(count @ 1..) = content.read(&mut piece) {
                read += count as u64;
                assert!(read <= entry.bytes());
            }
        }
        if let Ok(span) = wacz.span(entry) {
            assert!(span.start.saturating_add(span.bytes) <= bytes.len() as u64 + span.bytes);
        }
        if let Ok(mut nested) = wacz.nested(entry) {
            let _ = nested.validate();
        }
    }
}
