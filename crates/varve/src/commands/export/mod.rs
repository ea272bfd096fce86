//! `varve export`: chosen captures as files that others can read.

mod cdxj;
mod chosen;
mod done;
mod wacz;
mod warc;

use clap::Subcommand;

use crate::exit::Exit;
use crate::session::Session;

/// Write chosen captures to a file: WACZ, WARC or CDXJ
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Wacz(wacz::Args),
    Warc(warc::Args),
    Cdxj(cdxj::Args),
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    match args.command {
        Command::Wacz(args) => wacz::run(args, session),
        Command::Warc(args) => warc::run(args, session),
        Command::Cdxj(args) => cdxj::run(args, session),
    }
}
