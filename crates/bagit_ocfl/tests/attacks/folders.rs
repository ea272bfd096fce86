//! Any bytes as a folder of files: nothing panics, nothing is opened that was not listed, a sound package with a bit flipped is sound no
//! more, and what can be packed anew is sound.
//!
//! The bytes are files one after another, each behind a line `==> its path`. A path that ends with `@` is a link.

use std::cell::RefCell;
use std::io::{self, Read};

use bagit_ocfl::{Entry, EntryKind, Limits, Memory, Report, Tree, Verdict, bagit, ocfl};

pub(crate) fn attack(bytes: &[u8]) {
    let folder = folder(bytes);
    let limits = Limits {
        entries: 200,
        path_bytes: 500,
        manifest_bytes: 1 << 16,
        tag_bytes: 1 << 14,
        line_bytes: 1 << 12,
        inventory_bytes: 1 << 16,
        versions: 50,
        problems: 50,
        ..Limits::default()
    };
    let report = judge(&folder, |tree| bagit::check(tree, &limits));
    flips(&folder, &report, "data/", |tree| bagit::check(tree, &limits));
    let report = judge(&folder, |tree| ocfl::check(tree, &limits));
    flips(&folder, &report, "v", |tree| ocfl::check(tree, &limits));
    again(&folder);
}

/// The files that the bytes stand for.
fn folder(bytes: &[u8]) -> Memory {
    let mut folder = Memory::new();
    let text: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    let mut rest = text.as_slice();
    while let Some((head, below)) = rest.split_first() {
        let count = below.iter().position(|line| line.starts_with(b"==> ")).unwrap_or(below.len());
        let (content, next) = below.split_at(count);
        rest = next;
        let path = head.strip_prefix(b"==> ").unwrap_or(head);
        let path = String::from_utf8_lossy(path.strip_suffix(b"\n").unwrap_or(path)).into_owned();
        match path.strip_suffix('@') {
            Some(path) => folder.put_odd(path, EntryKind::Link),
            None => folder.put(&path, content.concat()),
        }
    }
    folder
}

/// Whatever is told, only what was listed is opened.
fn judge(folder: &Memory, check: impl Fn(&Watched<'_>) -> Result<Report, bagit_ocfl::Error>) -> Report {
    let watched = Watched { folder, opened: RefCell::default() };
    // A file in whose place there is a folder, too, cannot be on a disk; opening it may fail.
    let report = check(&watched).unwrap();
    for path in watched.opened.into_inner() {
        assert!(folder.get(&path).is_some(), "{path:?} was opened");
    }
    assert!(report.problems.len() <= 50);
    assert_eq!(report.is_valid(), report.verdict() != Verdict::Invalid);
    report
}

/// A sound package with a file changed is sound no more.
fn flips(
    folder: &Memory,
    report: &Report,
    start: &str,
    check: impl Fn(&Memory) -> Result<Report, bagit_ocfl::Error>,
) {
    if !report.is_valid() {
        return;
    }
    // Of extensions and logs, and of folders beside the content, nothing is known.
    let is_vouched = |path: &str| path.starts_with(start) && (start == "data/" || path.contains("/content/"));
    for (path, bytes) in folder.files().filter(|(path, bytes)| is_vouched(path) && !bytes.is_empty()) {
        let mut changed = folder.clone();
        let mut bytes = bytes.to_vec();
        bytes[0] ^= 1;
        changed.put(path, bytes);
        assert!(!check(&changed).unwrap().is_valid(), "{path:?} was changed");
    }
}

/// What our writers take, our checks find sound.
fn again(folder: &Memory) {
    let (mut bag, mut object) = (bagit::Writer::new(Memory::new()), ocfl::Writer::new(Memory::new()));
    let mut packed = 0;
    for (path, bytes) in folder.files() {
        if bag.file(path, bytes).is_ok() {
            object.file(path, bytes).unwrap();
            packed += 1;
        }
    }
    if packed == 0 {
        return;
    }
    let report = bagit::check(&bag.finish(&[]).unwrap(), &Limits::default()).unwrap();
    assert!(report.is_valid(), "{:?}", report.problems);
    let about = ocfl::About {
        id: "urn:example:again".to_owned(),
        message: "again".to_owned(),
        user: "nobody".to_owned(),
        address: "mailto:nobody@example.org".to_owned(),
        ..ocfl::About::default()
    };
    let report = ocfl::check(&object.finish(&about).unwrap(), &Limits::default()).unwrap();
    assert!(report.is_valid(), "{:?}", report.problems);
}

/// Remembers what was opened.
struct Watched<'a> {
    folder: &'a Memory,
    opened: RefCell<Vec<String>>,
}

impl Tree for Watched<'_> {
    fn list(&self, folder: &str) -> io::Result<impl Iterator<Item = io::Result<Entry>>> {
        self.folder.list(folder)
    }

    fn open(&self, path: &str) -> io::Result<impl Read> {
        self.opened.borrow_mut().push(path.to_owned());
        self.folder.open(path)
    }
}
