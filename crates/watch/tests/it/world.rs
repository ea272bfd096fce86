//! An archive, a site that changes, and a clock to turn.

use std::io::Read as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use archive::Archive;
use db::Location;
use fetch::{Allowed, Clock};
use jiff::Timestamp;
use tempfile::TempDir;
use testkit::changing::Changing;
use testkit::postgres::{self, Kind};
use watch::{Check, Monitor, MonitoredResource, Outcome, Settings, Version};

pub(crate) struct World {
    pub(crate) folder: TempDir,
    pub(crate) archive: Archive,
    pub(crate) site: Changing,
    pub(crate) monitor: Monitor,
    pub(crate) seconds: Arc<AtomicI64>,
    /// Where the watches are, if they are on a server.
    pub(crate) database: Option<Location>,
}

/// So many seconds after the beginning.
pub(crate) fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_794_960_000 + seconds).unwrap()
}

impl World {
    pub(crate) async fn new() -> World {
        World::with(|_| {}).await
    }

    /// With other settings than usual.
    pub(crate) async fn with(change: impl FnOnce(&mut Settings)) -> World {
        // Where syncing costs nothing.
        let memory = std::path::Path::new("/dev/shm");
        let folder = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
        let folder = folder.unwrap();
        let archive = Archive::create(folder.path()).unwrap();
        let seconds = Arc::new(AtomicI64::new(0));
        let database = database();
        let mut settings = Settings { database: database.clone(), ..settings(&seconds) };
        change(&mut settings);
        let monitor = Monitor::open(&archive, settings).await.unwrap();
        World { folder, archive, site: Changing::start(), monitor, seconds, database }
    }

    /// The usual settings, with this world's clock.
    pub(crate) fn settings(&self) -> Settings {
        Settings { database: self.database.clone(), ..settings(&self.seconds) }
    }

    /// Another monitor in the place of this one, which is ended without a commit.
    pub(crate) async fn reopen(self) -> World {
        let settings = self.settings();
        self.monitor.close().await;
        let monitor = Monitor::open(&self.archive, settings).await.unwrap();
        World { monitor, ..self }
    }

    /// Turns the clock to so many seconds after the beginning.
    pub(crate) fn turn_to(&self, seconds: i64) {
        self.seconds.store(seconds, Ordering::SeqCst);
    }

    /// Turns the clock on, so far that everything may be asked again.
    pub(crate) fn later(&self) {
        self.seconds.fetch_add(60, Ordering::SeqCst);
    }

    pub(crate) fn resource(&self, path: &str) -> MonitoredResource {
        self.monitor.resource(&self.site.url(path)).unwrap()
    }

    /// Checks a page a while later.
    pub(crate) async fn check(&self, path: &str) -> Check {
        self.later();
        self.resource(path).check().await.unwrap()
    }

    /// Checks a page a while later; how that ended.
    pub(crate) async fn outcome(&self, path: &str) -> Outcome {
        self.check(path).await.outcome
    }

    /// What a version says.
    pub(crate) async fn text(&self, path: &str, version: &Version) -> String {
        let mut text = Vec::new();
        self.resource(path).payload(version).await.unwrap().read_to_end(&mut text).unwrap();
        String::from_utf8_lossy(&text).into_owned()
    }

    /// All lines of the archive's index.
    pub(crate) fn rows(&self) -> Vec<cdx::Capture<'static>> {
        let all = urlkey::KeyRange { start: String::new(), end: String::new() };
        self.archive.snapshot().unwrap().range(&all).map(Result::unwrap).collect()
    }
}

/// An empty database on the server, if the test is to use that.
pub(crate) fn database() -> Option<Location> {
    match postgres::kind() {
        Kind::Sqlite => None,
        Kind::Postgres => Some(Location::parse(&postgres::database().unwrap()).unwrap()),
    }
}

/// Waits for a test.
pub(crate) fn wait<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

fn settings(seconds: &Arc<AtomicI64>) -> Settings {
    let seconds = Arc::clone(seconds);
    let clock = Clock::new(move || at(seconds.load(Ordering::SeqCst)));
    let mut settings = Settings::new(clock, testkit::ids::record_ids());
    settings.fetch.allowed = Allowed::private();
    settings.gate.delay_min = Duration::ZERO;
    settings.gate.factor = 0.0;
    settings.gate.backoff_first = Duration::ZERO;
    settings.gate.per_host = 8;
    settings.gate.per_address = 8;
    settings
}
