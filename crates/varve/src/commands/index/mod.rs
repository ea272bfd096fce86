//! `varve index …`: the verbs for the index of an archive, and for those of its collections.

mod add;
mod backup;
mod export;
mod lines;
mod records;
mod rm;
mod sorting;
mod stats;

use archive::Collection;
use clap::Subcommand;

use crate::exit::Exit;
use crate::hint::{WithHint as _, with_hint};
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

/// Which index is meant.
#[derive(clap::Args, Clone, Debug)]
struct Which {
    /// The index of this collection instead of the archive's own
    #[arg(short, long, value_name = "NAME", default_value = "web")]
    collection: String,
}

impl Which {
    /// The collection, which must be there.
    fn open(&self, session: &Session) -> anyhow::Result<Collection> {
        let archive = session.archive()?;
        match archive.collection(&self.collection)? {
            Some(collection) => Ok(collection),
            None => {
                let error = anyhow::anyhow!("there is no collection `{}`", self.collection);
                let names = archive.collections()?.join(", ");
                Err(with_hint(error, format!("there are: {names}; `varve index add` makes others")))
            }
        }
    }

    /// The collection, which is made if need be.
    fn open_or_make(&self, session: &Session) -> anyhow::Result<Collection> {
        let archive = session.archive()?;
        archive
            .create_collection(&self.collection)
            .hint("a collection's name is letters, digits and hyphens, such as `news-2026`")
    }
}
