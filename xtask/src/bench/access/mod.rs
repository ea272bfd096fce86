//! `cargo xtask bench access`: the index by itself, then all that is served, beside pywb under uwsgi.
//!
//! `cargo xtask bench access-index` does the first part alone, `access-serving` the second. Each part has marks of its own in `docs/benchmarks.md`.

mod index;
mod newspaper;
mod server;
mod serving;
mod wrk;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, ensure};

use super::{judge, page};
use crate::places;

/// Both parts.
pub(crate) fn run() -> anyhow::Result<()> {
    let of_index = run_index();
    run_serving()?;
    of_index
}

/// What is served, alone.
pub(crate) fn run_serving() -> anyhow::Result<()> {
    let (outcomes, further, complaints) = serving::run(&folder()?)?;
    let table = format!("{}\n{further}", page::table(&outcomes));
    println!("\n{table}");
    page::put("access-serving", &table)?;
    judge(&outcomes)?;
    ensure!(complaints.is_empty(), "{}", complaints.join("; "));
    Ok(())
}

/// The index alone.
pub(crate) fn run_index() -> anyhow::Result<()> {
    index::run(&folder()?)
}

fn folder() -> anyhow::Result<PathBuf> {
    let folder = places::target().join("bench").join("access");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make `{}`", folder.display()))?;
    Ok(folder)
}
