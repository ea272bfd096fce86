//! `varve secrets …`: user names and passwords of sites, stored encrypted.

mod ls;
mod rm;
mod rotate;
mod set;

use anyhow::anyhow;
use clap::Subcommand;
use plan::Keychain;
use url::Url;
use urlkey::{Login, hide_login};

use crate::exit::Exit;
use crate::hint::with_hint;
use crate::session::Session;
use crate::usage::wrong;

/// Store, list and remove user names and passwords of sites
///
/// A user name and password in a URL (http://user:password@example.org/) are removed from the URL and stored encrypted in the archive, for
/// scheme, host and port. Harvests, watches and checks send them to that host. They are in no record, log, list or page.
///
/// The key is in `secrets.key` beside varve.toml, or in the file that $VARVE_SECRETS_KEY_FILE names. Without the key the passwords have to be
/// entered again; nothing else depends on it.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Ls(ls::Args),
    Set(set::Args),
    Rm(rm::Args),
    Rotate(rotate::Args),
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    match args.verb {
        Verb::Ls(args) => ls::run(args, session),
        Verb::Set(args) => set::run(args, session),
        Verb::Rm(args) => rm::run(args, session),
        Verb::Rotate(args) => rotate::run(args, session),
    }
}

fn keychain(session: &Session) -> anyhow::Result<Keychain> {
    Ok(session.keychain(session.archive()?.folder()))
}

/// The origin that somebody names, by any URL of it; and the user name and password in that URL.
fn origin(text: &str) -> anyhow::Result<(String, Option<Login>)> {
    let bad = |why: &str| {
        let error = wrong(anyhow!("`{}` {why}", hide_login(text)));
        with_hint(error, "write scheme and host, such as https://example.org or http://example.org:8080")
    };
    let mut url = Url::parse(text).map_err(|_| bad("is not a URL"))?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(bad("is not a URL of a web site"));
    }
    let login = Login::take(&mut url);
    Ok((Login::origin_of(&url), login))
}
