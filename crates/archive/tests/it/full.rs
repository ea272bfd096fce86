//! A full disk: nothing that was flushed is harmed, and the job goes on when there is room.

use std::sync::Arc;

use archive::disk::Small;
use archive::{About, Error, Form, Packed};
use fetch::Exchange;

use crate::disks::{Unmount, noise};
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
