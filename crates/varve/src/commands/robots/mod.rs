//! `varve robots …`: what a site allows, and what it would like to be found.

mod check;
mod sitemap;

use clap::Subcommand;

use crate::exit::Exit;
use crate::session::Session;

/// Read robots.txt files and sitemaps as a crawler would
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Check(check::Args),
    Sitemap(sitemap::Args),
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    match args.verb {
        Verb::Check(args) => check::run(args, session),
        Verb::Sitemap(args) => sitemap::run(args, session),
    }
}
