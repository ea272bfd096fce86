//! The crawlers, each with the settings that are quickest for it, and a run of one.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail, ensure};
use serde_json::Value;

use super::super::usage;
use super::tally::Tally;
use crate::nginx::{Logged, Nginx};
use crate::places;

/// As many as wrk has in `bench fetch`.
const CONNECTIONS: &str = "64";

/// One crawler.
pub(super) struct Crawler {
    name: &'static str,
    /// The command for a URL and a folder that is empty.
    command: fn(&str, &Path) -> Command,
    /// The exit codes of a run that went to its end.
    usual: &'static [i32],
}

impl Crawler {
    /// Ours first.
    pub(super) const ALL: [Crawler; 3] = [
        Crawler { name: "varve", command: varve, usual: &[0] },
        // 8: a server answered with an error, as to the links that lead nowhere.
        Crawler { name: "wget", command: wget, usual: &[0, 8] },
        Crawler { name: "httrack", command: httrack, usual: &[0] },
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
        let usage = usage::of(&mut (self.command)(&nginx.url("/"), folder), self.usual)?;
        let log = nginx.log()?;
        let mut tally = Tally::new(self.name, usage, &log);
        tally.kept_bytes = bytes_in(folder)?;
        ensure!(tally.pages > 0, "{} fetched nothing", self.name);
        if self.name == "varve" {
            kept(&nginx.url("/"), &folder.join("archive"), &log)?;
        }
        Ok(tally)
    }
}

/// Bytes of WARC files in a folder and those below.
fn bytes_in(folder: &Path) -> anyhow::Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read `{}`", folder.display()))? {
        let entry = entry?;
        let facts = entry.metadata()?;
        if facts.is_dir() {
            bytes += bytes_in(&entry.path())?;
        } else if entry.file_name().to_string_lossy().contains(".warc") {
            bytes += facts.len();
        }
    }
    Ok(bytes)
}

/// Whether all that was fetched is in the archive, and all files in it are sound. The clock has stopped by then.
fn kept(url: &str, archive: &Path, log: &[Logged]) -> anyhow::Result<()> {
    let varve = |words: &[&str], paths: &[PathBuf]| -> anyhow::Result<String> {
        let output =
            Command::new(places::packaged()).args(words).args(paths).output().context("cannot run varve")?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "`varve {}` failed: {}", words.join(" "), said.trim());
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let store = archive.join("store");
    let list = |folder: &Path| -> anyhow::Result<Vec<PathBuf>> {
        let entries = fs::read_dir(folder).with_context(|| format!("cannot read `{}`", folder.display()))?;
        Ok(entries.flatten().map(|entry| entry.path()).collect())
    };
    let mut files = Vec::new();
    for job in list(&store)?.into_iter().filter(|path| path.is_dir()) {
        files.extend(list(&job)?.into_iter().filter(|file| file.to_string_lossy().contains(".warc")));
    }
    varve(&["warc", "check"], &files)?;
    let lines = varve(&["cdx", url, "--match", "host", "--json", "--archive"], &[archive.to_path_buf()])?;
    let host = url.trim_end_matches('/');
    let captured: BTreeSet<String> = lines
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter_map(|row| Some(row.get("url")?.as_str()?.strip_prefix(host)?.to_owned()))
        .collect();
    let missing = log.iter().find(|logged| !captured.contains(&logged.target));
    if let Some(missing) = missing {
        bail!("`{}` was fetched and is not in the archive", missing.target);
    }
    Ok(())
}

/// The whole job: fetched, identified, links extracted, deduplicated, written, synced, sealed, indexed, committed.
fn varve(url: &str, folder: &Path) -> Command {
    let program = places::packaged();
    // An archive that cannot be made is told by the harvest.
    let _ = Command::new(&program).arg("init").arg(folder.join("archive")).output();
    let mut command = Command::new(program);
    command.args(["harvest", url, "--archive"]).arg(folder.join("archive"));
    command.args(["--scope", "host", "--delay", "0", "--allow-private", "--quiet"]);
    // The quickest; what it makes is about as large as what wget does, see the table.
    command.args(["--set", "gzip_level=1"]);
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
