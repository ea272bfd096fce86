//! Any commits, published, replaced, withdrawn and merged in any order, against lists in memory.

use std::collections::BTreeMap;

use cdx::Capture;
use proptest::prelude::*;
use urlkey::Match;

use super::sample::{all, capture, line, lines, open, publish};

/// What is there: the commits in the order in which they were published.
type Model = Vec<(String, Vec<Capture<'static>>)>;

#[derive(Debug, Clone)]
enum Deed {
    Publish(u8, Vec<(u8, u8, u8)>),
    Add(Vec<(u8, u8, u8)>),
    Delete(Vec<(u8, u8, u8)>),
    Withdraw(u8),
    Merge,
    /// Whoever comes next opens the index anew.
    Reopen,
}

/// Keys that are neighbours in every way: above, below and beside each other.
const PLACES: [&str; 16] = [
    "a.org/",
    "a.org/b",
    "a.org/b/c",
    "a.org/b?c",
    "a.org/bc",
    "a.org:81/b",
    "b.a.org/",
    "b.a.org/b",
    "a-b.org/",
    "www.a.org/b",
    "A.org/B",
    "a.org/b#c",
    "org/",
    "a.com/",
    "a.org/%c3%a9",
    "a.org/b b",
];

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let rows = prop::collection::vec((0..16_u8, 0..12_u8, 0..20_u8), 0..40);
    let few = prop::collection::vec((0..16_u8, 0..12_u8, 0..20_u8), 0..15);
    let deed = prop_oneof![
        2 => few.clone().prop_map(Deed::Add),
        2 => few.prop_map(Deed::Delete),
        6 => (0..6_u8, rows).prop_map(|(commit, rows)| Deed::Publish(commit, rows)),
        2 => (0..6_u8).prop_map(Deed::Withdraw),
        1 => Just(Deed::Merge),
        1 => Just(Deed::Reopen),
    ];
    prop::collection::vec(deed, 1..12)
}

fn row((place, time, digest): (u8, u8, u8), commit: u8) -> Capture<'static> {
    let revisit = if digest % 3 == 0 { "=" } else { "" };
    let time = 20_260_101_000_000 + u64::from(time) * 5;
    capture(PLACES[usize::from(place)], time, &format!("{revisit}{digest}"), &commit.to_string())
}

fn check(deeds: Vec<Deed>) {
    let folder = tempfile::tempdir().unwrap();
    let mut index = open(folder.path());
    let mut model: Model = Vec::new();
    for deed in deeds {
        match deed {
            Deed::Publish(commit, rows) => {
                let rows: Vec<_> = rows.into_iter().map(|one| row(one, commit)).collect();
                publish(&index, &commit.to_string(), rows.clone()).unwrap();
                model.retain(|(name, _)| *name != commit.to_string());
                model.push((commit.to_string(), rows));
            }
            Deed::Add(rows) => {
                let rows: Vec<_> = rows.into_iter().map(|one| row(one, LOOSE)).collect();
                index.add(rows.clone().into_iter().map(Ok)).unwrap();
                for row in rows {
                    remove(&mut model, &row);
                    model.push((String::new(), vec![row]));
                }
            }
            Deed::Delete(rows) => {
                // Of whichever commit: the file name tells it.
                let rows: Vec<_> = rows
                    .into_iter()
                    .map(|one| row(one, if one.2 % 2 == 0 { LOOSE } else { one.2 % 6 }))
                    .collect();
                let expect: usize = rows.iter().map(|row| remove(&mut model, row)).sum();
                assert_eq!(index.delete(rows.into_iter().map(Ok)).unwrap(), expect as u64);
            }
            Deed::Withdraw(commit) => {
                index.withdraw(&commit.to_string()).unwrap();
                model.retain(|(name, _)| *name != commit.to_string());
            }
            Deed::Merge => index.merge().unwrap(),
            Deed::Reopen => index = open(folder.path()),
        }
    }
    let rows = in_order(&model);
    assert_eq!(all(&index), rows.iter().map(line).collect::<Vec<_>>());
    let snapshot = index.snapshot().unwrap();
    let names: Vec<&str> =
        model.iter().map(|(name, _)| name.as_str()).filter(|name| !name.is_empty()).collect();
    assert!(snapshot.commits().iter().map(|commit| commit.name.as_str()).eq(names));
    assert!(snapshot.rows() >= rows.len() as u64);
    for place in PLACES {
        check_ranges(&snapshot, &rows, place);
        check_lookups(&snapshot, &rows, &format!("http://{place}"));
    }
    for digest in 0..21 {
        let digest = format!("sha256:{digest}");
        let has_it = |row: &&Capture<'_>| row.digest.as_deref() == Some(&digest) && !row.is_revisit();
        let expect =
            by_publishing(&model).into_iter().filter(has_it).min_by_key(|row| row.timestamp).map(|row| {
                // Of one time it is the first published, and in one commit the first in order.
                (row.timestamp, row.filename.clone())
            });
        let found = snapshot.by_digest(&digest).unwrap();
        assert_eq!(found.map(|found| (found.timestamp, found.filename)), expect, "{digest}");
    }
}

/// What is added without a commit is named so.
const LOOSE: u8 = 99;

/// Takes all rows of a capture away; how many.
fn remove(model: &mut Model, row: &Capture<'_>) -> usize {
    let identity = |row: &Capture<'_>| {
        (row.key.clone().map(String::from), row.timestamp, row.filename.clone().map(String::from), row.offset)
    };
    let meant = identity(row);
    let mut removed = 0;
    for (_, rows) in model.iter_mut() {
        let before = rows.len();
        rows.retain(|row| identity(row) != meant);
        removed += before - rows.len();
    }
    model.retain(|(name, rows)| !name.is_empty() || !rows.is_empty());
    removed
}

/// By key, then time, then commit, as a stable sort has them.
fn in_order(model: &Model) -> Vec<Capture<'static>> {
    let mut sorted: BTreeMap<(String, u64), Vec<Capture<'static>>> = BTreeMap::new();
    for (_, rows) in model {
        for row in rows {
            let order = (row.key.clone().unwrap().into_owned(), row.timestamp.unwrap().as_number());
            sorted.entry(order).or_default().push(row.clone());
        }
    }
    sorted.into_values().flatten().collect()
}

fn by_publishing(model: &Model) -> Vec<&Capture<'static>> {
    model.iter().flat_map(|(_, rows)| rows).collect()
}

fn check_ranges(snapshot: &index::Snapshot, rows: &[Capture<'static>], place: &str) {
    for matching in [Match::Exact, Match::Prefix, Match::Host, Match::Domain] {
        let range = urlkey::key_range(&format!("http://{place}"), matching).unwrap();
        let is_in = |row: &&Capture<'_>| {
            let line = line(row);
            line.as_str() >= range.start.as_str() && line.as_str() < range.end.as_str()
        };
        let expect: Vec<String> = rows.iter().filter(is_in).map(line).collect();
        assert_eq!(lines(snapshot.range(&range)), expect, "{place} {matching:?}");
        assert_eq!(backwards(snapshot.range_backwards(&range)), expect, "{place} {matching:?} backwards");
    }
}

fn backwards(captures: index::Captures) -> Vec<String> {
    let mut found = lines(captures);
    found.reverse();
    found
}

fn check_lookups(snapshot: &index::Snapshot, rows: &[Capture<'static>], url: &str) {
    let key = urlkey::key(url);
    let versions: Vec<&Capture<'_>> = rows.iter().filter(|row| row.key.as_deref() == Some(&key)).collect();
    assert_eq!(
        lines(snapshot.versions(&key)),
        versions.iter().map(|row| line(row)).collect::<Vec<_>>(),
        "{key}"
    );
    for second in [0, 3, 12, 30, 59] {
        let at: jiff::Timestamp = format!("2026-01-01T00:00:{second:02}Z").parse().unwrap();
        let distance = |row: &&&Capture<'_>| row.timestamp.unwrap().seconds().abs_diff(at.as_second());
        let expect = versions.iter().min_by_key(distance).map(|row| line(row));
        assert_eq!(snapshot.nearest(&key, at).unwrap().as_ref().map(line), expect, "{key} at {at}");
    }
    // `max_by_key` takes the last of equals, as we do.
    let expect =
        versions.iter().filter(|row| row.url.as_deref() == Some(url)).max_by_key(|row| row.timestamp);
    assert_eq!(snapshot.latest(url).unwrap().as_ref().map(line), expect.map(|row| line(row)), "{url}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_index_says_what_lists_in_memory_say(deeds in deeds()) {
        check(deeds);
    }
}

/// One key with more captures than a leaf, and than a branch, holds.
#[test]
fn a_key_may_have_any_number_of_captures() {
    let folder = tempfile::tempdir().unwrap();
    let index = open(folder.path());
    let times = |from: u64| {
        (0..3000_u64)
            .map(move |number| 20_260_101_000_000 + (number / 60) * 100 + number % 60 + from * 10_000)
    };
    let rows =
        |from: u64, name: &str| times(from).map(|time| capture("a.org/", time, "same", name)).collect();
    publish(&index, "one", rows(0, "one")).unwrap();
    publish(&index, "two", rows(1, "two")).unwrap();
    let snapshot = index.snapshot().unwrap();
    assert_eq!(snapshot.versions("org,a)/").count(), 6000);
    assert_eq!(snapshot.versions("org,a)").count() + snapshot.versions("org,a)/b").count(), 0);
    let found = |at: &str| {
        snapshot.nearest("org,a)/", at.parse().unwrap()).unwrap().unwrap().timestamp.unwrap().to_string()
    };
    assert_eq!(found("2026-01-01T00:30:30Z"), "20260101003030");
    assert_eq!(found("2025-01-01T00:30:30Z"), "20260101000000");
    assert_eq!(found("2027-01-01T00:30:30Z"), "20260101014959");
    assert_eq!(found("2026-01-01T00:51:00Z"), "20260101004959");
    assert_eq!(
        snapshot.latest("http://a.org/").unwrap().unwrap().timestamp.unwrap().as_number(),
        20_260_101_014_959
    );
    assert_eq!(
        snapshot.by_digest("sha256:same").unwrap().unwrap().timestamp.unwrap().as_number(),
        20_260_101_000_000
    );
}
