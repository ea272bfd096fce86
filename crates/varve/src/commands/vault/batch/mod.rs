//! `varve vault batch`: does one thing with each of many files of the archive, and makes one result of it.

mod choice;
mod place;
mod target;
mod told;
mod what;

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use ::batch::{News, Settings, Stopwatch};
use anyhow::anyhow;
use settings::{parse_bytes, parse_duration};
use store::Sealed;

use self::choice::Choice;
use self::place::Place;
use self::target::Target;
use self::told::Failures;
use self::what::What;
use crate::exit::Exit;
use crate::hint::with_hint;
use crate::interrupts::Interrupts;
use crate::progress::Progress;
use crate::session::Session;

/// Do one thing with all files of the archive, or with chosen ones, several at once
///
/// The results come in the order of the files, whoever is ready first. Each file is compared with its checksum while it is read. One that
/// fails, takes too long, is damaged or not what it was is told, and the rest goes on; the exit code is 1 then. Ctrl-C ends it, with
/// the results of all files up to there.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,

    /// Work on the copies of this replica, beside its data, instead of the archive's own files
    #[arg(long, value_name = "NAME", global = true)]
    replica: Option<String>,

    #[command(flatten)]
    choice: Choice,

    #[command(flatten)]
    target: Target,

    /// Work on this many files at once [default: one per core]
    #[arg(long, value_name = "N", global = true)]
    threads: Option<NonZeroUsize>,

    /// Give up on a file after this time
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = parse_duration, global = true)]
    timeout: Duration,

    /// Give up on a file whose result is longer than this
    #[arg(long, value_name = "SIZE", default_value = "4GB", value_parser = parse_bytes, global = true)]
    result_max: u64,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let task = args.what.task(session)?;
    args.target.check(&args.what, session)?;
    let place = Place::open(args.replica.as_deref(), session)?;
    let choice = args.choice.ready(place.archive())?;
    let (mut count, mut bytes, mut is_lost) = (0u64, 0u64, false);
    let mut told = HashSet::new();
    for file in place.files(&choice)? {
        match file {
            Ok(file) => (count, bytes) = (count + 1, bytes.saturating_add(file.bytes)),
            Err(error) => {
                is_lost = true;
                told.insert(format!("{error:#}"));
                crate::report::failure(&session.talk, &error);
            }
        }
    }
    if count == 0 {
        let error = anyhow!("there is no such file in the archive");
        return Err(with_hint(error, "`varve vault batch list` lists all; leave out some of the options"));
    }
    let settings = Settings {
        threads: args
            .threads
            .or_else(|| std::thread::available_parallelism().ok())
            .unwrap_or(NonZeroUsize::MIN),
        timeout: args.timeout,
        result_bytes_max: args.result_max,
        ..Settings::new(args.target.room(), stopwatch())
    };
    let interrupts = Interrupts::listen()?;
    let bar = Progress::bytes(&session.talk, "reading", Some(if task.reads() { bytes } else { 0 }));
    let mut failures = Failures::new(&args.target, &session.talk)?;
    // They are listed a second time, so that memory does not grow with their number; and then, too, it may fail.
    let unlisted = Mutex::new(Vec::new());
    let files = listed(place.files(&choice)?, &unlisted);
    let origin = place.origin();
    let (mut trouble, talk) = (None, session.talk.clone());
    let mut is_told = false;
    let mut look = |news: News<'_>| {
        match news {
            News::Progress(progress) => bar.set(progress.bytes),
            News::Failed(failed) => trouble = trouble.take().or(failures.add(failed).err()),
        }
        if interrupts.is_wanted() && !std::mem::replace(&mut is_told, true) {
            talk.note("stopping; Ctrl-C again ends at once");
        }
        if interrupts.is_wanted() || trouble.is_some() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let mut out = args.target.open(session)?;
    let report = ::batch::run(files, &origin, &*task, &settings, &mut out, &mut look)?;
    out.finish()?;
    bar.finish();
    if let Some(trouble) = trouble {
        return Err(trouble);
    }
    failures.finish()?;
    let exit = told::tell(&report, &args.target, session)?;
    for error in unlisted.into_inner().unwrap_or_else(PoisonError::into_inner) {
        is_lost = true;
        if told.insert(format!("{error:#}")) {
            crate::report::failure(&session.talk, &error);
        }
    }
    Ok(if is_lost { Exit::Failed } else { exit })
}

/// The files that could be listed, and beside them why others could not be.
fn listed<'a>(
    files: impl Iterator<Item = anyhow::Result<Sealed>> + Send + 'a,
    unlisted: &'a Mutex<Vec<anyhow::Error>>,
) -> impl Iterator<Item = Sealed> + Send + 'a {
    files.filter_map(|file| {
        file.map_err(|error| unlisted.lock().unwrap_or_else(PoisonError::into_inner).push(error)).ok()
    })
}

/// The time since now.
#[allow(clippy::disallowed_methods)] // The one place that looks at the clock for this verb.
fn stopwatch() -> Stopwatch {
    let started = Instant::now();
    Arc::new(move || started.elapsed())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_listed_is_not_lost() {
        let file = |name: &str| Sealed { name: name.to_owned(), bytes: 0, sha256: String::new() };
        let unlisted = Mutex::new(Vec::new());
        let files = [Ok(file("a/1")), Err(anyhow!("no list of b")), Ok(file("c/1"))];
        let names: Vec<String> = listed(files.into_iter(), &unlisted).map(|file| file.name).collect();
        assert_eq!(names, ["a/1", "c/1"]);
        assert_eq!(unlisted.into_inner().unwrap().len(), 1);
    }
}
