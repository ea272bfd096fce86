//! Captures are added and deleted one by one, and keys have aliases.

use cdx::Capture;
use index::{Error, Index, Limits, Settings};

use super::sample::{all, capture, line, lines, open, publish, small};

const TIME: u64 = 20_260_101_000_000;

fn add(index: &Index, rows: Vec<Capture<'static>>) -> u64 {
    index.add(rows.into_iter().map(Ok)).unwrap()
}

fn delete(index: &Index, rows: Vec<Capture<'static>>) -> u64 {
    index.delete(rows.into_iter().map(Ok)).unwrap()
}

/// A capture at an offset, with something to tell it from others of the same place.
fn row(path: &str, offset: u64, digest: &str) -> Capture<'static> {
    Capture { offset: Some(offset), ..capture(path, TIME, digest, "x") }
}

/// Every way to find it; whether all of them agree.
#[track_caller]
fn check(index: &Index, path: &str, expect: &[&str]) {
    let snapshot = index.snapshot().unwrap();
    let key = urlkey::key(&format!("http://{path}"));
    let digests = |rows: Vec<Capture<'static>>| -> Vec<String> {
        rows.into_iter().map(|row| row.digest.unwrap().trim_start_matches("sha256:").to_owned()).collect()
    };
    let versions: Vec<_> = snapshot.versions(&key).map(Result::unwrap).collect();
    assert_eq!(digests(versions), expect, "{path}");
    let mut back: Vec<_> = snapshot.versions_backwards(&key).map(Result::unwrap).collect();
    back.reverse();
    assert_eq!(digests(back), expect, "{path} backwards");
    let nearest = snapshot.nearest(&key, "2026-01-01T00:00:00Z".parse().unwrap()).unwrap();
    assert_eq!(digests(nearest.into_iter().collect()), expect.iter().copied().take(1).collect::<Vec<_>>());
    let latest = snapshot.latest(&format!("http://{path}")).unwrap();
    assert_eq!(
        digests(latest.into_iter().collect()),
        expect.iter().copied().rev().take(1).collect::<Vec<_>>()
    );
}

#[test]
fn rows_may_be_added_in_any_order() {
    let folder = tempfile::tempdir().unwrap();
    let index = open(folder.path());
    assert_eq!(add(&index, vec![row("b.org/", 1, "b"), row("a.org/", 2, "a"), row("a.org/", 1, "c")]), 3);
    check(&index, "a.org/", &["a", "c"]);
    check(&index, "b.org/", &["b"]);
    assert!(index.snapshot().unwrap().commits().is_empty(), "what is added belongs to no commit");
    assert_eq!(add(&index, vec![]), 0);
}

#[test]
fn a_capture_that_is_added_again_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let index = open(folder.path());
    publish(&index, "job", vec![row("a.org/", 1, "old"), row("a.org/", 2, "other")]).unwrap();
    for round in 0..6 {
        add(&index, vec![row("a.org/", 1, "lost"), row("a.org/", 1, &format!("new{round}"))]);
        check(&index, "a.org/", &["other", &format!("new{round}")]);
    }
    let snapshot = index.snapshot().unwrap();
    for gone in ["old", "lost", "new4"] {
        assert!(snapshot.by_digest(&format!("sha256:{gone}")).unwrap().is_none(), "{gone}");
    }
    assert!(snapshot.by_digest("sha256:new5").unwrap().is_some());
    // A commit that is published later stands beside it, as commits do.
    publish(&index, "late", vec![row("a.org/", 1, "late")]).unwrap();
    check(&index, "a.org/", &["other", "new5", "late"]);
}

#[test]
fn what_is_deleted_is_found_no_more_in_any_way() {
    let folder = tempfile::tempdir().unwrap();
    let index = open(folder.path());
    publish(&index, "job", vec![row("a.org/", 1, "one"), row("a.org/", 2, "two"), row("b.org/", 3, "one")])
        .unwrap();
    let before = index.snapshot().unwrap();
    // Only key, time, file and offset count.
    let meant = Capture { digest: None, url: None, mime: None, ..row("a.org/", 1, "?") };
    assert_eq!(delete(&index, vec![meant.clone(), row("a.org/", 99, "one"), row("nowhere.org/", 1, "x")]), 1);
    check(&index, "a.org/", &["two"]);
    let first = index.snapshot().unwrap().by_digest("sha256:one").unwrap().unwrap();
    assert_eq!(first.offset, Some(3), "the one that is left is found by its digest");
    assert_eq!(before.versions("org,a)/").count(), 2, "a snapshot stays as it was");
    assert_eq!(delete(&index, vec![meant]), 0, "it is gone already");
    // Who adds it again brings it back.
    add(&index, vec![row("a.org/", 1, "back")]);
    check(&index, "a.org/", &["two", "back"]);
}

/// Merges leave out what is deleted, and at last also what says so.
#[test]
fn merges_leave_nothing_of_what_was_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let index = open(folder.path());
    let rows =
        || (0..40).map(|page| row(&format!("a.org/{page:02}"), page, &page.to_string())).collect::<Vec<_>>();
    publish(&index, "job", rows()).unwrap();
    for row in rows().into_iter().take(39) {
        assert_eq!(delete(&index, vec![row]), 1);
    }
    assert_eq!(all(&index), [line(&rows()[39])]);
    for number in 0..4 {
        add(&index, vec![row("b.org/", number, "b")]);
    }
    index.merge().unwrap();
    let snapshot = index.snapshot().unwrap();
    assert_eq!((snapshot.rows(), snapshot.files()), (5, 1), "{snapshot:?}");
    let names = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(names, 3, "a segment, the manifest and the lock");
}

#[test]
fn deletes_and_withdrawals_go_together() {
    let folder = tempfile::tempdir().unwrap();
    let index = open(folder.path());
    for name in ["one", "two", "three"] {
        publish(&index, name, vec![row("a.org/", 1, name)]).unwrap();
    }
    assert_eq!(delete(&index, vec![row("a.org/", 1, "")]), 3);
    index.withdraw("two").unwrap();
    check(&index, "a.org/", &[]);
    publish(&index, "one", vec![row("a.org/", 1, "again")]).unwrap();
    check(&index, "a.org/", &["again"]);
}

#[test]
fn more_than_the_memory_should_hold_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let limits = Limits { batch_bytes: 10_000, ..Limits::default() };
    let index = Index::open_with(folder.path(), Settings { limits, ..small() }).unwrap();
    let rows = (0..100).map(|page| Ok(row("a.org/", page, "x")));
    let error = index.add(rows).unwrap_err();
    assert!(matches!(error, Error::TooMany { bytes: 10_000 }), "{error}");
    assert!(index.add([Ok(Capture::default())].into_iter()).is_err());
    assert!(all(&index).is_empty());
}

#[test]
fn aliases_are_resolved_changed_and_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let index = open(folder.path());
    publish(&index, "job", vec![row("new.org/", 1, "x")]).unwrap();
    index.alias("org,old)/", "org,new)/").unwrap();
    index.add_aliases([("org,older)/", "org,old)/"), ("org,other)/", "org,else)/")]).unwrap();
    let reader = open(folder.path());
    let snapshot = reader.snapshot().unwrap();
    for (key, target) in
        [("org,old)/", "org,new)/"), ("org,older)/", "org,new)/"), ("org,new)/", "org,new)/")]
    {
        assert_eq!(snapshot.resolve_alias(key), target);
    }
    assert_eq!(snapshot.aliases_of("org,new)/").collect::<Vec<_>>(), ["org,old)/", "org,older)/"]);
    assert_eq!(snapshot.versions(snapshot.resolve_alias("org,older)/")).count(), 1);
    assert_eq!(snapshot.versions_with_aliases("org,new)/", None).count(), 1);
    index.add_aliases([("org,old)/", "org,old)/"), ("org,never)/", "org,never)/")]).unwrap();
    index.alias("org,other)/", "org,other)/").unwrap();
    let after = reader.snapshot().unwrap();
    assert_eq!(after.aliases().collect::<Vec<_>>(), [("org,older)/", "org,old)/")]);
    assert_eq!(snapshot.aliases().count(), 3, "a snapshot stays as it was");
    index.alias("org,older)/", "org,older)/").unwrap();
    assert_eq!(reader.snapshot().unwrap().aliases().count(), 0);
    assert!(index.alias("", "org,a)/").is_err());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3, "no file of aliases is left");
}

#[test]
fn damaged_aliases_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let index = open(folder.path());
    index.alias("org,old)/", "org,new)/").unwrap();
    let file = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
    let file =
        file.into_iter().find(|path| path.extension().is_some_and(|ending| ending == "aliases")).unwrap();
    std::fs::write(&file, "varve aliases 1\norg,old)/ org,evil)/\n").unwrap();
    let error = Index::open(folder.path()).unwrap_err();
    assert!(error.is_damage() && error.to_string().contains(".aliases"), "{error}");
    std::fs::remove_file(&file).unwrap();
    assert!(Index::open(folder.path()).is_err_and(|error| error.is_damage()));
}

/// Streams from any place, both ways.
#[test]
fn long_answers_come_piece_by_piece() {
    let folder = tempfile::tempdir().unwrap();
    let index = open(folder.path());
    let rows = |from: u64| {
        (from..from + 700).map(|number| Capture {
            offset: Some(number),
            ..capture("a.org/", TIME + number / 60 * 100 + number % 60, "x", "x")
        })
    };
    publish(&index, "one", rows(0).collect()).unwrap();
    add(&index, rows(300).rev().collect());
    publish(&index, "far", vec![row("b.org/", 1, "x"), row("0.org/", 1, "x")]).unwrap();
    let snapshot = index.snapshot().unwrap();
    let whole = lines(snapshot.versions("org,a)/"));
    assert_eq!(whole.len(), 1000);
    let mut back = lines(snapshot.versions_backwards("org,a)/"));
    back.reverse();
    assert_eq!(back, whole);
    let time = cdx::Timestamp::from_number(TIME + 500).unwrap();
    let split = whole.iter().position(|line| line.as_str() >= "org,a)/ 20260101000500").unwrap();
    assert_eq!(lines(snapshot.versions_from("org,a)/", time)), whole[split..]);
    let mut before = lines(snapshot.versions_before("org,a)/", time));
    before.reverse();
    assert_eq!(before, whole[..split]);
    let range = urlkey::key_range("http://a.org/", urlkey::Match::Host).unwrap();
    let (key, from) = ("org,a)/", cdx::Timestamp::from_number(TIME + 500).unwrap());
    assert_eq!(lines(snapshot.range_from(&range, key, from)), whole[split..]);
    let mut all_back = lines(snapshot.range_backwards(&range));
    all_back.reverse();
    assert_eq!(all_back, whole);
}

/// Who remembers what they found out about an index must see that it is another, even where it has as many rows as before.
#[test]
fn every_change_gives_another_generation() {
    let folder = tempfile::tempdir().unwrap();
    let index = open(folder.path());
    let generation = || index.snapshot().unwrap().generation();
    let mut seen = vec![generation()];
    publish(&index, "job", vec![row("a.org/", 1, "a"), row("a.org/", 2, "b")]).unwrap();
    seen.push(generation());
    delete(&index, vec![row("a.org/", 1, "a")]);
    seen.push(generation());
    index.alias("org,old)/", "org,a)/").unwrap();
    seen.push(generation());
    index.withdraw("job").unwrap();
    seen.push(generation());
    assert_eq!(generation(), seen[4], "nothing has changed since");
    let different: std::collections::HashSet<_> = seen.iter().collect();
    assert_eq!(different.len(), seen.len(), "{seen:?}");
}
