//! Readers and writers at the same time: threads here, processes in `killed`.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::sample::{capture, line, open, publish};
use cdx::Capture;

const PAGES: u64 = 15;

fn rows(name: &str) -> Vec<Capture<'static>> {
    (0..PAGES)
        .map(|page| {
            capture(&format!("a.org/{page}"), 20_260_101_000_000 + page, &format!("{name}-{page}"), name)
        })
        .collect()
}

/// D8: each snapshot, whenever it is taken, has all rows of each of its commits and nothing else.
#[test]
fn readers_see_whole_commits_while_others_publish_withdraw_and_merge() {
    let folder = tempfile::tempdir().unwrap();
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let readers: Vec<_> = (0..2)
            .map(|reader| {
                let (folder, is_over) = (folder.path(), &is_over);
                scope.spawn(move || {
                    // One opens the index each time, the other keeps it.
                    let kept = open(folder);
                    let mut rounds = 0;
                    while !is_over.load(Ordering::Relaxed) || rounds == 0 {
                        let index = if reader == 0 { open(folder) } else { kept.clone() };
                        look(&index.snapshot().unwrap());
                        rounds += 1;
                    }
                    rounds
                })
            })
            .collect();
        let writers: Vec<_> = (0..2)
            .map(|writer| {
                let index = open(folder.path());
                scope.spawn(move || {
                    for number in 0..12 {
                        let name = format!("job-{writer}-{}", number % 5);
                        publish(&index, &name, rows(&name)).unwrap();
                        if number % 4 == 3 {
                            index.withdraw(&name).unwrap();
                        }
                    }
                })
            })
            .collect();
        writers.into_iter().for_each(|writer| writer.join().unwrap());
        is_over.store(true, Ordering::Relaxed);
        assert!(readers.into_iter().all(|reader| reader.join().unwrap() > 0));
    });
    let snapshot = open(folder.path()).snapshot().unwrap();
    look(&snapshot);
    assert_eq!(snapshot.commits().len(), 6);
}

fn look(snapshot: &index::Snapshot) {
    let mut expect: Vec<String> =
        snapshot.commits().iter().flat_map(|commit| rows(&commit.name)).map(|row| line(&row)).collect();
    let everything = urlkey::KeyRange { start: String::new(), end: String::new() };
    let mut found: Vec<String> = snapshot.range(&everything).map(|row| line(&row.unwrap())).collect();
    expect.sort();
    found.sort();
    assert_eq!(found, expect);
    for commit in snapshot.commits() {
        let digest = format!("sha256:{}-7", commit.name);
        assert_eq!(snapshot.by_digest(&digest).unwrap().unwrap().digest.unwrap(), digest);
    }
    assert_eq!(snapshot.versions("org,a)/3").count(), snapshot.commits().len());
}
