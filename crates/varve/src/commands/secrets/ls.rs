//! `varve secrets ls`: for which sites a password is stored, and whether it can be read.

use plan::why;
use secrets::EntryState;
use serde::Serialize;

use crate::exit::Exit;
use crate::session::Session;
use crate::terminal::{Align, Columns, escape};

/// List sites with a stored user name and password: when stored, state, origin
///
/// The state is `readable`, `key missing` (the key file is not the one that it was stored with) or `damaged`. User names and passwords are not
/// shown.
#[derive(clap::Args)]
pub(crate) struct Args {}

/// For programs.
#[derive(Serialize)]
struct SecretRow<'a> {
    origin: &'a str,
    stored_at: String,
    readable: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'static str>,
}

pub(crate) fn run(_args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let keychain = super::keychain(session)?;
    let entries = keychain.secrets().list().map_err(|error| keychain.hinted(error))?;
    let columns = Columns::new([(Align::Left, 20), (Align::Left, 11)]);
    let mut unreadable = None;
    for entry in &entries {
        let readable = matches!(entry.state, EntryState::Readable(_));
        unreadable = unreadable.or((!readable).then_some(entry.origin.as_str()));
        if session.globals.json {
            let why = (!readable).then(|| why(&entry.state));
            let stored_at = format!("{:.0}", entry.set_at);
            session.out.json(&SecretRow { origin: &entry.origin, stored_at, readable, why })?;
            continue;
        }
        let state = match entry.state {
            EntryState::Readable(_) => "readable",
            EntryState::KeyMissing => "key missing",
            _ => "damaged",
        };
        let stored_at = format!("{:.0}", entry.set_at).replace('T', " ").replace('Z', "");
        session.out.line(columns.row([stored_at.as_str(), state, &escape(&entry.origin)]))?;
    }
    session.out.finish()?;
    if entries.is_empty() {
        session.talk.hint("no password is stored; `varve secrets set ORIGIN` stores one");
    }
    if let Some(origin) = unreadable {
        session.talk.hint(&format!("`varve secrets set {origin}` stores the password again"));
    }
    Ok(Exit::Done)
}
