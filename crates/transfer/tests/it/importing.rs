//! Files from elsewhere: what goes in, what is refused, what is known already, and what a crash leaves.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use archive::{Error, Form};
use transfer::import::Settings;
use warc::Encoding;

use crate::imports::{Imports, PAGES, outcomes, package, warc};
use crate::world::text;

#[test]
fn files_of_a_folder_are_imported_in_order_and_seen_at_once() {
    let imports = Imports::new();
    imports.file("b/two.warc", warc(&PAGES[1..2], &Encoding::Plain));
    imports.file("a/one.warc.gz", warc(&PAGES[..1], &Encoding::Gzip(6)));
    imports.file("b/notes.txt", "not for us");
    imports.file("three.warc.zst", warc(&PAGES[2..], &Encoding::usual(warc::Compression::Zstd)));
    let report = imports.import("job", &[imports.files.path()], &Settings::default());
    assert_eq!(
        outcomes(&report),
        ["imported job/one.warc.gz", "imported job/two.warc", "imported job/three.warc.zst"]
    );
    assert!(report.is_sound());
    assert_eq!(report.committed.unwrap().captures, 3);
    for (url, body) in PAGES {
        imports.check_page(url, body);
    }
    for file in imports.archive().store().files().unwrap() {
        let name = file.unwrap().name;
        assert_eq!(imports.archive().store().verify(&name).unwrap(), store::Verdict::Sound, "{name}");
    }
    assert_eq!(imports.archive().notes("job").unwrap(), ["import.jsonl", "commit", "captures.cdxj"]);
    assert!(!imports.world.folder.path().join("work/job").exists());
}

#[test]
fn what_is_there_already_is_told_and_left_alone() {
    let imports = Imports::new();
    let file = imports.file("one.warc.gz", warc(&PAGES, &Encoding::Gzip(6)));
    let twin = imports.file("twin.warc.gz", fs::read(&file).unwrap());
    let report = imports.import("job-1", &[&file, &twin], &Settings::default());
    assert_eq!(outcomes(&report), ["imported job-1/one.warc.gz", "known job-1/one.warc.gz"]);
    let report = imports.import("job-2", &[&twin], &Settings::default());
    assert_eq!(outcomes(&report), ["known job-1/one.warc.gz"]);
    assert!(report.committed.is_none() && report.is_sound());
    assert_eq!(imports.captures("web"), 3);
    assert_eq!(imports.archive().store().jobs().unwrap(), ["job-1"]);
}

#[test]
fn another_collection_gets_the_captures_without_a_copy() {
    let imports = Imports::new();
    let file = imports.file("one.warc.gz", warc(&PAGES, &Encoding::Gzip(6)));
    imports.import("job-1", &[&file], &Settings::default());
    let settings = Settings { collection: "fish".to_owned(), ..Settings::default() };
    let report = imports.import("job-2", &[&file], &settings);
    assert_eq!(outcomes(&report), ["indexed job-1/one.warc.gz"]);
    assert_eq!((imports.captures("web"), imports.captures("fish")), (3, 3));
    let files = imports.archive().store().files_of("job-2").unwrap();
    assert_eq!(files.len(), 1, "only what is told of the job: {files:?}");
}

#[test]
fn a_damaged_file_is_told_with_place_and_kind_and_the_rest_imported() {
    let imports = Imports::new();
    let good = imports.file("good.warc.gz", warc(&PAGES[..1], &Encoding::Gzip(6)));
    let whole = warc(&PAGES[1..], &Encoding::Plain);
    let cut = imports.file("cut.warc", &whole[..whole.len() - 30]);
    let mut changed = whole.clone();
    let at = changed.windows(3).position(|bytes| bytes == b"eel").unwrap();
    changed[at] = b'E';
    let changed = imports.file("changed.warc", changed);
    let none = imports.file("none.warc", "this is no archive file");
    let empty = imports.file("empty.warc", "");
    let gone = imports.files.path().join("gone.warc");
    let report = imports.import("job", &[&good, &cut, &changed, &none, &empty, &gone], &Settings::default());
    let found = outcomes(&report);
    assert_eq!(found[0], "imported job/good.warc.gz");
    assert!(found[1].starts_with("damaged truncated-"), "{found:?}");
    assert_eq!(found[2], "damaged payload-digest");
    assert_eq!(found[3..5], ["damaged unknown-format", "damaged unknown-format"]);
    assert!(found[5].starts_with("failed "), "{found:?}");
    assert!(report.files[1].faults[0].offset > 0);
    assert!(!report.is_sound());
    assert_eq!(imports.captures("web"), 1);
}

#[test]
fn what_is_readable_of_a_damaged_file_is_salvaged_on_request() {
    let imports = Imports::new();
    let whole = warc(&PAGES, &Encoding::Gzip(6));
    let cut = imports.file("cut.warc.gz", &whole[..whole.len() - 20]);
    let mut changed = warc(&PAGES, &Encoding::Plain);
    let at = changed.windows(3).position(|bytes| bytes == b"eel").unwrap();
    changed[at] = b'E';
    let changed = imports.file("changed.warc", changed);
    let settings = Settings { salvage: true, ..Settings::default() };
    let report = imports.import("job", &[&cut, &changed], &settings);
    assert_eq!(
        outcomes(&report),
        ["salvaged job/cut-salvaged.warc.gz", "salvaged job/changed-salvaged.warc.gz"]
    );
    assert!(report.files[0].fault_count > 0 && report.is_sound());
    imports.check_page("http://example.org/a", PAGES[0].1);
    // The changed page plays, with a word in its record that its digest was wrong.
    let snapshot = imports.archive().snapshot().unwrap();
    let rows: Vec<_> = snapshot.versions(&urlkey::key("http://example.org/b")).map(Result::unwrap).collect();
    let bodies: Vec<String> = rows
        .iter()
        .map(|row| text(&imports.archive().found(row, &snapshot).unwrap().unwrap(), Form::Decoded))
        .collect();
    assert!(bodies.contains(&"<title>B</title>Eel".to_owned()), "{bodies:?}");
}

#[test]
fn records_that_share_a_member_are_not_taken_as_they_are() {
    let imports = Imports::new();
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6));
    encoder.write_all(&warc(&PAGES, &Encoding::Plain)).unwrap();
    let file = imports.file("one-member.warc.gz", encoder.finish().unwrap());
    let report = imports.import("job-1", &[&file], &Settings::default());
    assert_eq!(outcomes(&report), ["damaged shared-member"]);
    let report = imports.import("job-2", &[&file], &Settings { salvage: true, ..Settings::default() });
    assert_eq!(outcomes(&report), ["salvaged job-2/one-member-salvaged.warc.gz"]);
    for (url, body) in PAGES {
        imports.check_page(url, body);
    }
}

#[test]
fn a_name_that_lies_about_packing_is_mended() {
    let imports = Imports::new();
    let plain = imports.file("plain.warc.gz", warc(&PAGES[..1], &Encoding::Plain));
    let packed = imports.file("packed.warc", warc(&PAGES[1..], &Encoding::Gzip(6)));
    let report = imports.import("job", &[&plain, &packed], &Settings::default());
    assert_eq!(outcomes(&report), ["imported job/plain.warc", "imported job/packed.warc.gz"]);
    for (url, body) in PAGES {
        imports.check_page(url, body);
    }
}

#[test]
fn files_may_stay_where_they_lie() {
    let imports = Imports::new();
    let file = imports.file("one.warc.gz", warc(&PAGES, &Encoding::Gzip(6)));
    let settings = Settings { reference: true, ..Settings::default() };
    let report = imports.import("job-1", &[&file], &settings);
    assert_eq!(outcomes(&report), ["referenced job-1/one.warc.gz"]);
    imports.check_page("http://example.org/a", PAGES[0].1);
    let report = imports.import("job-2", &[&file], &settings);
    assert_eq!(outcomes(&report), ["known job-1/one.warc.gz"]);
    fs::rename(&file, imports.files.path().join("moved")).unwrap();
    let error = imports.archive().get("http://example.org/a", None).unwrap_err();
    assert!(error.to_string().contains("is not there any more"), "{error}");
    assert!(error.to_string().contains("one.warc.gz"), "{error}");
}

#[test]
fn a_file_that_lies_elsewhere_is_copied_when_that_is_wanted_and_mended_when_it_is_gone() {
    for is_gone in [false, true] {
        let imports = Imports::new();
        let file = imports.file("one.warc.gz", warc(&PAGES, &Encoding::Gzip(6)));
        let reference = Settings { reference: true, ..Settings::default() };
        imports.import("job-1", &[&file], &reference);
        let other = imports.files.path().join("moved.warc.gz");
        let (path, settings) = if is_gone {
            fs::rename(&file, &other).unwrap();
            (&other, &reference)
        } else {
            (&file, &Settings::default())
        };
        let report = imports.import("job-2", &[path], settings);
        let expect = if is_gone { "referenced job-2/moved.warc.gz" } else { "imported job-2/one-2.warc.gz" };
        assert_eq!(outcomes(&report), [expect]);
        let _ = fs::remove_file(&file);
        for (url, body) in PAGES {
            imports.check_page(url, body);
        }
    }
}

#[test]
fn what_is_salvaged_twice_is_known_and_overwrites_nothing() {
    let imports = Imports::new();
    let whole = warc(&PAGES, &Encoding::Gzip(6));
    let cut = imports.file("a.warc.gz", &whole[..whole.len() - 20]);
    let other =
        imports.file("a-salvaged.warc.gz", warc(&[("http://example.net/", "whole")], &Encoding::Gzip(6)));
    let settings = Settings { salvage: true, ..Settings::default() };
    let report = imports.import("job-1", &[&cut, &other], &settings);
    assert_eq!(
        outcomes(&report),
        ["salvaged job-1/a-salvaged.warc.gz", "imported job-1/a-salvaged-2.warc.gz"]
    );
    let captures = imports.captures("web");
    let report = imports.import("job-2", &[&cut], &settings);
    assert_eq!(outcomes(&report), ["known job-1/a-salvaged.warc.gz"]);
    assert_eq!(imports.captures("web"), captures);
    imports.check_page("http://example.net/", "whole");
}

#[test]
fn what_an_interrupted_import_left_is_tidied_up_by_the_next() {
    let imports = Imports::new();
    let file = imports.file("one.warc.gz", warc(&PAGES, &Encoding::Gzip(6)));
    let left = imports.world.folder.path().join("work/old");
    fs::create_dir_all(left.join("warc")).unwrap();
    fs::write(left.join("import"), "varve-import 1\ncollection web\nat 2026-11-16T08:00:00Z\n").unwrap();
    fs::write(left.join("warc/half.warc.gz"), "half").unwrap();
    imports.import("job", &[&file], &Settings::default());
    assert!(!left.exists());
    assert_eq!(imports.captures("web"), 3);
}

#[test]
fn an_import_whose_commit_had_begun_is_brought_to_its_end() {
    let imports = Imports::new();
    let file = imports.file("one.warc.gz", warc(&PAGES, &Encoding::Gzip(6)));
    // The index cannot be written to, when everything else is done.
    let blocked = imports.world.folder.path().join("index/MANIFEST.new");
    fs::create_dir_all(blocked.join("x")).unwrap();
    imports.try_import("first", &[&file], &Settings::default()).unwrap_err();
    assert!(imports.world.folder.path().join("work/first/warc/commit").exists());
    fs::remove_dir_all(&blocked).unwrap();
    assert_eq!(imports.captures("web"), 0, "nothing is seen of what failed");
    let report = imports.import("second", &[&file], &Settings::default());
    assert_eq!(outcomes(&report), ["known first/one.warc.gz"]);
    assert_eq!(imports.captures("web"), 3);
    assert!(!imports.world.folder.path().join("work/first").exists());
}

#[test]
fn an_import_that_is_stopped_leaves_nothing() {
    let imports = Imports::new();
    imports.file("a.warc.gz", warc(&PAGES, &Encoding::Gzip(6)));
    imports.file("b.wacz", package(&[("b.warc", warc(&PAGES[..1], &Encoding::Plain))]));
    let mut asked = 0;
    loop {
        // At each time that it looks whether to stop, once.
        let left = std::sync::atomic::AtomicI64::new(asked);
        let stop = archive::Stop::when(move || left.fetch_sub(1, std::sync::atomic::Ordering::SeqCst) <= 0);
        let settings = Settings { stop, threads: 1, ..Settings::default() };
        let done = imports.try_import("job", &[imports.files.path()], &settings);
        assert_eq!(fs::read_dir(imports.world.folder.path().join("work")).unwrap().count(), 0, "{asked}");
        match done {
            Err(Error::Stopped) => assert_eq!(imports.captures("web"), 0, "{asked}"),
            done => {
                assert_eq!(done.unwrap().files.len(), 2);
                break;
            }
        }
        asked += 1;
    }
    assert!(asked > 5, "{asked}");
}

#[test]
fn a_job_is_imported_once() {
    let imports = Imports::new();
    let file = imports.file("one.warc.gz", warc(&PAGES, &Encoding::Gzip(6)));
    imports.import("job", &[&file], &Settings::default());
    let again = imports.try_import("job", &[&file], &Settings::default());
    assert!(matches!(again, Err(Error::JobExists(_))));
}

/// Samples that others call sound and that are not imported as they are: a path a line, then why.
const DIFFERENCES: &str = include_str!("importing-differences.txt");

#[test]
fn every_sample_that_others_call_sound_is_imported() {
    let Some(vectors) = testkit::vectors::dir() else { return };
    let dir = vectors.join("01-warc-arc");
    let facts = testkit::vectors::jsonl(dir.join("expected/files.jsonl"));
    let judged = testkit::vectors::jsonl(dir.join("expected/validity.jsonl"));
    let is_sound = |fact: &&serde_json::Value| {
        let is_read = fact["warcio_records"].as_u64().is_some_and(|count| count > 0);
        let has_error = fact.get("warcio_error").is_some() || fact.get("fastwarc_error").is_some();
        let is_ill =
            judged.iter().any(|judged| judged["file"] == fact["file"] && judged["well_formed"] == false);
        is_read && !has_error && !is_ill
    };
    let sound: Vec<&str> = facts.iter().filter(is_sound).map(|fact| fact["file"].as_str().unwrap()).collect();
    let imports = Imports::new();
    let paths: Vec<PathBuf> = sound.iter().map(|file| dir.join(file)).collect();
    let paths: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
    let report = imports.import("job", &paths, &Settings::default());
    let listed = outcomes(&report);
    let is_in = |outcome: &String| outcome.starts_with("imported") || outcome.starts_with("known");
    let mut wrong = Vec::new();
    for ((file, outcome), found) in sound.iter().zip(&listed).zip(&report.files) {
        let is_listed = DIFFERENCES.lines().any(|line| line.split(' ').next() == Some(file));
        if is_in(outcome) == is_listed {
            wrong.push(format!("{file} {outcome}: {:?}", found.faults.first()));
        }
    }
    let count = |word: &str| listed.iter().filter(|outcome| outcome.starts_with(word)).count();
    println!(
        "archive: {} samples, {} of them called sound; {} imported, {} twins of these, {} listed as different; {} captures",
        facts.len(),
        sound.len(),
        count("imported"),
        count("known"),
        sound.len() - listed.iter().filter(|outcome| is_in(outcome)).count(),
        report.committed.unwrap().captures,
    );
    assert!(wrong.is_empty(), "{wrong:#?}");
    // What is readable of them comes in all the same, if that is wanted.
    let damaged: Vec<&Path> =
        paths.iter().zip(&listed).filter(|(_, outcome)| !is_in(outcome)).map(|(path, _)| *path).collect();
    let report = imports.import("salvage", &damaged, &Settings { salvage: true, ..Settings::default() });
    assert!(report.is_sound(), "{:?}", outcomes(&report));
}

#[test]
fn samples_of_packages_are_imported_as_their_facts_say() {
    let Some(vectors) = testkit::vectors::dir() else { return };
    let dir = vectors.join("10-wacz-memento-oai");
    for fact in testkit::vectors::jsonl(dir.join("wacz/facts.jsonl")) {
        let name = fact["file"].as_str().unwrap();
        let imports = Imports::new();
        let report = imports.import("job", &[&dir.join(name)], &Settings::default());
        let is_valid = fact["valid"].as_bool().unwrap_or(true);
        assert_eq!(report.packages[0].is_valid(), is_valid, "{name}: {:?}", report.packages);
        assert_eq!(report.is_sound(), is_valid, "{name}: {:?}", report.files);
        let captures = imports.captures("web");
        assert_eq!(captures > 0, is_valid, "{name}");
        println!("archive: {name}: {} files, {captures} captures", report.files.len());
    }
}
