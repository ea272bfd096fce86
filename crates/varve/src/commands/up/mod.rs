//! `varve up`: the whole system in one process, on this machine alone.

mod demo;
mod keys;
mod place;
mod ports;
mod serving;
mod told;
mod watching;

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use archive::{About, Archive};
use fetch::Clock;
use plan::Plan;
use supervisor::{Caretaker, Disks, Harvester, Kept, Lead, Setup, notifying};
use tokio::runtime::Runtime;

use self::demo::Demo;
use self::ports::Ports;
use self::serving::Served;
use self::told::Told;
use self::watching::Watching;
use crate::clock::now;
use crate::crawl_ending::told as told_of;
use crate::exit::Exit;
use crate::interrupts::Interrupts;
use crate::session::Session;
use crate::sign_in::{Running, TokenFile, open_browser};
use crate::{record_id, report};

/// Threads that wait for the disk, for each processor: each has memory of its own.
const READING_THREADS: usize = 6;

/// Readers that wait for a whole file to be checked: on a machine with one processor, half of its threads stay free for others.
const WAITING_READERS: usize = 3;

/// How long those who are to be told of something are waited for at the end.
const PATIENCE: Duration = Duration::from_secs(5);

/// Start the whole archive on this machine: its pages, and replay
///
/// Opens the archive that is here or in a folder above, or makes one in `varve-archive`. The pages are for looking around and for
/// beginning harvests; programs find the API at the same place. Replay shows archived pages as they were, at an address of its own, so
/// that they cannot reach the rest. Only this machine can get at any of it, and only its user at the pages and the API: the address that is
/// printed signs a browser in, and `varve open` does so again. Ctrl-C ends it; harvests that run can be gone on with.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Where the pages and the API are; 0 is any port that is free
    #[arg(long, value_name = "PORT", default_value_t = 8470)]
    port: u16,

    /// Where archived pages are shown; 0 is any port that is free
    #[arg(long, value_name = "PORT", default_value_t = 8471)]
    replay_port: u16,

    /// Open the pages in a browser [default: if this is a terminal on a screen]
    #[arg(long, overrides_with = "no_open")]
    open: bool,

    /// Open no browser
    #[arg(long, overrides_with = "open")]
    no_open: bool,

    /// Harvest a sample site in three editions first, which comes with the program, into `varve-demo`
    #[arg(long)]
    demo: bool,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let interrupts = Interrupts::listen()?;
    crawl::raise_file_limit();
    let runtime = runtime()?;
    // A port that is taken is told before anything is made or harvested.
    let ports = runtime.block_on(Ports::bind(args.port, args.replay_port))?;
    let place = if args.demo { place::of_demo(session)? } else { place::find(session)? };
    session.globals.archive = Some(place.folder.clone());
    let archive = place.open(session)?;
    if args.demo {
        place::check_demo(&archive)?;
    }
    let about = About::new(now(), Arc::new(record_id::new));
    if let Err(error) = transfer::import::tidy_up(&archive, &about) {
        // It is told once, and does not concern what is in the archive.
        report::failure(&session.talk, &error.into());
    }
    let demo = if args.demo { Some(runtime.block_on(Demo::serve())?) } else { None };
    if let Some(demo) = &demo
        && !demo.harvest(&archive, &interrupts, session)?
    {
        session.talk.reason("stopped; `varve up --demo` goes on with the sample site");
        return Ok(Exit::Failed);
    }
    let said = session.read_settings()?;
    let (voice, clock) = (session.talk.voice(), Clock::new(now));
    let notifier = Arc::new(notifying::notifier(&voice, &clock, &said, archive.folder(), true));
    let kept = Kept::of(archive.clone(), &said, clock.clone())?;
    let written = archive.written().into_iter().chain(kept.folders()).collect();
    let disks = Disks::watch(written, said.disk.values().room(), Arc::clone(&notifier), clock.clone());
    let harvester = Arc::new(Harvester::start_up(setup(&archive, demo.as_ref(), session))?);
    let caretaker = Arc::new(Caretaker::start(kept, voice, Arc::clone(&notifier)));
    // Readers are given what other replicas have where the archive's own copy is bad, and the caretaker hears of it.
    let suspecting = Arc::clone(&caretaker);
    let read = archive.clone().with_others(supervisor::others(&said)).with_waiting_readers(WAITING_READERS);
    let read = read.on_fault(Arc::new(move |fault| {
        // One that was taken in with a wrong digest is as it always was.
        if fault.served != Some(fault.place) {
            suspecting.suspect(&fault.file);
        }
    }));
    let watching = match Watching::start(&runtime, &harvester, ports.links(), session) {
        Ok(watching) => Some(Arc::new(watching)),
        // The rest of the archive is not to suffer from it.
        Err(error) => {
            report::failure(&session.talk, &error.context("no pages are watched"));
            None
        }
    };
    let keys = keys::keys(archive.folder(), ports.pages_port)?;
    archive.make_work()?;
    let token_file = TokenFile::write(archive.folder(), &ports.links(), &keys.token)?;
    let served = Served::start(&runtime, ports, &read, keys, (&harvester, &caretaker, watching.as_ref()))?;
    let running = Running::find(archive.folder())?;
    let told =
        Told { served: &served, running: &running, archive: archive.folder(), is_demo: demo.is_some() };
    told.print(session)?;
    if told::is_browser_wanted(args.open, args.no_open, session)
        && let Err(error) = open_browser(archive.folder(), &running)
    {
        session
            .talk
            .note(&format!("no browser could be opened: {error:#}; open the address of the pages yourself"));
    }
    runtime.block_on(interrupts.wanted());
    harvester.stop();
    if let Some(watching) = &watching {
        watching.stop();
    }
    session.talk.note("ending; Ctrl-C again ends at once");
    told::left(&harvester.ended(), session);
    if let Some(watching) = &watching {
        watching.end(&runtime);
    }
    caretaker.end();
    served.end(&runtime);
    drop(token_file);
    disks.end();
    notifier.flush(PATIENCE);
    runtime.shutdown_timeout(serving::PATIENCE);
    Ok(Exit::Done)
}

/// What the harvester needs of this program.
fn setup(archive: &Archive, demo: Option<&Demo>, session: &Session) -> Setup {
    let sample = demo.map(Demo::sample);
    let talk = session.talk.clone();
    Setup {
        archive: archive.clone(),
        search: session.search(),
        keychain: session.keychain(archive.folder()),
        clock: Clock::new(now),
        ids: Arc::new(record_id::new),
        voice: session.talk.voice(),
        tell: Arc::new(move |ended, is_there| talk.note(&told_of(ended, is_there))),
        // Whoever asks for the sample site finds it.
        lead: sample.map(|sample| Arc::new(move |plan: &mut Plan| sample.lead(plan)) as Arc<Lead>),
    }
}

fn runtime() -> anyhow::Result<Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .max_blocking_threads(std::thread::available_parallelism().map_or(1, usize::from) * READING_THREADS)
        .build()
        .context("cannot start the threads that serve")
}
