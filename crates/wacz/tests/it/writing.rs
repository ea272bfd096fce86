//! Writing: what comes out is valid, the same twice, and read by others.

use std::io::{Cursor, Write as _};
use std::process::Command;

use wacz::{About, Error, IndexForm, Limits, Method, Writer};

use crate::raw::written;

#[test]
fn what_is_written_is_valid_in_both_forms() {
    for form in [IndexForm::ZipNum, IndexForm::Cdxj] {
        let bytes = written(form);
        let report = wacz::validate(Cursor::new(&bytes), &Limits::default()).unwrap();
        assert_eq!(report.problems, [], "{form:?}");
        assert_eq!((report.captures, report.pages), (1, 1));
        let manifest = report.manifest.unwrap();
        assert_eq!(manifest.version.as_deref(), Some("1.1.1"));
        assert_eq!(manifest.main_page.unwrap().date.as_deref(), Some("2026-11-16T08:00:00Z"));
        assert_eq!(bytes, written(form), "the same twice");
    }
}

/// ReplayWeb.page reads no header of an entry that has no extra fields in the directory: its bytes begin behind the name then.
#[test]
fn entries_lie_where_a_reader_of_the_directory_alone_looks() {
    let bytes = written(IndexForm::ZipNum);
    let number = |at: usize| usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
    let long = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let mut at = long(bytes.len() - 6);
    let mut seen = 0;
    while bytes[at..].starts_with(b"PK\x01\x02") {
        let (name, extra, local) = (number(at + 28), number(at + 30), long(at + 42));
        assert_eq!(extra, number(local + 28), "extra fields are as long in both headers");
        if &bytes[at + 46..at + 46 + name] == b"archive/data.warc" {
            let data = local + 30 + name + extra;
            assert_eq!(&bytes[data..data + long(at + 20)], crate::raw::WARC);
            seen += 1;
        }
        at += 46 + name + extra;
    }
    assert_eq!(seen, 1);
}

#[test]
fn a_name_can_be_written_once_and_stays_inside() {
    let mut writer = Writer::new(Cursor::new(Vec::new()), jiff::Timestamp::UNIX_EPOCH);
    assert!(writer.write_all(b"nowhere").is_err());
    writer.begin_archive("a.warc").unwrap();
    assert!(matches!(writer.begin_archive("a.warc"), Err(Error::Duplicate(_))));
    assert!(matches!(writer.begin("datapackage.json", Method::Stored), Err(Error::Duplicate(_))));
    assert!(matches!(writer.begin("../a", Method::Stored), Err(Error::Name { .. })));
    // Files of one name in two folders are two resources.
    writer.begin("logs/a.warc", Method::Stored).unwrap();
    let file = writer.finish(&About::default()).unwrap();
    let manifest = wacz::Wacz::open(file, Limits::default()).unwrap().manifest().unwrap();
    let names: Vec<_> = manifest.resources.iter().map(|resource| resource.name.clone().unwrap()).collect();
    assert_eq!(names, ["a.warc", "logs-a.warc"]);
}

#[test]
fn many_lines_become_many_blocks() {
    let mut writer = Writer::new(Cursor::new(Vec::new()), jiff::Timestamp::UNIX_EPOCH);
    let mut number = 0;
    writer
        .index(IndexForm::ZipNum, |line| {
            number += 1;
            line.extend_from_slice(
                format!("org,example)/{number:08} 20261116080000 {{\"offset\":0,\"filename\":\"a\"}}")
                    .as_bytes(),
            );
            Ok(number <= 10_000)
        })
        .unwrap();
    let mut wacz = wacz::Wacz::open(writer.finish(&About::default()).unwrap(), Limits::default()).unwrap();
    let index = wacz.entry("indexes/index.cdx.gz").cloned().unwrap();
    let mut captures = wacz.index(&index).unwrap();
    let mut count = 0;
    while let Some(capture) = captures.next_capture() {
        capture.unwrap();
        count += 1;
    }
    assert_eq!(count, 10_000);
}

/// Python's own reader, and py-wacz's judge of packages.
#[test]
fn others_read_what_is_written() {
    let (Some(python), Some(program)) = (testkit::peers::python(), testkit::peers::program("wacz")) else {
        return;
    };
    let folder = std::env::temp_dir().join(format!("wacz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (name, form) in [("zipnum.wacz", IndexForm::ZipNum), ("cdxj.wacz", IndexForm::Cdxj)] {
        let path = folder.join(name);
        std::fs::write(&path, written(form)).unwrap();
        let script = "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print(len(z.namelist()))";
        let output = Command::new(&python).args(["-c", script]).arg(&path).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let output = Command::new(&program).arg("validate").arg("-f").arg(&path).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("Validation succeeded"), "{name}: {said}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
