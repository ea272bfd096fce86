//! `varve vault log verify`: has nobody changed the log?

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use catalogue::Verified;
use serde::Serialize;
use supervisor::Kept;
use vault::Checkpoint;

use super::key;
use crate::commands::vault::small;
use crate::exit::Exit;
use crate::hint::WithHint as _;
use crate::session::Session;
use crate::terminal::{counted, escape};

/// Longer is no checkpoint.
const BYTES_MAX: u64 = 64 << 10;

/// Prove that nobody has changed the log
///
/// Every event has the hash of the one before in its own, so that none can be changed, left out or put in without all behind it telling.
/// Who makes all of them anew is found out by a checkpoint that was kept elsewhere. The exit code is 1 if the log is not what it was.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A checkpoint that was exported before
    #[arg(long, value_name = "PATH")]
    checkpoint: Option<PathBuf>,

    /// The public key that has signed it [default: that of the archive's own key]
    #[arg(long, value_name = "KEY", requires = "checkpoint")]
    key: Option<String>,
}

/// For programs.
#[derive(Serialize)]
struct Row {
    sound: bool,
    events: Option<u64>,
    hash: Option<String>,
    broken_at: Option<u64>,
    checkpoint: Option<u64>,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let kept = session.kept()?;
    let checkpoint =
        args.checkpoint.as_deref().map(|path| read(path, args.key.as_deref(), &kept)).transpose()?;
    let noted = checkpoint.as_ref().map(|checkpoint| (checkpoint.number, checkpoint.hash));
    let verified = kept.vault.catalogue().verify_log(noted)?;
    let number = checkpoint.as_ref().map(|checkpoint| checkpoint.number);
    let exit = match verified {
        Verified::Sound { .. } => Exit::Done,
        Verified::Broken { .. } => Exit::Failed,
    };
    if session.globals.json {
        let row = match verified {
            Verified::Sound { events, hash } => Row {
                sound: true,
                events: Some(events),
                hash: Some(hash.to_string()),
                broken_at: None,
                checkpoint: number,
            },
            Verified::Broken { number: at } => {
                Row { sound: false, events: None, hash: None, broken_at: Some(at), checkpoint: number }
            }
        };
        session.out.json(&row)?;
        return Ok(exit);
    }
    match verified {
        Verified::Sound { events, hash } => {
            let word = session.paint.good("sound").to_string();
            session.out.line(format!("{word}: {}, the last with hash {hash}", counted(events, "event")))?;
            if let Some(Checkpoint { number, at, origin, .. }) = &checkpoint {
                let origin = escape(origin);
                session.out.line(format!("event {number} is the one that {origin} signed at {at}"))?;
            }
        }
        Verified::Broken { number } => {
            let word = session.paint.bad("broken").to_string();
            session
                .out
                .line(format!("{word}: from event {number} on the log is not what was written down"))?;
            session.out.finish()?;
            session.talk.hint("the folder `backups` has older copies of the catalogue to compare with");
        }
    }
    Ok(exit)
}

fn read(path: &Path, public: Option<&str>, kept: &Kept) -> anyhow::Result<Checkpoint> {
    let shown = path.display();
    let text = small::read(path, BYTES_MAX)?;
    let public = match public {
        Some(public) => public.to_owned(),
        None => match key::find(kept.archive.folder())? {
            Some(key) => key.public(),
            None => {
                return Err(anyhow!("there is no `{}` in the archive to check it by", key::FILE))
                    .hint("`--key KEY` gives the public key");
            }
        },
    };
    Checkpoint::open(&text, &public).with_context(|| format!("`{shown}` proves nothing"))
}
