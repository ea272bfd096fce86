//! A15: an index that is lost is not taken for one that was never begun. (Issue 20.)

use std::fs;
use std::path::Path;

use archive::{Archive, Error, Removal};
use rebuild::{Settings, rebuild_indexes};
use transfer::import;

use crate::world::{World, about, page};

const A: &str = "http://example.org/a";

fn with_capture() -> World {
    let world = World::new();
    world.job("one", &about(0), &[page(A, 0, "words")]);
    world
}

fn lost(folder: &Path) -> Option<String> {
    match Archive::open(folder) {
        Err(Error::IndexLost { collection, .. }) => Some(collection),
        opened => opened.map(|_| None).unwrap(),
    }
}

/// The collections that are recorded as committed to.
fn listed(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder.join("committed")).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Commits a job to a further collection, from a file that lies beside the archive.
fn import_into(archive: &Archive, collection: &str) {
    let warc = archive.folder().join(format!("{collection}.warc"));
    fs::write(&warc, PAPER).unwrap();
    let settings = import::Settings { collection: collection.to_owned(), ..import::Settings::default() };
    let job = format!("import-{collection}");
    import::import_files(archive, &job, &[warc], &settings, &about(60), &|_| {}).unwrap();
}

#[test]
fn a_lost_index_is_an_error_until_it_is_rebuilt() {
    for has_list in [true, false] {
        let world = with_capture();
        let folder = world.folder.path();
        assert_eq!(lost(folder), None);
        fs::remove_dir_all(folder.join("index")).unwrap();
        if !has_list {
            fs::remove_dir_all(folder.join("committed")).unwrap();
        }
        assert_eq!(lost(folder).as_deref(), Some("web"));
        // One that was made anew is empty, and as much lost.
        fs::create_dir(folder.join("index")).unwrap();
        assert_eq!(lost(folder).as_deref(), Some("web"));
        rebuild_indexes(folder, &Settings::default(), &|_| {}).unwrap();
        let archive = Archive::open(folder).unwrap();
        assert!(archive.get(A, None).unwrap().is_some());
    }
}

#[test]
fn an_archive_without_commits_opens() {
    let world = World::new();
    let folder = world.folder.path();
    assert_eq!(lost(folder), None);
    // Files that were handed in to be kept, and a job in the middle of its first commit.
    for path in ["deposit/letter.txt", "two/two-00001.warc.gz", "two/two-metadata.warc.gz"] {
        let path = folder.join("store").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "Dear archive").unwrap();
    }
    fs::create_dir_all(folder.join("work/two/warc")).unwrap();
    fs::write(folder.join("work/two/warc/commit"), "varve-commit 2\n- two-00001.warc.gz\n").unwrap();
    assert_eq!(lost(folder), None);
    assert!(!folder.join("committed").exists(), "nothing was committed");
}

#[test]
fn an_archive_that_was_begun_anew_opens() {
    let world = with_capture();
    let folder = world.folder.path();
    for name in ["store/one", "index"] {
        fs::remove_dir_all(folder.join(name)).unwrap();
    }
    assert_eq!(lost(folder), None);
}

#[test]
fn a_collection_without_commits_is_not_lost() {
    let world = World::new();
    world.archive.create_collection("papers").unwrap();
    let folder = world.folder.path();
    // Of one that only has captures that others fed it, nothing can be made again.
    let collection = world.archive.collection("papers").unwrap().unwrap();
    assert!(collection.snapshot().unwrap().commits().is_empty());
    fs::remove_dir_all(folder.join("collections")).unwrap();
    assert_eq!(lost(folder), None);
}

/// Some programs that copy folders leave empty files out.
#[test]
fn a_lost_index_is_noticed_where_the_list_has_lost_its_files() {
    let world = with_capture();
    let folder = world.folder.path();
    assert!(fs::metadata(folder.join("committed/web")).unwrap().len() > 0);
    fs::remove_file(folder.join("committed/web")).unwrap();
    assert_eq!(lost(folder), None);
    assert_eq!(listed(folder), ["web"], "the list is made again");
    fs::remove_file(folder.join("committed/web")).unwrap();
    fs::remove_dir_all(folder.join("index")).unwrap();
    assert_eq!(lost(folder).as_deref(), Some("web"));
}

/// Opening must not read the store: a job's metadata file may be damaged, or there may be a million.
#[test]
fn opening_reads_no_job_where_there_is_a_list() {
    let world = with_capture();
    let folder = world.folder.path();
    fs::remove_dir_all(folder.join("index")).unwrap();
    let metadata = folder.join("store/one/one-metadata.warc.gz");
    fs::remove_file(&metadata).unwrap();
    fs::write(&metadata, "no WARC file").unwrap();
    assert_eq!(lost(folder).as_deref(), Some("web"));
    assert_eq!(listed(folder), ["web"]);
}

/// A process that has the archive open must not begin a new index in the place of one that somebody has deleted.
#[test]
fn commits_and_removals_are_refused_after_the_index_is_deleted() {
    for is_empty in [false, true] {
        let world = with_capture();
        let folder = world.folder.path();
        let mut job = world.begin("two", &about(60));
        job.take_in(&page("http://example.org/b", 60, "more words"));
        fs::remove_dir_all(folder.join("index")).unwrap();
        if is_empty {
            // As a writer leaves it that starts and publishes nothing.
            index::Index::open(&folder.join("index")).unwrap().withdraw("none").unwrap();
        }
        let web = world.archive.collection("web").unwrap().unwrap();
        assert!(
            matches!(web.snapshot(), Err(Error::IndexLost { .. })),
            "a server that runs reads collections this way"
        );
        let removed = world.archive.remove(&web, Removal::Job("one"), &about(90));
        assert!(matches!(removed, Err(Error::IndexLost { .. })), "{removed:?}");
        assert!(matches!(world.archive.snapshot(), Err(Error::IndexLost { .. })));
        let committed = world.commit(job);
        assert!(matches!(committed, Err(Error::IndexLost { .. })), "{committed:?}");
        assert_eq!(lost(folder).as_deref(), Some("web"));
        rebuild_indexes(folder, &Settings::default(), &|_| {}).unwrap();
        assert!(Archive::open(folder).unwrap().get(A, None).unwrap().is_some());
    }
}

#[test]
fn an_index_from_which_everything_was_removed_is_not_lost() {
    let world = with_capture();
    let web = world.archive.collection("web").unwrap().unwrap();
    world.archive.remove(&web, Removal::Job("one"), &about(90)).unwrap();
    assert_eq!(lost(world.folder.path()), None);
    fs::remove_dir_all(world.folder.path().join("committed")).unwrap();
    assert_eq!(lost(world.folder.path()), None);
}

#[test]
fn processes_that_commit_at_the_same_time_record_all_collections() {
    let world = with_capture();
    let folder = world.folder.path();
    let open: Vec<Archive> = (0..4).map(|_| Archive::open(folder).unwrap()).collect();
    for (number, archive) in open.iter().enumerate() {
        import_into(archive, &format!("papers{number}"));
    }
    assert_eq!(listed(folder), ["papers0", "papers1", "papers2", "papers3", "web"]);
}

/// In an archive without a list, the index of a further collection may be the one that is lost.
#[test]
fn a_lost_index_of_a_further_collection_is_noticed_without_a_list() {
    let world = with_capture();
    import_into(&world.archive, "papers");
    let folder = world.folder.path();
    fs::remove_dir_all(folder.join("committed")).unwrap();
    // The list of an earlier version is not needed, and harms nobody.
    fs::write(folder.join("index.begun"), "no list").unwrap();
    assert_eq!(lost(folder), None);
    assert_eq!(listed(folder), ["papers", "web"]);
    for name in ["committed", "collections/papers/index"] {
        fs::remove_dir_all(folder.join(name)).unwrap();
    }
    assert_eq!(lost(folder).as_deref(), Some("papers"));
}

#[test]
fn a_job_without_metadata_counts_as_one_of_the_main_collection() {
    let world = with_capture();
    let folder = world.folder.path();
    fs::remove_file(folder.join("store/one/one-metadata.warc.gz")).unwrap();
    for name in ["committed", "index"] {
        fs::remove_dir_all(folder.join(name)).unwrap();
    }
    assert_eq!(lost(folder).as_deref(), Some("web"));
}

/// The host of a harvest may begin with the word that deposits begin with.
#[test]
fn a_harvest_of_a_host_named_deposit_is_no_deposit() {
    for has_list in [true, false] {
        let world = World::new();
        world.job("deposit-photos.example-20261118", &about(0), &[page(A, 0, "words")]);
        let folder = world.folder.path();
        fs::remove_dir_all(folder.join("index")).unwrap();
        if !has_list {
            fs::remove_dir_all(folder.join("committed")).unwrap();
        }
        assert_eq!(lost(folder).as_deref(), Some("web"));
    }
}

const PAPER: &str = "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:uuid:4f4e1d4c-0000-4000-8000-000000000001>\r\n\
    WARC-Date: 2026-11-16T08:00:00Z\r\nWARC-Target-URI: http://a.example/\r\nContent-Type: text/plain\r\n\
    Content-Length: 5\r\n\r\nlayer\r\n\r\n";
