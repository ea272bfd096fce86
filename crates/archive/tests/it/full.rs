//! A full disk: nothing that was flushed is harmed, and the job goes on when there is room.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use archive::disk::Small;
use archive::import::Settings;
use archive::room::{Amount, Room, Space};
use archive::{About, Error, Form, Packed};
use fetch::Exchange;

use crate::importing::{Imports, warc};
use crate::world::{Job, World, about, page, text};

fn exchanges() -> Vec<Exchange> {
    (0..9)
        .map(|number| page(&format!("http://example.org/{number}"), number, &format!("text {}", number % 6)))
        .collect()
}

fn on(disk: &Arc<Small>) -> About {
    let mut about = about(0);
    about.file_bytes_max = 4000;
    about.disk = disk.clone();
    about
}

/// Appends as the engine does: in groups, each flushed; after a full disk the group is appended again.
fn take_in(job: &mut Job, group: &[Packed], disk: &Small) -> u32 {
    let mut times_full = 0;
    loop {
        let done = group.iter().try_for_each(|packed| job.intake.append(packed.clone()).map(drop));
        match done.and_then(|()| job.intake.flush()) {
            Ok(_) => return times_full,
            Err(Error::Full { .. }) => {
                times_full += 1;
                disk.set_left(u64::MAX);
            }
            Err(error) => panic!("{error}"),
        }
    }
}

#[track_caller]
fn is_whole(world: &World, what: &str) {
    let rows = world.rows();
    assert_eq!(rows.len(), 9, "{what}");
    assert_eq!(rows.iter().filter(|row| row.is_revisit()).count(), 3, "{what}");
    for number in 0..9 {
        let found = world.archive.get(&format!("http://example.org/{number}"), None).unwrap().unwrap();
        assert_eq!(text(&found, Form::Decoded), format!("text {}", number % 6), "{what}");
    }
    world.check();
}

#[test]
fn the_disk_may_be_full_at_any_byte() {
    let mut was_full = 0;
    // Closely in the first record, and further on now and then.
    for left in (0..700).step_by(23).chain((700..9000).step_by(193)) {
        let world = World::new();
        let disk = Small::new(left);
        let about = on(&disk);
        let (packer, intake) = match world.archive.begin("job", &about) {
            Ok(begun) => begun,
            Err(Error::Full { .. }) => {
                disk.set_left(u64::MAX);
                world.archive.begin("job", &about).unwrap()
            }
            Err(error) => panic!("{error}"),
        };
        let mut job = Job { packer, intake, about };
        for group in exchanges().chunks(3) {
            let packed: Vec<Packed> = group.iter().map(|exchange| job.pack(exchange)).collect();
            was_full += take_in(&mut job, &packed, &disk);
        }
        disk.set_left(u64::MAX);
        world.commit(job).unwrap();
        is_whole(&world, &format!("{left} bytes left"));
    }
    assert!(was_full > 40, "{was_full}");
}

#[test]
fn the_disk_may_be_full_at_any_byte_of_a_commit() {
    let mut was_full = 0;
    for left in (0..6000).step_by(131) {
        let world = World::new();
        let disk = Small::new(u64::MAX);
        let about = on(&disk);
        let mut job = world.begin("job", &about);
        for exchange in &exchanges() {
            job.take_in(exchange);
        }
        let mark = job.intake.flush().unwrap();
        disk.set_left(left);
        if let Err(error) = world.commit(job) {
            assert!(error.is_full(), "{error}");
            assert!(world.rows().is_empty());
            was_full += 1;
            disk.set_left(u64::MAX);
            let job = world.resume("job", &about, &mark);
            world.commit(job).unwrap();
        }
        is_whole(&world, &format!("{left} bytes left"));
    }
    assert!(was_full > 8, "{was_full}");
}

/// A disk that really is full, where this machine lets us mount one.
#[test]
fn a_small_tmpfs_fills_up_and_is_given_room() {
    let mount = tempfile::tempdir().unwrap();
    let mounted = std::process::Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=1500k", "tmpfs"])
        .arg(mount.path())
        .output();
    if !mounted.is_ok_and(|output| output.status.success()) {
        eprintln!("archive: no tmpfs can be mounted here; skipping the test on a disk that is full");
        return;
    }
    let unmounted = Unmount(mount.path().to_owned());
    let archive = archive::Archive::create(mount.path()).unwrap();
    let about = about(0);
    let (packer, intake) = archive.begin("job", &about).unwrap();
    let mut job = Job { packer, intake, about };
    let noise: Vec<String> = (0..40_u64).map(noise).collect();
    let exchanges: Vec<Exchange> = (0..40_u32)
        .map(|n| page(&format!("http://example.org/{n}"), i64::from(n), &noise[n as usize]))
        .collect();
    let ballast = mount.path().join("ballast");
    std::fs::write(&ballast, vec![b'x'; 1 << 20]).unwrap();
    let mut times_full = 0;
    for group in exchanges.chunks(4) {
        let packed: Vec<Packed> = group.iter().map(|exchange| job.pack(exchange)).collect();
        loop {
            let done = packed.iter().try_for_each(|packed| job.intake.append(packed.clone()).map(drop));
            match done.and_then(|()| job.intake.flush()) {
                Ok(_) => break,
                Err(error) => {
                    assert!(error.is_full(), "{error}");
                    times_full += 1;
                    let _ = std::fs::remove_file(&ballast);
                    assert!(times_full < 3);
                }
            }
        }
    }
    assert_eq!(times_full, 1);
    let commit = index::Commit { name: "job".to_owned(), at: job.about.started, facts: Vec::new() };
    archive.commit(job.intake, Vec::new(), commit).unwrap();
    for (number, expect) in noise.iter().enumerate() {
        let found = archive.get(&format!("http://example.org/{number}"), None).unwrap().unwrap();
        assert_eq!(text(&found, Form::Decoded), *expect);
    }
    drop(unmounted);
}

/// Text that cannot be packed to less than some 16 kB.
fn noise(seed: u64) -> String {
    let mut state = seed + 1;
    (0..20_000)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            char::from(b'!' + u8::try_from((state >> 33) % 90).unwrap())
        })
        .collect()
}

struct Unmount(std::path::PathBuf);

impl Drop for Unmount {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[test]
fn an_import_that_finds_no_room_leaves_nothing_and_can_be_asked_again() {
    let mut was_full = 0;
    for left in (0..6000).step_by(97) {
        let imports = Imports::new();
        let pages = [("http://example.org/a", "herring"), ("http://example.org/b", "eel")];
        let file = imports.file("a.warc.gz", warc(&pages, &warc::Encoding::Gzip(6)));
        let disk = Small::new(left);
        let mut about = about(0);
        about.disk = disk.clone();
        let import = || {
            imports.archive().import(
                "job",
                std::slice::from_ref(&file),
                &Settings::default(),
                &about,
                &|_| {},
            )
        };
        if let Err(error) = import() {
            assert!(error.is_full(), "{left}: {error}");
            assert_eq!(imports.world.rows().len(), 0, "{left}");
            was_full += 1;
            disk.set_left(u64::MAX);
            import().unwrap();
        }
        assert_eq!(imports.world.rows().len(), 2, "{left}");
    }
    assert!(was_full > 5, "{was_full}");
}

/// Bounds on a disk of 1000 bytes, of which so many are free as the number says.
fn bounded(free: &Arc<AtomicU64>) -> Settings {
    let free = Arc::clone(free);
    let room = Room::new(Amount::Percent(20), Amount::Percent(10))
        .asking(move |_| Some(Space { disk: 1, free: free.load(Ordering::SeqCst), total: 1_000_000 }));
    Settings { room, threads: 1, ..Settings::default() }
}

#[test]
fn an_import_does_not_begin_where_there_is_less_room_than_is_kept_free() {
    let (imports, free) = (Imports::new(), Arc::new(AtomicU64::new(99_999)));
    let file =
        imports.file("a.warc.gz", warc(&[("http://example.org/a", "herring")], &warc::Encoding::Gzip(6)));
    let error = imports.try_import("job", &[&file], &bounded(&free)).unwrap_err();
    assert!(matches!(error, Error::NoRoom { .. }) && error.is_full(), "{error}");
    assert!(error.to_string().ends_with("(0 MB, 9 %)"), "{error}");
    assert!(!imports.archive().work().join("job").exists());
    free.store(100_000_000, Ordering::SeqCst);
    imports.import("job", &[&file], &bounded(&free));
    assert_eq!(imports.world.rows().len(), 1);
}

#[test]
fn an_import_stops_before_a_file_that_would_leave_too_little_room_and_leaves_nothing() {
    let (imports, free) = (Imports::new(), Arc::new(AtomicU64::new(150_000)));
    let pages = |name: &str, bytes: usize| {
        let body: String = noise(bytes as u64).chars().cycle().take(bytes).collect();
        imports.file(name, warc(&[(&format!("http://example.org/{name}"), &body)], &warc::Encoding::Plain))
    };
    let files: Vec<PathBuf> =
        [("a.warc", 100), ("b.warc", 60_000), ("c.warc", 100)].map(|(name, bytes)| pages(name, bytes)).into();
    let files: Vec<_> = files.iter().map(PathBuf::as_path).collect();
    let error = imports.try_import("job", &files, &bounded(&free)).unwrap_err();
    assert!(matches!(error, Error::NoRoom { .. }), "{error}");
    assert_eq!(imports.world.rows().len(), 0);
    assert!(imports.archive().store().files_of("job").unwrap().is_empty());
    // What needs no copy needs no room for one.
    let settings = Settings { reference: true, ..bounded(&free) };
    imports.import("there", &files, &settings);
    assert_eq!(imports.world.rows().len(), 3);
}

/// The same on a disk that really is small, where this machine lets us mount one.
#[test]
fn an_import_onto_a_small_tmpfs_stops_in_time() {
    let mount = tempfile::tempdir().unwrap();
    let mounted = std::process::Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=16m", "tmpfs"])
        .arg(mount.path())
        .output();
    if !mounted.is_ok_and(|output| output.status.success()) {
        eprintln!("archive: no tmpfs can be mounted here; skipping the import onto a disk that is small");
        return;
    }
    let unmounted = Unmount(mount.path().to_owned());
    let archive = archive::Archive::create(mount.path()).unwrap();
    let imports = Imports::new();
    let body: String = noise(1).chars().cycle().take(4 << 20).collect();
    let files: Vec<PathBuf> = (0..5)
        .map(|number| {
            let url = format!("http://example.org/{number}");
            imports.file(&format!("{number}.warc"), warc(&[(&url, &body)], &warc::Encoding::Plain))
        })
        .collect();
    let room = Room::new(Amount::Bytes(1 << 30), Amount::Percent(25));
    let settings = Settings { room: room.clone(), ..Settings::default() };
    let error = archive.import("job", &files, &settings, &about(0), &|_| {}).unwrap_err();
    assert!(matches!(error, Error::NoRoom { .. }), "{error}");
    assert!(room.short([mount.path()]).is_none(), "the next finds the disk as this one did");
    archive.import("job", &files[..2], &settings, &about(0), &|_| {}).unwrap();
    assert!(archive.get("http://example.org/1", None).unwrap().is_some());
    drop(unmounted);
}
