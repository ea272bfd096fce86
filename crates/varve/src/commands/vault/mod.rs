//! `varve vault`: keeping every bit: replicas, audits, repair, and the log of all of it.

mod adopt;
mod audit;
mod backup;
mod batch;
mod bring;
mod check;
mod correct;
mod credential;
mod export;
mod folder;
mod forget;
mod get;
mod log;
mod put;
mod repair;
mod replicas;
mod sha256;
mod small;
mod status;

use clap::Subcommand;

use crate::exit::Exit;
use crate::session::Session;

/// Keep every bit: replicas, audits, repair
///
/// Every file of the archive lies in its own folder and in the replicas that varve.toml names below `[[replicas]]`: further folders,
/// buckets, or folders of checksums. A file is accepted when every replica was read back and has it. Audits find out what is lost or
/// has changed, repair brings it back from a sound copy. All that happens is written to a log that nobody can change unnoticed.
///
/// While `varve up` runs, all of this is done by itself. FILE is a file's name as JOB/NAME.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Status(status::Args),
    Replicas(replicas::Args),
    Bring(bring::Args),
    Audit(audit::Args),
    Repair(repair::Args),
    Put(put::Args),
    Get(get::Args),
    Batch(batch::Args),
    Log(log::Args),
    Backup(backup::Args),
    Adopt(adopt::Args),
    Correct(correct::Args),
    Forget(forget::Args),
    Export(export::Args),
    Check(check::Args),
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    match args.verb {
        Verb::Status(args) => status::run(args, session),
        Verb::Replicas(args) => replicas::run(args, session),
        Verb::Bring(args) => bring::run(args, session),
        Verb::Audit(args) => audit::run(args, session),
        Verb::Repair(args) => repair::run(args, session),
        Verb::Put(args) => put::run(args, session),
        Verb::Get(args) => get::run(args, session),
        Verb::Batch(args) => batch::run(args, session),
        Verb::Log(args) => log::run(args, session),
        Verb::Backup(args) => backup::run(args, session),
        Verb::Adopt(args) => adopt::run(args, session),
        Verb::Correct(args) => correct::run(args, session),
        Verb::Forget(args) => forget::run(args, session),
        Verb::Export(args) => export::run(args, session),
        Verb::Check(args) => check::run(args, session),
    }
}
