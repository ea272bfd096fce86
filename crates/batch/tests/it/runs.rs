//! D12: many files, one result.

use std::io::{self, Read, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::os::unix::fs::PermissionsExt as _;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use batch::tasks::{Checksum, Count, List};
use batch::{Done, Error, Failure, News, Origin, Reading, Settings, Task, Why, run};
use proptest::prelude::*;
use store::Sealed;
use store::replica::Folders;

use super::{World, page, ran};

/// Writes the name of each file, and its bytes.
struct Echo;

impl Task for Echo {
    fn work(&self, file: &mut Reading, result: &mut dyn Write) -> Result<Done, Failure> {
        writeln!(result, "{}", file.file().name)?;
        io::copy(file, result)?;
        Ok(Done::Sound)
    }
}

/// Files that are not on any disk: of each its number as text, so many times.
fn made(count: usize, times: impl Fn(usize) -> usize + Send + Sync + 'static) -> (Vec<Sealed>, Origin) {
    let file = |number| Sealed { name: format!("job/{number}"), bytes: 0, sha256: String::new() };
    let origin = Origin::new(move |file| {
        let number: usize = file.name.trim_start_matches("job/").parse().unwrap();
        Ok(Box::new(io::Cursor::new(format!("{number} ").repeat(times(number)).into_bytes())))
    });
    ((0..count).map(file).collect(), origin)
}

fn settings(threads: usize) -> Settings {
    let mut settings = Settings::new(std::env::temp_dir(), Arc::new(|| Duration::ZERO));
    settings.threads = NonZeroUsize::new(threads).unwrap();
    settings
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn results_stand_in_the_order_of_the_files_whoever_is_ready_first(
        sizes in proptest::collection::vec(0usize..3_000, 0..120),
        threads in 1usize..9,
        held in 0usize..5_000,
    ) {
        let expect: String = sizes
            .iter()
            .enumerate()
            .map(|(number, times)| format!("job/{number}\n{}", format!("{number} ").repeat(*times)))
            .collect();
        let count = sizes.len();
        let (files, origin) = made(count, move |number| sizes[number]);
        let mut settings = settings(threads);
        settings.held_bytes_max = held;
        let ran = ran(files.into_iter(), &origin, &Echo, &settings).sound();
        prop_assert_eq!(ran.text(), expect);
        prop_assert_eq!(ran.report.files, count as u64);
        prop_assert_eq!(ran.report.result_bytes, ran.result.len() as u64);
    }
}

#[test]
fn files_of_a_folder_and_of_a_replica_give_the_same() {
    let world = World::with(&[("a.warc.gz", &page("a")), ("b.warc.gz", &page("b"))]);
    let expect = world.run(&Checksum).sound();
    assert_eq!(expect.text().lines().count(), 2);
    let replica = Folders::open([world.folder().join("store")], 0).unwrap();
    let origin = Origin::replica(Arc::new(replica));
    let found = ran(world.files().into_iter(), &origin, &Checksum, &world.settings()).sound();
    assert_eq!(found.text(), expect.text());
}

#[test]
fn d13_a_file_that_is_not_what_it_was_fails_and_its_result_is_marked() {
    let world =
        World::with(&[("a.warc.gz", &page("a")), ("b.warc.gz", &page("b")), ("c.warc.gz", &page("c"))]);
    let path = world.folder().join("store/job/b.warc.gz");
    let mut bytes = std::fs::read(&path).unwrap();
    // The operating system's mark in a gzip header: nothing but the checksum shows that it has changed.
    bytes[9] ^= 1;
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    std::fs::write(&path, &bytes).unwrap();
    let ran = world.run(&Count::default());
    assert_eq!(ran.failed.len(), 1);
    assert_eq!(ran.failed[0].file, "job/b.warc.gz");
    let expected = world.files()[1].sha256.clone();
    assert!(
        matches!(&ran.failed[0].why, Why::Changed { expected: known, found } if *known == expected && found.len() == 64)
    );
    let place = ran.failed[0].result.clone().unwrap();
    let marked = &ran.text()[place.start as usize..place.end as usize];
    assert!(marked.starts_with("job/b.warc.gz\t2\t1\t") && marked.ends_with("\tchanged\n"), "{marked}");
    assert_eq!(ran.text().lines().count(), 4);
    // A task that does not read has nothing to compare.
    world.run(&List::default()).sound();
}

#[test]
fn what_cannot_be_had_fails_and_the_rest_goes_on() {
    let world = World::with(&[("a.warc.gz", &page("a")), ("b.warc.gz", &page("b"))]);
    let mut files = world.files();
    files.insert(1, Sealed { name: "job/gone.warc.gz".to_owned(), bytes: 1, sha256: "0".repeat(64) });
    let origin = Origin::store(world.store.clone());
    let ran = ran(files.into_iter(), &origin, &Checksum, &world.settings());
    assert_eq!(
        ran.told(),
        ["job/gone.warc.gz unreadable: it cannot be read: there is no file `job/gone.warc.gz` in the store"]
    );
    assert_eq!(ran.failed[0].result, None);
    assert_eq!((ran.report.files, ran.report.failed), (3, 1));
    assert_eq!(ran.text().lines().count(), 2);
}

#[test]
fn half_a_result_is_none() {
    struct Failing;
    impl Task for Failing {
        fn work(&self, file: &mut Reading, result: &mut dyn Write) -> Result<Done, Failure> {
            writeln!(result, "{}", file.file().name)?;
            if file.file().name == "job/1" {
                Err(Failure("not this one".to_owned()))
            } else {
                Ok(Done::Sound)
            }
        }
    }
    let (files, origin) = made(3, |_| 1);
    let ran = ran(files.into_iter(), &origin, &Failing, &settings(2));
    assert_eq!(ran.text(), "job/0\njob/2\n");
    assert_eq!(ran.told(), ["job/1 task: not this one"]);
}

#[test]
fn a_task_that_panics_costs_one_file() {
    struct Panicking;
    impl Task for Panicking {
        fn work(&self, file: &mut Reading, result: &mut dyn Write) -> Result<Done, Failure> {
            assert_ne!(file.file().name, "job/1", "I do not like this one");
            Echo.work(file, result)
        }
    }
    let (files, origin) = made(3, |_| 1);
    let ran = ran(files.into_iter(), &origin, &Panicking, &settings(1));
    assert_eq!(ran.text(), "job/0\n0 job/2\n2 ");
    assert_eq!(ran.failed[0].why.name(), "panic");
    assert!(ran.told()[0].contains("I do not like this one"), "{:?}", ran.told());
}

/// Gives nothing until the end of days, like a mount whose server is gone. Says when it is asked.
struct Hanging(Arc<AtomicBool>);

impl Read for Hanging {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.store(true, Ordering::SeqCst);
        loop {
            std::thread::park();
        }
    }
}

#[test]
fn a_disk_that_hangs_costs_one_file() {
    let is_asked = Arc::new(AtomicBool::new(false));
    let mut settings = settings(1);
    let asked = is_asked.clone();
    // An hour passes as soon as it hangs; each file has ten minutes, and the one behind it the next ones.
    let is_first = AtomicBool::new(true);
    settings.stopwatch = Arc::new(move || {
        let hangs = asked.load(Ordering::SeqCst);
        let _ = is_first.fetch_and(!hangs, Ordering::SeqCst);
        Duration::from_secs(if hangs { 3600 } else { 0 })
    });
    let origin = Origin::new(move |file| match file.name.as_str() {
        "job/0" => Ok(Box::new(Hanging(is_asked.clone()))),
        name => Ok(Box::new(io::Cursor::new(name.as_bytes().to_vec()))),
    });
    let (files, _) = made(2, |_| 1);
    let ran = ran(files.into_iter(), &origin, &Echo, &settings);
    assert_eq!(ran.told(), ["job/0 time: it took longer than it may"]);
    assert_eq!(ran.text(), "job/1\njob/1");
}

#[test]
fn a_built_in_task_looks_at_the_clock_while_it_reads() {
    // Two minutes pass with each look, and an endless file is read.
    struct Endless;
    impl Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            buffer.fill(b'\n');
            Ok(buffer.len())
        }
    }
    let looks = AtomicUsize::new(0);
    let mut settings = settings(1);
    settings.stopwatch =
        Arc::new(move || Duration::from_secs(120) * looks.fetch_add(1, Ordering::SeqCst) as u32);
    let origin = Origin::new(|_| Ok(Box::new(Endless)));
    let tasks: [&dyn Task; 3] = [&Checksum, &Count::default(), &batch::tasks::Wet];
    for task in tasks {
        let (files, _) = made(1, |_| 1);
        let ran = ran(files.into_iter(), &origin, task, &settings);
        assert_eq!(ran.failed[0].why, Why::Time);
    }
}

#[test]
fn a_result_without_end_is_cut_off() {
    let (files, origin) = made(3, |number| if number == 1 { 1_000_000 } else { 1 });
    let mut settings = settings(2);
    settings.result_bytes_max = 100_000;
    let ran = ran(files.into_iter(), &origin, &Echo, &settings);
    assert_eq!(ran.told(), ["job/1 too-much: its result is longer than it may be"]);
    assert_eq!(ran.text(), "job/0\n0 job/2\n2 ");
}

#[test]
fn cancelling_leaves_a_result_of_all_before_and_none_after() {
    let (files, origin) = made(10_000, |number| number % 50);
    let mut result = Vec::new();
    let report = run(files.into_iter(), &origin, &Echo, &settings(4), &mut result, &mut |news| match news {
        News::Progress(progress) if progress.files >= 100 => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    })
    .unwrap();
    assert!((100..5_000).contains(&report.files), "{report:?}");
    assert_eq!(report.stopped_before, Some(format!("job/{}", report.files)));
    let names = String::from_utf8(result).unwrap();
    assert_eq!(names.matches("job/").count() as u64, report.files);
}

#[test]
fn cancelling_ends_what_hangs_too() {
    let is_asked = Arc::new(AtomicBool::new(false));
    let asked = is_asked.clone();
    let origin = Origin::new(move |_| Ok(Box::new(Hanging(asked.clone()))));
    let (files, _) = made(5, |_| 1);
    let mut result = Vec::new();
    let report = run(files.into_iter(), &origin, &Echo, &settings(2), &mut result, &mut |_| {
        if is_asked.load(Ordering::SeqCst) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
    .unwrap();
    assert_eq!((report.files, report.stopped_before.as_deref()), (0, Some("job/0")));
    assert_eq!(result, b"");
}

#[test]
fn a_result_that_cannot_be_written_ends_the_run() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let (files, origin) = made(1_000, |_| 1);
    let error =
        run(files.into_iter(), &origin, &Echo, &settings(4), &mut Full, &mut |_| ControlFlow::Continue(()));
    assert!(matches!(error, Err(Error::Write(error)) if error.kind() == io::ErrorKind::StorageFull));
}

/// How many files have begun when all others wait for the first, which does not come before that: what may lie around. Of each of them there are
/// some bytes.
fn begun_before_the_first_is_done(settings: &Settings) -> usize {
    struct Gate {
        begun: AtomicUsize,
        is_open: (Mutex<bool>, Condvar),
    }
    struct Slow(Arc<Gate>);
    impl Task for Slow {
        fn work(&self, file: &mut Reading, result: &mut dyn Write) -> Result<Done, Failure> {
            self.0.begun.fetch_add(1, Ordering::SeqCst);
            if file.file().name == "job/0" {
                let is_open = self.0.is_open.0.lock().unwrap();
                drop(self.0.is_open.1.wait_while(is_open, |is_open| !*is_open).unwrap());
            }
            result.write_all(b"0123456789")?;
            Ok(Done::Sound)
        }
    }
    let gate = Arc::new(Gate { begun: AtomicUsize::new(0), is_open: Default::default() });
    let (files, origin) = made(1_000, |_| 1);
    let (mut last, mut calm, mut most) = (0, 0, None);
    let opened = gate.clone();
    let look = &mut |_: News<'_>| {
        // When nothing has begun for several looks, all others wait.
        let begun = opened.begun.load(Ordering::SeqCst);
        calm = if begun == last { calm + 1 } else { 0 };
        last = begun;
        if calm == 5 && most.is_none() {
            most = Some(begun);
            *opened.is_open.0.lock().unwrap() = true;
            opened.is_open.1.notify_all();
        }
        ControlFlow::Continue(())
    };
    let mut result = Vec::new();
    run(files.into_iter(), &origin, &Slow(gate), settings, &mut result, look).unwrap();
    assert_eq!(result.len(), 10_000);
    most.unwrap()
}

#[test]
fn nobody_gets_far_ahead_of_the_slowest() {
    let most = begun_before_the_first_is_done(&settings(4));
    assert!(most <= 4 * 16, "{most} had begun");
    let most = begun_before_the_first_is_done(&settings(40));
    assert!(most <= 256, "{most} had begun");
}

#[test]
fn while_too_many_bytes_wait_nothing_is_begun_but_the_file_whose_turn_it_is() {
    for (bytes, most) in [(0, 4), (9, 4), (100, 1 + 11 + 3)] {
        let settings = Settings { waiting_bytes_max: bytes, ..settings(4) };
        let begun = begun_before_the_first_is_done(&settings);
        assert!(begun <= most, "{begun} had begun with {bytes}");
    }
}

#[test]
fn whoever_watches_may_panic_and_nobody_hangs() {
    let (files, origin) = made(1_000, |_| 1);
    let runs = std::panic::AssertUnwindSafe(|| {
        let look = &mut |_: News<'_>| -> ControlFlow<()> { panic!("I have seen enough") };
        run(files.into_iter(), &origin, &Echo, &settings(4), &mut Vec::new(), look)
    });
    assert!(std::panic::catch_unwind(runs).is_err());
}
