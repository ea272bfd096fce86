//! Indexes that older versions of the program wrote are read for ever.

use std::fs;
use std::path::PathBuf;

use super::sample::{all, capture, open, publish};
use index::Index;

fn fixture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

/// Version 1: two segments, of which one was merged, and a commit that was withdrawn.
#[test]
fn version_1_is_read() {
    let folder = fixture("v1");
    let index = Index::open(&folder).unwrap();
    let snapshot = index.snapshot().unwrap();
    let names: Vec<_> = snapshot.commits().iter().map(|commit| commit.name.as_str()).collect();
    assert_eq!(names, ["one", "three", "four", "five"]);
    assert_eq!(snapshot.commits()[0].facts, [("documents".to_owned(), "6".to_owned())]);
    assert_eq!((snapshot.rows(), all(&index).len()), (19, 19));
    let row = all(&index).remove(2);
    assert_eq!(
        row,
        r#"org,a)/0 20260101000000 {"url": "http://a.org/0", "mime": "warc/revisit", "status": "200", "digest": "sha256:0", "length": "1000", "offset": "0", "filename": "four/a.warc.gz", "commit": "four"}"#
    );
    let file = |found: Option<cdx::Capture<'static>>| found.map(|found| found.filename.unwrap().into_owned());
    assert_eq!(file(snapshot.by_digest("sha256:3").unwrap()).as_deref(), Some("one/a.warc.gz"));
    assert_eq!(file(snapshot.latest("http://a.org/3").unwrap()).as_deref(), Some("four/a.warc.gz"));
    assert_eq!(file(snapshot.by_digest("sha256:five").unwrap()).as_deref(), Some("five/a.warc.gz"));
    assert!(snapshot.by_digest("sha256:6").unwrap().is_none());
}

#[test]
fn version_1_is_written_on() {
    let folder = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(fixture("v1")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
    }
    let index = open(folder.path());
    publish(&index, "six", vec![capture("c.org/", 20_270_101_000_000, "six", "six")]).unwrap();
    index.withdraw("four").unwrap();
    assert_eq!(all(&index).len(), 14);
}

/// Version 2: a commit was withdrawn, rows were added without a name, some were deleted, of which one is only hidden, and there is an alias.
#[test]
fn version_2_is_read() {
    let index = Index::open(&fixture("v2")).unwrap();
    let snapshot = index.snapshot().unwrap();
    let names: Vec<_> = snapshot.commits().iter().map(|commit| commit.name.as_str()).collect();
    assert_eq!(names, ["one", "three"]);
    assert_eq!((all(&index).len(), snapshot.files()), (15, 3));
    assert_eq!(
        all(&index).remove(2),
        r#"org,a)/1 20260101000008 {"url": "http://a.org/1", "mime": "warc/revisit", "status": "200", "digest": "sha256:8", "length": "1000", "offset": "8", "filename": "three/a.warc.gz", "commit": "three"}"#
    );
    let file = |found: Option<cdx::Capture<'static>>| found.map(|found| found.filename.unwrap().into_owned());
    assert_eq!(file(snapshot.by_digest("sha256:3").unwrap()).as_deref(), Some("one/a.warc.gz"));
    assert_eq!(file(snapshot.by_digest("sha256:1").unwrap()).as_deref(), Some("loose/a.warc.gz"));
    assert_eq!(file(snapshot.latest("http://a.org/3").unwrap()).as_deref(), Some("three/a.warc.gz"));
    assert!(snapshot.by_digest("sha256:0").unwrap().is_none());
    let files: Vec<_> = snapshot.versions("org,a)/5").map(|row| file(Some(row.unwrap())).unwrap()).collect();
    assert_eq!(files, ["one/a.warc.gz", "loose/a.warc.gz"], "that of `three` is deleted");
    assert_eq!(snapshot.resolve_alias("org,old)/"), "org,a)/1");
}
