//! A record with a wrong digest needs a check of its whole file: once in ten minutes, apart from all other reading. (Issue 20.)

use std::io::Read;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use archive::{Archive, Form};
use store::replica::{Folders, Found, Replica};
use store::{Pace, Sealed};

use crate::elsewhere::{copy_store, falsify};
use crate::world::{World, about, at, page, text};

const A: &str = "http://example.org/a";
const B: &str = "http://example.org/b";
/// How long a test waits for what must come.
const PATIENCE: Duration = Duration::from_secs(30);

/// A place that counts whole files being read, and reads none while its gate is shut.
struct Gated {
    inner: Folders,
    whole_files: AtomicUsize,
    is_shut: Mutex<bool>,
    gate: Condvar,
}

impl Gated {
    fn set_shut(&self, is_shut: bool) {
        *self.is_shut.lock().unwrap() = is_shut;
        self.gate.notify_all();
    }
}

impl Replica for Gated {
    fn is_full(&self) -> bool {
        true
    }

    fn put(&self, file: &Sealed, source: &mut dyn Read, pace: Pace<'_>) -> Result<(), store::Error> {
        self.inner.put(file, source, pace)
    }

    fn look(&self, name: &str) -> Result<Option<Option<u64>>, store::Error> {
        self.inner.look(name)
    }

    fn read(&self, name: &str, pace: Pace<'_>) -> Result<Option<Found>, store::Error> {
        self.whole_files.fetch_add(1, Ordering::SeqCst);
        let shut = self.is_shut.lock().unwrap();
        let (shut, _) = self.gate.wait_timeout_while(shut, PATIENCE, |is_shut| *is_shut).unwrap();
        drop(shut);
        self.inner.read(name, pace)
    }

    fn open(&self, name: &str, offset: u64) -> Result<Box<dyn Read + Send>, store::Error> {
        self.inner.open(name, offset)
    }

    fn each_name(&self, each: &mut dyn FnMut(&str) -> Result<(), store::Error>) -> Result<(), store::Error> {
        self.inner.each_name(each)
    }

    fn set_aside(&self, name: &str, sha256: &str) -> Result<(), store::Error> {
        self.inner.set_aside(name, sha256)
    }
}

/// An archive whose capture of `B` is damaged in both places, in another way in each; that of `A` is sound.
struct Damaged {
    world: World,
    archive: Archive,
    /// The file as it was.
    sound: Vec<u8>,
    second: Arc<Gated>,
    /// Seconds that have passed on the archive's clock.
    seconds: Arc<AtomicU64>,
}

fn damaged() -> Damaged {
    let world = World::new();
    let mut about = about(0);
    about.gzip_level = 0;
    world.job("one", &about, &[page(A, 0, "words"), page(B, 0, "two words")]);
    let second = world.folder.path().join("second");
    copy_store(&world, &second);
    let path = |folder: &str| world.folder.path().join(folder).join("one/one-00001.warc.gz");
    let sound = std::fs::read(path("store")).unwrap();
    falsify(&path("second"), B, &world, 0, b"two words", b"tow words");
    falsify(&path("store"), B, &world, 0, b"two words", b"owt words");
    let second = Arc::new(Gated {
        inner: Folders::open([second], 0).unwrap(),
        whole_files: AtomicUsize::new(0),
        is_shut: Mutex::new(false),
        gate: Condvar::new(),
    });
    let seconds = Arc::new(AtomicU64::new(0));
    let (start, turned) = (Instant::now(), Arc::clone(&seconds));
    let ticks = move || start + Duration::from_secs(turned.load(Ordering::SeqCst));
    let others = vec![Arc::clone(&second) as Arc<dyn Replica>];
    let archive = world.archive.clone().with_others(others).with_ticks(Arc::new(ticks));
    Damaged { world, archive, sound, second, seconds }
}

impl Damaged {
    fn is_given(&self) -> bool {
        matches!(self.archive.get(B, Some(at(0))), Ok(Some(_)))
    }

    fn whole_files(&self) -> usize {
        self.second.whole_files.load(Ordering::SeqCst)
    }
}

/// D13
#[test]
fn d13_many_requests_for_a_damaged_record_hash_its_file_once() {
    let damaged = damaged();
    thread::scope(|scope| {
        for _ in 0..20 {
            scope.spawn(|| assert!(!damaged.is_given()));
        }
    });
    assert!(!damaged.is_given());
    assert_eq!(damaged.whole_files(), 1);
    // The verdict holds for ten minutes.
    damaged.seconds.store(599, Ordering::SeqCst);
    assert!(!damaged.is_given());
    assert_eq!(damaged.whole_files(), 1);
    damaged.seconds.store(601, Ordering::SeqCst);
    assert!(!damaged.is_given());
    assert_eq!(damaged.whole_files(), 2);
}

/// D13
#[test]
fn d13_sound_records_are_given_while_whole_files_are_checked() {
    let damaged = damaged();
    let archive = damaged.archive.clone().with_waiting_readers(2);
    damaged.second.set_shut(true);
    let (sender, answers) = mpsc::channel();
    let readers: Vec<_> = (0..12)
        .map(|_| {
            let (archive, sender) = (archive.clone(), sender.clone());
            thread::spawn(move || sender.send(archive.get(B, Some(at(0))).is_ok_and(|found| found.is_some())))
        })
        .collect();
    // All but two have their answer while nothing of the second place can be read.
    for _ in 0..10 {
        assert!(!answers.recv_timeout(PATIENCE).unwrap());
    }
    assert_eq!(text(&archive.get(A, Some(at(0))).unwrap().unwrap(), Form::Decoded), "words");
    damaged.second.set_shut(false);
    readers.into_iter().for_each(|reader| reader.join().unwrap().unwrap());
    assert_eq!(damaged.whole_files(), 1);
}

#[test]
fn a_file_that_is_replaced_is_read_again_at_once() {
    let damaged = damaged();
    assert!(!damaged.is_given());
    let path = damaged.world.folder.path().join("store/one/one-00001.warc.gz");
    std::fs::remove_file(&path).unwrap();
    std::fs::write(&path, &damaged.sound).unwrap();
    assert!(damaged.is_given());
}
