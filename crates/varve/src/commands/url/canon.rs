//! `varve url canon`: the canonical form of a URL.

use urlkey::{Rules, canonicalize_bytes};

use super::each::Urls;
use super::rule_set;
use crate::exit::Exit;
use crate::session::Session;

/// Print the canonical form of a URL, in reading order: HTTP://www.Example.org:80/b?y&x is http://example.org/b?x&y
///
/// One line is printed for each URL, an empty one where it cannot be understood; the reason goes to standard error, and
/// the exit code is 1 then.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    urls: Urls,

    /// Whose idea of sameness is followed
    #[arg(long, value_name = "NAME", default_value = Rules::Wayback.name(), value_parser = rule_set::parser())]
    rules: Rules,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let rules = args.rules;
    args.urls.each(session, "canon", |url| canonicalize_bytes(url, rules))
}
