//! Files that lie elsewhere: read as if they were here, and missed when they are gone or changed.

use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::PathBuf;

use store::{Error, Reference, Store, Verdict};

/// A store with a note about a part of a file, which is called `job/a.warc` here.
fn world(start: u64, bytes: u64) -> (tempfile::TempDir, Store, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::create(&folder.path().join("store")).unwrap();
    let file = folder.path().join("elsewhere.wacz");
    std::fs::write(&file, "0123456789").unwrap();
    let note = folder.path().join("a.warc.ref");
    std::fs::write(&note, Reference::to(&file, start, bytes).unwrap().to_text()).unwrap();
    store.seal("job", &note).unwrap();
    (folder, store, file)
}

#[test]
fn what_lies_elsewhere_is_read_as_if_it_were_here() {
    let (_folder, store, file) = world(3, 4);
    let mut text = String::new();
    let mut opened = store.read("job/a.warc", 1).unwrap();
    opened.read_to_string(&mut text).unwrap();
    assert_eq!(text, "456");
    assert_eq!(opened.seek(SeekFrom::Start(0)).unwrap(), 0);
    text.clear();
    opened.read_to_string(&mut text).unwrap();
    assert_eq!(text, "3456");
    assert_eq!(store.verify("job/a.warc").unwrap(), Verdict::Sound);
    let listed = store.files_of("job").unwrap();
    assert_eq!(listed.len(), 1);
    assert_eq!((listed[0].name.as_str(), listed[0].bytes), ("job/a.warc", 4));
    assert_eq!(store.reference("job/a.warc").unwrap().unwrap().path(), file);
}

#[track_caller]
fn check_missed(start: u64, bytes: u64, change: impl FnOnce(&PathBuf), words: &str) {
    let (_folder, store, file) = world(start, bytes);
    change(&file);
    let error = store.read("job/a.warc", 0).unwrap_err();
    assert!(matches!(error, Error::Elsewhere { .. }) && error.to_string().contains(words), "{error}");
    assert_ne!(store.verify("job/a.warc").unwrap(), Verdict::Sound);
}

#[test]
fn what_is_gone_or_changed_is_missed() {
    check_missed(0, 10, |file| std::fs::remove_file(file).unwrap(), "not there any more");
    check_missed(0, 10, |file| std::fs::write(file, "0123456780").unwrap(), "has changed");
    check_missed(3, 4, |file| std::fs::write(file, "0123x56789").unwrap(), "has changed");
    check_missed(3, 4, |file| std::fs::write(file, "01234").unwrap(), "another length");
}
