//! Who tells whom: notices come in here, and go out by every channel that wants them.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use uuid::Uuid;

use crate::channel::Channel;
use crate::courier::{Courier, Waiting, Word};
use crate::lane::{Lane, Pace, Parcel, is_old};
use crate::limits::WAITING_MAX;
use crate::notice::{Notice, Severity};
use crate::spool::{Leftovers, Spool};

/// Says what time it is.
pub type Clock = dyn Fn() -> Timestamp + Send + Sync;

/// Says what is wrong with telling itself: that a channel fails, or the folder where notices are kept.
pub type Voice = dyn Fn(&str) + Send + Sync;

/// Who is told what, how often.
#[derive(Debug)]
pub struct Route {
    /// By which they are told.
    pub channel: Arc<dyn Channel>,
    /// What matters less is not told.
    pub least: Severity,
    /// How often.
    pub pace: Pace,
}

/// What a notifier needs.
pub struct Settings {
    /// Who is told. Two channels of the same name are one too many.
    pub routes: Vec<Route>,
    /// The folder that keeps what waits, such as `ARCHIVE/notices`; without it what waits is gone with the program.
    pub folder: Option<PathBuf>,
    /// What time it is.
    pub clock: Arc<Clock>,
    /// Who is told that somebody cannot be told.
    pub voice: Arc<Voice>,
}

impl fmt::Debug for Settings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Settings")
            .field("routes", &self.routes)
            .field("folder", &self.folder)
            .finish_non_exhaustive()
    }
}

/// What came of sending all that could be sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flushed {
    /// Messages that went.
    pub sent: u64,
    /// Notices that still wait.
    pub left: u64,
    /// Channels that were not done in time.
    pub late: Vec<String>,
}

/// Takes notices and has them told. It is never waited for, and never fails.
pub struct Notifier {
    lines: Vec<Line>,
}

/// The way to a courier.
struct Line {
    name: String,
    least: Severity,
    words: Sender<Word>,
    waiting: Arc<Waiting>,
    _thread: Option<JoinHandle<()>>,
}

impl fmt::Debug for Notifier {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.lines.iter().map(|line| line.name.as_str()).collect();
        formatter.debug_struct("Notifier").field("channels", &names).finish()
    }
}

impl Notifier {
    /// Starts, and takes up what an earlier program could not send.
    #[must_use]
    pub fn new(settings: Settings) -> Notifier {
        let Settings { routes, folder, clock, voice } = settings;
        let spool = folder.map(|folder| Arc::new(Spool::new(&folder)));
        let mut leftovers = spool.as_ref().map_or_else(Leftovers::default, |spool| {
            spool.take_over().unwrap_or_else(|error| {
                voice(&format!("notices of earlier programs cannot be read: {error}"));
                Leftovers::default()
            })
        });
        for path in &leftovers.damaged {
            voice(&format!("a notice that was kept is damaged, and stays as `{}`", path.display()));
        }
        let mut lines = Vec::new();
        for Route { channel, least, pace } in routes {
            let name = channel.name();
            let spool = spool.clone().filter(|_| channel.is_lasting());
            let mut lane = Lane::new(pace, spool.as_ref().map(|spool| spool.sent(&name)).unwrap_or_default());
            let own =
                leftovers.parcels.extract_if(.., |(channel, _)| *channel == name).map(|(_, parcel)| parcel);
            let dropped = lane.restore(own.collect(), clock());
            if dropped > 0 {
                voice(&format!("{dropped} messages for {name} are dropped: they have waited for a week"));
            }
            let (waiting, (words, heard)) = (Arc::new(Waiting::default()), mpsc::channel());
            let courier = Courier {
                channel,
                name: name.clone(),
                lane,
                spool,
                clock: Arc::clone(&clock),
                voice: Arc::clone(&voice),
                waiting: Arc::clone(&waiting),
                is_failing: false,
                is_spool_failing: false,
            };
            let thread =
                std::thread::Builder::new().name("notify".to_owned()).spawn(move || courier.run(&heard));
            if let Err(error) = &thread {
                voice(&format!("nothing can be told by {name}: {error}"));
            }
            lines.push(Line { name, least, words, waiting, _thread: thread.ok() });
        }
        if let Some(spool) = spool {
            forget(&spool, &leftovers.parcels, clock(), &*voice);
        }
        Notifier { lines }
    }

    /// One that tells nobody.
    #[must_use]
    pub fn silent() -> Notifier {
        Notifier { lines: Vec::new() }
    }

    /// Whether anybody is told anything.
    #[must_use]
    pub fn is_silent(&self) -> bool {
        self.lines.is_empty()
    }

    /// Has it told to all who want to know. Returns at once.
    pub fn notify(&self, notice: &Notice) {
        for line in self.lines.iter().filter(|line| notice.severity >= line.least) {
            let waits = line.waiting.count.fetch_add(1, Ordering::SeqCst);
            if waits >= WAITING_MAX as u64 || line.words.send(Word::Notice(notice.clone())).is_err() {
                line.waiting.count.fetch_sub(1, Ordering::SeqCst);
                line.waiting.lost.fetch_add(1, Ordering::SeqCst);
            }
        }
    }

    /// Sends all that can be sent, without waiting for more of its kind, and returns when that is done or the time is over. What is not
    /// sent by then is kept, if there is a folder for it. To be called before the program ends.
    #[allow(clippy::disallowed_methods)] // It is the caller who waits, and in real time.
    pub fn flush(&self, time: Duration) -> Flushed {
        let until = Instant::now() + time;
        let asked: Vec<_> = self
            .lines
            .iter()
            .map(|line| {
                let (answer, heard) = mpsc::channel();
                let _ = line.words.send(Word::Flush(answer));
                (line, heard)
            })
            .collect();
        let mut all = Flushed::default();
        for (line, heard) in asked {
            match heard.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(flushed) => {
                    (all.sent, all.left) = (all.sent + flushed.sent, all.left.saturating_add(flushed.left))
                }
                Err(_) => all.late.push(line.name.clone()),
            }
        }
        all
    }
}

/// Drops what has waited too long for channels that are not set any more. The rest waits: a channel may be back tomorrow.
fn forget(spool: &Spool, parcels: &[(String, Parcel)], now: Timestamp, voice: &Voice) {
    let (old, young): (Vec<_>, Vec<_>) = parcels.iter().partition(|(_, parcel)| is_old(&parcel.message, now));
    for (_, parcel) in &old {
        if let Err(error) = spool.remove(&parcel.message.id) {
            return voice(&format!("a notice that nobody wants any more cannot be removed: {error}"));
        }
    }
    if !old.is_empty() {
        let count = old.len();
        voice(&format!(
            "{count} messages for channels that are not set any more are dropped: they have waited for a week"
        ));
    }
    if !young.is_empty() {
        tracing::info!(count = young.len(), "messages wait for channels that are not set any more");
    }
}

/// A random UUID (RFC 9562, 5.4).
pub(crate) fn new_id() -> String {
    Uuid::new_v4().to_string()
}
