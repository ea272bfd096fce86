//! `varve vault …`: the verbs that look after the files of an archive.

mod batch;

use clap::Subcommand;

use crate::exit::Exit;
use crate::session::Session;

/// Look after the files of the archive
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Batch(batch::Args),
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    match args.verb {
        Verb::Batch(args) => batch::run(args, session),
    }
}
