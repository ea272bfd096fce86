//! Reading: every version, byte ranges, packages inside packages, what stands before and behind.

use std::io::{Cursor, Read as _, Seek as _, SeekFrom};

use wacz::{IndexForm, Limits, Manifest, Method, Profile, Wacz};

use crate::raw::{WARC, package, parts, stored, written, zip};

#[test]
fn a_range_of_an_archive_file_is_read_without_the_rest() {
    let bytes = package(&parts(), |_| {});
    let mut wacz = Wacz::open(Cursor::new(&bytes), Limits::default()).unwrap();
    let entry = wacz.entry("archive/data.warc").cloned().unwrap();
    assert_eq!((entry.method(), entry.bytes()), (Method::Stored, WARC.len() as u64));
    let span = wacz.span(&entry).unwrap();
    let start = span.start as usize;
    assert_eq!(&bytes[start..start + WARC.len()], WARC);
    let mut window = wacz.window(&entry).unwrap();
    window.seek(SeekFrom::Start(53)).unwrap();
    let mut found = [0; 5];
    window.read_exact(&mut found).unwrap();
    assert_eq!(&found, &WARC[53..58]);
    let pages = wacz.entry("pages/pages.jsonl").cloned().unwrap();
    assert!(wacz.span(&pages).is_err(), "it is packed");
}

#[test]
fn pages_and_captures_are_listed() {
    for form in [IndexForm::ZipNum, IndexForm::Cdxj] {
        let mut wacz = Wacz::open(Cursor::new(written(form)), Limits::default()).unwrap();
        let list = wacz.page_lists().next().cloned().unwrap();
        let pages: Vec<_> = wacz.pages(&list).unwrap().map(Result::unwrap).collect();
        assert_eq!(pages[0].url, "http://example.org/");
        let index = wacz.indexes().find(|entry| !entry.name().ends_with(".idx")).cloned().unwrap();
        let mut captures = wacz.index(&index).unwrap();
        let capture = captures.next_capture().unwrap().unwrap();
        assert_eq!((capture.offset, capture.filename.as_deref()), (Some(0), Some("data.warc")));
        assert!(captures.next_capture().is_none());
    }
}

#[test]
fn the_manifest_of_the_draft_of_1_2_is_read() {
    let bytes = package(&parts(), |manifest| {
        manifest["profile"] = "wacz".into();
        manifest.as_object_mut().unwrap().remove("wacz_version");
        manifest["home"] = serde_json::json!({ "url": "http://example.org/", "ts": "2026-11-16T08:00:00Z" });
    });
    let report = wacz::validate(Cursor::new(&bytes), &Limits::default()).unwrap();
    assert!(report.is_valid(), "{:?}", report.problems);
    let manifest = report.manifest.unwrap();
    assert_eq!(manifest.profile, Profile::Wacz);
    assert_eq!(manifest.main_page.unwrap().url, "http://example.org/");
}

#[test]
fn packages_inside_packages_are_read() {
    let inner = written(IndexForm::ZipNum);
    let outer = package(&[stored("archive/inner.wacz", inner)], |manifest| {
        manifest["profile"] = "multi-wacz-package".into();
    });
    let mut wacz = Wacz::open(Cursor::new(&outer), Limits::default()).unwrap();
    assert!(wacz.validate().unwrap().is_valid(), "{:?}", wacz.validate().unwrap().problems);
    let entry = wacz.packages().next().cloned().unwrap();
    let mut nested = wacz.nested(&entry).unwrap();
    assert_eq!(nested.manifest().unwrap().title.as_deref(), Some("Layers"));
    let archive = nested.archives().next().cloned().unwrap();
    let mut warc = Vec::new();
    nested.content(&archive).unwrap().read_to_end(&mut warc).unwrap();
    assert_eq!(warc, WARC);
}

#[test]
fn a_list_of_packages_is_read() {
    let json = br#"{"profile":"multi-wacz-package","resources":[{"name":"a","path":"a.wacz"},{"name":"b","url":"https://x/b.wacz"}]}"#;
    let manifest = Manifest::parse(json).unwrap();
    assert_eq!(manifest.profile, Profile::MultiWacz);
    let paths: Vec<&str> = manifest.resources.iter().map(|resource| resource.path.as_str()).collect();
    assert_eq!(paths, ["a.wacz", "https://x/b.wacz"]);
}

#[test]
fn what_stands_before_the_package_is_passed_over() {
    let bytes = [b"#!/bin/sh\nexit\n".to_vec(), package(&parts(), |_| {})].concat();
    let report = wacz::validate(Cursor::new(&bytes), &Limits::default()).unwrap();
    assert!(report.is_valid(), "{:?}", report.problems);
}

#[test]
fn folders_among_the_entries_are_no_files() {
    let mut files = parts();
    files.insert(0, stored("archive/", ""));
    let bytes = package(&files, |manifest| {
        manifest["resources"].as_array_mut().unwrap().remove(0);
    });
    let report = wacz::validate(Cursor::new(&bytes), &Limits::default()).unwrap();
    assert!(report.is_valid(), "{:?}", report.problems);
    assert!(zip(&[]).len() == 22);
}

#[test]
fn archive_files_of_a_package_that_breaks_off_are_found_by_their_headers() {
    let bytes = crate::raw::written(wacz::IndexForm::ZipNum);
    let find = |bytes: &[u8]| wacz::remnants(&mut Cursor::new(bytes), &Limits::default()).unwrap();
    let whole = find(&bytes);
    assert_eq!(whole.len(), 1);
    assert_eq!(whole[0].name, "archive/data.warc");
    let start = usize::try_from(whole[0].span.start).unwrap();
    assert_eq!(&bytes[start..start + crate::raw::WARC.len()], crate::raw::WARC);
    for length in 0..bytes.len() {
        let found = find(&bytes[..length]);
        let left = length.saturating_sub(start).min(crate::raw::WARC.len());
        assert_eq!(found.iter().map(|found| found.span.bytes).sum::<u64>(), left as u64, "{length}");
    }
    assert_eq!(find(b"PK\x03\x04 and nothing more"), []);
}
