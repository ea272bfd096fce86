//! The digests of a job with many payloads: half filled, damaged or something else, they cost a copy at most.

use std::fs;
use std::path::PathBuf;

use archive::{About, Mark, Outcome};

use crate::world::{World, about, page};

fn on_disk() -> About {
    let mut about = about(0);
    about.limits.digests_in_memory = 2;
    about
}

fn digests(world: &World) -> PathBuf {
    world.folder.path().join("work/job/warc/digests")
}

/// A job with six payloads, whose digests are on the disk. Each is settled by itself.
fn killed() -> (World, Mark) {
    let world = World::new();
    let mut job = world.begin("job", &on_disk());
    for number in 0..6 {
        take_in(&mut job, number);
        job.intake.flush().unwrap();
    }
    let mark = job.intake.mark();
    assert!(digests(&world).is_dir());
    (world, mark)
}

fn take_in(job: &mut crate::world::Job, number: i64) -> Outcome {
    job.take_in(&page(&format!("http://example.org/{number}"), number, &format!("text {}", number % 6)))
        .outcome
}

fn files(folder: &std::path::Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    files
}

fn copy(from: &std::path::Path, to: &std::path::Path) {
    for file in files(from) {
        let target = to.join(file.strip_prefix(from).unwrap());
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::copy(file, target).unwrap();
    }
}

/// The digests are as they were after four payloads, and the lines tell of six.
#[test]
fn a_half_filled_table_is_read_on() {
    let world = World::new();
    let mut job = world.begin("job", &on_disk());
    for number in 0..4 {
        take_in(&mut job, number);
        job.intake.flush().unwrap();
    }
    let mark = job.intake.mark();
    drop(job);
    let early = world.folder.path().join("early");
    copy(&digests(&world), &early);
    let mut job = world.resume("job", &on_disk(), &mark);
    for number in 4..6 {
        take_in(&mut job, number);
    }
    let mark = job.intake.flush().unwrap();
    drop(job);
    fs::remove_dir_all(digests(&world)).unwrap();
    copy(&early, &digests(&world));
    let mut job = world.resume("job", &on_disk(), &mark);
    for number in 6..12 {
        assert_eq!(take_in(&mut job, number), Outcome::Revisit, "{number}");
    }
    world.commit(job).unwrap();
    world.check();
}

#[test]
fn a_table_that_covers_lines_that_were_cut_off_reads_them_again() {
    let world = World::new();
    let mut job = world.begin("job", &on_disk());
    for number in 0..4 {
        take_in(&mut job, number);
    }
    let mark = job.intake.flush().unwrap();
    for number in [10, 11] {
        take_in(&mut job, number);
    }
    job.intake.flush().unwrap();
    drop(job);
    let mut job = world.resume("job", &on_disk(), &mark);
    assert_eq!(take_in(&mut job, 4), Outcome::New);
    assert_eq!(take_in(&mut job, 5), Outcome::New);
    job.intake.flush().unwrap();
    for number in 6..12 {
        assert_eq!(take_in(&mut job, number), Outcome::Revisit, "{number}");
    }
    world.commit(job).unwrap();
    world.check();
}

#[test]
fn something_else_in_its_place_is_done_away_with() {
    let (world, mark) = killed();
    fs::remove_dir_all(digests(&world)).unwrap();
    fs::write(digests(&world), "not a folder").unwrap();
    let mut job = world.resume("job", &on_disk(), &mark);
    for number in 6..12 {
        assert_eq!(take_in(&mut job, number), Outcome::Revisit, "{number}");
    }
    world.commit(job).unwrap();
    world.check();
}

#[test]
fn no_damage_ends_the_job() {
    let (world, mark) = killed();
    let sound = world.folder.path().join("sound");
    copy(&digests(&world), &sound);
    let names: Vec<PathBuf> =
        files(&sound).iter().map(|file| file.strip_prefix(&sound).unwrap().to_owned()).collect();
    for name in &names {
        for part in [0, 10, 50, 99] {
            let _ = fs::remove_dir_all(digests(&world));
            copy(&sound, &digests(&world));
            let path = digests(&world).join(name);
            let mut bytes = fs::read(&path).unwrap();
            // Journals are made large in advance; what is in them lies at their beginning.
            let at = bytes.len().min(1000) * part / 100;
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 0x41;
            }
            fs::write(&path, bytes).unwrap();
            let mut job = world.resume("job", &on_disk(), &mark);
            for number in 6..12 {
                take_in(&mut job, number);
            }
            job.intake.flush().unwrap();
            drop(job);
        }
    }
    let _ = fs::remove_dir_all(digests(&world));
    let job = world.resume("job", &on_disk(), &mark);
    world.commit(job).unwrap();
    world.check();
}
