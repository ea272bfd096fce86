//! `varve watch`: pages that are checked again and again, and who is told when they change.

mod add;
mod edit;
mod export;
mod import;
mod ls;
mod naming;
mod options;
mod pause;
mod rm;
mod run;
mod show;
mod test;

use clap::Subcommand;

use crate::exit::Exit;
use crate::session::Session;

/// Watch pages: see when they change, what changed, and tell people
///
/// A watch is a page, how often it is checked, what counts as a change, and who is told. Checks are made while `varve watch run` or
/// `varve up` runs, and each is a capture: every version can be replayed. What changes at every visit (dates, counters, advertisements) is
/// learned and left out.
///
/// ID is a watch's number as `varve watch ls` has it; its URL does as well. Whose watches they are is said by `--person`; one person need
/// not care. `[watch]` in varve.toml says what holds for a watch of which nothing else is said; it takes that over when it is added, and `edit`
/// changes it.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Add(Box<add::Args>),
    Ls(ls::Args),
    Show(show::Args),
    Edit(Box<edit::Args>),
    Rm(rm::Args),
    Pause(pause::Args),
    Run(run::Args),
    Import(import::Args),
    Export(export::Args),
    Test(Box<test::Args>),
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    match args.verb {
        Verb::Add(args) => add::run(*args, session),
        Verb::Ls(args) => ls::run(args, session),
        Verb::Show(args) => show::run(args, session),
        Verb::Edit(args) => edit::run(*args, session),
        Verb::Rm(args) => rm::run(args, session),
        Verb::Pause(args) => pause::run(args, session),
        Verb::Run(args) => run::run(args, session),
        Verb::Import(args) => import::run(args, session),
        Verb::Export(args) => export::run(args, session),
        Verb::Test(args) => test::run(*args, session),
    }
}
