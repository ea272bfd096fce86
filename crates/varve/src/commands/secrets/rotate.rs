//! `varve secrets rotate`: makes a new key, and encrypts all stored passwords with it.

use serde::Serialize;

use crate::exit::Exit;
use crate::session::Session;
use crate::terminal::counted;

/// Make a new key and encrypt all stored passwords with it
///
/// If it is stopped halfway, either the old or the new key is in use, and both can be read; run it again. Passwords whose key is missing stay
/// as they are.
#[derive(clap::Args)]
pub(crate) struct Args {}

/// For programs.
#[derive(Serialize)]
struct RotatedRow {
    encrypted: usize,
    unreadable: usize,
}

pub(crate) fn run(_args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let keychain = super::keychain(session)?;
    let rotated = keychain.secrets().rotate(|_| Ok(())).map_err(|error| keychain.hinted(error))?;
    if session.globals.json {
        let (encrypted, unreadable) = (rotated.encrypted, rotated.unreadable);
        session.out.json(&RotatedRow { encrypted, unreadable })?;
    } else {
        let passwords = counted(rotated.encrypted as u64, "password");
        session.out.line(format!("new key; {passwords} encrypted with it"))?;
    }
    session.out.finish()?;
    if rotated.unreadable > 0 {
        let passwords = counted(rotated.unreadable as u64, "password");
        session.talk.warning(&format!("{passwords} could not be read and stay as they are"));
        session.talk.hint("`varve secrets ls` lists them, `varve secrets set ORIGIN` stores one again");
    }
    Ok(Exit::Done)
}
