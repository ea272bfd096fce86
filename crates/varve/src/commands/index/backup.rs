//! `varve index backup`: a copy of the index while everything goes on.

use std::path::PathBuf;

use serde::Serialize;

use super::Which;
use crate::exit::Exit;
use crate::hint::WithHint as _;
use crate::session::Session;
use crate::terminal::{bytes, grouped};

/// Copy the index to a folder, whole and as of one moment, while others read and write it
///
/// On the same file system the files become links, which takes no time and no room; elsewhere they are copied. A folder that holds an earlier
/// backup gets what is new and loses what is gone. The copy is an index like any other: put in the place of `index/` it is one.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// An empty or absent folder, or one with an earlier backup of this index
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,

    #[command(flatten)]
    which: Which,
}

/// What was done.
#[derive(Serialize)]
struct Done {
    collection: String,
    folder: PathBuf,
    rows: u64,
    bytes: u64,
    linked: u64,
    copied: u64,
    kept: u64,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let collection = args.which.open(session)?;
    let backup =
        collection.index().backup(&args.folder).hint("name an empty folder, or one that is not there yet")?;
    let index::Backup { linked, copied, kept, bytes: size, rows } = backup;
    let collection = args.which.collection;
    if session.globals.json {
        session.out.json(&Done {
            collection,
            folder: args.folder,
            rows,
            bytes: size,
            linked,
            copied,
            kept,
        })?;
    } else {
        session.talk.note(&format!(
            "{collection}: {} rows, {} in `{}`: {linked} files linked, {copied} copied, {kept} kept",
            grouped(rows),
            bytes(size),
            args.folder.display()
        ));
    }
    Ok(Exit::Done)
}
