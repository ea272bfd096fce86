//! Backups are whole, whatever goes on meanwhile.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use index::{Error, Index};

use super::sample::{all, capture, open, publish};

fn rows(name: &str) -> Vec<cdx::Capture<'static>> {
    (0..20)
        .map(|page| capture(&format!("a.org/{page}"), 20_260_101_000_000, &format!("{name}{page}"), name))
        .collect()
}

#[test]
fn a_backup_is_an_index_and_the_next_takes_what_is_new() {
    let folder = tempfile::tempdir().unwrap();
    let (index, target) = (open(&folder.path().join("index")), folder.path().join("backup"));
    publish(&index, "one", rows("one")).unwrap();
    index.alias("org,old)/", "org,a)/").unwrap();
    let done = index.backup(&target).unwrap();
    assert_eq!((done.linked, done.copied, done.kept, done.rows), (2, 0, 0, 20));
    let before = all(&index);
    publish(&index, "two", rows("two")).unwrap();
    let copy = open(&target);
    assert_eq!(all(&copy), before);
    assert_eq!(copy.snapshot().unwrap().resolve_alias("org,old)/"), "org,a)/");
    index.backup(&target).unwrap();
    assert_eq!(all(&copy), all(&index));
    let again = index.backup(&target).unwrap();
    assert_eq!((again.linked, again.copied), (1, 0), "only the aliases come again: {again:?}");
    assert_eq!(
        std::fs::read_dir(&target).unwrap().count(),
        std::fs::read_dir(folder.path().join("index")).unwrap().count()
    );
}

#[test]
fn a_folder_with_something_else_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let index = open(&folder.path().join("index"));
    let target = folder.path().join("mine");
    std::fs::create_dir(&target).unwrap();
    std::fs::write(target.join("letter.txt"), "dear").unwrap();
    assert!(matches!(index.backup(&target), Err(Error::NotABackup { .. })));
    assert_eq!(std::fs::read_dir(&target).unwrap().count(), 1);
    let nothing = index.backup(&folder.path().join("empty")).unwrap();
    assert_eq!(nothing.rows, 0);
    assert!(all(&Index::open(&folder.path().join("empty")).unwrap()).is_empty());
}

/// Neither another index, nor a backup of another, nor a backup that has become an index of its own.
#[test]
fn no_index_is_lost_to_a_backup_of_another() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (ours, theirs) = (open(&at("ours")), open(&at("theirs")));
    publish(&ours, "one", rows("one")).unwrap();
    publish(&theirs, "two", rows("two")).unwrap();
    theirs.backup(&at("backup-of-theirs")).unwrap();
    ours.backup(&at("restored")).unwrap();
    publish(&open(&at("restored")), "three", rows("three")).unwrap();
    assert_eq!(ours.snapshot().unwrap().commits().len(), 1, "who writes to a backup changes the index");
    for target in ["theirs", "backup-of-theirs", "restored"] {
        let before = all(&open(&at(target)));
        let error = ours.backup(&at(target)).unwrap_err();
        assert!(matches!(error, Error::NotABackup { .. }), "{target}: {error}");
        assert_eq!(all(&open(&at(target))), before, "{target}");
    }
}

/// Each backup has whole commits, while others publish, withdraw and merge.
#[test]
fn backups_are_consistent_while_writing_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("index");
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let index = open(&place);
            for number in 0..25 {
                let name = format!("job-{}", number % 7);
                publish(&index, &name, rows(&name)).unwrap();
            }
            is_over.store(true, Ordering::Relaxed);
        });
        let reader = open(&place);
        let mut round = 0;
        while !is_over.load(Ordering::Relaxed) || round < 2 {
            let target = folder.path().join(format!("backup-{}", round % 3));
            reader.backup(&target).unwrap();
            let copy = Index::open(&target).unwrap();
            let snapshot = copy.snapshot().unwrap();
            assert_eq!(all(&copy).len(), snapshot.commits().len() * 20, "round {round}");
            round += 1;
        }
        writer.join().unwrap();
    });
}
