//! A disk that is full: the job pauses and says so, nothing committed is harmed, and it goes on when there is room.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use archive::Form;
use archive::room::{Amount, Room, Space};
use crawl::Crawl;
use tempfile::TempDir;
use testkit::corpus::Dice;

use crate::web::{Page, Web};

/// A small disk in memory.
struct Disk(TempDir);

impl Disk {
    /// `None` where nothing may be mounted.
    fn new(megabytes: u64) -> Option<Disk> {
        let folder = tempfile::tempdir().unwrap();
        if mount(folder.path(), &format!("size={megabytes}m")) {
            return Some(Disk(folder));
        }
        println!("no file system can be mounted here: full disks are not tried");
        None
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn grow(&self, megabytes: u64) {
        assert!(mount(self.path(), &format!("remount,size={megabytes}m")));
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.path()).status();
    }
}

fn mount(folder: &Path, options: &str) -> bool {
    let mut command = Command::new("mount");
    let output = command.args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(folder).output();
    output.is_ok_and(|output| output.status.success())
}

/// A site of so many documents that cannot be packed.
fn site(documents: usize, bytes: usize) -> Web {
    let links: Vec<String> = (0..documents).map(|number| format!("/{number}")).collect();
    let links: Vec<&str> = links.iter().map(String::as_str).collect();
    let web = Web::start([("a.test/", Page::linking(&links)), ("b.test/", Page::html("committed before"))]);
    for number in 0..documents {
        let mut page = Page::of("application/octet-stream", "");
        page.body = noise(number, bytes);
        web.set(&format!("a.test/{number}"), page);
    }
    web
}

fn noise(number: usize, bytes: usize) -> Vec<u8> {
    let mut dice = Dice::new(&[number as u64]);
    std::iter::repeat_with(|| dice.below(1 << 62).to_le_bytes()).take(bytes / 8).flatten().collect()
}

#[track_caller]
fn document(web: &Web, url: &str) -> Vec<u8> {
    let found = web.archive().get(url, None).unwrap().unwrap_or_else(|| panic!("{url} is not there"));
    let mut bytes = Vec::new();
    std::io::Read::read_to_end(&mut found.payload(Form::Decoded).unwrap(), &mut bytes).unwrap();
    bytes
}

/// Crawls until the disk is full, makes room, and looks whether everything is there.
fn check(disk: &Disk, documents: usize, bytes: usize, make_room: impl FnOnce()) {
    let web = site(documents, bytes).archiving_at(&disk.path().join("archive"));
    assert!(web.crawl("http://b.test/", |_| {}).is_committed);
    let crawl = Crawl::start(web.job(), web.settings("http://a.test/"), None).unwrap();
    testkit::until("the crawl says why it is paused", || {
        assert!(!crawl.is_over(), "it has ended");
        crawl.progress().why.is_some()
    });
    let why = crawl.progress().why.unwrap();
    assert!(why.contains("the disk is full") && why.contains("make room"), "{why}");
    assert_eq!(crawl.progress().state, "paused");
    assert_eq!(document(&web, "http://b.test/"), b"committed before");
    assert_eq!(web.archive().snapshot().unwrap().commits().len(), 1);
    make_room();
    let ended = crawl.wait().unwrap();
    assert!(ended.is_committed && ended.is_complete, "{ended:?}");
    assert_eq!((ended.counts.failed, web.urls().len()), (0, documents + 2), "{ended:?}");
    for number in 0..documents {
        let is_same = document(&web, &format!("http://a.test/{number}")) == noise(number, bytes);
        assert!(is_same, "/{number} is not what was sent");
    }
    assert_eq!(document(&web, "http://b.test/"), b"committed before");
}

#[test]
fn a_job_waits_until_somebody_makes_room() {
    let Some(disk) = Disk::new(40) else { return };
    let ballast = disk.path().join("ballast");
    std::fs::write(&ballast, vec![1; 24 << 20]).unwrap();
    check(&disk, 90, 200_000, || std::fs::remove_file(ballast).unwrap());
}

#[test]
fn a_job_waits_for_a_larger_disk_also_with_documents_that_do_not_fit_into_memory() {
    let Some(disk) = Disk::new(40) else { return };
    check(&disk, 8, 6 << 20, || disk.grow(400));
}

/// The bound is the operator's: there would be room for much more.
#[test]
fn a_job_pauses_at_the_bound_that_was_set_and_goes_on_above_it() {
    let web = site(3, 2000);
    let free = Arc::new(AtomicU64::new(9));
    let asked = Arc::clone(&free);
    let mut settings = web.settings("http://a.test/");
    settings.room = Room::new(Amount::Percent(20), Amount::Percent(10))
        .asking(move |_| Some(Space { disk: 1, free: asked.load(Ordering::SeqCst) << 40, total: 100 << 40 }));
    let crawl = Crawl::start(web.job(), settings, None).unwrap();
    testkit::until("the crawl says why it is paused", || {
        assert!(!crawl.is_over(), "it has ended");
        crawl.progress().why.is_some()
    });
    let progress = crawl.progress();
    assert_eq!(progress.state, "paused");
    let why = "the disk is full but for what is kept free (9216 GB, 9 %): make room and the job goes on by itself; what is fetched is safe";
    assert_eq!(progress.why.as_deref(), Some(why));
    free.store(10, Ordering::SeqCst);
    let ended = crawl.wait().unwrap();
    assert!(ended.is_committed && ended.is_complete, "{ended:?}");
    assert_eq!(web.urls().len(), 4);
}
