//! Packages that are made to hurt are refused before anything of them is unpacked.

use std::io::{Cursor, Read as _};

use wacz::{Error, Kind, Limits, Wacz};

use crate::raw::{Raw, deflated, package, parts, stored, zip};

fn open(bytes: &[u8], limits: Limits) -> Result<Wacz<Cursor<&[u8]>>, Error> {
    Wacz::open(Cursor::new(bytes), limits)
}

#[track_caller]
fn check_refused(entries: &[Raw], limits: Limits, is_expected: fn(&Error) -> bool) {
    let bytes = zip(entries);
    let error = open(&bytes, limits).unwrap_err();
    assert!(is_expected(&error), "{error:?}");
    assert!(error.is_of_package());
    let report = wacz::validate(Cursor::new(&bytes), &limits).unwrap();
    assert!(!report.is_valid() && report.problems.len() == 1, "{report:?}");
}

#[test]
fn names_that_lead_out_of_the_package() {
    for name in
        ["../../etc/cron.d/x", "/etc/passwd", "archive/../../x", "C:\\x", "c:/x", "archive\\x", "a/./b", ""]
    {
        let entries = [stored("archive/a.warc", "a"), stored(name, "x")];
        check_refused(&entries, Limits::default(), |error| matches!(error, Error::Name { .. }));
    }
}

#[test]
fn symbolic_links() {
    let link = Raw { attributes: 0o120_777 << 16, ..stored("archive/data.warc", "/etc/passwd") };
    check_refused(&[link], Limits::default(), |error| matches!(error, Error::Symlink(_)));
}

#[test]
fn two_entries_of_one_name() {
    let entries = [stored("archive/a.warc", "one"), stored("archive/a.warc", "two")];
    check_refused(&entries, Limits::default(), |error| matches!(error, Error::Duplicate(_)));
}

#[test]
fn encrypted_entries() {
    let entry = Raw { flags: 1, ..stored("archive/a.warc", "a") };
    check_refused(&[entry], Limits::default(), |error| matches!(error, Error::Encrypted(_)));
}

#[test]
fn an_entry_that_unfolds_a_thousandfold() {
    let bomb = deflated("pages/pages.jsonl", vec![b'0'; 8 << 20]);
    assert!(bomb.data.len() < 20_000);
    check_refused(&[bomb], Limits::default(), |error| matches!(error, Error::Bomb { .. }));
}

#[test]
fn entries_that_share_their_bytes() {
    let first = deflated("a", vec![b'0'; 1 << 20]);
    let second = Raw { offset: Some(0), ..first.clone() };
    let second = Raw { name: b"b".to_vec(), local_name: Some(b"a".to_vec()), ..second };
    check_refused(&[first, second], Limits::default(), |error| matches!(error, Error::Overlap(_)));
}

#[test]
fn more_entries_or_bytes_than_are_taken() {
    let entries: Vec<Raw> = (0..20).map(|number| stored(&format!("{number}"), "0123456789")).collect();
    let few = Limits { entries: 19, ..Limits::default() };
    check_refused(&entries, few, |error| matches!(error, Error::Limit { what: "entries", .. }));
    let little = Limits { total_bytes: 199, ..Limits::default() };
    check_refused(&entries, little, |error| matches!(error, Error::Limit { .. }));
    let short = Limits { directory_bytes: 100, ..Limits::default() };
    check_refused(&entries, short, |error| matches!(error, Error::Limit { .. }));
    assert!(open(&zip(&entries), Limits { entries: 20, total_bytes: 200, ..Limits::default() }).is_ok());
}

/// Reads the only entry, whose headers lie.
#[track_caller]
fn check_content(entry: Raw, words: &str) {
    let bytes = zip(&[entry]);
    let mut wacz = open(&bytes, Limits::default()).unwrap();
    let entry = wacz.entries()[0].clone();
    let mut read = Vec::new();
    let error = match wacz.content(&entry) {
        Ok(mut content) => content.read_to_end(&mut read).unwrap_err().to_string(),
        Err(error) => error.to_string(),
    };
    assert!(error.contains(words), "{error}");
    assert!(read.len() as u64 <= entry.bytes() + (64 << 10), "{} bytes were read", read.len());
}

#[test]
fn lengths_and_checksums_that_lie() {
    let text = "a layer of sediment. ".repeat(1000);
    check_content(Raw { bytes: 100, ..deflated("a", &text) }, "longer than the directory says");
    check_content(Raw { bytes: 1_000_000, ..deflated("a", &text) }, "shorter than the directory says");
    check_content(Raw { crc: 1, ..deflated("a", &text) }, "another checksum");
    check_content(Raw { crc: 1, ..stored("a", &text) }, "another checksum");
    check_content(Raw { data: vec![0xff; 100], packed: 100, ..deflated("a", &text) }, "cannot be unpacked");
    check_content(Raw { local_name: Some(b"b".to_vec()), ..stored("a", &text) }, "another name");
    check_content(Raw { method: 12, ..stored("a", &text) }, "method 12");
}

/// A name that is longer than all that is left.
#[test]
fn a_header_that_reaches_behind_the_end_is_the_packages_fault() {
    let mut bytes = zip(&[stored("archive/a.warc", "")]);
    bytes[26..28].copy_from_slice(&u16::MAX.to_le_bytes());
    let mut wacz = open(&bytes, Limits::default()).unwrap();
    let entry = wacz.entries()[0].clone();
    let error = wacz.span(&entry).unwrap_err();
    assert!(error.is_of_package() && error.to_string().contains("breaks off"), "{error}");
    let report = wacz.validate().unwrap();
    assert!(report.distrusted.contains_key("archive/a.warc"), "{report:?}");
}

#[test]
fn a_stored_entry_with_two_lengths_is_refused() {
    let entry = Raw { bytes: 1_000_000, ..stored("a", "abc") };
    let error = open(&zip(&[entry]), Limits::default()).unwrap_err();
    assert!(matches!(error, Error::Content { .. }), "{error}");
}

#[test]
fn what_is_cut_off_anywhere_is_refused() {
    let bytes = package(&parts(), |_| {});
    for length in 0..bytes.len() {
        assert!(open(&bytes[..length], Limits::default()).is_err(), "{length} of {}", bytes.len());
    }
}

#[test]
fn packages_in_packages_have_an_end() {
    let mut bytes = package(&parts(), |_| {});
    for _ in 0..6 {
        bytes = zip(&[stored("a.wacz", bytes)]);
    }
    fn inner<R: std::io::Read + std::io::Seek>(wacz: &Wacz<R>) -> wacz::Entry {
        wacz.entry("a.wacz").cloned().unwrap()
    }
    for nesting in 0..4 {
        let mut first = open(&bytes, Limits { nesting, ..Limits::default() }).unwrap();
        let entry = inner(&first);
        let second = first.nested(&entry);
        assert_eq!(matches!(second, Err(Error::TooDeep)), nesting == 0);
        let Ok(mut second) = second else { continue };
        let entry = inner(&second);
        let third = second.nested(&entry);
        assert_eq!(matches!(third, Err(Error::TooDeep)), nesting == 1);
        let Ok(mut third) = third else { continue };
        let entry = inner(&third);
        assert_eq!(matches!(third.nested(&entry), Err(Error::TooDeep)), nesting == 2);
    }
}

#[test]
fn an_index_that_unfolds_without_end_is_cut() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(9));
    std::io::Write::write_all(&mut encoder, &vec![b'x'; 40 << 20]).unwrap();
    let packed = encoder.finish().unwrap();
    let mut files = parts();
    files[1] = stored("indexes/index.cdx.gz", packed);
    let report = wacz::validate(Cursor::new(package(&files, |_| {})), &Limits::default()).unwrap();
    assert!(report.problems.iter().any(|problem| problem.kind == Kind::Index), "{:?}", report.problems);
}
