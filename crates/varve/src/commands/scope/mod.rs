//! `varve scope …`: what belongs to a crawl.

mod explain;

use clap::Subcommand;

use crate::exit::Exit;
use crate::session::Session;

/// See what belongs to a crawl
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Explain(Box<explain::Args>),
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    match args.verb {
        Verb::Explain(args) => explain::run(*args, session),
    }
}
