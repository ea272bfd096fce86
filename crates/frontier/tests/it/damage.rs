//! What a frontier says when its files are not what it wrote: an error or, where nothing is lost, nothing; never a panic.

use std::fs;
use std::io::{Seek as _, SeekFrom, Write as _};
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use frontier::{End, Error, Frontier, Settings, Settled, Wish};
use tempfile::TempDir;

const HOSTS: u32 = 5;
const PAGES: u32 = 1_500;

fn settings() -> Settings {
    let (lately_bytes, sieve_bytes, ahead_bytes) = (1 << 10, 1 << 10, 1 << 14);
    Settings { lately_bytes, sieve_bytes, ahead_bytes, log_bytes: 4 << 20, ..Settings::default() }
}

fn wish(page: u32) -> Wish {
    let host = format!("h{}", page % HOSTS);
    let url = format!("http://{host}/{page}");
    // Large enough for several tables.
    let tag = url.repeat(500).into_bytes();
    Wish { url, host, tag, ..Wish::default() }
}

/// A frontier that was closed: all of it is in tables. Logs that are not empty are met in `log.rs` and `killed.rs`.
fn make(folder: &Path) {
    let frontier = Frontier::open(folder, &settings()).unwrap();
    for page in (0..PAGES).step_by(100) {
        frontier.offer((page..page + 100).map(wish).collect()).unwrap();
        let turn = frontier.take("h0").unwrap().unwrap();
        frontier.settle(vec![Settled { id: turn.id, end: End::Done, found: vec![] }], b"m").unwrap();
    }
    frontier.persist().unwrap();
}

/// Opens it, reads all that it has, and writes.
fn use_all(folder: &Path) -> Result<u64, Error> {
    let frontier = Frontier::open(folder, &settings())?;
    let mut pages = 0;
    for host in 0..HOSTS {
        while let Some(turn) = frontier.take(&format!("h{host}"))? {
            pages += 1;
            if pages % 50 == 0 {
                let found = vec![wish(PAGES + pages as u32)];
                frontier.settle(vec![Settled { id: turn.id, end: End::Done, found }], b"m")?;
            }
        }
    }
    for page in (0..PAGES).step_by(10) {
        frontier.has_seen(&wish(page).url)?;
    }
    for wish in frontier.queued(None) {
        wish?;
    }
    frontier.persist()?;
    Ok(pages)
}

pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    files
}

pub(crate) fn copy(from: &Path, to: &Path) {
    for file in files(from) {
        let target = to.join(file.strip_prefix(from).unwrap());
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::copy(file, target).unwrap();
    }
}

/// What happens to a file.
#[derive(Debug, Clone, Copy)]
enum Harm {
    Gone,
    Empty,
    Half,
    /// A byte is another one, at so many hundredths of the file.
    Byte(u64),
    /// A block of zeros, at so many hundredths of the file.
    Zeros(u64),
}

fn harm(path: &Path, harm: Harm) {
    let length = path.metadata().unwrap().len();
    // Journals are made large in advance; what is in them lies at their beginning.
    let length = if path.extension().is_some_and(|end| end == "jnl") { length.min(400_000) } else { length };
    let mut file = fs::OpenOptions::new().write(true).open(path).unwrap();
    match harm {
        Harm::Gone => fs::remove_file(path).unwrap(),
        Harm::Empty => file.set_len(0).unwrap(),
        Harm::Half => file.set_len(length / 2).unwrap(),
        Harm::Byte(part) => {
            let at = length * part / 100;
            let byte = fs::read(path).unwrap().get(at as usize).copied().unwrap_or(0);
            file.seek(SeekFrom::Start(at)).unwrap();
            file.write_all(&[byte ^ 0x41]).unwrap();
        }
        Harm::Zeros(part) => {
            file.seek(SeekFrom::Start(length * part / 100)).unwrap();
            file.write_all(&[0; 512]).unwrap();
        }
    }
}

/// D8: whatever happens to whichever file, the process goes on.
#[test]
fn no_damage_kills_the_process() {
    let folder = TempDir::new().unwrap();
    let sound = folder.path().join("sound");
    make(&sound);
    let names: Vec<PathBuf> =
        files(&sound).iter().map(|file| file.strip_prefix(&sound).unwrap().to_path_buf()).collect();
    assert!(names.len() > 10, "{names:?}");
    let copied = folder.path().join("copy");
    copy(&sound, &copied);
    let expected = use_all(&copied).unwrap();
    fs::remove_dir_all(&copied).unwrap();

    let harms =
        [Harm::Gone, Harm::Half, Harm::Byte(40), Harm::Empty, Harm::Zeros(60), Harm::Byte(0), Harm::Byte(99)];
    let mut noticed = 0;
    for (number, name) in names.iter().enumerate() {
        // Each file has three of these, and each of these comes to many files.
        for how in harms.iter().cycle().skip(number * 3 % harms.len()).take(3) {
            copy(&sound, &copied);
            harm(&copied.join(name), *how);
            let place = format!("{how:?} of {}", name.display());
            match catch_unwind(|| use_all(&copied)) {
                Ok(Ok(pages)) => assert_eq!(pages, expected, "{place} went unnoticed and matters"),
                Ok(Err(Error::Damaged { .. })) => noticed += 1,
                other => panic!("{place}: {other:?}"),
            }
            fs::remove_dir_all(&copied).unwrap();
        }
    }
    assert!(noticed > names.len(), "{noticed} of {}", names.len() * 3);
}

#[test]
fn a_folder_with_something_else_in_it_is_left_alone() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("notes.txt"), "mine").unwrap();
    let outcome = Frontier::open(folder.path(), &settings());
    assert!(matches!(outcome, Err(Error::Damaged { .. })), "{outcome:?}");
    assert_eq!(files(folder.path()).len(), 1);
}

/// A process that is killed while it makes a frontier leaves the folder beside its place.
#[test]
fn what_was_never_finished_is_made_anew() {
    let folder = TempDir::new().unwrap();
    let part = folder.path().join("f.part");
    fs::create_dir_all(part.join("keyspaces")).unwrap();
    fs::write(part.join("0.jnl"), "half").unwrap();
    fs::create_dir(folder.path().join("f")).unwrap();
    assert_eq!(Frontier::open(&folder.path().join("f"), &settings()).unwrap().counts().seen, 0);
    assert!(!part.exists());
}

#[test]
fn a_place_that_cannot_be_made_is_an_error() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    let outcome = Frontier::open(&folder.path().join("file").join("f"), &settings());
    assert!(matches!(outcome, Err(Error::Disk(_))), "{outcome:?}");
}
