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
        "`varve up` cannot start an archive yet: replay and the pages are not built"
    ))
    .hint("`varve harvest` fills an archive, `varve versions` and `varve get` bring back what is in it; see `varve --help`")
}
