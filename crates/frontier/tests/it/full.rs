//! A disk that is full, where this machine lets us mount one: what was settled is there when there is room again.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use frontier::{End, Error, Frontier, Settings, Settled, Wish};
use tempfile::TempDir;

fn wish(page: u32) -> Wish {
    let host = format!("h{}", page % 5);
    let url = format!("http://{host}/{page}");
    // What cannot be packed much smaller.
    let tag = (0..400_u32).flat_map(|n| (n + page).wrapping_mul(2_654_435_761).to_le_bytes()).collect();
    Wish { url, host, tag, ..Wish::default() }
}

fn open(mount: &TempDir) -> Result<Frontier, Error> {
    let settings = Settings { log_bytes: 100_000, ..Settings::default() };
    Frontier::open(&mount.path().join("frontier"), &settings)
}

/// Settles one page after another, each with the next two as links, until the disk is full. Says up to which it came.
fn crawl(frontier: &Frontier, mut page: u32) -> (u32, Error) {
    loop {
        let turn = match frontier.take(&format!("h{}", page % 5)) {
            Ok(turn) => turn.unwrap(),
            Err(error) => return (page, error),
        };
        assert_eq!(turn.wish, wish(page));
        let found = vec![wish(page + 1), wish(page + 2)];
        match frontier.settle(vec![Settled { id: turn.id, end: End::Done, found }], &page.to_be_bytes()) {
            Ok(_) => page += 1,
            Err(error) => return (page, error),
        }
    }
}

#[test]
fn what_was_settled_outlives_a_full_disk() {
    let mount = TempDir::new().unwrap();
    let mounted =
        Command::new("mount").args(["-t", "tmpfs", "-o", "size=100m", "tmpfs"]).arg(mount.path()).output();
    if !mounted.is_ok_and(|output| output.status.success()) {
        eprintln!("frontier: no tmpfs can be mounted here; skipping the test on a disk that is full");
        return;
    }
    let _unmount = Unmount(mount.path().to_owned());
    let mut frontier = open(&mount).unwrap();
    frontier.offer(vec![wish(0)]).unwrap();
    let mut page = 0;
    for round in 1..4_u32 {
        // All the room there is but a little, a different little each time.
        let ballast = mount.path().join("ballast");
        fill(&ballast, u64::from(round) * 300_000);
        let (reached, error) = crawl(&frontier, page);
        assert!(matches!(error, Error::Full(_) | Error::Poisoned), "{error:?}");
        assert!(reached > page, "round {round} settled nothing");
        assert!(matches!(frontier.offer(vec![wish(9_999_999)]), Err(Error::Poisoned)));
        assert_eq!(frontier.mark().unwrap(), (reached - 1).to_be_bytes());
        drop(frontier);

        fs::remove_file(&ballast).unwrap();
        frontier = open(&mount).unwrap();
        // The batch that failed may be there after all; the mark says so, and then it is whole.
        let mark = frontier.mark().unwrap();
        page = u32::from_be_bytes(mark.try_into().unwrap()) + 1;
        assert!(page == reached || page == reached + 1, "{page} after {reached}");
        let counts = frontier.counts();
        assert_eq!((counts.done, counts.seen, counts.queued), (page.into(), u64::from(page) + 2, 2));
        assert!((0..page + 2).all(|page| frontier.has_seen(&wish(page).url).unwrap()));
    }
}

/// A file that leaves so many bytes of the disk.
fn fill(path: &PathBuf, left: u64) {
    let mut bytes = 100 << 20;
    let chunk = vec![b'x'; 1 << 16];
    let mut file = fs::File::create(path).unwrap();
    while bytes > 0 && std::io::Write::write_all(&mut file, &chunk).is_ok() {
        bytes -= chunk.len();
    }
    let length = file.metadata().unwrap().len();
    file.set_len(length.saturating_sub(left)).unwrap();
}

struct Unmount(PathBuf);

impl Drop for Unmount {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}
