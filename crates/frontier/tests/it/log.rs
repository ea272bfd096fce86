//! A frontier whose log is not empty, as a killed process leaves it, and whose log is not what was written.
//!
//! It is opened as of some moment before, or not at all and with a word of what is wrong; it never panics and never hangs.

use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use frontier::{End, Error, Frontier, Settings, Settled, Wish};
use tempfile::TempDir;

use crate::damage::{copy, files};

/// Page n links to 2n + 1 and 2n + 2, and pages are settled one after another: after n of them, n to 2n wait.
const SETTLED: u64 = 300;
/// Places that are damaged.
const STEPS: usize = 16;
/// Long enough for any machine, and short enough for whoever waits.
const PATIENCE: Duration = Duration::from_secs(120);

fn settings() -> Settings {
    // The log is never full.
    Settings { log_bytes: 64 << 20, ..Settings::default() }
}

fn wish(page: u64) -> Wish {
    let url = format!("http://h/{page}");
    // What cannot be packed much smaller; all together is too little for a table, so it is in the journal and nowhere else.
    let tag = (0..500)
        .flat_map(|n| page.wrapping_add(n).wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes())
        .collect();
    Wish { url, host: "h".to_owned(), tag, ..Wish::default() }
}

/// The files as they are while the log has everything, and nothing was closed.
fn make(folder: &Path) {
    let original = folder.with_extension("original");
    let frontier = Frontier::open(&original, &settings()).unwrap();
    frontier.offer(vec![wish(0)]).unwrap();
    for page in 0..SETTLED {
        let turn = frontier.take("h").unwrap().unwrap();
        let found = vec![wish(2 * page + 1), wish(2 * page + 2)];
        let settled = Settled { id: turn.id, end: End::Done, found };
        frontier.settle(vec![settled], &(page + 1).to_be_bytes()).unwrap();
    }
    frontier.persist().unwrap();
    copy(&original, folder);
}

/// What was left for good has all in its log: should somebody open it after all, nothing is missing.
#[test]
fn what_was_left_for_good_can_still_be_opened() {
    let folder = TempDir::new().unwrap();
    let place = folder.path().join("frontier");
    let frontier = Frontier::open(&place, &settings()).unwrap();
    frontier.offer(vec![wish(0)]).unwrap();
    let turn = frontier.take("h").unwrap().unwrap();
    let found = vec![wish(1), wish(2)];
    frontier.settle(vec![Settled { id: turn.id, end: End::Done, found }], &1_u64.to_be_bytes()).unwrap();
    frontier.leave_for_good();
    drop(frontier);
    assert_eq!(settled(&place).unwrap(), 1);
}

/// How many pages are settled, and whether all the rest is as it was when the last of them was.
fn settled(folder: &Path) -> Result<u64, Error> {
    let frontier = Frontier::open(folder, &settings())?;
    let counts = frontier.counts();
    let settled = frontier.mark().map_or(0, |mark| u64::from_be_bytes(mark.try_into().unwrap()));
    if counts.seen > 0 {
        assert_eq!((counts.done, counts.seen, counts.queued), (settled, 2 * settled + 1, settled + 1));
        for page in settled..=2 * settled {
            assert_eq!(frontier.take("h")?.unwrap().wish, wish(page));
            assert!(frontier.has_seen(&wish(page).url)?);
        }
    }
    assert_eq!(frontier.take("h")?, None);
    assert!(!frontier.has_seen(&wish(2 * settled + 1).url)?);
    frontier.offer(vec![wish(u64::MAX)])?;
    Ok(settled)
}

/// The same, by somebody who may be given up on.
fn settled_in_time(folder: &Path, place: &str) -> Result<u64, Error> {
    let (said, heard) = mpsc::channel();
    let folder = folder.to_path_buf();
    thread::spawn(move || said.send(catch_unwind(|| settled(&folder))));
    match heard.recv_timeout(PATIENCE) {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(_)) => panic!("{place}: it panics, or what it opened is of no moment"),
        Err(_) => panic!("{place}: it hangs"),
    }
}

/// The journals, and how many bytes of each were written: they are made large in advance.
fn journals(folder: &Path) -> Vec<(PathBuf, usize)> {
    let journals = files(folder).into_iter().filter(|file| file.extension().is_some_and(|end| end == "jnl"));
    let written = journals.map(|file| {
        let length = fs::read(&file).unwrap().iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        (file.strip_prefix(folder).unwrap().to_path_buf(), length)
    });
    written.filter(|(_, length)| *length > 0).collect()
}

/// D8: as it is, it opens with everything; damaged at any place, with what was settled before some moment, or not.
#[test]
fn a_damaged_log_opens_as_of_some_moment_or_not_at_all() {
    let folder = TempDir::new().unwrap();
    let sound = folder.path().join("sound");
    make(&sound);
    let copied = folder.path().join("copy");
    let mut outcomes = [0; 3];
    let mut attempt = |place: &str, harm: &dyn Fn(&Path)| {
        copy(&sound, &copied);
        harm(&copied);
        match settled_in_time(&copied, place) {
            Ok(SETTLED) => outcomes[0] += 1,
            Ok(_) => outcomes[1] += 1,
            Err(Error::Damaged { what }) if !what.is_empty() => outcomes[2] += 1,
            other => panic!("{place}: {other:?}"),
        }
        fs::remove_dir_all(&copied).unwrap();
    };
    attempt("nothing", &|_| {});
    for (name, length) in &journals(&sound) {
        assert!(*length > 500_000, "{length} bytes of {} are no log", name.display());
        for step in 0..=STEPS {
            let at = (length - 1) * step / STEPS;
            let place = format!("{at} of {length} bytes of {}", name.display());
            attempt(&format!("another byte after {place}"), &|copied| {
                let mut bytes = fs::read(copied.join(name)).unwrap();
                bytes[at] ^= 0x41;
                fs::write(copied.join(name), bytes).unwrap();
            });
            attempt(&format!("only {place}"), &|copied| {
                let file = fs::OpenOptions::new().write(true).open(copied.join(name)).unwrap();
                file.set_len(at as u64).unwrap();
            });
        }
    }
    // What is cut off at any place but the first is as if it had never been written.
    let [whole, earlier, refused] = outcomes;
    assert!(whole >= 1 && earlier >= STEPS && refused >= 1, "{outcomes:?}");
}
