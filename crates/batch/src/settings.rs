//! How a run is to be done.

use std::fmt;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// How long ago something was that never changes. Must not go back, whatever is done to the clock on the wall.
pub type Stopwatch = Arc<dyn Fn() -> Duration + Send + Sync>;

/// How a run is to be done, and how much it may take.
#[derive(Clone)]
pub struct Settings {
    /// So many files at once.
    pub threads: NonZeroUsize,
    /// So long for each file.
    pub timeout: Duration,
    /// Bytes of one file's result.
    pub result_bytes_max: u64,
    /// Bytes of a result that are held in memory; of a longer one all goes into a temporary file.
    pub held_bytes_max: usize,
    /// Bytes of results that wait for their turn; while there are more, no further file is begun but the one whose turn it is. Those that are
    /// under way by then come on top: at most one for each thread.
    pub waiting_bytes_max: u64,
    /// Where temporary files are made.
    pub room: PathBuf,
    /// The time.
    pub stopwatch: Stopwatch,
}

impl Settings {
    /// The usual.
    #[must_use]
    pub fn new(room: PathBuf, stopwatch: Stopwatch) -> Settings {
        Settings {
            threads: NonZeroUsize::MIN,
            timeout: Duration::from_secs(600),
            result_bytes_max: 4 << 30,
            held_bytes_max: 64 << 10,
            waiting_bytes_max: 8 << 30,
            room,
            stopwatch,
        }
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("threads", &self.threads)
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}
