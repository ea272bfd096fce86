//! Captures that are taken out: whole or not at all, whatever is left of it.

use std::fs;
use std::path::Path;

use archive::{Archive, Removal, is_removal};
use cdx::Capture;

use crate::rebuilding::rebuild;
use crate::world::{World, about, page};

const URLS: [&str; 3] = ["http://example.org/a", "http://example.org/b", "http://example.org/c"];

fn world() -> World {
    let world = World::new();
    let pages: Vec<_> = URLS.iter().zip(0..).map(|(url, at)| page(url, at, "words")).collect();
    world.job("one", &about(0), &pages);
    world
}

fn rows(archive: &Archive, url: &str) -> Vec<Capture<'static>> {
    archive.snapshot().unwrap().versions(&urlkey::key(url)).map(Result::unwrap).collect()
}

fn count(folder: &Path) -> [usize; 3] {
    let archive = Archive::open(folder).unwrap();
    URLS.map(|url| rows(&archive, url).len())
}

fn take_out(archive: &Archive, url: &str, at: i64) -> archive::Removed {
    let web = archive.collection("web").unwrap().unwrap();
    archive.remove(&web, Removal::Captures(&rows(archive, url)), &about(at)).unwrap()
}

#[test]
fn nothing_is_written_down_where_there_is_nothing() {
    let world = world();
    let web = world.archive.collection("web").unwrap().unwrap();
    let taken = take_out(&world.archive, URLS[0], 9);
    assert_eq!((taken.captures, taken.job.is_some()), (1, true));
    // The same again, and lines that make no sense.
    let mut odd = rows(&world.archive, URLS[1]);
    let again = vec![Capture { offset: Some(7), ..odd[0].clone() }];
    odd[0].timestamp = None;
    let keyless = vec![Capture { key: None, ..rows(&world.archive, URLS[1])[0].clone() }];
    for rows in [again, odd, keyless] {
        let removed = world.archive.remove(&web, Removal::Captures(&rows), &about(9)).unwrap();
        assert_eq!((removed.captures, removed.job), (0, None));
    }
    assert_eq!(world.archive.store().jobs().unwrap().len(), 2);
    assert!(rebuild(world.folder.path()).is_sound());
    assert_eq!(count(world.folder.path()), [0, 1, 1]);
}

/// What a crash leaves: sealed and not carried out; or only begun, with a checksum in the store and no file.
#[test]
fn a_removal_is_done_whole_or_not_at_all() {
    for is_sealed in [true, false] {
        let world = world();
        let folder = world.folder.path();
        let before = fs::read(folder.join("index/MANIFEST")).unwrap();
        // As it lies there while it is under way.
        let room = folder.join("work/.removal");
        let job = take_out(&world.archive, URLS[0], 9).job.unwrap();
        let own = room.join(&job).join("warc");
        fs::create_dir_all(&own).unwrap();
        let block = format!(
            "varve-removal 1\nversion: 2\r\nname: {job}\r\nat: 2026-11-16T08:00:09Z\r\ncollection: web\r\nfact: kind=removal\r\nfact: captures=1\r\nend: 1\r\n"
        );
        fs::write(own.with_file_name("removal"), block).unwrap();
        let mut lines = b"!varve-captures 1\n".to_vec();
        let sealed = folder.join("store").join(&job).join(format!("{job}-metadata.warc.gz"));
        world_line(&world, &before, &mut lines);
        fs::write(own.join("removed.cdxj"), &lines).unwrap();
        if !is_sealed {
            fs::remove_file(&sealed).unwrap();
        }
        let again = Archive::open(folder).unwrap();
        transfer::import::tidy_up(&again, &about(20)).unwrap();
        assert!(!room.exists());
        assert_eq!(count(folder), if is_sealed { [0, 1, 1] } else { [1, 1, 1] }, "sealed: {is_sealed}");
        assert_eq!(again.store().jobs().unwrap().len(), if is_sealed { 2 } else { 1 });
        assert!(rebuild(folder).is_sound());
        assert_eq!(count(folder), if is_sealed { [0, 1, 1] } else { [1, 1, 1] }, "sealed: {is_sealed}");
        let snapshot = Archive::open(folder).unwrap().snapshot().unwrap();
        assert_eq!(
            snapshot.commits().iter().filter(|commit| is_removal(commit)).count(),
            usize::from(is_sealed)
        );
    }
}

/// Puts the index back to what it was before, and gives the line of what is to be taken out.
fn world_line(world: &World, manifest: &[u8], lines: &mut Vec<u8>) {
    fs::write(world.folder.path().join("index/MANIFEST"), manifest).unwrap();
    let archive = Archive::open(world.folder.path()).unwrap();
    for row in rows(&archive, URLS[0]) {
        row.write_cdxj(lines);
        lines.push(b'\n');
    }
}

#[test]
fn a_removal_whose_list_is_lost_is_told() {
    let world = world();
    let folder = world.folder.path();
    let job = take_out(&world.archive, URLS[0], 9).job.unwrap();
    let sealed = folder.join("store").join(&job).join(format!("{job}-metadata.warc.gz"));
    fs::remove_file(&sealed).unwrap();
    let report = rebuild(folder);
    let kinds: Vec<&str> = report.problems.iter().map(|problem| problem.kind.name()).collect();
    assert_eq!(kinds, ["missing", "returned"], "{:?}", report.problems);
    assert_eq!(count(folder), [1, 1, 1]);
}
