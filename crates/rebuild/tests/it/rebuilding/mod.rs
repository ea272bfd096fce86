//! Everything that is derived is deleted, and made again from the store. (Issue 6, acceptance 4)

mod answers;
mod faults;
mod generated;

use std::fs;
use std::path::Path;

use archive::{Archive, Error, WEB};
use rebuild::{Report, Settings, Step, rebuild_indexes};

use crate::imports::{Imports, PAGES, warc};
use crate::world::{World, about, answer, at, not_modified, page};
use answers::Answers;

/// Removes everything that is derived.
pub(crate) fn forget(folder: &Path) {
    for name in ["index", "collections"] {
        let _ = fs::remove_dir_all(folder.join(name));
    }
}

#[track_caller]
pub(crate) fn rebuild(folder: &Path) -> Report {
    rebuild_indexes(folder, &Settings::default(), &|_| {}).unwrap()
}

/// All answers are as before, and nothing was found wrong.
#[track_caller]
pub(crate) fn check(folder: &Path, what: &str) {
    let before = Answers::of(folder);
    forget(folder);
    let report = rebuild(folder);
    assert_eq!(report.problems, [], "{what}");
    before.check(&Answers::of(folder), what);
    assert!(!folder.join("rebuilding").exists());
}

/// Harvests with dedup within and across jobs, an import, references, a second collection.
pub(crate) fn sample() -> Imports {
    let imports = Imports::new();
    let world = &imports.world;
    let a = "http://example.org/a";
    world.job("one", &about(0), &[page(a, 0, "words"), page("http://example.org/b", 1, "words")]);
    world.job(
        "two",
        &about(100),
        &[
            page(a, 100, "words"),
            answer("http://example.org/r", 101, "302 Found", "Location: /a\r\n", b""),
            answer("http://example.org/b", 102, "404 Not Found", "Content-Type: text/plain\r\n", b"gone"),
            page("http://www.example.org/é?b=2&a=1", 103, "odd"),
        ],
    );
    world.job("aa-later", &about(50), &[not_modified(a, 200, ""), page("http://example.org/b", 100, "x")]);
    let file = imports.file("old.warc.gz", warc(&PAGES, &warc::Encoding::Gzip(6)));
    let settings = transfer::import::Settings::default;
    imports.import("import-20261116080000", &[&file], &settings());
    let file = imports.file("far.warc", warc(&PAGES[..1], &warc::Encoding::Plain));
    imports.import(
        "import-b",
        &[&file],
        &transfer::import::Settings { reference: true, collection: "papers".to_owned(), ..settings() },
    );
    // Captures of a file that another collection has already.
    let file = imports.files.path().join("old.warc.gz");
    imports.import(
        "import-c",
        &[&file],
        &transfer::import::Settings { collection: "papers".to_owned(), ..settings() },
    );
    imports
}

#[test]
fn everything_derived_is_brought_back_from_the_store() {
    let imports = sample();
    check(imports.world.folder.path(), "sample");
    let report = rebuild(imports.world.folder.path());
    assert_eq!(
        (report.jobs, report.files, report.collections),
        (6, 5, vec!["papers".to_owned(), WEB.to_owned()])
    );
}

#[test]
fn an_index_that_is_still_there_is_replaced_and_its_readers_see_the_new_one() {
    let imports = sample();
    let folder = imports.world.folder.path();
    let before = Answers::of(folder);
    // Lines that come from elsewhere stand nowhere else.
    let papers = imports.archive().collection("papers").unwrap().unwrap();
    let row = b"org,elsewhere)/ 20260101000000 {\"filename\": \"far.warc.gz\", \"offset\": \"3\"}";
    let row = cdx::Capture::parse_cdxj(row, &cdx::Limits::default()).unwrap().into_owned();
    papers.index().add([Ok(row)].into_iter()).unwrap();
    papers.index().alias("org,old)/", "org,new)/").unwrap();
    let with_added = Answers::of(folder);
    let held = imports.archive().snapshot().unwrap();
    let report = rebuild(folder);
    assert_eq!((report.kept, report.is_sound()), (1, true));
    with_added.check(&Answers::of(folder), "an old index");
    assert!(before != with_added);
    // Both of those who had it open, and those who look again.
    assert_eq!(held.rows(), imports.archive().snapshot().unwrap().rows());
    imports.world.job("three", &about(300), &[page("http://example.org/new", 300, "new")]);
    assert_eq!(imports.archive().snapshot().unwrap().rows(), held.rows() + 1);
    let again = Archive::open(folder).unwrap();
    assert_eq!(again.snapshot().unwrap().rows(), held.rows() + 1);
}

#[test]
fn only_one_rebuilds_at_a_time() {
    let imports = sample();
    let folder = imports.world.folder.path();
    let settings = Settings { threads: 1, ..Settings::default() };
    let second = std::sync::Mutex::new(None);
    let progress = |step| {
        if step == Step::Job {
            *second.lock().unwrap() = Some(rebuild_indexes(folder, &settings, &|_| {}));
        }
    };
    rebuild_indexes(folder, &settings, &progress).unwrap();
    assert!(matches!(second.into_inner().unwrap(), Some(Err(Error::Rebuilding { .. }))));
}

#[test]
fn an_archive_without_jobs_is_one_afterwards() {
    let world = World::new();
    let report = rebuild(world.folder.path());
    assert_eq!((report.jobs, report.is_sound()), (0, true));
    world.job("one", &about(0), &[page("http://example.org/", 0, "x")]);
    assert!(world.archive.get("http://example.org/", Some(at(0))).unwrap().is_some());
    let nothing = rebuild_indexes(&world.folder.path().join("none"), &Settings::default(), &|_| {});
    assert!(matches!(nothing, Err(Error::NoArchive { .. })));
}
