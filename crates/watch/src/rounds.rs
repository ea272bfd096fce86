//! The rounds: whatever is due is checked, judged and told, for as long as somebody wants it.
//!
//! One process at a time makes the rounds of an archive, and holds `ARCHIVE/watch/lock` meanwhile. What is due stands in the database, so that
//! nothing is lost with the process; what has become overdue meanwhile is spread over some minutes instead of being asked for all at once.

use std::fs::File;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use archive::Committed;
use jiff::Timestamp;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::Instant;

use crate::check::{Check, Outcome};
use crate::db::get;
use crate::error::Error;
use crate::moment;
use crate::monitor::Monitor;
use crate::news::News;
use crate::posting::{Courier, Posted};
use crate::queue::{Queue, Room, Turn};
use crate::watching::Watch;

/// Watches that are read at once.
const PAGE: u32 = 500;
/// How often it is looked what is due, what is to be sent, and whether it is time for a commit: others may add watches.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How often while there is more than can be under way.
const LOOK_BUSY: Duration = Duration::from_millis(100);
/// How often what is due is looked through also while enough is in line: it may all be before one host.
const FILL_EVERY: Duration = Duration::from_secs(10);
/// Where there are news, and before messages of them go out, captures are brought into the archive, but not more often than this.
const COMMIT_FOR_NEWS: Duration = Duration::from_secs(15);
/// Whoever has not looked for so long was away, and what is overdue is spread.
const AWAY: Duration = Duration::from_secs(120);
/// What has been in line for longer than this is looked at once more before it is checked.
const FRESH: Duration = Duration::from_secs(5);
/// What could not be asked for or written down is tried again after this, or after the watch's own pause if that is shorter.
const FAILED_PAUSE: Duration = Duration::from_secs(300);
/// How long nothing is begun when the disk is full or the database refuses.
const TROUBLE_PAUSE: Duration = Duration::from_secs(10);

/// How rounds are made.
#[derive(Clone)]
pub struct Tempo {
    /// Watches under way at once; most of them wait at the gate.
    pub under_way: usize,
    /// Watches of one host under way at once. The gate lets one of them through at a time; the others would only take room.
    pub per_host: usize,
    /// Captures are brought into the archive so often.
    pub commit_every: Duration,
    /// What has become overdue is spread over this time, or half of a watch's pause if that is shorter …
    pub spread: Duration,
    /// … unless it is as few as this.
    pub spread_from: u32,
    /// Who sends messages; nobody is told without it, and what is to be told waits.
    pub courier: Option<Arc<dyn Courier>>,
    /// Is told what happens.
    pub listener: Arc<dyn Fn(Event<'_>) + Send + Sync>,
}

/// What happens on the rounds.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A watch was checked.
    Checked(&'a Check),
    /// A watch could not be checked.
    NotChecked(&'a Watch, &'a Error),
    /// Something is worth telling.
    News(&'a News),
    /// Messages went out, or did not.
    Posted(Posted),
    /// Captures are in the archive.
    Committed(&'a Committed),
    /// Something failed that concerns no single watch; it is tried again.
    Trouble(&'a Error),
}

/// What came of some rounds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Made {
    /// Checks that were made.
    pub checks: u64,
    /// Of those, how many found another document.
    pub changed: u64,
    /// Of those, at how many the page was not there.
    pub missing: u64,
    /// Watches that could not be checked.
    pub failed: u64,
    /// News.
    pub news: u64,
}

impl Default for Tempo {
    fn default() -> Tempo {
        Tempo {
            under_way: 512,
            per_host: 4,
            commit_every: Duration::from_secs(300),
            spread: Duration::from_secs(600),
            spread_from: 60,
            courier: None,
            listener: Arc::new(|_| ()),
        }
    }
}

impl std::fmt::Debug for Tempo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tempo")
            .field("under_way", &self.under_way)
            .field("per_host", &self.per_host)
            .field("commit_every", &self.commit_every)
            .field("spread", &self.spread)
            .finish_non_exhaustive()
    }
}

/// Whoever makes the rounds of an archive.
#[derive(Debug)]
pub struct Rounds {
    monitor: Monitor,
    tempo: Tempo,
    under_way: JoinSet<Done>,
    queue: Queue,
    /// Whether all that is due had room in it.
    room: Room,
    /// Up to where what is due was looked through, and when that was done.
    place: (Timestamp, i64),
    filled: Instant,
    looked_at: Timestamp,
    committed_at: Timestamp,
    /// Checks since then, and whether one of them was news, which people want to look at.
    uncommitted: u64,
    has_news: bool,
    /// Messages on their way: checks do not wait for those who take them.
    posting: Option<JoinHandle<Result<Posted, Error>>>,
    made: Made,
    _lock: File,
}

/// A watch that was seen to.
struct Done {
    watch: Box<Watch>,
    host: String,
    /// `None` if it is not due any more.
    check: Result<Option<Check>, Error>,
    news: Result<Vec<News>, Error>,
}

impl Rounds {
    /// Begins: what a crash has left is judged, and what is overdue is spread. `None` if another process makes the rounds.
    ///
    /// # Errors
    /// When the database cannot be read or written.
    pub async fn begin(monitor: &Monitor, tempo: Tempo) -> Result<Option<Rounds>, Error> {
        let Some(lock) = job::lock::take(&monitor.folder().join("lock"))? else { return Ok(None) };
        let news = monitor.judge().await.unwrap_or_else(|error| {
            (tempo.listener)(Event::Trouble(&error));
            Vec::new()
        });
        news.iter().for_each(|news| (tempo.listener)(Event::News(news)));
        monitor.bring_watches_forward().await?;
        monitor.spread(tempo.spread, tempo.spread_from).await?;
        let made = Made { news: news.len() as u64, ..Made::default() };
        Ok(Some(Rounds {
            monitor: monitor.clone(),
            under_way: JoinSet::new(),
            queue: Queue::default(),
            room: Room::Enough,
            place: START,
            filled: Instant::now(),
            looked_at: monitor.now(),
            committed_at: monitor.now(),
            uncommitted: 0,
            has_news: false,
            posting: None,
            made,
            tempo,
            _lock: lock,
        }))
    }

    /// Checks all that is due by now, each once, and returns when that is done and told: for schedulers of somebody else, and for tests.
    /// What becomes due meanwhile is for the next time.
    ///
    /// # Errors
    /// When the database cannot be read or written.
    pub async fn once(&mut self) -> Result<Made, Error> {
        let (before, until) = (self.made, self.monitor.now());
        self.fill(until).await?;
        loop {
            if self.room != Room::Enough && self.queue.is_low(self.room) {
                self.fill(until).await?;
            }
            self.begin_checks();
            match self.under_way.join_next().await {
                Some(done) => self.take(done).await?,
                None => {
                    // What had no room in line before.
                    self.fill(until).await?;
                    if self.queue.is_empty() {
                        break;
                    }
                }
            }
        }
        if let Some(courier) = &self.tempo.courier {
            let posted = self.monitor.post(courier).await?;
            self.tell_of(posted);
        }
        if self.monitor.now().duration_since(self.committed_at).unsigned_abs() >= self.tempo.commit_every {
            self.commit().await?;
        }
        Ok(self.made.since(before))
    }

    /// Makes rounds until somebody wants it to end; what is under way then is given up, and is due again. Captures are brought into the
    /// archive at the end.
    ///
    /// # Errors
    /// When captures cannot be brought into the archive at the end. Whatever fails before is told to the listener, and tried again.
    pub async fn run(mut self, end: impl Future<Output = ()>) -> Result<Made, Error> {
        let mut end = pin!(end);
        let mut look_at = Instant::now();
        loop {
            if Instant::now() >= look_at {
                let pause = match self.look().await {
                    Ok(()) if self.room == Room::None && self.queue.is_low(self.room) => LOOK_BUSY,
                    Ok(()) => LOOK_EVERY,
                    Err(error) => {
                        (self.tempo.listener)(Event::Trouble(&error));
                        TROUBLE_PAUSE
                    }
                };
                look_at = Instant::now() + pause;
            }
            self.begin_checks();
            tokio::select! {
                biased;
                () = &mut end => break,
                Some(done) = self.under_way.join_next() => {
                    if let Err(error) = self.take(done).await {
                        (self.tempo.listener)(Event::Trouble(&error));
                    }
                }
                () = tokio::time::sleep_until(look_at) => {}
            }
        }
        self.under_way.shutdown().await;
        if let Some(posting) = self.posting.take() {
            // What was sent and could not be noted any more goes once more, with the same id.
            posting.abort();
        }
        self.commit().await?;
        Ok(self.made)
    }

    /// What came of it so far.
    #[must_use]
    pub fn made(&self) -> Made {
        self.made
    }

    /// Sees what is due and what is to be sent, and commits now and then.
    async fn look(&mut self) -> Result<(), Error> {
        let now = self.monitor.now();
        // The machine has slept, or somebody has turned the clock.
        if now.duration_since(self.looked_at).unsigned_abs() >= AWAY {
            self.monitor.bring_watches_forward().await?;
            self.monitor.spread(self.tempo.spread, self.tempo.spread_from).await?;
        }
        self.looked_at = now;
        if self.queue.is_low(self.room) || self.filled.elapsed() >= FILL_EVERY {
            self.fill(now).await?;
        }
        self.post().await?;
        let every = if self.has_news { COMMIT_FOR_NEWS } else { self.tempo.commit_every };
        if now.duration_since(self.committed_at).unsigned_abs() >= every.min(self.tempo.commit_every) {
            self.commit().await?;
        }
        Ok(())
    }

    /// Puts what is due by a time in line, from where it was left off, once around at most.
    async fn fill(&mut self, until: Timestamp) -> Result<(), Error> {
        let (from, mut has_turned) = (self.place, false);
        (self.room, self.filled) = (Room::Enough, Instant::now());
        self.monitor.bring_watches_forward().await?;
        loop {
            let now = self.monitor.now();
            let due = self.monitor.db().due(until, self.place, PAGE).await?;
            let is_last = due.len() < PAGE as usize;
            for watch in due {
                let place = (watch.due_at, watch.id);
                if has_turned && place > from {
                    return Ok(());
                }
                self.room = self.room.max(self.queue.offer(watch, now));
                if self.room == Room::None {
                    return Ok(());
                }
                self.place = place;
            }
            if is_last {
                self.place = START;
                if has_turned || from == START {
                    return Ok(());
                }
                has_turned = true;
            }
        }
    }

    /// Begins checks of what is in line, until enough are under way.
    fn begin_checks(&mut self) {
        while self.under_way.len() < self.tempo.under_way {
            let Some(Turn { watch, host, since }) = self.queue.next(self.tempo.per_host) else { return };
            let monitor = self.monitor.clone();
            self.under_way.spawn(async move {
                let (check, news) = match monitor.check_if_due(&watch, since).await {
                    Ok(Some((check, Some(resource)))) => {
                        (Ok(Some(check)), monitor.judge_of(Some(resource)).await)
                    }
                    Ok(Some((check, None))) => (Ok(Some(check)), Ok(Vec::new())),
                    Ok(None) => (Ok(None), Ok(Vec::new())),
                    Err(error) => (Err(error), Ok(Vec::new())),
                };
                Done { watch: Box::new(watch), host, check, news }
            });
        }
    }

    /// Takes note of a watch that was seen to.
    async fn take(&mut self, done: Result<Done, tokio::task::JoinError>) -> Result<(), Error> {
        let Done { watch, host, check, news } = match done {
            Ok(done) => done,
            Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
            Err(_) => return Ok(()),
        };
        self.queue.done(&host, &watch.url);
        let listener = Arc::clone(&self.tempo.listener);
        match check {
            Ok(None) => {}
            // Nothing was asked, so nothing says when it is due next.
            Ok(Some(check)) if check.is_repeated => {
                let pause = watch.wish.pace.pause().max(self.monitor.settings().again_after);
                self.monitor.postpone(watch.id, check.at, pause).await?;
            }
            Ok(Some(check)) => {
                self.made.checks += 1;
                self.uncommitted += 1;
                self.made.changed += u64::from(check.outcome == Outcome::Changed);
                self.made.missing += u64::from(!check.is_available());
                listener(Event::Checked(&check));
            }
            Err(error) => {
                self.made.failed += 1;
                listener(Event::NotChecked(&watch, &error));
                let pause = watch.wish.pace.pause().min(FAILED_PAUSE);
                // What we do not ask stays so until somebody changes it.
                let pause =
                    if matches!(error, Error::NotAsked { .. }) { watch.wish.pace.pause() } else { pause };
                self.monitor.postpone(watch.id, self.monitor.now(), pause).await?;
            }
        }
        let news = news?;
        self.made.news += news.len() as u64;
        self.has_news |= !news.is_empty();
        news.iter().for_each(|news| listener(Event::News(news)));
        Ok(())
    }

    /// Begins to send what is to be sent, unless that is under way.
    async fn post(&mut self) -> Result<(), Error> {
        if let Some(posting) = self.posting.take_if(|posting| posting.is_finished())
            && let Ok(posted) = posting.await
        {
            self.tell_of(posted?);
        }
        if self.posting.is_some() || self.tempo.courier.is_none() {
            return Ok(());
        }
        let now = self.monitor.now();
        self.monitor.bring_messages_forward().await?;
        if self.monitor.next_post().await?.is_some_and(|next| next <= now) {
            // Messages lead to versions, which are to be found by then.
            if self.uncommitted > 0 {
                if now.duration_since(self.committed_at).unsigned_abs() < COMMIT_FOR_NEWS {
                    return Ok(());
                }
                if let Err(error) = self.commit().await {
                    (self.tempo.listener)(Event::Trouble(&error));
                }
            }
            let Some(courier) = &self.tempo.courier else { return Ok(()) };
            let (monitor, courier) = (self.monitor.clone(), Arc::clone(courier));
            self.posting = Some(tokio::spawn(async move { monitor.post(&courier).await }));
        }
        Ok(())
    }

    fn tell_of(&self, posted: Posted) {
        if posted != Posted::default() {
            (self.tempo.listener)(Event::Posted(posted));
        }
    }

    async fn commit(&mut self) -> Result<(), Error> {
        self.committed_at = self.monitor.now();
        if self.uncommitted == 0 {
            return Ok(());
        }
        if let Some(committed) = self.monitor.commit().await? {
            (self.tempo.listener)(Event::Committed(&committed));
        }
        (self.uncommitted, self.has_news) = (0, false);
        Ok(())
    }
}

/// Before everything that is due.
const START: (Timestamp, i64) = (Timestamp::UNIX_EPOCH, 0);

impl Made {
    fn since(self, before: Made) -> Made {
        Made {
            checks: self.checks - before.checks,
            changed: self.changed - before.changed,
            missing: self.missing - before.missing,
            failed: self.failed - before.failed,
            news: self.news - before.news,
        }
    }
}

impl Monitor {
    /// Checks what is watched, unless it has been in line for so long that it is not due any more; see
    /// [`check_watched`](Monitor::check_watched).
    async fn check_if_due(
        &self,
        watch: &Watch,
        since: Timestamp,
    ) -> Result<Option<(Check, Option<i64>)>, Error> {
        let now = self.now();
        if now.duration_since(since).unsigned_abs() >= FRESH {
            let is_due = |watch: &Watch| !watch.wish.is_paused && watch.due_at <= now;
            if !self.db().watch(watch.id).await?.as_ref().is_some_and(is_due) {
                return Ok(None);
            }
        }
        self.check_watched(watch).await.map(Some)
    }

    /// When something is due next.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn next_due(&self) -> Result<Option<Timestamp>, Error> {
        let asked = ::db::query(include_str!("../sql/watch_next_due.sql"));
        let next =
            self.db().one("look for what is due", asked, |row| get::<Option<i64>>(row, "due_at")).await?;
        next.flatten().map(|at| moment::parse("due_at", at)).transpose()
    }

    /// Says that a watch is due so long after a time.
    async fn postpone(&self, watch: i64, from: Timestamp, pause: Duration) -> Result<(), Error> {
        let due = from.checked_add(pause).unwrap_or(Timestamp::MAX);
        let asked = ::db::query(include_str!("../sql/watch_postpone.sql")).bind(watch);
        self.db().write("put a watch off", asked.bind(moment::to_number(due))).await.map(drop)
    }

    /// Spreads what is overdue.
    async fn spread(&self, over: Duration, from: u32) -> Result<(), Error> {
        let over = i64::try_from(over.as_millis()).unwrap_or(i64::MAX);
        let asked = ::db::query(include_str!("../sql/watch_spread.sql"));
        let asked = asked.bind(moment::to_number(self.now())).bind(over).bind(from);
        self.db().write("spread what is overdue", asked).await.map(drop)
    }
}
