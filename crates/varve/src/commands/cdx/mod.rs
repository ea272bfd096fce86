//! `varve cdx …`: the verbs for indexes of archive files.

mod blocks;
mod captures;
mod key_lines;
mod lookup;
mod make;
mod question;
mod sink;
mod sort;
mod what;
mod worker;
mod zipnum;

use anyhow::anyhow;
use clap::Subcommand;

use self::question::Question;
use crate::collection::Which;
use crate::exit::Exit;
use crate::hint::WithHint as _;
use crate::session::Session;
use crate::usage::wrong;

/// List captures of the archive; make, sort, pack and search index files
///
/// With a URL: a line for each of its captures in the archive, with URL, time, status, type, digest, length of the record, file below
/// `store/`, and offset in it. The exit code is 1 if there are none. With one of the verbs: CDX and CDXJ files anywhere.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(flatten)]
    question: Option<Question>,

    #[command(flatten)]
    which: Which,

    #[command(subcommand)]
    verb: Option<Verb>,
}

#[derive(Subcommand)]
enum Verb {
    Make(Box<make::Args>),
    Sort(sort::Args),
    Zipnum(zipnum::Args),
    Lookup(lookup::Args),
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    match (args.verb, args.question) {
        (Some(Verb::Make(args)), _) => make::run(*args, session),
        (Some(Verb::Sort(args)), _) => sort::run(args, session),
        (Some(Verb::Zipnum(args)), _) => zipnum::run(args, session),
        (Some(Verb::Lookup(args)), _) => lookup::run(args, session),
        (None, Some(question)) => captures::run(&question, &args.which, session),
        (None, None) => {
            Err(wrong(anyhow!("there is neither a URL nor a verb"))).hint("`varve cdx --help` tells both")
        }
    }
}
