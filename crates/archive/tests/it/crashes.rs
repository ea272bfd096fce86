//! Everything is dropped at any step of a job, and the job goes on as if nothing had been: A5, A8.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};

use archive::{About, Content, Error, Form, Mark, Note, Outcome};
use fetch::Exchange;

use crate::disks::Mortal;
use crate::world::{World, about, page, text};

/// Pages of two kinds: half of them are the same as another.
fn exchanges() -> Vec<Exchange> {
    (0..12)
        .map(|number| page(&format!("http://example.org/{number}"), number, &format!("text {}", number / 2)))
        .collect()
}

fn notes() -> Vec<Note> {
    vec![Note::new("job", "logs", "crawl.log", "text/plain", Content::Bytes(b"lines".to_vec()))]
}

fn small_files() -> About {
    let mut about = about(0);
    about.file_bytes_max = 3000;
    about
}

/// The archive is as an undisturbed job leaves it.
#[track_caller]
fn is_whole(world: &World, what: &str) {
    let rows = world.rows();
    assert_eq!(rows.len(), 12, "{what}");
    assert_eq!(rows.iter().filter(|row| row.is_revisit()).count(), 6, "{what}");
    for number in 0..12 {
        let found = world.archive.get(&format!("http://example.org/{number}"), None).unwrap().unwrap();
        assert_eq!(text(&found, Form::Decoded), format!("text {}", number / 2), "{what}");
    }
    assert_eq!(world.archive.snapshot().unwrap().commits().len(), 1, "{what}");
    world.check();
}

/// Goes on from the mark and appends what was not settled.
fn go_on(world: &World, mark: &Mark, settled: usize) {
    let about = small_files();
    let mut job = world.resume("job", &about, mark);
    for exchange in exchanges().iter().skip(settled) {
        job.take_in(exchange);
    }
    world.commit_with(job, notes()).unwrap();
}

/// What a kill leaves behind the mark is cut off: nothing, part of a record, whole records, further files.
#[test]
fn a5_files_are_cut_back_to_the_mark() {
    for flushed in 0..12 {
        for after in [0, 1, 5] {
            let world = World::new();
            let mut job = world.begin("job", &small_files());
            let mut mark = job.intake.mark();
            for (number, exchange) in exchanges().iter().enumerate().take(flushed + after) {
                if number == flushed {
                    mark = job.intake.flush().unwrap();
                }
                job.take_in(exchange);
            }
            if after == 0 {
                mark = job.intake.flush().unwrap();
            } else {
                // It reached the system, and the settling that goes with it did not.
                job.intake.flush().unwrap();
            }
            drop(job);
            let folder = world.folder.path().join("work/job/warc");
            let last = (1..20)
                .map(|serial| folder.join(format!("job-{serial:05}.warc.gz")))
                .rfind(|path| path.exists());
            for path in last.into_iter().chain([folder.join("captures.cdxj")]) {
                let mut file = OpenOptions::new().append(true).open(path).unwrap();
                file.write_all(&b"half a rec"[..after * 2]).unwrap();
            }
            go_on(&world, &mark, flushed);
            is_whole(&world, &format!("{flushed} settled, {after} after"));
        }
    }
}

#[test]
fn a5_a_crash_at_any_write_loses_nothing_that_was_settled() {
    crash_at_any_write(u64::MAX);
}

#[test]
fn a5_nor_where_much_is_committed_step_by_step() {
    crash_at_any_write(0);
}

fn crash_at_any_write(at_once_bytes: u64) {
    for operations in 0.. {
        let world = World::new();
        let mut about = small_files();
        about.limits.at_once_bytes = at_once_bytes;
        about.disk = Mortal::with(operations);
        let (mut mark, mut settled) = (None, 0);
        let mut run = || -> Result<(), Error> {
            let (packer, mut intake) = world.archive.begin("job", &about)?;
            for exchange in &exchanges() {
                intake.append(packer.pack(&crate::world::capture(exchange))?)?;
                mark = Some(intake.flush()?);
                settled += 1;
                if settled % 5 == 0 {
                    intake.sync()?;
                }
            }
            let commit = index::Commit { name: "job".to_owned(), at: about.started, facts: Vec::new() };
            world.archive.commit(intake, notes(), commit).map(drop)
        };
        let is_done = run().is_ok();
        if is_done {
            assert!(operations > 30, "{operations}");
            is_whole(&world, "undisturbed");
            return;
        }
        assert!(world.rows().is_empty() || settled == 12, "seen before it was committed: {operations}");
        let what = format!("{operations} operations, {settled} settled");
        match mark {
            None => {
                world.archive.discard("job").unwrap();
                world.job("job", &small_files(), &exchanges());
            }
            Some(mark) => match world.archive.resume("job", &small_files(), &mark) {
                // It had come to its end, and only the tidying up was left.
                Err(Error::IsCommitted(_)) => {}
                Err(error) => panic!("{what}: {error}"),
                Ok(resumed) => {
                    drop(resumed);
                    go_on(&world, &mark, settled);
                }
            },
        }
        is_whole(&world, &what);
    }
}

/// The commit has begun, and the process ended when so many files were sealed, or even everything was published.
#[test]
fn a8_a_commit_is_repeated_from_wherever_it_stopped() {
    let files = 9;
    for sealed in 0..=files {
        for is_published in [false, true] {
            let world = World::new();
            let mark = until_the_commit_begins(&world);
            let folder = world.folder.path().join("work/job/warc");
            let list = fs::read_to_string(folder.join("commit")).unwrap();
            let names: Vec<&str> =
                list.lines().skip(1).map(|line| line.strip_prefix("- ").unwrap()).collect();
            if sealed % 2 == 0 {
                // As the first version had it, which is understood for ever.
                fs::write(folder.join("commit"), format!("varve-commit 1\n{}\n", names.join("\n"))).unwrap();
            }
            assert!(names.len() > 3 && names.len() < files, "{names:?}");
            for name in names.iter().take(sealed) {
                world.archive.store().seal("job", &folder.join(name)).unwrap();
            }
            if is_published && sealed < names.len() {
                continue;
            }
            if is_published {
                let commit =
                    index::Commit { name: "job".to_owned(), at: about(0).started, facts: Vec::new() };
                let lines = File::open(folder.join("sorted.cdxj")).unwrap();
                let rows =
                    cdx::Reader::new(io::BufReader::new(lines)).map(|row| row.map_err(index::Error::rows));
                index::Index::open(&world.folder.path().join("index"))
                    .unwrap()
                    .publish(&commit, rows)
                    .unwrap();
            }
            // Nothing more can come in, and nothing is lost by trying.
            let mut job = world.resume("job", &small_files(), &mark);
            assert!(job.intake.is_committing());
            let packed = job.pack(&page("http://example.org/late", 99, "late"));
            assert!(matches!(job.intake.append(packed), Err(Error::Committing(_))));
            world.commit_with(job, Vec::new()).unwrap();
            is_whole(&world, &format!("{sealed} sealed, published: {is_published}"));
            assert!(matches!(world.archive.resume("job", &small_files(), &mark), Err(Error::IsCommitted(_))));
        }
    }
}

#[test]
fn a5_a_commit_that_has_begun_can_still_be_discarded_unless_it_is_seen() {
    let world = World::new();
    until_the_commit_begins(&world);
    assert!(matches!(world.archive.begin("job", &small_files()), Err(Error::Committing(_))));
    let folder = world.folder.path().join("work/job/warc");
    world.archive.store().seal("job", &folder.join("job-00001.warc.gz")).unwrap();
    world.archive.discard("job").unwrap();
    assert_eq!(world.archive.store().files().unwrap().count(), 0);
    world.job("job", &small_files(), &exchanges());
    is_whole(&world, "anew");
}

/// Runs the job until `commit` names its files, and not a step further.
fn until_the_commit_begins(world: &World) -> Mark {
    let mut about = small_files();
    let disk = Mortal::with(i64::MAX);
    about.disk = disk.clone();
    let mut job = world.begin("job", &about);
    for exchange in &exchanges() {
        job.take_in(exchange);
    }
    let mark = job.intake.flush().unwrap();
    // Only sealing is left then, which a file that cannot be opened stops.
    let blocker = world.folder.path().join("store/job");
    fs::write(&blocker, "in the way").unwrap();
    world.commit_with(job, notes()).unwrap_err();
    fs::remove_file(blocker).unwrap();
    mark
}

#[test]
fn a_job_that_is_not_there_and_a_mark_that_is_none_are_told() {
    let world = World::new();
    let mut job = world.begin("job", &about(0));
    job.take_in(&page("http://example.org/", 0, "words"));
    let mark = job.intake.flush().unwrap();
    drop(job);
    assert!(matches!(world.archive.resume("other", &about(0), &mark), Err(Error::NoJob(_))));
    let nonsense = Mark::from_bytes(b"nonsense".to_vec());
    assert!(matches!(world.archive.resume("job", &about(0), &nonsense), Err(Error::BadMark)));
}

/// Digests that were learnt before a cut point to lines that are not there any more, or to others.
#[test]
fn d8_a_stale_digest_is_not_believed() {
    for in_memory in [0, 1000] {
        let world = World::new();
        let mut about = about(0);
        about.limits.digests_in_memory = in_memory;
        let mut job = world.begin("job", &about);
        job.take_in(&page("http://example.org/a", 0, "kept"));
        let mark = job.intake.flush().unwrap();
        job.take_in(&page("http://example.org/b", 1, "cut off"));
        job.intake.flush().unwrap();
        drop(job);
        let mut job = world.resume("job", &about, &mark);
        // Of the same length, so that its line stands where the other's stood.
        assert_eq!(job.take_in(&page("http://example.org/c", 2, "another")).outcome, Outcome::New);
        job.intake.flush().unwrap();
        assert_eq!(
            job.take_in(&page("http://example.org/d", 3, "cut off")).outcome,
            Outcome::New,
            "{in_memory}"
        );
        assert_eq!(
            job.take_in(&page("http://example.org/e", 4, "kept")).outcome,
            Outcome::Revisit,
            "{in_memory}"
        );
        assert_eq!(job.take_in(&page("http://example.org/f", 5, "another")).outcome, Outcome::Revisit);
        world.commit(job).unwrap();
        world.check();
    }
}

#[test]
fn d8_lost_digests_are_learnt_again_from_the_lines() {
    let world = World::new();
    let mut about = about(0);
    about.limits.digests_in_memory = 4;
    let mut job = world.begin("job", &about);
    for number in 0..20 {
        job.take_in(&page(&format!("http://example.org/{number}"), number, &format!("text {number}")));
    }
    let mark = job.intake.flush().unwrap();
    drop(job);
    let digests = world.folder.path().join("work/job/warc/digests");
    assert!(digests.is_dir());
    fs::remove_dir_all(&digests).unwrap();
    fs::write(&digests, "no folder").unwrap();
    fs::remove_file(&digests).unwrap();
    let mut job = world.resume("job", &about, &mark);
    for number in 0..20 {
        let placed = job.take_in(&page("http://example.org/again", 50 + number, &format!("text {number}")));
        assert_eq!(placed.outcome, Outcome::Revisit, "{number}");
    }
    world.commit(job).unwrap();
    world.check();
}
