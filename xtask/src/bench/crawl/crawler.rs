//! The crawlers, each with the settings that are quickest for it, and a run of one.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, ensure};

use super::super::nginx::Nginx;
use super::super::usage;
use super::tally::Tally;
use crate::places;

/// As many as wrk has in `bench fetch`.
const CONNECTIONS: &str = "64";

/// One crawler.
pub(super) struct Crawler {
    name: &'static str,
    /// The command for a URL and a folder that is empty.
    command: fn(&str, &Path) -> Command,
    /// It ends with a failure where some URL is missing.
    is_lenient: bool,
}

impl Crawler {
    /// Ours first.
    pub(super) const ALL: [Crawler; 3] = [
        Crawler { name: "varve", command: varve, is_lenient: false },
        Crawler { name: "wget", command: wget, is_lenient: true },
        Crawler { name: "httrack", command: httrack, is_lenient: false },
    ];

    /// Crawls the whole site into an empty folder.
    pub(super) fn measure(&self, nginx: &Nginx, folder: &Path) -> anyhow::Result<Tally> {
        if folder.exists() {
            fs::remove_dir_all(folder).with_context(|| format!("cannot empty `{}`", folder.display()))?;
        }
        fs::create_dir_all(folder).with_context(|| format!("cannot make `{}`", folder.display()))?;
        // What an earlier run left to be written must not slow this one down.
        let _ = Command::new("sync").status();
        nginx.forget()?;
        let usage = usage::of(&mut (self.command)(&nginx.url("/"), folder), self.is_lenient)?;
        let tally = Tally::new(self.name, usage, &nginx.log()?);
        ensure!(tally.pages > 0, "{} fetched nothing", self.name);
        Ok(tally)
    }
}

/// The whole job: fetched, identified, links extracted, deduplicated, written, synced, sealed, indexed, committed.
fn varve(url: &str, folder: &Path) -> Command {
    let program = places::target().join("release").join("varve");
    // An archive that cannot be made is told by the harvest.
    let _ = Command::new(&program).arg("init").arg(folder.join("archive")).output();
    let mut command = Command::new(program);
    command.args(["harvest", url, "--archive"]).arg(folder.join("archive"));
    command.args(["--scope", "host", "--delay", "0", "--allow-private", "--quiet"]);
    for bound in ["--concurrency", "--per-host", "--per-address"] {
        command.args([bound, CONNECTIONS]);
    }
    command
}

/// With a WARC file, compressed and with digests as it does by itself; nothing is waited for.
fn wget(url: &str, folder: &Path) -> Command {
    let mut command = Command::new("wget");
    command.args(["--recursive", "--level=inf", "--no-verbose", "--no-proxy"]);
    command.arg("--warc-file").arg(folder.join("wget")).arg("--directory-prefix").arg(folder).arg(url);
    command
}

/// A mirror without an archive, its usual brakes off; eight connections are quickest, and it keeps no cache for updates.
fn httrack(url: &str, folder: &Path) -> Command {
    let mut command = Command::new("httrack");
    command.arg(url).arg("-O").arg(folder);
    command.args(["--quiet", "--depth=1000", "--max-rate=0", "--disable-security-limits"]);
    command.args(["--connection-per-second=0", "--sockets=8", "--cache=0"]);
    command
}
