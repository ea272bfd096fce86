//! Packages on their way in: what they hold, what is wrong with them, and what could hurt.

use std::io::{Cursor, Write as _};

use transfer::import::Settings;
use warc::Encoding;

use crate::imports::{Imports, PAGES, outcomes, package, warc};
use crate::world::{about, at};

#[test]
fn packages_are_unpacked_also_inside_others() {
    for reference in [false, true] {
        let imports = Imports::new();
        let inner = package(&[("data.warc.gz", warc(&PAGES[1..], &Encoding::Gzip(6)))]);
        let outer =
            package(&[("data.warc", warc(&PAGES[..1], &Encoding::Plain)), ("more/inner.wacz", inner)]);
        let file = imports.file("outer.wacz", outer);
        let settings = Settings { reference, ..Settings::default() };
        let report = imports.import("job", &[&file], &settings);
        let found = outcomes(&report);
        let word = if reference { "referenced" } else { "imported" };
        assert_eq!(found[0], format!("{word} job/outer-data.warc"));
        // What had to be unpacked cannot stay where it lies.
        assert_eq!(found[1], "imported job/outer-inner-data.warc.gz");
        assert!(report.is_sound(), "{:?}", report.packages);
        for (url, body) in PAGES {
            imports.check_page(url, body);
        }
    }
}

#[test]
fn a_list_of_packages_names_those_beside_it_and_no_others() {
    let imports = Imports::new();
    imports.file("set/a.wacz", package(&[("a.warc", warc(&PAGES[..1], &Encoding::Plain))]));
    imports.file("outside.wacz", package(&[("b.warc", warc(&PAGES[1..], &Encoding::Plain))]));
    let list = imports.file(
        "set/datapackage.json",
        r#"{"profile":"multi-wacz-package","resources":[{"name":"a","path":"a.wacz"},
            {"name":"b","path":"../outside.wacz"},{"name":"c","path":"https://example.org/c.wacz"},{"name":"d","path":"gone.wacz"}]}"#,
    );
    let report = imports.import("job", &[&list], &Settings::default());
    let found = outcomes(&report);
    assert_eq!(found[0], "imported job/a-a.warc");
    assert_eq!(found.iter().filter(|outcome| outcome.starts_with("failed")).count(), 3, "{found:?}");
    assert_eq!(imports.captures("web"), 1);
}

#[test]
fn a_package_that_could_hurt_is_refused_and_one_with_wrong_digests_told() {
    let imports = Imports::new();
    let good = package(&[("data.warc", warc(&PAGES, &Encoding::Plain))]);
    // The name of the first entry leads elsewhere, in both headers.
    let hostile = replace(&good, b"archive/data.warc", b"../hive/data.warc");
    let hostile = imports.file("hostile.wacz", hostile);
    let changed = imports.file("changed.wacz", replace(&good, b"herring", b"Herring"));
    let report = imports.import("job", &[&hostile, &changed], &Settings::default());
    assert!(report.packages[0].refused.as_deref().unwrap().contains("leads out"), "{:?}", report.packages);
    assert!(!report.packages[1].is_valid());
    assert_eq!(outcomes(&report), ["damaged block-digest"]);
    assert!(report.committed.is_none());
    assert_eq!(imports.captures("web"), 0);
}

#[test]
fn a_list_names_packages_and_neither_lists_nor_folders() {
    let imports = Imports::new();
    imports.file("set/a.wacz", package(&[("a.warc", warc(&PAGES[..1], &Encoding::Plain))]));
    imports.file("set/more/b.warc", warc(&PAGES[1..], &Encoding::Plain));
    let list = imports.file(
        "set/list.json",
        r#"{"profile":"multi-wacz-package","resources":[{"name":"self","path":"list.json"},{"name":"f","path":"more"},
            {"name":"b","path":"more/b.warc"},{"name":"a","path":"a.wacz"},{"name":"again","path":"a.wacz"}]}"#,
    );
    let report = imports.import("job", &[&list], &Settings::default());
    let found = outcomes(&report);
    assert_eq!(found[0], "imported job/a-a.warc");
    assert_eq!(found.len(), 4, "{found:?}");
    assert!(found[1..].iter().all(|outcome| outcome.contains("and is none")), "{found:?}");
}

#[test]
fn a_package_that_breaks_off_in_a_header_stops_no_other() {
    let imports = Imports::new();
    let mut writer = wacz::Writer::new(Cursor::new(Vec::new()), at(0));
    writer.begin_archive("a.warc").unwrap();
    let mut bytes = writer.finish(&wacz::About::default()).unwrap().into_inner();
    bytes[26..28].copy_from_slice(&u16::MAX.to_le_bytes());
    let broken = imports.file("broken.wacz", bytes);
    let good = imports.file("good.warc", warc(&PAGES[..1], &Encoding::Plain));
    let report = imports.import("job", &[&broken, &good], &Settings::default());
    assert!(!report.packages[0].is_valid(), "{:?}", report.packages);
    assert!(outcomes(&report).contains(&"imported job/good.warc".to_owned()), "{:?}", outcomes(&report));
}

#[test]
fn of_a_package_that_breaks_off_archive_files_are_salvaged_on_request() {
    let imports = Imports::new();
    let files = [
        ("a.warc.gz", warc(&PAGES[..1], &Encoding::Gzip(6))),
        ("b.warc.gz", warc(&PAGES[1..], &Encoding::Gzip(6))),
    ];
    let whole = package(&files);
    // In the last record of the second file.
    let behind = whole.windows(8).position(|bytes| bytes == b"indexes/").unwrap();
    let file = imports.file("cut.wacz", &whole[..behind - 60]);
    let report = imports.import("job-1", &[&file], &Settings::default());
    assert!(report.files.is_empty() && report.packages[0].breaks_off, "{report:?}");
    let report = imports.import("job-2", &[&file], &Settings { salvage: true, ..Settings::default() });
    let found = outcomes(&report);
    assert_eq!(found[0], "imported job-2/cut-a.warc.gz");
    imports.check_page(PAGES[0].0, PAGES[0].1);
    assert!(found.len() == 2 && found[1] == "salvaged job-2/cut-b-salvaged.warc.gz", "{found:?}");
}

/// A package of a few packages, each of a few, …: each alone is harmless.
#[test]
fn packages_in_packages_unfold_to_no_more_than_one_may() {
    let imports = Imports::new();
    let mut writer = wacz::Writer::new(Cursor::new(Vec::new()), at(0));
    writer.begin("archive/a.warc", wacz::Method::Deflated).unwrap();
    writer.write_all(&vec![b'0'; 3 << 20]).unwrap();
    let mut inner = writer.finish(&wacz::About::default()).unwrap().into_inner();
    for _ in 0..3 {
        let files: Vec<(String, Vec<u8>)> =
            (0..8).map(|number| (format!("{number}.wacz"), inner.clone())).collect();
        let files: Vec<(&str, Vec<u8>)> =
            files.iter().map(|(name, bytes)| (name.as_str(), bytes.clone())).collect();
        inner = package(&files);
    }
    let budget = inner.len() as u64 * 300 + (4 << 20);
    let file = imports.file("bomb.wacz", &inner);
    let most = std::sync::atomic::AtomicU64::new(0);
    let paths = [file];
    let report = transfer::import::import_files(
        imports.archive(),
        "job",
        &paths,
        &Settings::default(),
        &about(0),
        &|step| {
            if let transfer::import::Step::Found { bytes, .. } = step {
                most.store(bytes, std::sync::atomic::Ordering::SeqCst);
            }
        },
    );
    let report = report.unwrap();
    assert!(most.into_inner() <= budget, "{budget}");
    let is_over = |package: &transfer::import::PackageReport| {
        package.refused.as_deref().is_some_and(|why| why.contains("unfolds to"))
    };
    assert!(report.packages.iter().any(is_over), "{} packages", report.packages.len());
}

#[test]
fn packages_are_looked_for_as_deep_as_the_limit_says() {
    for nesting in 0..3 {
        let imports = Imports::new();
        let mut inner = package(&[("a.warc", warc(&PAGES[..1], &Encoding::Plain))]);
        for _ in 0..2 {
            inner = package(&[("inner.wacz", inner)]);
        }
        let file = imports.file("outer.wacz", inner);
        let limits = wacz::Limits { nesting, ..wacz::Limits::default() };
        let report = imports.import("job", &[&file], &Settings { limits, ..Settings::default() });
        let deep = report.packages.iter().filter(|package| package.refused.is_none()).count();
        assert_eq!(deep, nesting + 1);
        assert_eq!(report.committed.is_some(), nesting == 2);
    }
}

/// The same bytes with something of the same length in them changed.
fn replace(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let mut out = bytes.to_vec();
    let places: Vec<usize> = bytes
        .windows(from.len())
        .enumerate()
        .filter(|(_, window)| *window == from)
        .map(|(at, _)| at)
        .collect();
    assert!(!places.is_empty());
    for place in places {
        out[place..place + from.len()].copy_from_slice(to);
    }
    out
}

/// Issue 20, point 14: when each file was sealed, the checksums of all files before it were read again.
#[test]
fn a_package_of_many_entries_is_imported_in_linear_time() {
    let Some(_) = bytes_read() else {
        return eprintln!("archive: no /proc/self/io; skipping the test that counts bytes read");
    };
    let read = |entries: usize| {
        let imports = Imports::new();
        let file = |number: usize| {
            let (url, body) = (format!("http://example.org/{number}"), format!("layer {number}"));
            // All of one name, in folders of their own.
            (format!("{number}/data.warc"), warc(&[(&url, &body)], &Encoding::Plain))
        };
        let files: Vec<(String, Vec<u8>)> = (0..entries).map(file).collect();
        let files: Vec<(&str, Vec<u8>)> =
            files.iter().map(|(name, bytes)| (name.as_str(), bytes.clone())).collect();
        let file = imports.file("set.wacz", package(&files));
        let start = bytes_read().unwrap();
        let report = imports.import("job", &[&file], &Settings::default());
        let read = bytes_read().unwrap() - start;
        assert_eq!(report.committed.unwrap().captures, entries as u64);
        assert_eq!(imports.archive().store().files_of("job").unwrap().len(), entries + 1);
        read
    };
    let (few, many) = (read(500), read(2000));
    assert!(many < few * 6, "500 entries took {few} bytes to read, 2,000 took {many}");
}

/// Bytes that this process has read from files, wherever they came from.
fn bytes_read() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/io").ok()?;
    text.lines().find_map(|line| line.strip_prefix("rchar: "))?.parse().ok()
}
