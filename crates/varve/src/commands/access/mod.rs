//! `varve access …`: the verbs for who may see what.

mod check;
mod convert;

use clap::Subcommand;

use crate::exit::Exit;
use crate::session::Session;

/// Ask who may see what, and bring rules along from pywb
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Check(check::Args),
    Convert(convert::Args),
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    match args.verb {
        Verb::Check(args) => check::run(args, session),
        Verb::Convert(args) => convert::run(args, session),
    }
}
