//! `varve notify …`: the verbs for those who are told what happens to an archive.

mod test;

use clap::Subcommand;

use crate::exit::Exit;
use crate::session::Session;

/// See whether those who are to be told of troubles can be told
///
/// Who that is stands below [notify] in varve.toml.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Test(test::Args),
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    match args.verb {
        Verb::Test(args) => test::run(args, session),
    }
}
