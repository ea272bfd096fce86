//! `varve vault log checkpoint`: what stands for the log up to now, signed.

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context as _, anyhow};
use catalogue::Verified;
use vault::Checkpoint;

use super::key;
use crate::clock::now;
use crate::exit::Exit;
use crate::hint::WithHint as _;
use crate::new_file::NewFile;
use crate::session::Session;

/// Sign what stands for the log up to now, to be kept elsewhere
///
/// Whoever can write to the archive could make the whole log anew; not so what others keep. The checkpoint is a signed note
/// (c2sp.org/signed-note, Ed25519). The key is made the first time, as `vault.key` in the archive: who has it can sign. `--public` shows
/// the line by which others check.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,

    /// Show the public key instead
    #[arg(long, conflicts_with = "output")]
    public: bool,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let kept = session.kept()?;
    let key = key::find_or_make(kept.archive.folder())?;
    if args.public {
        session.out.line(key.public())?;
        return Ok(Exit::Done);
    }
    let (number, hash) = match kept.vault.catalogue().verify_log(None)? {
        Verified::Sound { events: 0, .. } => {
            return Err(anyhow!("the log is empty")).hint("there is something in it when a file is kept");
        }
        Verified::Sound { events, hash } => (events, hash),
        Verified::Broken { number } => {
            return Err(anyhow!("event {number} is not what was written down: this is not signed"))
                .hint("`varve vault log verify` tells more");
        }
    };
    let checkpoint = Checkpoint { origin: key.name().to_owned(), number, hash, at: now() };
    let text = checkpoint.sign(&key);
    match &args.output {
        Some(path) => {
            let mut file = NewFile::create_new(path)?;
            file.write_all(text.as_bytes()).with_context(|| format!("cannot write `{}`", path.display()))?;
            file.finish()?;
        }
        None => session.out.text(&text)?,
    }
    Ok(Exit::Done)
}
