//! The verbs. Each is a file with an `Args` struct, whose comments are its help text, and a `run` function; a noun with
//! several verbs (`varve warc ls`) is a folder whose `mod.rs` looks like this one.

mod access;
mod available;
mod cdx;
mod check;
mod completions;
mod config;
mod diff;
mod export;
mod extract;
mod fetch;
mod get;
pub(crate) mod harvest;
mod import;
mod index;
mod init;
mod jobs;
mod man;
mod notify;
mod open;
mod rebuild;
mod robots;
mod scope;
mod secrets;
mod up;
mod url;
pub(crate) mod vault;
mod versions;
mod warc;
mod watch;

use clap::Subcommand;

use crate::exit::Exit;
use crate::session::Session;

/// What the program can do, in the order of `varve --help`.
#[derive(Subcommand)]
pub(crate) enum Command {
    Up(up::Args),
    Open(open::Args),
    Init(init::Args),
    Config(config::Args),
    Notify(notify::Args),
    Secrets(secrets::Args),
    Harvest(harvest::Args),
    Check(check::Args),
    Watch(watch::Args),
    Diff(Box<diff::Args>),
    Available(available::Args),
    Jobs(jobs::Args),
    Scope(scope::Args),
    Import(import::Args),
    Export(export::Args),
    Get(get::Args),
    Versions(versions::Args),
    Access(access::Args),
    Vault(vault::Args),
    Warc(warc::Args),
    Cdx(cdx::Args),
    Index(index::Args),
    Rebuild(rebuild::Args),
    Url(url::Args),
    Fetch(fetch::Args),
    Extract(extract::Args),
    Robots(robots::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// Runs one verb.
pub(crate) fn run(command: Command, session: &mut Session) -> anyhow::Result<Exit> {
    match command {
        Command::Up(args) => up::run(args, session),
        Command::Open(args) => open::run(args, session),
        Command::Init(args) => init::run(args, session),
        Command::Config(args) => config::run(args, session),
        Command::Notify(args) => notify::run(args, session),
        Command::Secrets(args) => secrets::run(args, session),
        Command::Harvest(args) => harvest::run(args, session),
        Command::Check(args) => check::run(args, session),
        Command::Watch(args) => watch::run(args, session),
        Command::Diff(args) => diff::run(*args, session),
        Command::Available(args) => available::run(args, session),
        Command::Jobs(args) => jobs::run(args, session),
        Command::Scope(args) => scope::run(args, session),
        Command::Import(args) => import::run(args, session),
        Command::Export(args) => export::run(args, session),
        Command::Get(args) => get::run(args, session),
        Command::Versions(args) => versions::run(args, session),
        Command::Access(args) => access::run(args, session),
        Command::Vault(args) => vault::run(args, session),
        Command::Warc(args) => warc::run(args, session),
        Command::Cdx(args) => cdx::run(args, session),
        Command::Index(args) => index::run(args, session),
        Command::Rebuild(args) => rebuild::run(args, session),
        Command::Url(args) => url::run(args, session),
        Command::Fetch(args) => fetch::run(args, session),
        Command::Extract(args) => extract::run(args, session),
        Command::Robots(args) => robots::run(args, session),
        Command::Completions(args) => completions::run(args, session),
        Command::Man(args) => man::run(args, session),
    }
}
