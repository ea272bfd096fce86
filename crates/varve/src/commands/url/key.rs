//! `varve url key`: the key under which an index has a URL.

use urlkey::{Rules, key_by, surt_bytes};

use super::each::{Urls, text};
use super::rule_set;
use crate::exit::Exit;
use crate::session::Session;

/// Print the key under which an index has a URL: http://www.Example.org:80/b?y&x is org,example)/b?x&y
///
/// Two URLs with one key are one page to the archive. One line is printed for each URL, an empty one where it cannot be
/// understood; the reason goes to standard error, and the exit code is 1 then.
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
    args.urls.each(session, "key", |url| match rules {
        Rules::Wayback => surt_bytes(url),
        _ => key_by(&text(url), rules).map(String::into_bytes),
    })
}
