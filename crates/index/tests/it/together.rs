//! Readers and writers at the same time: threads here, processes in `killed`.

use std::io::{BufReader, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
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

/// Lines that stop half-way until somebody says go on.
struct Halting {
    before: std::io::Cursor<Vec<u8>>,
    after: std::io::Cursor<Vec<u8>>,
    is_halfway: Sender<()>,
    go_on: Option<Receiver<()>>,
}

impl Read for Halting {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.before.read(buffer)?;
        if count > 0 {
            return Ok(count);
        }
        if let Some(go_on) = self.go_on.take() {
            self.is_halfway.send(()).unwrap();
            go_on.recv().unwrap();
        }
        self.after.read(buffer)
    }
}

/// B21: while a load is under way, which has the lock and has written half of its rows, readers answer as ever: those that are open,
/// those that open now, and backups. When it is done they see all of it.
#[test]
fn b21_readers_are_not_blocked_while_a_load_runs() {
    const LINES: usize = 60_000;
    let folder = tempfile::tempdir().unwrap();
    let writer = open(folder.path());
    publish(&writer, "job", rows("job")).unwrap();
    let line =
        |page: usize| format!("org,b)/{page:06} 20260101000000 {{\"url\": \"http://b.org/{page:06}\"}}\n");
    let text = |pages: std::ops::Range<usize>| {
        std::io::Cursor::new(pages.map(line).collect::<String>().into_bytes())
    };
    let (is_halfway, halfway) = channel();
    let (go, go_on) = channel();
    let lines =
        Halting { before: text(0..LINES / 2), after: text(LINES / 2..LINES), is_halfway, go_on: Some(go_on) };
    let reader = open(folder.path());
    thread::scope(|scope| {
        let load = scope.spawn(move || {
            let input = index::Input { name: "lines".to_owned(), lines: Box::new(BufReader::new(lines)) };
            writer.load(None, vec![input], index::BadLines::Refuse).unwrap()
        });
        halfway.recv().unwrap();
        for round in 0..500 {
            let index = if round % 50 == 0 { open(folder.path()) } else { reader.clone() };
            let snapshot = index.snapshot().unwrap();
            look(&snapshot);
            assert_eq!(snapshot.versions("org,b)/000001").count(), 0, "half of a load is visible");
        }
        let copy = tempfile::tempdir().unwrap();
        assert_eq!(reader.backup(&copy.path().join("copy")).unwrap().rows, PAGES);
        go.send(()).unwrap();
        assert_eq!(load.join().unwrap().rows, LINES as u64);
    });
    let snapshot = reader.snapshot().unwrap();
    assert_eq!(snapshot.rows(), LINES as u64 + PAGES);
    assert!(snapshot.latest("http://b.org/059999").unwrap().is_some());
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
