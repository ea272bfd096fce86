//! `varve access convert`: pywb's access lists as rules of ours.

use std::path::PathBuf;

use anyhow::{Context as _, anyhow};
use policy::RuleSet;

use crate::access_rules;
use crate::exit::Exit;
use crate::hint::WithHint as _;
use crate::session::Session;

/// Print the rules of a pywb access list (.aclj) as lines for `access.rules`
///
/// The longest prefix that fits decides, so the order of the lines does not matter.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The list
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let text =
        access_rules::text(&args.file)?.ok_or_else(|| anyhow!("there is no file {}", args.file.display()))?;
    let rules = RuleSet::parse_pywb(&text)
        .with_context(|| format!("{} is not understood", args.file.display()))
        .hint("a line is a key, a `-` and an object: `org,example)/ - {\"access\": \"block\"}`")?;
    for line in rules.to_lines().lines() {
        session.out.line(line)?;
    }
    Ok(Exit::Done)
}
