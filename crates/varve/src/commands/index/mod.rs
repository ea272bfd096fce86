//! `varve index …`: the verbs for the index of an archive, and for those of its collections.

mod add;
mod backup;
mod export;
mod lines;
mod records;
mod rm;
mod sorting;
mod stats;

use clap::Subcommand;

use crate::collection::Which;
use crate::exit::Exit;
use crate::session::Session;

/// Load, look over, write out and back up the index of the archive
///
/// The index says which capture of which URL lies in which file at which byte. `varve harvest` and `varve import` fill it by themselves; these
/// verbs are for lines that come from elsewhere, and for what is to leave. An archive may have further indexes, its collections, which
/// begin with the first `add`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Add(add::Args),
    Rm(rm::Args),
    Stats(stats::Args),
    Export(export::Args),
    Backup(backup::Args),
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    match args.verb {
        Verb::Add(args) => add::run(args, session),
        Verb::Rm(args) => rm::run(args, session),
        Verb::Stats(args) => stats::run(args, session),
        Verb::Export(args) => export::run(args, session),
        Verb::Backup(args) => backup::run(args, session),
    }
}
