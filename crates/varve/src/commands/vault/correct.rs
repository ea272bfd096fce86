//! `varve vault correct`: what is recorded of a file is put right.

use supervisor::hinted;

use super::bring;
use super::credential::Credential;
use super::sha256;
use crate::exit::Exit;
use crate::interrupts::Interrupts;
use crate::pace::Pace;
use crate::progress::Progress;
use crate::session::Session;
use crate::terminal::escape;

/// Put right the recorded checksum of a file, if that is what is wrong
///
/// For the rare case that the copies are right and the record is not. A replica must have a copy with the new checksum. All copies are
/// read again afterwards, and those that differ are told and left for you to take out.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Which file: JOB/NAME
    #[arg(value_name = "FILE")]
    name: String,

    /// The right checksum, in hex
    #[arg(long, value_name = "SUM", value_parser = sha256::parse)]
    sha256: String,

    /// Why; it stays in the log
    #[arg(long, value_name = "TEXT")]
    reason: String,

    #[command(flatten)]
    credential: Credential,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let kept = session.kept()?;
    args.credential.check(&kept.settings)?;
    let known = kept.vault.catalogue().file(&args.name)?;
    if known.is_some_and(|file| file.sha256 == args.sha256) {
        let name = escape(&args.name);
        session.talk.note(&format!("`{name}` is recorded with this SHA-256 already: there is nothing to do"));
        return Ok(Exit::Done);
    }
    let interrupts = Interrupts::listen()?;
    let mut pace = Pace::new(&interrupts, Progress::bytes(&session.talk, "reading", None), None);
    let sha256 = &args.sha256;
    let corrected = kept.by_hand().correct(&args.name, sha256, &args.reason, &mut |bytes| pace.read(bytes));
    pace.finish();
    let file = corrected.map_err(hinted)?;
    session.talk.note(&format!("`{}` is recorded with SHA-256 {sha256} now", escape(&file.name)));
    let brought = crate::replication::bring(&kept, &interrupts, session)?;
    bring::tell(brought, &kept, session)
}
