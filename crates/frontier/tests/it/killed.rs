//! A process that settles is killed, again and again.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use frontier::{End, Frontier, Settings, Settled, Wish};
use jiff::Timestamp;

const FOLDER: &str = "FRONTIER_OF_THE_KILLED";
/// Pages of the site. Page n links to 2n + 1 and 2n + 2, to itself and to the first.
const PAGES: u64 = 3_000;
const HOSTS: u64 = 7;

fn host(page: u64) -> String {
    format!("h{}.example", page % HOSTS)
}

fn wish(page: u64) -> Wish {
    let host = host(page);
    let url = url(page);
    // Large enough for the database to write and merge tables meanwhile.
    let tag = url.repeat(100).into_bytes();
    Wish { url, host, precedence: (page % 3) as u8, tag, ..Wish::default() }
}

fn url(page: u64) -> String {
    format!("http://{}/{page}", host(page))
}

fn page(wish: &Wish) -> u64 {
    wish.url.rsplit('/').next().unwrap().parse().unwrap()
}

fn links(page: u64) -> impl Iterator<Item = u64> {
    [2 * page + 1, 2 * page + 2, page, 0].into_iter().filter(|page| *page < PAGES)
}

fn open(folder: &Path) -> Frontier {
    // So little that the log goes into tables again and again, and the kill may come while it does.
    let settings = Settings { ahead_bytes: 4096, log_bytes: 30_000, ..Settings::default() };
    Frontier::open(&folder.join("frontier"), &settings).unwrap()
}

/// Settles all there is, some of it at the second try, in groups; tells what was settled when it was.
fn crawl(frontier: &Frontier, mut tell: impl FnMut(u64)) {
    let mut done = frontier.counts().done;
    let mut host_number = 0;
    loop {
        let turns: Vec<_> =
            (0..1 + host_number % 5).filter_map(|n| frontier.take(&host(host_number + n)).unwrap()).collect();
        host_number += 1;
        let mut pages = Vec::new();
        let settled = turns.iter().map(|turn| {
            let page = page(&turn.wish);
            if page % 4 == 3 && turn.wish.tries == 0 {
                let wish = Wish { tries: 1, ..turn.wish.clone() };
                let end = End::Again { wish, not_before: Timestamp::UNIX_EPOCH };
                return Settled { id: turn.id, end, found: Vec::new() };
            }
            pages.push(page);
            Settled { id: turn.id, end: End::Done, found: links(page).map(wish).collect() }
        });
        let settled: Vec<Settled> = settled.collect();
        done += pages.len() as u64;
        frontier.settle(settled, &done.to_be_bytes()).unwrap();
        pages.into_iter().for_each(&mut tell);
        if host_number % 200 == 0 {
            frontier.persist().unwrap();
        }
        frontier.due(Timestamp::UNIX_EPOCH).unwrap();
        if done == PAGES {
            return;
        }
    }
}

/// What the other process does.
#[test]
fn child() {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else { return };
    let frontier = open(&folder);
    frontier.offer(vec![wish(0)]).unwrap();
    // The one that reads this kills us; whether it hears the last word does not matter.
    crawl(&frontier, |page| drop(writeln!(std::io::stdout(), "settled {page}")));
}

fn start(folder: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["killed::child", "--exact", "--nocapture"])
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Whether all of it fits together: each page is either done, and then its links are known, or it waits, once.
fn check(frontier: &Frontier, told: &BTreeSet<u64>) {
    let queued: Vec<u64> = frontier.queued(None).map(|wish| page(&wish.unwrap())).collect();
    let postponed: Vec<u64> = frontier.postponed().map(|item| page(&item.unwrap().1)).collect();
    let waiting: BTreeSet<u64> = queued.iter().chain(&postponed).copied().collect();
    assert_eq!(waiting.len(), queued.len() + postponed.len(), "a page waits twice");
    let seen: BTreeSet<u64> = (0..PAGES).filter(|page| frontier.has_seen(&url(*page)).unwrap()).collect();
    assert!(waiting.is_subset(&seen));
    let done: BTreeSet<u64> = seen.difference(&waiting).copied().collect();
    assert!(told.is_subset(&done), "what was settled waits again");
    let found: BTreeSet<u64> = done.iter().flat_map(|page| links(*page)).collect();
    let expected: BTreeSet<u64> = found.into_iter().chain([0]).collect();
    assert_eq!(seen, expected, "links are lost, or from nowhere");
    let counts = frontier.counts();
    assert_eq!((counts.queued, counts.postponed), (queued.len() as u64, postponed.len() as u64));
    assert_eq!((counts.seen, counts.done, counts.in_flight), (seen.len() as u64, done.len() as u64, 0));
    let waits: u64 = frontier.waiting().iter().map(|(_, count)| u64::from(*count)).sum();
    assert_eq!(waits, counts.queued);
    if let Some(mark) = frontier.mark() {
        assert_eq!(mark, counts.done.to_be_bytes());
    }
}

/// D8: after any kill, what was settled is settled and its links are there; all the rest comes.
#[test]
fn a_killed_crawl_loses_nothing_and_repeats_nothing_settled() {
    let folder = tempfile::tempdir().unwrap();
    let mut told = BTreeSet::new();
    for round in 0..20_usize {
        let mut child = start(folder.path());
        // The child does not wait for us, so it is killed at any moment; early on also while it opens.
        let until = (round * 67) % 110;
        let said = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        let pages = said.filter_map(|line| line.split_once("settled ")?.1.trim().parse().ok());
        for page in pages.take(until) {
            assert!(told.insert(page), "{page} was settled twice");
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let frontier = open(folder.path());
        if frontier.counts().seen > 0 {
            check(&frontier, &told);
        }
    }
    let frontier = open(folder.path());
    let before = frontier.counts().done;
    assert!((told.len() as u64..PAGES).contains(&before), "{before} done, {} told", told.len());
    crawl(&frontier, |page| assert!(told.insert(page), "{page} was settled twice"));
    check(&frontier, &told);
    assert_eq!(frontier.counts().done, PAGES);
}
