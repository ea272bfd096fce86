//! `varve man`: the manual pages, made from the same text as `--help`.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use anyhow::Context as _;
use clap_mangen::Man;

use crate::args;
use crate::exit::Exit;
use crate::hint::WithHint as _;
use crate::session::Session;

/// Print the manual page, or write one page per verb into a folder
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Where to put the pages, such as ~/.local/share/man/man1
    #[arg(value_name = "DIR")]
    dir: Option<PathBuf>,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let Some(dir) = args.dir else {
        let mut page = Vec::new();
        Man::new(args::command()).render(&mut page).context("cannot make the manual page")?;
        session.out.write_all(&page).context("cannot write the manual page")?;
        return Ok(Exit::Done);
    };
    fs::create_dir_all(&dir)
        .with_context(|| format!("cannot make the folder `{}`", dir.display()))
        .hint("give a folder that you may write to")?;
    clap_mangen::generate_to(args::command(), &dir)
        .with_context(|| format!("cannot write the manual pages into `{}`", dir.display()))?;
    session.talk.note(&format!("wrote the manual pages into `{}`", dir.display()));
    Ok(Exit::Done)
}
