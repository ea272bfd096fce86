//! `varve warc …`: the verbs for WARC and ARC files.

mod cat;
mod check;
mod convert;
mod grep;
mod ls;
mod output_file;
mod repair;
mod row;
mod stats;

use clap::Subcommand;

use crate::exit::Exit;
use crate::session::Session;

/// List, check, show, mend, convert and search WARC and ARC files
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Ls(ls::Args),
    Check(check::Args),
    Cat(cat::Args),
    Grep(grep::Args),
    Stats(stats::Args),
    Repair(repair::Args),
    Convert(convert::Args),
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    match args.verb {
        Verb::Ls(args) => ls::run(args, session),
        Verb::Check(args) => check::run(args, session),
        Verb::Cat(args) => cat::run(args, session),
        Verb::Grep(args) => grep::run(args, session),
        Verb::Stats(args) => stats::run(args, session),
        Verb::Repair(args) => repair::run(args, session),
        Verb::Convert(args) => convert::run(args, session),
    }
}
