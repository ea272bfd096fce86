//! Looks now and then whether there is room on the disks of the archive, and has people told when that changes.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use archive::room::{Change, Room, Standing, Watch};
use fetch::Clock;
use jiff::Timestamp;
use notify::{Notice, Notifier, Severity};

/// How often it is looked. Who writes looks for itself, and far more often.
const LOOK_EVERY: Duration = Duration::from_secs(20);

/// Looks until it is ended.
pub struct Disks {
    end: Sender<()>,
}

impl Disks {
    /// Begins to look at the disks of these folders.
    #[must_use]
    pub fn watch(folders: Vec<PathBuf>, room: Room, notifier: Arc<Notifier>, clock: Clock) -> Disks {
        let (end, ended) = mpsc::channel();
        thread::spawn(move || {
            let mut watch = Watch::default();
            loop {
                for change in watch.look(&room, folders.iter().map(PathBuf::as_path)) {
                    notifier.notify(&notice(&change, clock.now()));
                }
                if !matches!(ended.recv_timeout(LOOK_EVERY), Err(RecvTimeoutError::Timeout)) {
                    return;
                }
            }
        });
        Disks { end }
    }

    /// Nobody waits for it: a disk on a server that is gone may never answer.
    pub fn end(self) {
        drop(self.end);
    }
}

/// What people are told.
fn notice(change: &Change, at: Timestamp) -> Notice {
    let Change { before, found } = change;
    let (folder, free) = (shown(&found.folder), found.free_shown());
    let notice = match found.standing {
        Standing::Short => {
            Notice::new(at, "disk", Severity::Alarm, format!("nothing more is written to the disk of `{folder}`: it is full ({free} free)"))
                .line("Harvests on it pause, and go on by themselves when there is room. Imports are refused. What is archived is safe.")
        }
        Standing::Low => {
            let more = if *before == Standing::Short { "is written to again, and still low on room" } else { "is low on room" };
            Notice::new(at, "disk", Severity::Warning, format!("the disk of `{folder}` {more} ({free} free)"))
        }
        // Who was told that it was not so is told this, too.
        Standing::Enough => {
            Notice::new(at, "disk", Severity::Warning, format!("there is room again on the disk of `{folder}` ({free} free)"))
        }
    };
    notice
        .about("folder", folder)
        .about("standing", word(found.standing))
        .about("free_bytes", found.space.free.to_string())
        .about("total_bytes", found.space.total.to_string())
}

fn shown(folder: &Path) -> String {
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned()).display().to_string()
}

fn word(standing: Standing) -> &'static str {
    match standing {
        Standing::Enough => "enough",
        Standing::Low => "low",
        Standing::Short => "short",
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use archive::room::{Amount, Space};
    use notify::{Pace, Route, Screen, Settings};

    use super::*;

    /// A disk that fills up and is emptied, and what people hear of it.
    #[test]
    fn people_are_told_at_each_bound_once_and_when_there_is_room_again() {
        let room = |free: u64| {
            Room::new(Amount::Percent(20), Amount::Percent(10))
                .asking(move |_| Some(Space { disk: 1, free: free << 20, total: 1000 << 20 }))
        };
        let heard = Arc::new(Mutex::new(Vec::new()));
        let theirs = Arc::clone(&heard);
        let screen = Screen::new(move |message| {
            theirs.lock().unwrap().push(format!("{}: {}", message.severity(), message.subject()));
            Ok(())
        });
        let notifier = Notifier::new(Settings {
            routes: vec![Route { channel: Arc::new(screen), least: Severity::Warning, pace: Pace::AT_ONCE }],
            folder: None,
            clock: Arc::new(|| Timestamp::UNIX_EPOCH),
            voice: Arc::new(|_: &str| ()),
        });
        let mut watch = Watch::default();
        for free in [900, 150, 149, 150, 90, 5, 120, 900, 900] {
            for change in watch.look(&room(free), [Path::new("no-such-folder")]) {
                notifier.notify(&notice(&change, Timestamp::UNIX_EPOCH));
                // Each by itself, not what came of all of them.
                notifier.flush(Duration::from_secs(60));
            }
        }
        let told = [
            "warning: the disk of `no-such-folder` is low on room (150 MB, 15 % free)",
            "alarm: nothing more is written to the disk of `no-such-folder`: it is full (90 MB, 9 % free)",
            "warning: the disk of `no-such-folder` is written to again, and still low on room (120 MB, 12 % free)",
            "warning: there is room again on the disk of `no-such-folder` (900 MB, 90 % free)",
        ];
        assert_eq!(*heard.lock().unwrap(), told);
    }
}
