//! A process that publishes is killed, again and again, while this one reads.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::sample::{all, capture, commit, line, open, sorted};
use cdx::Capture;

const PAGES: u64 = 40;
const FOLDER: &str = "INDEX_OF_THE_KILLED";

fn rows(name: &str) -> Vec<Capture<'static>> {
    let rows = (0..PAGES)
        .map(|page| capture(&format!("a.org/{page}"), 20_260_101_000_000, &format!("{name}-{page}"), name));
    sorted(rows.collect())
}

/// What the other process does: publishes job after job, and says how far it has come.
#[test]
fn child() {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else { return };
    let index = open(&folder);
    let start = index.snapshot().unwrap().commits().len();
    for number in start.. {
        let name = format!("job-{number}");
        let said = rows(&name).into_iter().inspect(|_| say("row"));
        index.publish(&commit(&name), said.map(Ok)).unwrap();
        // What is added and deleted again leaves nothing, and is killed now and then.
        if number % 3 == 0 {
            let loose = || rows("loose").into_iter().map(Ok);
            index.add(loose()).unwrap();
            assert_eq!(index.delete(loose()).unwrap(), PAGES);
        }
        say(&format!("published {number}"));
    }
}

fn say(text: &str) {
    // The one that reads this kills us; whether it hears the last word does not matter.
    let _ = writeln!(std::io::stdout(), "{text}");
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

/// A8, D8: what was said to be published is there after any kill, whole; what was not is there whole or not at all.
#[test]
fn a_killed_publisher_loses_nothing_and_shows_nothing_half() {
    let folder = tempfile::tempdir().unwrap();
    let reader = open(folder.path());
    let mut published = 0;
    for round in 0..20_usize {
        let mut child = start(folder.path());
        let lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        // Between the words lie the writes: after the last row comes the segment, then the manifest, then the next job.
        let until = 1 + (round * 53) % 130;
        for said in lines.filter(|said| said.contains("row") || said.contains("published")).take(until) {
            if said.contains("row") {
                // The other process is in the middle of it, or of a merge: we only ever see whole commits.
                let snapshot = reader.snapshot().unwrap();
                let (count, loose) = (snapshot.versions("org,a)/7").count(), snapshot.commits().len() + 1);
                assert!(
                    count + 1 == loose || count == loose,
                    "{count} rows of {loose} commits and what is added"
                );
            }
            if let Some((_, number)) = said.split_once("published ") {
                published = published.max(number.trim().parse::<usize>().unwrap() + 1);
            }
        }
        child.kill().unwrap();
        child.wait().unwrap();

        let snapshot = reader.snapshot().unwrap();
        let count = snapshot.commits().len();
        assert!(count >= published && count <= published + 3, "{count} commits, {published} were told");
        let mut expect: Vec<String> =
            (0..count).flat_map(|number| rows(&format!("job-{number}"))).map(|row| line(&row)).collect();
        let mut found = all(&open(folder.path()));
        let added = found.iter().filter(|line| line.contains("\"loose/")).count() as u64;
        assert!(added == 0 || added == PAGES, "{added} of {PAGES} rows were added");
        found.retain(|line| !line.contains("\"loose/"));
        expect.sort();
        found.sort();
        assert_eq!(found, expect, "round {round}");
        published = count;
    }
    assert!(published > 20, "only {published} jobs in all rounds");
}
