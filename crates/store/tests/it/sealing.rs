//! Sealing, once and again.

use std::fs;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use store::{Error, Store};

const TEXT: &str = "a layer of sediment";

struct World {
    folder: tempfile::TempDir,
    store: Store,
}

impl World {
    fn new() -> World {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::create(&folder.path().join("store")).unwrap();
        World { folder, store }
    }

    fn work(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    }

    fn job(&self) -> PathBuf {
        self.folder.path().join("store/job")
    }

    fn sums(&self) -> String {
        fs::read_to_string(self.job().join("SHA256SUMS")).unwrap()
    }
}

fn read(store: &Store, name: &str, offset: u64) -> String {
    let mut text = String::new();
    store.read(name, offset).unwrap().read_to_string(&mut text).unwrap();
    text
}

#[test]
fn a_sealed_file_is_read_only_and_listed() {
    let world = World::new();
    let work = world.work("a.warc.gz", TEXT);
    let sealed = world.store.seal("job", &work).unwrap();
    assert_eq!((sealed.name.as_str(), sealed.bytes), ("job/a.warc.gz", TEXT.len() as u64));
    assert!(!work.exists());
    assert_eq!(read(&world.store, "job/a.warc.gz", 2), "layer of sediment");
    let mut opened = world.store.read("job/a.warc.gz", 0).unwrap();
    opened.seek(SeekFrom::Start(11)).unwrap();
    let mut rest = String::new();
    opened.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "sediment");
    assert!(fs::metadata(world.job().join("a.warc.gz")).unwrap().permissions().readonly());
    assert_eq!(world.sums(), format!("{}  a.warc.gz\n", sealed.sha256));
    let files: Vec<_> = world.store.files().unwrap().map(Result::unwrap).collect();
    assert_eq!(world.store.files_of("job").unwrap(), files);
    assert_eq!(files, [sealed]);
    assert_eq!(world.store.files_of("other").unwrap(), []);
}

#[test]
fn the_list_is_what_sha256sum_checks() {
    let world = World::new();
    for name in ["a", "b"] {
        world.store.seal("job", &world.work(name, name)).unwrap();
    }
    let checked = std::process::Command::new("sha256sum")
        .args(["--check", "--strict", "SHA256SUMS"])
        .current_dir(world.job())
        .output();
    match checked {
        Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr)),
        Err(_) => eprintln!("store: there is no sha256sum here; skipping the comparison with it"),
    }
}

/// As [`Store::seal`] leaves things when the process ends in the middle of it.
#[derive(Debug, Clone, Copy)]
enum Crash {
    FolderMade,
    PartOfALine,
    LineWritten,
    LineOfAnEarlierTry,
    Renamed,
    CopiedInPart,
    CopiedAndNotRemoved,
}

fn after(crash: Crash, world: &World) -> PathBuf {
    let work = world.work("a", TEXT);
    fs::create_dir(world.job()).unwrap();
    let sums = world.job().join("SHA256SUMS");
    let line = format!("{}  a\n", hash(TEXT));
    match crash {
        Crash::FolderMade => {}
        Crash::PartOfALine => fs::write(&sums, &line[..30]).unwrap(),
        Crash::LineWritten => fs::write(&sums, line).unwrap(),
        Crash::LineOfAnEarlierTry => {
            fs::write(&sums, format!("{}  a\n", hash("cut and written again"))).unwrap()
        }
        Crash::Renamed => {
            fs::write(&sums, line).unwrap();
            fs::rename(&work, world.job().join("a")).unwrap();
        }
        Crash::CopiedInPart => {
            fs::write(&sums, line).unwrap();
            fs::write(world.job().join("a.part"), "a lay").unwrap();
        }
        Crash::CopiedAndNotRemoved => {
            fs::write(&sums, line).unwrap();
            fs::copy(&work, world.job().join("a")).unwrap();
        }
    }
    work
}

fn hash(text: &str) -> String {
    warc::Digest::of(warc::Algorithm::Sha256, text.as_bytes()).hex()
}

#[test]
fn sealing_again_mends_a_crash_at_any_point() {
    use Crash::{
        CopiedAndNotRemoved, CopiedInPart, FolderMade, LineOfAnEarlierTry, LineWritten, PartOfALine, Renamed,
    };
    for crash in
        [FolderMade, PartOfALine, LineWritten, LineOfAnEarlierTry, Renamed, CopiedInPart, CopiedAndNotRemoved]
    {
        let world = World::new();
        let work = after(crash, &world);
        for time in ["first", "second"] {
            let sealed = world.store.seal("job", &work).unwrap();
            assert_eq!(sealed.sha256, hash(TEXT), "{crash:?}, {time}");
            assert_eq!(sealed.bytes, TEXT.len() as u64);
        }
        assert!(!work.exists());
        assert_eq!(read(&world.store, "job/a", 0), TEXT, "{crash:?}");
        assert_eq!(world.store.verify("job/a").unwrap(), store::Verdict::Sound, "{crash:?}");
        assert_eq!(world.store.files_of("job").unwrap().len(), 1);
        world.store.seal("job", &world.work("b", "another")).unwrap();
        assert_eq!(world.store.files_of("job").unwrap().len(), 2, "{crash:?}");
    }
}

#[test]
fn another_file_of_the_same_name_is_refused() {
    let world = World::new();
    world.store.seal("job", &world.work("a", TEXT)).unwrap();
    let error = world.store.seal("job", &world.work("a", "other")).unwrap_err();
    assert!(matches!(error, Error::Taken(_)), "{error}");
    assert_eq!(read(&world.store, "job/a", 0), TEXT);
}

#[test]
fn what_is_not_there_is_said() {
    let world = World::new();
    assert!(matches!(world.store.seal("job", Path::new("there/is/none")), Err(Error::Missing(_))));
    assert!(matches!(world.store.read("job/none", 0), Err(Error::Missing(_))));
    for name in ["none", "../x/y", "job/../../etc", "job/.hidden"] {
        assert!(matches!(world.store.read(name, 0), Err(Error::Name(_))), "{name}");
    }
    assert!(matches!(world.store.seal("../job", &world.work("a", "")), Err(Error::Name(_))));
}

#[test]
fn files_that_are_listed_and_not_there_are_not_told_as_files() {
    let world = World::new();
    after(Crash::LineWritten, &world);
    assert_eq!(world.store.files_of("job").unwrap(), []);
    assert_eq!(world.store.verify("job/a").unwrap(), store::Verdict::Missing);
}

#[test]
fn a_job_that_did_not_come_to_its_end_is_withdrawn() {
    let world = World::new();
    world.store.seal("job", &world.work("a", TEXT)).unwrap();
    world.store.seal("kept", &world.work("a", TEXT)).unwrap();
    world.store.withdraw("job").unwrap();
    world.store.withdraw("job").unwrap();
    assert_eq!(world.store.jobs().unwrap(), ["kept"]);
}

#[test]
fn a_store_of_another_format_is_not_opened() {
    let world = World::new();
    fs::write(world.folder.path().join("store/FORMAT"), "varve-store 2\n").unwrap();
    let error = Store::open(&world.folder.path().join("store")).unwrap_err();
    assert!(matches!(error, Error::Format { .. }), "{error}");
    assert!(Store::open(world.folder.path()).is_err());
}

#[test]
fn from_another_disk_it_is_copied_and_compared() {
    let elsewhere = Path::new("/dev/shm");
    if !elsewhere.is_dir() {
        eprintln!("store: no second disk at /dev/shm; skipping the test that seals from one");
        return;
    }
    let world = World::new();
    let other = tempfile::tempdir_in(elsewhere).unwrap();
    let work = other.path().join("a");
    fs::write(&work, TEXT).unwrap();
    world.store.seal("job", &work).unwrap();
    assert!(!work.exists());
    assert_eq!(read(&world.store, "job/a", 0), TEXT);
    let entries = fs::read_dir(world.job()).unwrap().count();
    assert_eq!(entries, 2, "the file and its checksum, and nothing else");
    assert!(fs::metadata(world.job().join("a")).unwrap().permissions().readonly());
}
