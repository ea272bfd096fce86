//! `varve vault log`: all that was done and found, and the proof that nobody has changed it.

mod checkpoint;
mod key;
mod ls;
mod verify;

use clap::Subcommand;

use crate::exit::Exit;
use crate::session::Session;

/// Show the log of all that was done and found, and prove that nobody has changed it
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Ls(ls::Args),
    Verify(verify::Args),
    Checkpoint(checkpoint::Args),
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    match args.verb {
        Verb::Ls(args) => ls::run(args, session),
        Verb::Verify(args) => verify::run(args, session),
        Verb::Checkpoint(args) => checkpoint::run(args, session),
    }
}
