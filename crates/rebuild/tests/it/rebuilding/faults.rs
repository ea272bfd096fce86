//! What a rebuild says and does where something is damaged, missing, or in its way.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use archive::{Archive, Error, Stop};
use rebuild::{Kind, Problem, Report, Settings, Step, rebuild_indexes};
use store::Sealed;
use store::replica::{Folders, Replica};

use super::answers::Answers;
use super::{forget, rebuild, sample};
use crate::imports::{Imports, PAGES, warc};
use crate::world::{World, about, page};

/// Kind and file of everything that was found wrong, and how many captures were lost with it.
fn problems(report: &Report) -> Vec<(Kind, &str, u64)> {
    report.problems.iter().map(told).collect()
}

fn told(problem: &Problem) -> (Kind, &str, u64) {
    (problem.kind, problem.file.as_deref().unwrap_or(&problem.job), problem.lost)
}

/// Changes a sealed file, as a disk that forgets does.
fn change(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    fs::set_permissions(path, fs::Permissions::from_mode(0o644)).unwrap();
    let mut bytes = fs::read(path).unwrap();
    change(&mut bytes);
    fs::write(path, bytes).unwrap();
}

/// A job of three pages of some length, and where its file lies.
fn three_pages() -> (World, PathBuf) {
    let world = World::new();
    let pages = ["a", "b", "c"]
        .map(|name| page(&format!("http://example.org/{name}"), 0, &format!("{name} has words of its own")));
    world.job("job", &about(0), &pages);
    let file = world.folder.path().join("store/job/job-00001.warc.gz");
    (world, file)
}

fn urls(folder: &Path) -> Vec<String> {
    let all = urlkey::KeyRange { start: String::new(), end: String::new() };
    let snapshot = Archive::open(folder).unwrap().snapshot().unwrap();
    snapshot.range(&all).map(|row| row.unwrap().url.unwrap().into_owned()).collect()
}

#[test]
fn of_a_damaged_file_captures_whose_records_are_sound_are_there() {
    let (world, file) = three_pages();
    let folder = world.folder.path();
    let offset =
        world.rows().iter().find(|row| row.url.as_deref() == Some("http://example.org/b")).unwrap().offset;
    change(&file, |bytes| bytes[offset.unwrap() as usize + 60] ^= 1);
    forget(folder);
    let report = rebuild(folder);
    assert_eq!(problems(&report), [(Kind::Damaged, "job/job-00001.warc.gz", 1)]);
    assert!(report.problems[0].message.contains("checksum"));
    assert_eq!(urls(folder), ["http://example.org/a", "http://example.org/c"]);
    // So what is harvested again is stored again.
    let world = World { archive: Archive::open(folder).unwrap(), folder: world.folder };
    let placed =
        world.job("again", &about(60), &[page("http://example.org/b", 60, "b has words of its own")]);
    assert!(placed[0].original.is_none(), "{placed:?}");
}

#[test]
fn of_a_file_that_breaks_off_the_rest_is_there() {
    let (world, file) = three_pages();
    let offset =
        world.rows().iter().find(|row| row.url.as_deref() == Some("http://example.org/c")).unwrap().offset;
    change(&file, |bytes| bytes.truncate(offset.unwrap() as usize + 20));
    let report = rebuild(world.folder.path());
    assert_eq!(problems(&report), [(Kind::Damaged, "job/job-00001.warc.gz", 1)]);
    assert_eq!(urls(world.folder.path()), ["http://example.org/a", "http://example.org/b"]);
}

#[test]
fn a_file_that_is_gone_is_told_and_its_captures_are_too() {
    let (world, file) = three_pages();
    world.job("other", &about(60), &[page("http://example.org/d", 60, "d")]);
    fs::remove_file(&file).unwrap();
    let report = rebuild(world.folder.path());
    assert_eq!(problems(&report), [(Kind::Missing, "job/job-00001.warc.gz", 3)]);
    assert_eq!(urls(world.folder.path()), ["http://example.org/d"]);
    // Also where its checksum is gone with it.
    change(&world.folder.path().join("store/job/SHA256SUMS"), |bytes| {
        let lines = String::from_utf8(bytes.clone()).unwrap();
        *bytes = lines
            .lines()
            .filter(|line| line.contains("metadata"))
            .flat_map(|line| format!("{line}\n").into_bytes())
            .collect();
    });
    let report = rebuild(world.folder.path());
    assert_eq!(problems(&report), [(Kind::Missing, "job/job-00001.warc.gz", 3)]);
}

#[test]
fn without_the_list_of_its_captures_a_jobs_lines_are_made_anew() {
    let imports = Imports::new();
    let file = imports.file("old.warc.gz", warc(&PAGES, &warc::Encoding::Gzip(6)));
    imports.import("import-20261116080000", &[&file], &transfer::import::Settings::default());
    let folder = imports.world.folder.path();
    let before = Answers::of(folder);
    let metadata = "import-20261116080000/import-20261116080000-metadata.warc.gz";
    fs::remove_file(folder.join("store").join(metadata)).unwrap();
    forget(folder);
    let report = rebuild(folder);
    let job = "import-20261116080000";
    assert_eq!(
        problems(&report),
        [(Kind::Missing, metadata, 0), (Kind::Unplaced, job, 0), (Kind::Anew, job, 0)]
    );
    // Those of an import are made by the same code, so they are the same.
    let after = Answers::of(folder);
    let rows = |answers: &Answers| answers.0["web rows"].clone();
    assert_eq!(rows(&before), rows(&after));
    let commits = imports.archive().snapshot().unwrap().commits().to_vec();
    assert_eq!(commits[0].at, "2026-11-16T08:00:00Z".parse().unwrap());
    assert!(commits[0].facts.contains(&("kind".to_owned(), "import".to_owned())));
}

#[test]
fn of_a_harvest_without_its_list_all_captures_are_there() {
    let (world, _) = three_pages();
    let folder = world.folder.path();
    fs::remove_file(folder.join("store/job/job-metadata.warc.gz")).unwrap();
    forget(folder);
    let report = rebuild(folder);
    assert_eq!(problems(&report)[1..], [(Kind::Anew, "job", 0)]);
    assert_eq!(report.captures, 3);
    for name in ["a", "b", "c"] {
        let found = world.archive.get(&format!("http://example.org/{name}"), None).unwrap().unwrap();
        let said = crate::world::text(&found, archive::Form::Decoded);
        assert_eq!(said, format!("{name} has words of its own"));
    }
    // Nothing else tells when it began.
    let first = world.rows().iter().map(|row| row.extra("date").unwrap().as_str().to_owned()).min();
    assert_eq!(world.archive.snapshot().unwrap().commits()[0].at.to_string(), first.unwrap());
}

/// Its records have digests of their own: where the bit is not theirs, the list is used.
#[test]
fn a_damaged_metadata_file_is_used_as_far_as_it_is_sound() {
    let imports = sample();
    let folder = imports.world.folder.path();
    let before = Answers::of(folder);
    let path = folder.join("store/two/two-metadata.warc.gz");
    let length = fs::metadata(&path).unwrap().len() as usize;
    let (mut used, mut anew) = (0, 0);
    for at in (0..length).step_by(length / 12) {
        change(&path, |bytes| bytes[at] ^= 0x10);
        forget(folder);
        let report = rebuild(folder);
        assert!(!report.is_sound());
        if report.problems.iter().any(|problem| problem.kind == Kind::Anew) {
            anew += 1;
        } else {
            used += 1;
            let after = Answers::of(folder);
            assert_eq!(before.0["web rows"], after.0["web rows"], "{at}");
        }
        change(&path, |bytes| bytes[at] ^= 0x10);
    }
    assert!(used > 0 && anew > 0, "{used} {anew}");
    assert!(rebuild(folder).is_sound());
    before.check(&Answers::of(folder), "sound again");
}

#[test]
fn files_without_checksums_are_told_and_indexed() {
    let (world, _) = three_pages();
    let folder = world.folder.path();
    fs::remove_file(folder.join("store/job/SHA256SUMS")).unwrap();
    let report = rebuild(folder);
    let kinds: Vec<Kind> = report.problems.iter().map(|problem| problem.kind).collect();
    assert_eq!((kinds, report.captures), (vec![Kind::Unlisted, Kind::Unlisted], 3));
}

#[test]
fn captures_of_a_file_elsewhere_stay_until_it_is_back() {
    let imports = sample();
    let folder = imports.world.folder.path();
    let before = Answers::of(folder);
    let (file, away) = (imports.files.path().join("far.warc"), imports.files.path().join("away"));
    fs::rename(&file, &away).unwrap();
    forget(folder);
    let report = rebuild(folder);
    assert_eq!(problems(&report), [(Kind::Away, "import-b/far.warc", 0)]);
    fs::rename(&away, &file).unwrap();
    before.check(&Answers::of(folder), "it is back");
    // One that is another now is none of ours.
    fs::write(&file, "something else").unwrap();
    forget(folder);
    assert_eq!(problems(&rebuild(folder)), [(Kind::Damaged, "import-b/far.warc", 1)]);
}

#[test]
fn what_is_bad_here_is_had_from_another_replica() {
    let imports = sample();
    let folder = imports.world.folder.path();
    let before = Answers::of(folder);
    let other = tempfile::tempdir().unwrap();
    let replica = Folders::open(&[other.path().join("store")], 0).unwrap();
    for file in imports.archive().store().files().unwrap() {
        let file: Sealed = file.unwrap();
        let mut source = imports.archive().store().read(&file.name, 0).unwrap();
        replica.put(&file, &mut source, &mut |_| std::ops::ControlFlow::Continue(())).unwrap();
    }
    let store = folder.join("store");
    change(&store.join("one/one-00001.warc.gz"), |bytes| bytes[300] ^= 1);
    change(&store.join("two/two-metadata.warc.gz"), |bytes| bytes.truncate(100));
    fs::remove_file(store.join("import-20261116080000/old.warc.gz")).unwrap();
    fs::remove_file(store.join("aa-later/aa-later-metadata.warc.gz")).unwrap();
    forget(folder);
    let settings = Settings { replicas: vec![Arc::new(replica)], ..Settings::default() };
    let report = rebuild_indexes(folder, &settings, &|_| {}).unwrap();
    assert!(
        report.problems.iter().all(|problem| problem.kind == Kind::Repairable && problem.lost == 0),
        "{report:?}"
    );
    assert_eq!(report.problems.len(), 4);
    // All lines are as before, also of what cannot be read here until it is repaired.
    let after = Answers::of(folder);
    for question in ["web rows", "papers rows", "web commit 0", "web commit 3"] {
        assert_eq!(before.0[question], after.0[question], "{question}");
    }
}

#[test]
fn an_index_that_cannot_be_read_is_put_aside() {
    let imports = sample();
    let folder = imports.world.folder.path();
    let before = Answers::of(folder);
    change(&folder.join("index/MANIFEST"), |bytes| bytes[30] ^= 1);
    assert!(Archive::open(folder).is_err());
    assert_eq!(problems(&rebuild(folder)), [(Kind::Index, "web", 0)]);
    before.check(&Answers::of(folder), "a damaged index");
    assert!(folder.join("index.damaged-1/MANIFEST").exists());
    assert!(rebuild(folder).is_sound());
    // Also where that shows only when its lines are read.
    let segments = fs::read_dir(folder.join("index")).unwrap().map(|entry| entry.unwrap().path());
    let segments: Vec<PathBuf> =
        segments.filter(|path| path.extension().is_some_and(|ending| ending == "segment")).collect();
    segments.iter().for_each(|path| change(path, |bytes| bytes[200] ^= 1));
    assert_eq!(problems(&rebuild(folder)), [(Kind::Index, "web", 0)]);
    before.check(&Answers::of(folder), "a damaged segment");
    assert!(folder.join("index.damaged-2/MANIFEST").exists());
}

#[test]
fn a_job_in_the_middle_of_its_commit_waits_and_is_neither_lost_nor_doubled() {
    let world = World::new();
    world.job("one", &about(0), &[page("http://example.org/a", 0, "a")]);
    let mut job = world.begin("two", &about(60));
    job.take_in(&page("http://example.org/b", 60, "b"));
    job.intake.flush().unwrap();
    let mark = job.intake.mark();
    // Its files are sealed, and the disk fails before its lines are visible.
    let folder = world.folder.path();
    let block = folder.join("index/MANIFEST.new");
    fs::create_dir(&block).unwrap();
    assert!(world.commit(job).is_err());
    fs::remove_dir(&block).unwrap();
    assert!(folder.join("work/two/warc/commit").exists());
    assert!(!world.archive.store().files_of("two").unwrap().is_empty());
    forget(folder);
    let report = rebuild(folder);
    assert_eq!((report.jobs, report.waiting.as_slice()), (1, &["two".to_owned()][..]));
    assert_eq!(urls(folder), ["http://example.org/a"]);
    let job = world.resume("two", &about(60), &mark);
    world.commit(job).unwrap();
    assert_eq!(urls(folder), ["http://example.org/a", "http://example.org/b"]);
    world.check();
    let before = Answers::of(folder);
    assert!(rebuild(folder).is_sound());
    before.check(&Answers::of(folder), "both");
}

/// A process that published and was killed before it had tidied up.
#[test]
fn a_job_that_is_visible_and_not_tidied_up_stays_visible() {
    let imports = sample();
    let folder = imports.world.folder.path();
    let before = Answers::of(folder);
    let left = folder.join("work/two/warc");
    fs::create_dir_all(&left).unwrap();
    fs::write(left.join("commit"), "varve-commit 2\n").unwrap();
    let report = rebuild(folder);
    assert_eq!(report.waiting, [""; 0]);
    before.check(&Answers::of(folder), "visible before");
}

/// Stopped at every place at which it can be, it goes on, and reads no job again that is done.
#[test]
fn a_rebuild_that_was_stopped_goes_on() {
    let imports = sample();
    let folder = imports.world.folder.path();
    let before = Answers::of(folder);
    forget(folder);
    let (mut runs, mut read, mut before_us) = (0, 0, 0);
    loop {
        let left = Arc::new(AtomicU64::new(runs * 3));
        let stop = {
            let left = Arc::clone(&left);
            Stop::when(move || {
                left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_err()
            })
        };
        let jobs = AtomicU64::new(0);
        let progress = |step| {
            if step == Step::Job {
                jobs.fetch_add(1, Ordering::SeqCst);
            }
        };
        let settings = Settings { threads: 1, stop, ..Settings::default() };
        let report = rebuild_indexes(folder, &settings, &progress);
        read += jobs.into_inner();
        runs += 1;
        match report {
            Ok(report) => {
                assert_eq!((report.jobs, report.problems.len()), (6, 0));
                before_us = before_us.max(report.jobs_before);
                break;
            }
            Err(Error::Stopped) => {}
            Err(error) => panic!("{error}"),
        }
        assert!(runs < 1000);
    }
    assert_eq!(read, 6, "each job is brought back once");
    assert!(runs > 3 && before_us > 0, "{runs} {before_us}");
    before.check(&Answers::of(folder), "gone on with");
}

/// What comes in while it goes on is there afterwards, too.
#[test]
fn a_job_that_is_committed_meanwhile_is_not_lost() {
    let imports = sample();
    let folder = imports.world.folder.path();
    let meanwhile = |step| {
        if step == Step::Whole {
            imports.world.job("meanwhile", &about(900), &[page("http://example.org/m", 900, "m")]);
        }
    };
    let report = rebuild_indexes(folder, &Settings::default(), &meanwhile).unwrap();
    assert_eq!(report.jobs, 7);
    assert!(imports.archive().get("http://example.org/m", None).unwrap().is_some());
    super::check(folder, "with what came meanwhile");
}

/// Ended at each step at which new indexes take their places, with more coming in before it goes on.
#[test]
fn a_crash_while_indexes_take_their_places_loses_nothing() {
    for (number, (last, count)) in
        [(Step::Whole, 1), (Step::InPlace, 1), (Step::InPlace, 2)].into_iter().enumerate()
    {
        let imports = sample();
        let folder = imports.world.folder.path();
        let left = AtomicU64::new(count);
        let end = |step| {
            if step == last && left.fetch_sub(1, Ordering::SeqCst) == 1 {
                // Nothing is done behind this, as after a kill.
                std::panic::panic_any("killed");
            }
        };
        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            rebuild_indexes(folder, &Settings::default(), &end)
        }));
        assert!(ended.is_err());
        assert!(folder.join("rebuilding/journal").exists());
        imports.world.job("later", &about(900), &[page("http://example.org/l", 900, "later")]);
        let file = imports.file("later.warc", warc(&PAGES[1..2], &warc::Encoding::Plain));
        let papers = transfer::import::Settings { collection: "papers".to_owned(), ..Default::default() };
        imports.import("import-later", &[&file], &papers);
        let before = Answers::of(folder);
        let report = rebuild(folder);
        assert_eq!(report.problems, [], "{number}");
        assert!(report.jobs_before > 0, "{number}");
        before.check(&Answers::of(folder), &format!("ended at {last:?} {count}"));
        assert!(!folder.join("rebuilding").exists() && !folder.join("index/REBUILT").exists());
        super::check(folder, "and again");
    }
}

/// Writes a job's metadata file as earlier versions did: without the collection, and without the commit before.
fn make_first_version(folder: &Path, job: &str) {
    let path = folder.join(format!("store/{job}/{job}-metadata.warc.gz"));
    let mut reader = warc::Reader::new(fs::File::open(&path).unwrap(), warc::Options::default()).unwrap();
    let mut writer = warc::Writer::new(Vec::new(), &warc::Encoding::Gzip(6)).unwrap();
    while let Some(mut record) = reader.next_record().unwrap() {
        let mut draft = warc::Draft::like(record.head());
        let is_commit = record.head().target_uri().is_some_and(|uri| uri.contains("/setup/commit"));
        let mut block = Vec::new();
        std::io::Read::read_to_end(&mut record, &mut block).unwrap();
        if is_commit {
            let text = String::from_utf8(block).unwrap();
            let is_old =
                |line: &&str| !["version", "collection", "after"].iter().any(|name| line.starts_with(name));
            block = text.lines().filter(is_old).flat_map(|line| format!("{line}\r\n").into_bytes()).collect();
            let digest = warc::Digest::of(warc::Algorithm::Sha256, &block);
            draft = draft.block_digest(&digest).payload_digest(&digest);
        }
        writer.write(&draft, &block).unwrap();
    }
    let bytes = writer.into_inner();
    let sum = warc::Digest::of(warc::Algorithm::Sha256, &bytes).hex();
    change(&path, |old| *old = bytes);
    change(&folder.join(format!("store/{job}/SHA256SUMS")), |sums| {
        sums.extend_from_slice(format!("{sum}  {job}-metadata.warc.gz\n").as_bytes());
    });
}

#[test]
fn archives_of_the_first_version_are_brought_back_as_far_as_they_say() {
    let imports = sample();
    let folder = imports.world.folder.path();
    let before = Answers::of(folder);
    let jobs = imports.archive().store().jobs().unwrap();
    jobs.iter().for_each(|job| make_first_version(folder, job));
    // An old index tells where they belong, and in which order they came.
    assert!(rebuild(folder).is_sound());
    before.check(&Answers::of(folder), "with the old index");
    forget(folder);
    let report = rebuild(folder);
    let unplaced =
        [("import-20261116080000"), ("import-b"), ("import-c")].map(|job| (Kind::Unplaced, job, 0));
    assert_eq!(problems(&report), unplaced);
    let after = Answers::of(folder);
    assert_eq!(after.0["collections"], "web");
    for commit in ["web commit 0", "web commit 1", "notes of one", "notes of import-b"] {
        assert!(before.0.contains_key(commit) && after.0.contains_key(commit), "{commit}");
    }
    // Harvests that were compared with others say which came before.
    let order = |answers: &Answers| {
        (0..6)
            .filter_map(|number| answers.0.get(&format!("web commit {number}")).cloned())
            .filter(|commit| !commit.contains("import"))
            .collect::<Vec<_>>()
    };
    assert_eq!(order(&before), order(&after));
}

/// A file that was imported by reference and then brought is in the list of checksums, too. It is one file.
#[test]
fn a_file_that_lies_elsewhere_and_is_listed_is_there() {
    let imports = sample();
    let folder = imports.world.folder.path();
    let before = Answers::of(folder);
    let mut listed = 0;
    for file in imports.archive().store().files().unwrap().map(Result::unwrap) {
        if imports.archive().store().reference(&file.name).unwrap().is_some() {
            let (job, name) = file.name.split_once('/').unwrap();
            let path = folder.join("store").join(job).join("SHA256SUMS");
            let sums = fs::read_to_string(&path).unwrap_or_default();
            let _ = fs::remove_file(&path);
            fs::write(&path, format!("{sums}{}  {name}\n", file.sha256)).unwrap();
            listed += 1;
        }
    }
    assert!(listed > 0);
    forget(folder);
    assert_eq!(rebuild(folder).problems, []);
    before.check(&Answers::of(folder), "listed");
}
