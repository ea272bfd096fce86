//! Publishes, withdrawals and merges that end after any one of their changes to the disk.
//!
//! Whatever the change, whoever looks next sees what was there before or what should be there after, all of it; and doing
//! the same again brings it about and leaves no file that nobody names.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use cdx::{Capture, Timestamp};

use crate::folder::Folder;
use crate::{Commit, Error, Index, Settings};

/// What happens to an index.
type Deed = fn(&Index) -> Result<(), Error>;

/// As if the process were killed, and as if the disk were full.
#[track_caller]
fn check(before: &[Deed], deed: Deed) {
    check_in(before, deed, false);
    check_in(before, deed, true);
}

#[track_caller]
fn check_in(before: &[Deed], deed: Deed, is_full: bool) {
    let settled = tempfile::tempdir().unwrap();
    let at_first = prepared(&settled.path().join("index"), before);
    let at_last = {
        deed(&Index::open_with(&settled.path().join("index"), settings()).unwrap()).unwrap();
        state(&settled.path().join("index"))
    };
    let mut seen = BTreeSet::new();
    for steps in 0..1000 {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("index");
        assert_eq!(prepared(&folder, before), at_first);
        let left = Arc::new(AtomicI64::new(steps));
        let mut place = Folder::new(&folder);
        (place.steps.left, place.steps.is_full) = (Some(Arc::clone(&left)), is_full);
        let result = deed(&Index::lazy(place, settings()));
        let is_said = |error: &Error| !is_full || error.is_disk_full();
        assert!(result.as_ref().err().is_none_or(is_said), "after {steps} steps: {result:?}");
        let is_crashed = left.load(Ordering::Relaxed) < 0;

        let found = state(&folder);
        assert!(found == at_first || found == at_last, "after {steps} steps: {found:?}");
        assert!(result.is_err() || found == at_last, "after {steps} steps it said that all went well");
        seen.insert(found == at_last);

        deed(&Index::open_with(&folder, settings()).unwrap()).unwrap();
        assert_eq!(state(&folder), at_last, "again after {steps} steps");
        assert_eq!(files(&folder), named(&folder), "after {steps} steps there are leftovers");
        if !is_crashed {
            assert_eq!(seen.len(), 2, "a crash changed nothing, or everything");
            return;
        }
    }
    panic!("it does not end");
}

fn settings() -> Settings {
    Settings { leaf_bytes: 200, sort_rows: 3, segments_per_tier: 2, ..Settings::default() }
}

fn prepared(folder: &Path, before: &[Deed]) -> Vec<String> {
    for deed in before {
        deed(&Index::open_with(folder, settings()).unwrap()).unwrap();
    }
    state(folder)
}

/// All that the index says.
fn state(folder: &Path) -> Vec<String> {
    let snapshot = Index::open(folder).unwrap().snapshot().unwrap();
    let everything = urlkey::KeyRange { start: String::new(), end: String::new() };
    let rows = snapshot.range(&everything).map(|capture| {
        let mut line = Vec::new();
        capture.unwrap().write_cdxj(&mut line);
        String::from_utf8(line).unwrap()
    });
    // The order in which they were published last is not the same when one of them is published twice.
    let commits: BTreeSet<String> = snapshot.commits().iter().map(|commit| commit.name.clone()).collect();
    let aliases = snapshot.aliases().map(|(alias, target)| format!("{alias} {target}"));
    commits.into_iter().chain(rows).chain(aliases).collect()
}

fn files(folder: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// The files that there should be.
fn named(folder: &Path) -> BTreeSet<String> {
    let found = Folder::new(folder).manifest(&settings().limits).unwrap().unwrap();
    let segments = found.manifest.segments.iter().map(|named| format!("{:010}.segment", named.number));
    let aliases = found.manifest.aliases.iter().map(|named| format!("{:010}.aliases", named.number));
    segments.chain(aliases).chain(["MANIFEST".to_owned(), "lock".to_owned()]).collect()
}

fn publish(index: &Index, name: &str, pages: u64) -> Result<(), Error> {
    let rows = (0..pages).map(|page| {
        Ok(Capture {
            key: Some(format!("org,a)/{page:03}").into()),
            timestamp: Timestamp::from_number(20_260_101_000_000 + page),
            url: Some(format!("http://a.org/{page:03}").into()),
            digest: Some(format!("sha256:{page}").into()),
            filename: Some(name.to_owned().into()),
            ..Capture::default()
        })
    });
    let at = jiff::Timestamp::UNIX_EPOCH;
    index.publish(&Commit { name: name.to_owned(), at, facts: Vec::new() }, rows)
}

const ONE: Deed = |index| publish(index, "one", 5);
const TWO: Deed = |index| publish(index, "two", 9);

#[test]
fn the_first_publish_of_all() {
    check(&[], ONE);
}

#[test]
fn a_publish_and_the_merge_behind_it() {
    check(&[ONE], TWO);
}

#[test]
fn a_publish_in_the_place_of_another() {
    check(&[TWO, ONE], |index| publish(index, "one", 1));
}

#[test]
fn a_withdrawal_and_the_merge_behind_it() {
    check(&[ONE, TWO], |index| index.withdraw("two"));
}

#[test]
fn a_withdrawal_of_the_last() {
    check(&[ONE], |index| index.withdraw("one"));
}

fn rows(name: &str, pages: std::ops::Range<u64>) -> impl Iterator<Item = Result<Capture<'static>, Error>> {
    pages.map(move |page| {
        Ok(Capture {
            key: Some(format!("org,a)/{page:03}").into()),
            timestamp: Timestamp::from_number(20_260_101_000_000 + page),
            url: Some(format!("http://a.org/{page:03}").into()),
            filename: Some(name.to_owned().into()),
            ..Capture::default()
        })
    })
}

const MORE: Deed = |index| index.add(rows("one", 2..7)).map(drop);

#[test]
fn an_addition_and_the_merge_behind_it() {
    check(&[ONE], MORE);
    check(&[ONE, MORE, TWO], MORE);
}

#[test]
fn a_deletion_and_the_merge_behind_it() {
    check(&[ONE, TWO], |index| index.delete(rows("one", 1..4)).map(drop));
    check(&[TWO, MORE, ONE], |index| index.delete(rows("one", 0..9)).map(drop));
}

#[test]
fn an_alias_in_the_place_of_another() {
    check(&[ONE], |index| index.alias("org,old)/", "org,a)/"));
    check(&[|index| index.alias("org,old)/", "org,a)/")], |index| index.alias("org,old)/", "org,b)/"));
    check(&[|index| index.alias("org,old)/", "org,a)/")], |index| index.alias("org,old)/", "org,old)/"));
}

#[test]
fn a_load_and_the_merge_behind_it() {
    check(&[ONE], |index| {
        let lines = b"org,a)/000 20260101000000 {}\norg,b)/ 20260101000000 {}\n".as_slice();
        let input = crate::Input { name: "lines".to_owned(), lines: Box::new(lines) };
        index.load(None, vec![input], crate::BadLines::Refuse).map(drop)
    });
}

/// A backup that breaks off is the one before, or one of nothing; the next makes it whole.
#[test]
fn a_backup_over_an_older_one() {
    let folder = tempfile::tempdir().unwrap();
    let (place, target) = (folder.path().join("index"), folder.path().join("backup"));
    let index = Index::open_with(&place, settings()).unwrap();
    ONE(&index).unwrap();
    let mut seen = BTreeSet::new();
    for steps in 0..200 {
        let _ = std::fs::remove_dir_all(&target);
        if steps % 2 == 0 {
            index.backup(&target).unwrap();
        }
        let before = state(&target);
        TWO(&index).unwrap();
        let left = Arc::new(AtomicI64::new(steps / 2));
        let mut source = Folder::new(&place);
        source.steps.left = Some(Arc::clone(&left));
        let result = Index::lazy(source, settings()).backup(&target);
        let (found, whole) = (state(&target), state(&place));
        assert!(found == before || found == whole || found.is_empty(), "after {steps} steps: {found:?}");
        assert!(result.is_err() || found == whole);
        seen.insert(found == whole);
        index.backup(&target).unwrap();
        let mut named = named(&target);
        named.insert("BACKUP".to_owned());
        assert_eq!((state(&target), files(&target)), (whole, named), "again after {steps} steps");
        index.withdraw("two").unwrap();
        if left.load(Ordering::Relaxed) >= 0 && steps % 2 == 1 {
            assert_eq!(seen.len(), 2, "a crash changed nothing, or everything");
            return;
        }
    }
    panic!("it does not end");
}

/// What did not fit is not left lying there.
#[test]
fn a_backup_on_a_disk_that_is_full() {
    let folder = tempfile::tempdir().unwrap();
    let (place, target) = (folder.path().join("index"), folder.path().join("backup"));
    let index = Index::open_with(&place, settings()).unwrap();
    ONE(&index).unwrap();
    for steps in 0..200 {
        let _ = std::fs::remove_dir_all(&target);
        let left = Arc::new(AtomicI64::new(steps));
        let mut source = Folder::new(&place);
        (source.steps.left, source.steps.is_full) = (Some(Arc::clone(&left)), true);
        let Err(error) = Index::lazy(source, settings()).backup(&target) else {
            assert!(steps > 5, "{steps}");
            return;
        };
        assert!(error.is_disk_full(), "after {steps} steps: {error:?}");
        let parts = |name: &String| name.ends_with(".part");
        assert!(!target.is_dir() || !files(&target).iter().any(parts), "after {steps} steps");
        index.backup(&target).unwrap();
        assert_eq!(state(&target), state(&place));
    }
    panic!("it does not end");
}
