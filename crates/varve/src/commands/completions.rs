//! `varve completions`: lets a shell complete verbs and options.

use anyhow::Context as _;
use std::io::Write as _;

use clap_complete::Shell;

use crate::args;
use crate::exit::Exit;
use crate::session::Session;

/// Print completions for a shell
///
/// For bash: `varve completions bash > ~/.local/share/bash-completion/completions/varve`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The shell to write them for
    #[arg(value_enum)]
    shell: Shell,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    // The generator panics when its writer fails, and a closed pipe is a failing writer; so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut args::command(), "varve", &mut script);
    session.out.write_all(&script).context("cannot write the completions")?;
    Ok(Exit::Done)
}
