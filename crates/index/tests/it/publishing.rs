//! Commits appear whole, replace each other, and go again; snapshots do not notice.

use super::sample::{all, capture, commit, line, open, publish};
use cdx::Capture;
use index::{Error, Index};

/// Some rows of a commit.
fn rows(name: &str) -> Vec<Capture<'static>> {
    (0..20)
        .map(|page| {
            capture(&format!("a.org/{page}"), 20_260_101_000_000 + page, &format!("{name}{page}"), name)
        })
        .collect()
}

#[test]
fn an_absent_folder_is_an_empty_index() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("not/there");
    let index = Index::open(&folder).unwrap();
    let snapshot = index.snapshot().unwrap();
    assert_eq!((snapshot.commits(), snapshot.rows()), ([].as_slice(), 0));
    assert!(snapshot.by_digest("sha256:x").unwrap().is_none());
    assert!(!folder.exists(), "reading makes no folder");
    publish(&index, "one", rows("one")).unwrap();
    assert_eq!(all(&index).len(), 20);
}

/// A5, A8: a reader sees a commit whole or not at all, and what it holds does not change under it.
#[test]
fn a_snapshot_stays_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let (writer, reader) = (open(folder.path()), open(folder.path()));
    publish(&writer, "one", rows("one")).unwrap();
    let before = reader.snapshot().unwrap();
    for name in ["two", "three", "four", "five"] {
        publish(&writer, name, rows(name)).unwrap();
    }
    writer.withdraw("one").unwrap();
    assert_eq!(before.commits(), [commit("one")]);
    assert_eq!(before.versions("org,a)/3").count(), 1);
    assert_eq!(before.by_digest("sha256:one3").unwrap().unwrap().offset, Some(3));
    assert!(before.by_digest("sha256:two3").unwrap().is_none());
    let after = reader.snapshot().unwrap();
    assert_eq!(after.commits(), ["two", "three", "four", "five"].map(commit));
    assert_eq!((after.versions("org,a)/3").count(), after.rows()), (4, 80));
    assert!(after.by_digest("sha256:one3").unwrap().is_none());
}

#[test]
fn publishing_again_replaces() {
    let folder = tempfile::tempdir().unwrap();
    let index = open(folder.path());
    publish(&index, "one", rows("one")).unwrap();
    publish(&index, "two", rows("two")).unwrap();
    publish(&index, "one", vec![capture("b.org/", 20_270_101_000_000, "new", "one")]).unwrap();
    assert_eq!(index.snapshot().unwrap().commits(), [commit("two"), commit("one")]);
    assert_eq!(index.snapshot().unwrap().rows(), 21);
    let mut expect: Vec<String> = rows("two").iter().map(line).collect();
    expect.sort();
    expect.push(line(&capture("b.org/", 20_270_101_000_000, "new", "one")));
    assert_eq!(all(&index), expect);
}

#[test]
fn a_commit_may_be_empty() {
    let folder = tempfile::tempdir().unwrap();
    let index = open(folder.path());
    publish(&index, "none", Vec::new()).unwrap();
    assert_eq!(open(folder.path()).snapshot().unwrap().commits(), [commit("none")]);
    assert_eq!(all(&index), [""; 0]);
    index.withdraw("none").unwrap();
    index.withdraw("none").unwrap();
    index.withdraw("never there").unwrap();
    assert!(index.snapshot().unwrap().commits().is_empty());
}

#[test]
fn what_cannot_be_published_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let index = open(folder.path());
    publish(&index, "one", rows("one")).unwrap();
    let files = || std::fs::read_dir(folder.path()).unwrap().count();
    let (before, there) = (all(&index), files());
    let refused = |rows: Vec<Result<Capture<'static>, Error>>| {
        index.publish(&commit("two"), rows.into_iter()).unwrap_err().to_string()
    };
    let row = |path: &str, time| Ok(capture(path, time, "x", "two"));
    let time = 20_260_101_000_000;
    assert_eq!(
        refused(vec![row("a.org/b", time), row("a.org/c", time), row("a.org/a", time)]),
        "row 3, `org,a)/a 20260101000000`, sorts before the row above it"
    );
    assert_eq!(
        refused(vec![row("a.org/b", time + 1), row("a.org/b", time)]),
        "row 2, `org,a)/b 20260101000000`, sorts before the row above it"
    );
    assert_eq!(
        refused(vec![row("a.org/b", time), Err(Error::rows("the log is torn"))]),
        "the rows to be published cannot be had"
    );
    let bare = Capture { key: None, ..capture("a.org/", time, "x", "two") };
    assert_eq!(refused(vec![Ok(bare)]), "row 1 cannot be published: it has no key");
    let bare = Capture { timestamp: None, ..capture("a.org/", time, "x", "two") };
    assert_eq!(refused(vec![Ok(bare)]), "row 1 cannot be published: it has no time");
    let long = Capture { url: Some("x".repeat(2 << 20).into()), ..capture("a.org/", time, "x", "two") };
    assert_eq!(refused(vec![Ok(long)]), "row 1 cannot be published: its line is longer than 1048576 bytes");
    let mut broken = capture("a.org/", time, "x", "two");
    broken.extra.push(cdx::Extra::new("n", cdx::Value::Json("}{".into())));
    assert!(refused(vec![Ok(broken)]).starts_with("row 1 cannot be published: broken JSON"));
    assert_eq!((all(&index), files()), (before, there));
}

/// Merges leave few files, and none that nobody names.
#[test]
fn many_commits_are_few_files() {
    let folder = tempfile::tempdir().unwrap();
    let index = open(folder.path());
    for number in 0..50 {
        publish(&index, &number.to_string(), rows(&number.to_string())).unwrap();
    }
    for number in 0..40 {
        index.withdraw(&number.to_string()).unwrap();
    }
    let names: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(names.len() <= 4, "{names:?}");
    assert_eq!(all(&index).len(), 10 * 20);
    let bytes: u64 =
        std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len()).sum();
    assert!(bytes < 80_000, "what was withdrawn still takes room: {bytes} bytes");
}

/// Commits of one second, one URL: the order is that in which they were published, whatever is merged.
#[test]
fn equal_captures_keep_their_order() {
    let folder = tempfile::tempdir().unwrap();
    let index = open(folder.path());
    let same = |name: &str| vec![capture("a.org/", 20_260_101_000_000, "same", name); 2];
    for name in ["c", "a", "b"] {
        publish(&index, name, same(name)).unwrap();
    }
    let expect: Vec<String> =
        ["c", "a", "b"].iter().flat_map(|name| same(name)).map(|capture| line(&capture)).collect();
    assert_eq!(all(&index), expect);
    let snapshot = index.snapshot().unwrap();
    let latest = snapshot.latest("http://a.org/").unwrap().unwrap();
    let first = snapshot.by_digest("sha256:same").unwrap().unwrap();
    let nearest = snapshot.nearest("org,a)/", "2000-01-01T00:00:00Z".parse().unwrap()).unwrap().unwrap();
    assert_eq!(
        [latest, first, nearest].map(|found| found.filename.unwrap()),
        ["b/a.warc.gz", "c/a.warc.gz", "c/a.warc.gz"]
    );
}

#[test]
fn a_folder_that_cannot_be_written_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    let path = folder.path().join("file/index");
    let index = Index::open(&path).unwrap();
    let error = publish(&index, "one", rows("one")).unwrap_err();
    assert_eq!(error.to_string(), format!("cannot write {}", path.display()));
    assert!(!error.is_damage() && !error.is_disk_full());
}

/// Several threads pack captures and ask one index.
#[test]
fn an_index_may_be_shared_by_threads() {
    fn check<T: Send + Sync + 'static>() {}
    check::<Index>();
    check::<index::Snapshot>();
    check::<index::Captures>();
    check::<Error>();
}
