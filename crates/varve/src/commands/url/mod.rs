//! `varve url …`: the forms by which archives compare URLs.

mod canon;
mod each;
mod key;
mod rule_set;
mod surt;

use clap::Subcommand;

use crate::exit::Exit;
use crate::session::Session;

/// Bring URLs into the forms by which archives find, compare and scope them
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Key(key::Args),
    Surt(surt::Args),
    Canon(canon::Args),
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    match args.verb {
        Verb::Key(args) => key::run(args, session),
        Verb::Surt(args) => surt::run(args, session),
        Verb::Canon(args) => canon::run(args, session),
    }
}
