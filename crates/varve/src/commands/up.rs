//! `varve up`: the whole system in one process, once it is built.

use anyhow::anyhow;

use crate::exit::Exit;
use crate::hint::WithHint as _;
use crate::session::Session;

/// Start the whole archive on this machine (not there yet)
#[derive(clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_: Args, _: &mut Session) -> anyhow::Result<Exit> {
    Err(anyhow!(
        "`varve up` cannot start an archive yet: the crawler, the store, the index, replay and the pages are not built"
    ))
    .hint("what works today are the tools for files: `varve warc`, `varve cdx` and `varve url`; see `varve --help`")
}
