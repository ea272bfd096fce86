//! A crawl that runs: a scheduler that begins exchanges, threads that read what comes, one that writes it all down.

mod address;
mod budgets;
mod counters;
mod dealt;
mod descriptors;
mod ending;
mod host_knowledge;
mod host_pacing;
mod journal;
mod ledger;
mod links;
mod locks;
mod reading;
mod recheck;
mod robots;
mod room;
mod running;
mod scheduler;
mod threads;
mod visit;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use archive::{About, Archive, Intake, Packer};
use fetch::Fetcher;
use frontier::{Frontier, Wish};
use job::log::Line;
use job::socket::Command;
use job::tally::{Counts, Tally, domain_of};
use job::{Progress, State, limits, socket};
use scope::Scope;
use warc::Algorithm;

use self::address::{canonical, gate_host};
use self::ending::Account;
use self::journal::{Log, Mark};
use self::ledger::Ledger;
use self::locks::lock;
use self::running::{Parts, Running};
use self::scheduler::Ending;
use crate::control::{Control, NewLimits};
use crate::error::Error;
use crate::held::{Job, remove};
use crate::politeness::Politeness;
use crate::settings::Settings;
use crate::spending::Spending;

/// A crawl under way.
pub struct Crawl {
    shared: Arc<Running>,
    running: JoinHandle<Result<Ended, Error>>,
}

/// What became of a crawl.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// Name of the job.
    pub job: String,
    /// Whether it is in the archive now; if not it was stopped, or nothing came.
    pub is_committed: bool,
    /// Whether nothing was left to do.
    pub is_complete: bool,
    /// How it ended, in words.
    pub how: String,
    /// What it has done.
    pub counts: Counts,
    /// URLs that are still queued.
    pub queued: u64,
    /// What became of the seeds: URL and status, which is 0 if it was not asked.
    pub seeds: Vec<(String, i32)>,
}

impl Crawl {
    /// Begins a job, or goes on with it. The crawl runs on threads of its own.
    pub fn start(mut job: Job, settings: Settings, politeness: Option<&Politeness>) -> Result<Crawl, Error> {
        raise_file_limit();
        let domains = lock_domains(job.archive(), &settings)?;
        let opened = open(&job, settings, politeness)?;
        let Opened { shared, ledger } = opened;
        if !job.is_over() {
            job.set_state(State::Running, None)?;
        }
        let (watched, folder) = (Arc::downgrade(&shared), job.folder());
        let listening = socket::listen(&job.folder(), move |command| {
            let Some(shared) = watched.upgrade() else { return Ok(None) };
            if let Command::Limits(change) = &command {
                // It holds also if this process is killed as soon as it has answered.
                limits::append(&folder, shared.now(), change).map_err(|error| told(&error))?;
            }
            shared.control.obey(command);
            Ok(Some(shared.progress()))
        })?;
        let inside = shared.clone();
        let running = thread::spawn(move || {
            let ended = run(&inside, job, ledger);
            drop((listening, domains));
            ended
        });
        Ok(Crawl { shared, running })
    }

    /// The wheel.
    #[must_use]
    pub fn control(&self) -> Control {
        self.shared.control.clone()
    }

    /// How it gets on.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.shared.progress()
    }

    /// Whether it has ended.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.running.is_finished()
    }

    /// Waits for its end.
    pub fn wait(self) -> Result<Ended, Error> {
        self.running.join().unwrap_or(Err(Error::Broken("it has panicked, which is a fault of the program")))
    }
}

struct Opened {
    shared: Arc<Running>,
    ledger: Ledger,
}

/// Brings everything to where it was, or to its beginning.
fn open(job: &Job, settings: Settings, politeness: Option<&Politeness>) -> Result<Opened, Error> {
    let folder = job.folder();
    let logs = folder.join("logs");
    private::make_folder(&logs).map_err(Error::file(&logs))?;
    let scope = Scope::new(&settings.scope)?;
    let width = settings.width;
    let frontier_settings = frontier::Settings { width, ..frontier::Settings::default() };
    let frontier = Frontier::open(&folder.join("frontier"), &frontier_settings)?;
    let mark = match frontier.mark() {
        None => None,
        Some(bytes) => Some(Mark::from_bytes(&bytes).ok_or_else(|| Error::Damaged {
            path: folder.join("frontier"),
            what: "its mark is of another version of this program".to_owned(),
        })?),
    };
    let about = about(job, &settings);
    let lengths = mark.clone().unwrap_or_default();
    let crawl_log = Log::open(&logs.join("crawl.log"), lengths.crawl_log)?;
    let filtered_log = Log::open(&logs.join("filtered.log"), lengths.filtered_log)?;
    let (packer, intake): (Packer, Intake) = match mark {
        Some(mark) => job.archive().resume(job.name(), &about, &archive::Mark::from_bytes(mark.intake))?,
        None => job.archive().begin(job.name(), &about)?,
    };
    let politeness = match politeness {
        Some(shared) => shared.for_another(settings.gate),
        None => Politeness::new(settings.gate),
    };
    let mut spending = Spending::new(settings.budgets, politeness.now());
    for change in settings.limit_changes.iter().filter(|change| !change.is_empty()) {
        limits::append(&folder, settings.fetch.clock.now(), change)?;
    }
    for (_, change) in limits::read(&folder)? {
        spending.change(NewLimits::from_change(change));
    }
    let tally = count(crawl_log.path(), &scope, &mut spending)?;
    let fetcher = fetcher(&settings, &folder)?;
    let shared = Arc::new(Running::new(Parts {
        job: job.name().to_owned(),
        started: job.started(),
        settings,
        scope,
        frontier,
        politeness,
        fetcher,
        archive: job.archive().clone(),
        packer,
        tally,
        spending,
    }));
    Ok(Opened { shared, ledger: Ledger::new(intake, crawl_log, filtered_log) })
}

/// An error with its cause, in one line.
fn told(error: &job::Error) -> String {
    let cause = std::error::Error::source(error).map(|cause| format!(": {cause}")).unwrap_or_default();
    format!("{error}{cause}")
}

fn about(job: &Job, settings: &Settings) -> About {
    About {
        started: job.started(),
        warcinfo: settings.warcinfo.clone(),
        gzip_level: settings.gzip_level,
        file_bytes_max: settings.file_bytes_max,
        dedup: settings.dedup,
        which: settings.dedup_types,
        metadata: settings.outlinks,
        ..About::new(job.started(), settings.ids.clone())
    }
}

/// What is left out as known must be the same beyond doubt, hence SHA-256; large bodies go to the disk that the archive is on.
fn fetcher(settings: &Settings, folder: &Path) -> Result<Fetcher, Error> {
    let mut fetch = settings.fetch.clone();
    // No connection is closed that the next request could use.
    fetch.pool.per_host = fetch.pool.per_host.max(usize::from(settings.gate.per_host));
    fetch.pool.total = fetch.pool.total.max(settings.concurrency);
    fetch.digests = fetch::Wanted {
        payload: vec![Algorithm::Sha256],
        block: vec![Algorithm::Sha256],
        ..fetch::Wanted::default()
    };
    let spill = folder.join("arriving");
    private::make_folder(&spill).map_err(Error::file(&spill))?;
    fetch.spill_folder = Some(spill);
    Ok(Fetcher::new(fetch)?)
}

/// Lets this process open as many files as the system allows, and returns how many that is. Many hosts need many connections, and many
/// seeds many locks.
pub fn raise_file_limit() -> u64 {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current < maximum {
        let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    }
    getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX)
}

/// No two crawls fetch from one domain at once (A4).
fn lock_domains(archive: &Archive, settings: &Settings) -> Result<Vec<File>, Error> {
    let folder = archive.work().join("domains");
    private::make_folder(&folder).map_err(Error::file(&folder))?;
    let hosts: BTreeSet<String> = settings.scope.seeds.starts().iter().map(gate_host).collect();
    let domains: BTreeSet<&str> = hosts.iter().map(|host| domain_of(host)).collect();
    let mut locks = Vec::new();
    for domain in domains {
        let taken = job::lock::take(&folder.join(format!("{domain}.lock")))?;
        locks.push(taken.ok_or_else(|| Error::DomainBusy { domain: domain.to_owned() })?);
    }
    Ok(locks)
}

/// Counts what was done before and what it has cost, and tells the scope which seeds were redirected.
fn count(log: &Path, scope: &Scope, spending: &mut Spending) -> Result<Tally, Error> {
    let mut tally = Tally::default();
    each_line(log, |line| {
        let Ok(url) = url::Url::parse(&line.url) else { return };
        let host = gate_host(&url);
        tally.add(&host, line);
        // robots.txt costs nothing.
        if line.status > 0 && !line.hops.starts_with('P') {
            let part = scope.sheets().for_url(&url).budget_prefix.as_deref();
            spending.remember(&host, part, line.bytes);
        }
        let is_redirect = !line.hops.is_empty() && line.hops.chars().all(|hop| hop == 'R');
        if let (true, Some(via)) = (is_redirect, &line.via)
            && let Ok(via) = url::Url::parse(via)
        {
            scope.follow_seed(&via, &url);
        }
    })?;
    spending.look();
    Ok(tally)
}

/// Goes through the lines of a crawl log; what is no line is passed over.
fn each_line(log: &Path, mut take: impl FnMut(&Line<'_>)) -> Result<(), Error> {
    let file = File::open(log).map_err(Error::file(log))?;
    let mut reader = BufReader::with_capacity(256 << 10, file);
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line).map_err(Error::file(log))? > 0 {
        if let Some(line) = std::str::from_utf8(&line).ok().and_then(Line::parse) {
            take(&line);
        }
        line.clear();
    }
    Ok(())
}

/// The whole of a crawl, from its seeds to its commit.
fn run(shared: &Arc<Running>, mut job: Job, ledger: Ledger) -> Result<Ended, Error> {
    if job.is_over() {
        // It was killed between its end and its commit, or within that.
        let how = job.why().unwrap_or("Finished").to_owned();
        let seeds = ending::fates(&start_urls(shared), ledger.crawl_log.path())?;
        let seeds = seeds.into_iter().map(|seed| (seed.url, seed.status)).collect();
        let is_complete = how == ending::FINISHED;
        let ended = Ended { is_complete, seeds, ..so_far(shared, how) };
        return commit(shared, &mut job, ledger.intake, ended);
    }
    let harvested = harvest(shared, ledger);
    let (ending, ledger) = match harvested {
        Ok(harvested) => harvested,
        Err(error) => {
            job.set_state(State::Stopped, Some(error.to_string()))?;
            return Err(error);
        }
    };
    let ended = finish(shared, &job, &ending, &ledger)?;
    if ending == Ending::Stopped {
        job.set_state(State::Stopped, Some("stopped by the operator".to_owned()))?;
        return Ok(ended);
    }
    job.set_state(State::Finished, Some(ended.how.clone()))?;
    commit(shared, &mut job, ledger.intake, ended)
}

/// Fetches until there is no more.
fn harvest(shared: &Arc<Running>, ledger: Ledger) -> Result<(Ending, Ledger), Error> {
    let seeds = seeds(shared);
    if seeds.is_empty() {
        return Err(Error::NoSeeds);
    }
    shared.frontier.offer(seeds)?;
    shared.pacing.want(&shared.frontier.waiting());
    threads::run(shared, ledger)
}

/// Where it begins.
fn seeds(shared: &Running) -> Vec<Wish> {
    let urls = shared.settings.scope.seeds.starts();
    urls.into_iter()
        .filter_map(canonical)
        .map(|url| Wish {
            host: gate_host(&url),
            url: url.into(),
            via: None,
            hops: String::new(),
            precedence: links::precedence::SEED,
            tries: 0,
            tag: Vec::new(),
        })
        .collect()
}

/// Writes the reports.
fn finish(shared: &Running, job: &Job, ending: &Ending, ledger: &Ledger) -> Result<Ended, Error> {
    let tally = lock(&shared.counters.tally);
    let spending = lock(&shared.budgets.spending);
    let remarks = lock(&shared.counters.remarks);
    let mut queued: BTreeMap<String, u64> =
        shared.frontier.waiting().into_iter().map(|(host, count)| (host, u64::from(count))).collect();
    for postponed in shared.frontier.postponed() {
        let (_, wish) = postponed?;
        *queued.entry(wish.host).or_default() += 1;
    }
    let account = Account {
        job: job.name(),
        folder: &job.folder(),
        ending,
        started: job.started(),
        now: shared.now(),
        duration: shared.pacing.now().saturating_sub(shared.counters.began),
        tally: &tally,
        spending: &spending,
        queued,
        seeds: start_urls(shared),
        refused: remarks.refused.clone(),
        remarks: remarks.lines.iter().cloned().chain(shared.hosts.traps.remarks()).collect(),
    };
    let seeds = ending::report(&account, ledger.crawl_log.path())?;
    let (is_complete, how) = (ending.is_complete(&tally), ending.words(&tally).to_owned());
    drop(tally);
    Ok(Ended { is_complete, seeds, ..so_far(shared, how) })
}

fn start_urls(shared: &Running) -> Vec<String> {
    let urls = shared.settings.scope.seeds.starts();
    urls.into_iter().filter_map(canonical).map(Into::into).collect()
}

/// What was done until now.
fn so_far(shared: &Running, how: String) -> Ended {
    let counts = shared.frontier.counts();
    Ended {
        job: shared.job.clone(),
        is_committed: false,
        is_complete: false,
        how,
        counts: lock(&shared.counters.tally).total,
        queued: counts.queued + counts.postponed,
        seeds: Vec::new(),
    }
}

/// Brings a finished job into the archive. One that has brought nothing is removed (A5).
fn commit(shared: &Running, job: &mut Job, intake: Intake, ended: Ended) -> Result<Ended, Error> {
    if ended.counts.got.urls == 0 {
        drop(intake);
        shared.frontier.leave_for_good();
        job.archive().discard(job.name())?;
        return Ok(ended);
    }
    job.set_state(State::Committing, Some(ended.how.clone()))?;
    let notes = ending::notes(job.name(), &job.folder())?;
    let commit = index::Commit { name: job.name().to_owned(), at: job.started(), facts: facts(&ended) };
    job.archive().commit(intake, notes, commit)?;
    shared.frontier.leave_for_good();
    remove(job.archive(), job.name())?;
    Ok(Ended { is_committed: true, ..ended })
}

/// What a list of commits shows of this one.
fn facts(ended: &Ended) -> Vec<(String, String)> {
    let Counts { got, novel, duplicate, not_modified, gone, filtered, failed, robots, .. } = ended.counts;
    [
        ("ended", ended.how.clone()),
        ("documents", got.urls.to_string()),
        ("bytes", got.bytes.to_string()),
        ("novel", novel.urls.to_string()),
        ("duplicates", duplicate.urls.to_string()),
        ("not-modified", not_modified.urls.to_string()),
        ("gone", gone.to_string()),
        ("filtered", filtered.urls.to_string()),
        ("failed", failed.to_string()),
        ("robots", robots.to_string()),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_owned(), value))
    .collect()
}

impl Job {
    /// Brings what was fetched so far into the archive, without fetching more.
    pub fn commit(mut self, settings: Settings) -> Result<Ended, Error> {
        let opened = open(&self, settings, None)?;
        if self.is_over() {
            return run(&opened.shared, self, opened.ledger);
        }
        let ended = finish(&opened.shared, &self, &Ending::Stopped, &opened.ledger)?;
        commit(&opened.shared, &mut self, opened.ledger.intake, ended)
    }
}
