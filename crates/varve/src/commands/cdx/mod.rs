//! `varve cdx …`: the verbs for indexes of archive files.

mod blocks;
mod key_lines;
mod lookup;
mod make;
mod sink;
mod sort;
mod what;
mod worker;
mod zipnum;

use clap::Subcommand;

use crate::exit::Exit;
use crate::session::Session;

/// Make, sort, pack and search CDX and CDXJ indexes
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Make(Box<make::Args>),
    Sort(sort::Args),
    Zipnum(zipnum::Args),
    Lookup(lookup::Args),
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    match args.verb {
        Verb::Make(args) => make::run(*args, session),
        Verb::Sort(args) => sort::run(args, session),
        Verb::Zipnum(args) => zipnum::run(args, session),
        Verb::Lookup(args) => lookup::run(args, session),
    }
}
