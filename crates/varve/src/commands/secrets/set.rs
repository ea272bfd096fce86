//! `varve secrets set`: stores the user name and password of a site.

use std::io::{self, BufRead as _, IsTerminal as _, Read as _};

use anyhow::{Context as _, anyhow};
use console::Term;
use secrets::LOGIN_BYTES_MAX;
use urlkey::Login;

use crate::exit::Exit;
use crate::hint::with_hint;
use crate::session::Session;
use crate::usage::wrong;

/// Store the user name and password of a site
///
/// Asks for both at the terminal, where they are not shown while they are typed. Otherwise reads two lines from standard input: the user name,
/// then the password. They replace those that were stored before.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Scheme, host and port, such as https://example.org
    #[arg(value_name = "ORIGIN")]
    origin: String,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let (origin, login) = super::origin(&args.origin)?;
    let keychain = super::keychain(session)?;
    let login = match login {
        Some(login) => login,
        None if io::stdin().is_terminal() => from_terminal(&origin, session)?,
        None => from_lines(&origin)?,
    };
    keychain.keep(&[login])?;
    session.talk.note(&format!("stored: {origin}"));
    Ok(Exit::Done)
}

fn from_terminal(origin: &str, session: &Session) -> anyhow::Result<Login> {
    let terminal = Term::stderr();
    let ask = |what: &str| -> anyhow::Result<Vec<u8>> {
        session.talk.raw(format!("{what} for {origin} (not shown): ").as_bytes());
        let line = terminal.read_secure_line().context("cannot read from the terminal")?;
        Ok(line.into_bytes())
    };
    let (user, password) = (ask("User name")?, ask("Password")?);
    login(origin, user, password)
}

fn from_lines(origin: &str) -> anyhow::Result<Login> {
    let mut lines = io::stdin().lock().take(2 * LOGIN_BYTES_MAX as u64).split(b'\n');
    let mut next = || -> anyhow::Result<Vec<u8>> {
        let line = lines.next().transpose().context("cannot read standard input")?;
        let mut line = line.unwrap_or_default();
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        Ok(line)
    };
    let (user, password) = (next()?, next()?);
    login(origin, user, password)
}

fn login(origin: &str, user: Vec<u8>, password: Vec<u8>) -> anyhow::Result<Login> {
    if user.is_empty() && password.is_empty() {
        let error = wrong(anyhow!("neither a user name nor a password was given"));
        return Err(with_hint(error, "write the user name in the first line and the password in the second"));
    }
    // RFC 7617: the first colon ends the user name.
    if user.contains(&b':') {
        return Err(wrong(anyhow!("a user name cannot have a colon in it")));
    }
    Ok(Login { origin: origin.to_owned(), user, password })
}
