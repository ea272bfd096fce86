//! From the settings of an archive to whoever watches for it: documents are asked for as harvests ask for them.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use archive::{Archive, Committed};
use plan::Keychain;
use settings::{File, WatchValues, parse_duration};
use watch::{Monitor, Tempo};

use super::desk::Desk;
use super::fault::Fault;
use super::usual::Usual;
use crate::clock::now;
use crate::interrupts::Interrupts;
use crate::record_id;
use crate::replication;
use crate::session::Session;

/// How servers are asked, beyond what the settings say.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "How servers are asked")]
pub(crate) struct Asking {
    /// Ask addresses of private networks and of this machine, too
    #[arg(long)]
    pub(crate) allow_private: bool,

    /// Wait so long between two requests to a host, such as 2 (seconds) or 500ms [default: as harvests do]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) delay: Option<Duration>,
}

/// All that is needed to watch for an archive.
pub(crate) struct Ready {
    /// The archive.
    pub(crate) archive: Archive,
    /// How it is watched.
    pub(crate) settings: watch::Settings,
    /// What holds for a watch that does not say otherwise.
    pub(crate) usual: Arc<Usual>,
    /// What the settings say of watching.
    pub(crate) values: WatchValues,
    /// All that they say.
    pub(crate) file: File,
    /// User names and passwords of sites.
    pub(crate) keychain: Keychain,
}

impl Ready {
    /// Reads the settings of the archive that the options name, or of the one around here.
    pub(crate) fn of(asking: &Asking, session: &Session) -> anyhow::Result<Ready> {
        let loaded = session.load_settings()?;
        let archive = supervisor::open(loaded.archive()?)?;
        let crawl = plan::asking(&loaded, fetch::Clock::new(now), Arc::new(record_id::new))?;
        let values = loaded.file.watch.values();
        let mut settings = watch::Settings::new(fetch::Clock::new(now), Arc::new(record_id::new));
        settings.zone = jiff::tz::TimeZone::system();
        settings.fetch = crawl.fetch;
        settings.fetch.allowed.private |= asking.allow_private;
        settings.gate = crawl.gate;
        if let Some(delay) = asking.delay {
            (settings.gate.delay_min, settings.gate.delay_max) = (delay, delay);
        }
        (settings.warcinfo, settings.gzip_level) = (crawl.warcinfo, crawl.gzip_level);
        settings.at_once = usize::try_from(values.at_once.0).unwrap_or(usize::MAX);
        settings.again_after = values.again_after;
        settings.limits.document_bytes = values.document_max.0;
        let keychain = session.keychain(archive.folder());
        settings.fetch.credentials = keychain.credentials();
        let keeping = keychain.clone();
        settings.keep_logins = Some(Arc::new(move |logins| {
            keeping
                .keep(&logins)
                .map_err(|error| io::Error::other(format!("{:#}", anyhow::Error::from(error))))
        }));
        let usual = Arc::new(Usual::of(&values));
        Ok(Ready { archive, settings, usual, values, file: loaded.file, keychain })
    }

    /// Whether anything was ever checked in the archive.
    pub(crate) fn has_database(session: &Session) -> anyhow::Result<bool> {
        Ok(session.archive()?.folder().join("watch.db").is_file())
    }

    /// Opens the monitor, on the runtime that this is called on.
    pub(crate) async fn open(&self) -> Result<Desk, Fault> {
        let monitor = Monitor::open(&self.archive, self.settings.clone()).await?;
        let (usual, keychain) = (Arc::clone(&self.usual), self.keychain.clone());
        Ok(Desk { monitor, usual, keychain, has_checked: Arc::default() })
    }

    /// How rounds are made, but for who is told.
    pub(crate) fn tempo(&self) -> Tempo {
        Tempo { commit_every: self.values.commit_every, ..Tempo::default() }
    }

    /// Opens the monitor, asks it, and closes it; what was captured is then in the archive. Ctrl-C ends it, and what was checked until then
    /// is kept. [`After::finish`] is for the very end.
    pub(crate) fn ask<T>(
        &self,
        session: &Session,
        work: impl AsyncFnOnce(&Desk) -> anyhow::Result<T>,
    ) -> anyhow::Result<(T, After)> {
        let interrupts = Interrupts::listen()?;
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
        let runtime = runtime.context("cannot start threads")?;
        let (done, committed) = runtime.block_on(async {
            let desk = self.open().await?;
            let done = tokio::select! {
                done = work(&desk) => done,
                () = interrupts.wanted() => Err(anyhow::anyhow!("stopped")),
            };
            let committed = desk.monitor.commit().await.map_err(Fault::from)?;
            desk.monitor.close().await;
            anyhow::Ok((done, committed))
        })?;
        let job = committed.as_ref().and_then(job_of).map(str::to_owned);
        let after = After { archive: self.archive.clone(), job, interrupts };
        match done {
            Ok(value) => Ok((value, after)),
            Err(error) => {
                after.finish(session);
                Err(error)
            }
        }
    }
}

/// What is still to be done when everything was told: the vault takes note of what was captured.
#[must_use]
pub(crate) struct After {
    archive: Archive,
    job: Option<String>,
    interrupts: Interrupts,
}

impl After {
    pub(crate) fn finish(self, session: &Session) {
        if let Some(job) = &self.job {
            replication::after_commit(&self.archive, job, &self.interrupts, session);
        }
    }
}

/// The job that was committed.
pub(crate) fn job_of(committed: &Committed) -> Option<&str> {
    committed.files.first().and_then(|file| file.name.split_once('/')).map(|(job, _)| job)
}
