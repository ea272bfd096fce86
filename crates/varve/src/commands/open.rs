//! `varve open`: signs a browser or a program in at the `varve up` that runs on the archive.

use serde::Serialize;

use crate::exit::Exit;
use crate::session::Session;
use crate::sign_in::{Running, open_browser};

/// Open the pages of a running `varve up` in a browser
///
/// The browser is signed in. Only the user who started `varve up` can do this, because nobody else can read its token.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Print the address that signs a browser in, and open nothing
    #[arg(long, conflicts_with = "header")]
    print: bool,

    /// Print the header field that programs send, for `curl -H @-`, and open nothing
    #[arg(long)]
    header: bool,
}

#[derive(Serialize)]
struct Found<'a> {
    pages: &'a str,
    sign_in: String,
    token: &'a str,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let archive = session.archive()?;
    let running = Running::find(archive.folder())?;
    if session.globals.json {
        let Running { pages, token, .. } = &running;
        session.out.json(&Found { pages, sign_in: running.sign_in(), token })?;
    } else if args.header {
        session.out.line(format!("Authorization: Bearer {}", running.token))?;
    } else if args.print {
        session.out.line(running.sign_in())?;
    } else {
        open_browser(archive.folder(), &running)?;
        session.talk.note(&format!("opened {} in a browser", running.pages));
    }
    session.out.finish()?;
    Ok(Exit::Done)
}
