//! Power losses and failing syncs: what is on the disk is kept, what is not is told, and the job goes on.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use archive::{About, Error, Form, Mark};

use crate::disks::Syncs;
use crate::world::{World, about, page, text};

const PAGES: i64 = 8;

fn url(number: i64) -> String {
    format!("http://example.org/{number}")
}

/// Two captures a file, or so.
fn small_files() -> About {
    let mut about = about(0);
    about.file_bytes_max = 2000;
    about
}

fn file(world: &World, name: &str) -> PathBuf {
    world.folder.path().join("work/job/warc").join(name)
}

/// A job of which all is settled, and that has ended without a word.
fn killed() -> (World, Mark) {
    let world = World::new();
    let mut job = world.begin("job", &small_files());
    for number in 0..PAGES {
        job.take_in(&page(&url(number), number, &format!("text {number}")));
    }
    let mark = job.intake.flush().unwrap();
    (world, mark)
}

fn cut(path: &std::path::Path, by: u64) {
    let file = OpenOptions::new().write(true).open(path).unwrap();
    file.set_len(file.metadata().unwrap().len().saturating_sub(by)).unwrap();
}

/// Goes on after the loss, with a crash that settles nothing in between, and commits: the pages that are left.
fn left(world: &World, mark: &Mark, what: &str) -> Vec<i64> {
    let about = small_files();
    let mut job = world.resume("job", &about, mark);
    for number in 0..3 {
        job.take_in(&page(&url(100 + number), 100, "never settled"));
    }
    job.intake.flush().unwrap();
    drop(job);
    let mut job = world.resume("job", &about, mark);
    job.take_in(&page(&url(PAGES), 100, &format!("text {PAGES}")));
    world.commit(job).unwrap();
    let rows = world.rows();
    let mut pages = Vec::new();
    for number in 0..=PAGES {
        if let Some(found) = world.archive.get(&url(number), None).unwrap() {
            assert_eq!(text(&found, Form::Decoded), format!("text {number}"), "{what}");
            pages.push(number);
        }
    }
    assert_eq!(rows.len(), pages.len(), "{what}: each line is of a record that is there, and once");
    for sealed in world.archive.store().files().unwrap() {
        let source = world.archive.store().read(&sealed.unwrap().name, 0).unwrap();
        let part = warc::sound_part(source, warc::Options::default()).unwrap();
        assert!(part.fault.is_none() && part.records > 0, "{what}: {part:?}");
    }
    pages
}

fn last_file(world: &World) -> PathBuf {
    let file = |serial| file(world, &format!("job-{serial:05}.warc.gz"));
    (1..100).map(file).take_while(|file| file.exists()).last().unwrap()
}

#[test]
fn a_warc_file_that_is_cut_short_keeps_its_whole_records() {
    let mut fewest = PAGES;
    for by in (1..1500).step_by(67) {
        let (world, mark) = killed();
        cut(&last_file(&world), by);
        let pages = left(&world, &mark, &format!("cut by {by}"));
        let kept = i64::try_from(pages.len()).unwrap() - 1;
        fewest = fewest.min(kept);
        let expect: Vec<i64> = (0..kept).chain([PAGES]).collect();
        assert_eq!(pages, expect, "cut by {by}");
    }
    assert!((1..PAGES).contains(&fewest), "{fewest}");
}

#[test]
fn lines_that_are_cut_short_are_the_only_ones_lost() {
    for by in [1, 2, 300, 700, 100_000] {
        let (world, mark) = killed();
        cut(&file(&world, "captures.cdxj"), by);
        let pages = left(&world, &mark, &format!("cut by {by}"));
        let kept = match by {
            1 => PAGES,
            2 | 300 => PAGES - 1,
            700 => PAGES - 2,
            _ => 0,
        };
        assert!(pages.len() >= usize::try_from(kept).unwrap(), "cut by {by}: {pages:?}");
        assert_eq!(pages.last(), Some(&PAGES), "cut by {by}");
    }
}

#[test]
fn zeros_in_the_place_of_lines_and_files_that_are_gone_are_mended() {
    let (world, mark) = killed();
    let captures = file(&world, "captures.cdxj");
    let length = fs::metadata(&captures).unwrap().len();
    cut(&captures, 400);
    OpenOptions::new().write(true).open(&captures).unwrap().set_len(length).unwrap();
    let pages = left(&world, &mark, "zeros");
    assert!(pages.len() > 5 && pages.last() == Some(&PAGES), "{pages:?}");

    let (world, mark) = killed();
    fs::remove_file(last_file(&world)).unwrap();
    let pages = left(&world, &mark, "the last file");
    assert!(pages.len() > 4 && pages.len() < 9, "{pages:?}");

    let (world, mark) = killed();
    fs::write(file(&world, "job-00002.warc.gz"), "").unwrap();
    let pages = left(&world, &mark, "a file in between");
    assert!(pages.contains(&0) && pages.contains(&(PAGES - 1)) && pages.len() < 9, "{pages:?}");
}

#[test]
fn a_sync_without_descriptors_can_be_repeated() {
    let world = World::new();
    let disk = Arc::new(Syncs::default());
    let mut about = about(0);
    about.disk = disk.clone();
    let mut job = world.begin("job", &about);
    job.take_in(&page(&url(0), 0, "words"));
    job.intake.flush().unwrap();
    disk.lacks_descriptors.store(true, Ordering::SeqCst);
    let error = job.intake.sync().unwrap_err();
    assert!(fetch::lacks_descriptors(&error), "{error}");
    disk.lacks_descriptors.store(false, Ordering::SeqCst);
    job.intake.sync().unwrap();
    job.take_in(&page(&url(1), 0, "other words"));
    job.intake.sync().unwrap();
}

#[test]
fn a_failed_sync_is_no_full_disk_and_nothing_is_cut_back() {
    let world = World::new();
    let disk = Arc::new(Syncs::default());
    let mut about = about(0);
    about.disk = disk.clone();
    let mut job = world.begin("job", &about);
    job.take_in(&page(&url(0), 0, "words"));
    job.intake.flush().unwrap();
    job.take_in(&page(&url(1), 0, "other words"));
    disk.is_failing.store(true, Ordering::SeqCst);
    let error = job.intake.sync().unwrap_err();
    assert!(!error.is_full() && matches!(error, Error::Write { .. }), "{error}");
    disk.is_failing.store(false, Ordering::SeqCst);
    let packed = job.pack(&page(&url(2), 0, "more words"));
    assert!(matches!(job.intake.append(packed), Err(Error::Poisoned)));
    assert!(matches!(job.intake.sync(), Err(Error::Poisoned)));
    assert!(matches!(job.intake.flush(), Err(Error::Poisoned)));
    let lines = fs::read_to_string(file(&world, "captures.cdxj")).unwrap();
    assert_eq!(lines.lines().count(), 3, "{lines}");
}

#[test]
fn files_that_an_earlier_run_finished_are_brought_to_the_disk() {
    let (world, mark) = killed();
    let disk = Arc::new(Syncs::default());
    let about = About { disk: disk.clone(), ..small_files() };
    let mut job = world.resume("job", &about, &mark);
    job.intake.sync().unwrap();
    let synced = disk.synced.lock().unwrap();
    for serial in 1.. {
        let Ok(metadata) = fs::metadata(file(&world, &format!("job-{serial:05}.warc.gz"))) else {
            assert!(serial > 3, "{serial}");
            break;
        };
        assert!(synced.contains(&metadata.ino()), "file {serial}");
    }
}

#[test]
fn a_loss_is_told_once_with_its_bytes() {
    let (world, mark) = killed();
    cut(&last_file(&world), 10);
    let lost = warnings(|| drop(world.resume("job", &small_files(), &mark)));
    let bytes = |text: &String| text.split("has lost ").nth(1)?.split(' ').next()?.parse::<u64>().ok();
    assert!(lost.iter().filter_map(bytes).any(|bytes| bytes >= 10), "{lost:?}");
    assert_eq!(warnings(|| drop(world.resume("job", &small_files(), &mark))), [""; 0]);
}

/// What was warned of on this thread while something was done.
fn warnings(act: impl FnOnce()) -> Vec<String> {
    let listener = Listener::default();
    let heard = Arc::clone(&listener.0);
    tracing::subscriber::with_default(listener, act);
    std::mem::take(&mut *heard.lock().unwrap())
}

#[derive(Default)]
struct Listener(Arc<Mutex<Vec<String>>>);

impl tracing::Subscriber for Listener {
    fn enabled(&self, about: &tracing::Metadata<'_>) -> bool {
        *about.level() == tracing::Level::WARN
    }

    fn new_span(&self, _: &tracing::span::Attributes<'_>) -> tracing::span::Id {
        tracing::span::Id::from_u64(1)
    }

    fn record(&self, _: &tracing::span::Id, _: &tracing::span::Record<'_>) {}

    fn record_follows_from(&self, _: &tracing::span::Id, _: &tracing::span::Id) {}

    fn event(&self, event: &tracing::Event<'_>) {
        struct Words(String);
        impl tracing::field::Visit for Words {
            fn record_debug(&mut self, _: &tracing::field::Field, value: &dyn std::fmt::Debug) {
                self.0.push_str(&format!("{value:?}"));
            }
        }
        let mut words = Words(String::new());
        event.record(&mut words);
        self.0.lock().unwrap().push(words.0);
    }

    fn enter(&self, _: &tracing::span::Id) {}

    fn exit(&self, _: &tracing::span::Id) {}
}
