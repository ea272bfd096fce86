//! `varve vault forget`: a file, or one copy of it, is taken out; a copy is kept aside.

use std::io;
use std::path::PathBuf;

use anyhow::Context as _;
use supervisor::{Kept, hinted};

use super::credential::Credential;
use super::sha256;
use crate::exit::Exit;
use crate::hint::WithHint as _;
use crate::interrupts::Interrupts;
use crate::new_file::NewFile;
use crate::pace::Pace;
use crate::progress::Progress;
use crate::session::Session;
use crate::terminal::escape;

/// Take a file out of every replica, or one copy out of one
///
/// Without `--replica` the file leaves every replica and the catalogue: nobody is given it any more. With `--replica` and `--sha256` one
/// copy is taken out, and only if it has that checksum; `varve vault repair` brings a sound one back. Nothing is deleted: what is taken
/// out lies in the folder `.aside` of its replica, for somebody to decide. It wants the password whose SHA-256 the setting `credential`
/// has. Captures that lie in a file which is gone can be found and not be shown; `access.rules` hides them.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Which file: JOB/NAME
    #[arg(value_name = "FILE")]
    name: String,

    /// Why; it stays in the log
    #[arg(long, value_name = "TEXT")]
    reason: String,

    /// Take only the copy of this replica out
    #[arg(long, value_name = "NAME", requires = "sha256")]
    replica: Option<String>,

    /// The checksum that the copy has, in hex
    #[arg(long, value_name = "SUM", requires = "replica", value_parser = sha256::parse)]
    sha256: Option<String>,

    /// Write the copy that is taken out to this file, too
    #[arg(short, long, value_name = "PATH", requires = "replica")]
    output: Option<PathBuf>,

    #[command(flatten)]
    credential: Credential,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let kept = session.kept()?;
    args.credential.check(&kept.settings)?;
    let interrupts = Interrupts::listen()?;
    if let (Some(replica), Some(sha256)) = (&args.replica, &args.sha256) {
        if let Some(path) = &args.output {
            write(&kept, &args.name, replica, path)?;
        }
        kept.by_hand().take_out(&args.name, replica, sha256, &args.reason).map_err(hinted)?;
        session.talk.note(&format!(
            "the copy of `{}` in {} is set aside",
            escape(&args.name),
            escape(replica)
        ));
        super::repair::advise(session);
        return Ok(Exit::Done);
    }
    let mut pace = Pace::new(&interrupts, Progress::bytes(&session.talk, "taking out", None), None);
    let forgotten = kept.by_hand().forget(&args.name, &args.reason, &mut |bytes| pace.read(bytes));
    pace.finish();
    forgotten.map_err(hinted)?;
    session.talk.note(&format!("`{}` is out of every replica, and set aside in each", escape(&args.name)));
    Ok(Exit::Done)
}

/// The copy as it is, good or bad.
fn write(kept: &Kept, name: &str, replica: &str, path: &std::path::Path) -> anyhow::Result<()> {
    let place = kept.vault.places().iter().find(|place| place.name == replica);
    let place = place.ok_or_else(|| hinted(vault::Error::NoReplica(replica.to_owned())))?;
    let mut source = place.replica.open(name, 0).hint("`varve vault status` tells how the replicas stand")?;
    let mut file = NewFile::create_new(path)?;
    io::copy(&mut source, &mut file).with_context(|| format!("cannot write `{}`", path.display()))?;
    file.finish()
}
