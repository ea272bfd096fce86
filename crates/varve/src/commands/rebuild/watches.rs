//! The database of watched pages: where it is gone or damaged, it is made again from the metadata of the jobs that took their captures.

use std::path::Path;

use anyhow::Context as _;
use serde::Serialize;
use watch::Remade;

use crate::clock::now;
use crate::session::Session;
use crate::terminal::counted;

/// For programs.
#[derive(Serialize)]
struct Row {
    checks: u64,
    versions: u64,
    watches: u64,
    checks_left_out: u64,
}

/// Makes it again, if pages were ever watched and there is none that can be used; says whether all is as it should be.
pub(super) fn bring_back(folder: &Path, session: &mut Session) -> anyhow::Result<bool> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("cannot start a thread")?;
    let is_usable = runtime.block_on(watch::is_usable(folder, None));
    if is_usable.context("the database of watched pages cannot be looked at")? {
        return Ok(true);
    }
    let archive = supervisor::open(folder)?;
    if !archive.snapshot()?.commits().iter().any(archive::is_watch) {
        return Ok(true);
    }
    let remade = runtime.block_on(watch::remake(&archive, now()));
    let remade = remade.context("the database of watched pages cannot be made again")?;
    let Remade { checks, versions, watches, left_out, .. } = remade;
    if session.globals.json {
        session.out.json(&Row { checks, versions, watches, checks_left_out: left_out })?;
    } else {
        let (checks, versions) = (counted(checks, "check"), counted(versions, "version"));
        let watches = if watches == 1 { "1 watch".to_owned() } else { format!("{watches} watches") };
        session.out.line(format!("brought back {watches}: {checks}, {versions}"))?;
    }
    if watches > 0 {
        session.talk.hint("who is told of them is not in the files: set it by `varve watch edit`, or take a copy in `backups`");
    }
    Ok(left_out == 0)
}
