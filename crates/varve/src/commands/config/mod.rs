//! `varve config …`: the verbs for settings.

mod check;
mod show;

use clap::Subcommand;

use crate::exit::Exit;
use crate::session::Session;

/// Show and check the settings of an archive
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Show(show::Args),
    Check(check::Args),
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    match args.verb {
        Verb::Show(args) => show::run(args, session),
        Verb::Check(args) => check::run(args, session),
    }
}
