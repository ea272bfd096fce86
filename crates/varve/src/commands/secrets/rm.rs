//! `varve secrets rm`: removes the user name and password of a site.

use anyhow::anyhow;

use crate::exit::Exit;
use crate::hint::with_hint;
use crate::session::Session;

/// Remove the user name and password of a site
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Scheme, host and port, such as https://example.org
    #[arg(value_name = "ORIGIN")]
    origin: String,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let (origin, _) = super::origin(&args.origin)?;
    let keychain = super::keychain(session)?;
    if !keychain.secrets().remove(&origin).map_err(|error| keychain.hinted(error))? {
        let error = anyhow!("no password is stored for {origin}");
        return Err(with_hint(error, "`varve secrets ls` lists the sites that have one"));
    }
    session.talk.note(&format!("removed: {origin}"));
    Ok(Exit::Done)
}
