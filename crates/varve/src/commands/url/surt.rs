//! `varve url surt`: a URL in the order of SURT prefixes.

use urlkey::{Rules, add_default_scheme, canonicalize, full_surt};

use super::each::{Urls, text};
use super::rule_set;
use crate::exit::Exit;
use crate::session::Session;

/// Print the full SURT of a URL, as scopes and Heritrix use it: http://www.example.org/a is http://(org,example,www,)/a
///
/// The URL is written as a browser would write it, then its host is turned round and all put in lower case; nothing else is
/// dropped or sorted. With --rules it is brought into that canonical form first. One line is printed for each URL, an empty
/// one where it cannot be understood; the reason goes to standard error, and the exit code is 1 then. The keys of indexes
/// are another thing: `varve url key`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    urls: Urls,

    /// Bring it into this canonical form first
    #[arg(long, value_name = "NAME", default_value = Rules::Whatwg.name(), value_parser = rule_set::parser())]
    rules: Rules,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let rules = args.rules;
    args.urls.each(session, "surt", |url| {
        let url = text(url);
        if url.trim_ascii().is_empty() {
            return Err(urlkey::Error::Blank);
        }
        // The URL standard knows nothing of hosts without a scheme; people do.
        let url = if rules == Rules::Whatwg { add_default_scheme(url.trim_ascii()) } else { url };
        canonicalize(&url, rules).map(|url| full_surt(&url).into_bytes())
    })
}
