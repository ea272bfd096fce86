//! One exchange: what is asked, and that the gate hears how it went before anything else is done with the answer.

use std::io::Read as _;
use std::sync::Arc;
use std::time::Duration;

use archive::Last;
use fetch::gate::{Permit, Went};
use fetch::{Cut, Exchange, Failure, Outcome, Request};
use frontier::Turn;
use robots::Fetched;
use tokio::sync::OwnedSemaphorePermit;
use url::Url;

use super::address::gate_host;
use super::counters::UnderWay;
use super::descriptors;
use super::locks::lock;
use super::reading::{self, may_pass};
use super::robots::Asked;
use super::running::Running;
use super::scheduler::Sinks;
use super::threads::FailIfPanicking;
use crate::control::Course;
use crate::error::Error;
use crate::settings::RobotsRule;

/// An answer that is to be read.
pub(super) struct Arrived {
    pub(super) what: What,
    pub(super) exchange: Exchange,
    /// What the archive has of this URL, if it was asked for only if it has changed.
    pub(super) last: Option<Last>,
}

/// What was asked for.
pub(super) enum What {
    /// What the frontier had.
    Turn(Turn),
    /// The robots.txt of a site.
    Robots { host: String, via: String },
}

/// A request that is ready, and what the archive has of its URL.
pub(super) struct Prepared {
    request: Request,
    last: Option<Last>,
}

impl Prepared {
    /// No more bytes are taken than the budgets have left.
    pub(super) fn limit(&mut self, bytes: Option<u64>) {
        self.request.body_bytes_max = bytes.or(self.request.body_bytes_max);
    }
}

/// How an exchange ends for which there was no descriptor.
const NO_DESCRIPTORS: Outcome = Outcome::Failed(Failure::NoDescriptors);

/// Redirects of robots.txt that are followed (RFC 9309, 2.3.1.2).
const ROBOTS_REDIRECTS_MAX: usize = 5;

/// How long another host that robots.txt redirects to is waited for.
const REDIRECT_WAIT_MAX: Duration = Duration::from_secs(60);

/// Bytes of robots.txt that are read (RFC 9309 asks for 500 KiB at least).
const ROBOTS_BYTES_MAX: u64 = 512 << 10;

/// What to send for a URL.
pub(super) fn request(
    shared: &Running,
    turn: &Turn,
    url: &Url,
    referrer: Option<Url>,
    sheet: &scope::Overrides,
) -> Result<Prepared, Error> {
    let mut request = Request::get(url.clone());
    request.referrer = referrer;
    if let Some(agent) = &sheet.agent {
        request = request.header("User-Agent", agent);
    }
    for (name, value) in &sheet.headers {
        request = request.header(name, value);
    }
    let last = shared.packer.last(&turn.wish.url)?;
    if shared.settings.conditional
        && let Some(last) = &last
    {
        request.condition.etag.clone_from(&last.etag);
        request.condition.last_modified.clone_from(&last.last_modified);
    }
    // "As before" means something only where it was asked for.
    let is_asked = request.condition.etag.is_some() || request.condition.last_modified.is_some();
    Ok(Prepared { request, last: last.filter(|_| is_asked) })
}

/// Fetches a page and hands it on.
pub(super) async fn page(
    shared: &Arc<Running>,
    sinks: &Sinks,
    turn: Turn,
    prepared: Prepared,
    mut permit: Permit,
    place: OwnedSemaphorePermit,
) {
    let _guard = FailIfPanicking(shared);
    permit.sending();
    let Prepared { request, last } = prepared;
    let under_way = UnderWay::new(shared, &turn.wish.host);
    // In a place of its own: it is several kilobytes, which would be copied with every move of this task.
    let exchange = tokio::select! {
        exchange = Box::pin(shared.fetcher.fetch(request)) => exchange,
        () = shared.patience() => {
            // It stays in the frontier, for whoever resumes the job.
            lock(&shared.budgets.spending).refund(&turn.wish.host, None);
            permit.done(Went::GivenUp, shared.pacing.now());
            shared.put_back(turn);
            return;
        }
    };
    shared.pacing.note_address(&turn.wish.host, &exchange);
    permit.done(exchange.went(shared.now()), shared.pacing.now());
    drop(under_way);
    if exchange.outcome == NO_DESCRIPTORS {
        // No fault of the server's: the URL goes back as if it had not been asked for.
        let part = shared.scope.sheets().for_url(&exchange.url).budget_prefix.as_deref();
        lock(&shared.budgets.spending).refund(&turn.wish.host, part);
        descriptors::hold(shared);
        shared.give_back(turn);
        return;
    }
    if exchange.status().is_some() {
        shared.counters.note_data(shared.pacing.now());
    }
    hand_on(shared, sinks, Arrived { what: What::Turn(turn), exchange, last }).await;
    drop(place);
}

/// What is short is read at once: it is in this core's cache still, and nobody has to be woken for it. What may take longer goes
/// to threads that do nothing else, so that other exchanges go on.
async fn hand_on(shared: &Running, sinks: &Sinks, arrived: Arrived) {
    // Whoever reads or writes is gone only when the crawl is being torn down.
    if !reading::is_short(shared, &arrived) {
        return drop(sinks.arrived.send(arrived).await);
    }
    match reading::deal(shared, arrived) {
        Ok(dealt) => drop(sinks.dealt.send(dealt).await),
        Err(error) => shared.fail(error),
    }
}

/// Fetches the robots.txt of a site for all who wait for it.
pub(super) async fn robots(
    shared: &Arc<Running>,
    sinks: &Sinks,
    site: String,
    turn: Turn,
    permit: Permit,
    place: OwnedSemaphorePermit,
) {
    let _guard = FailIfPanicking(shared);
    let host = turn.wish.host.clone();
    let answer = tokio::select! {
        answer = ask_robots_until_asked(shared, sinks, &site, &turn, permit) => answer,
        // The frontier keeps all who wait for it.
        () = shared.patience() => return,
    };
    let fetched = match &answer {
        RobotsAnswer::Status(status, body) => Fetched::Status(*status, body),
        RobotsAnswer::TooManyRedirects => Fetched::TooManyRedirects,
        RobotsAnswer::Unreachable { .. } | RobotsAnswer::NotAsked => Fetched::Unreachable,
    };
    let (fault, may_pass) = match &answer {
        RobotsAnswer::Unreachable { fault, may_pass } => (*fault, *may_pass),
        _ => (None, true),
    };
    let names = &shared.settings.robots_names;
    let asked = Asked { fetched, fault, may_pass };
    let (waiting, policy) = shared.hosts.rules.learn(&site, &asked, names, shared.now());
    let delay = policy.rules().and_then(|rules| rules.crawl_delay(names));
    let is_obeyed =
        Url::parse(&turn.wish.url).is_ok_and(|url| shared.robots_rule(&url) != RobotsRule::Ignore);
    shared.pacing.gate().set_crawl_delay(&host, delay.filter(|_| is_obeyed), shared.pacing.now());
    for turn in std::iter::once(turn).chain(waiting.turns) {
        shared.give_back(turn);
    }
    shared.pacing.want(&waiting.permits);
    drop(place);
}

const UNREACHABLE: RobotsAnswer = RobotsAnswer::Unreachable { fault: None, may_pass: true };

enum RobotsAnswer {
    Status(u16, Vec<u8>),
    TooManyRedirects,
    /// Why, as the log says it, and whether that may pass.
    Unreachable {
        fault: Option<i32>,
        may_pass: bool,
    },
    /// This process had no descriptor for a connection.
    NotAsked,
}

/// Asks for a robots.txt, again if this process had no descriptor for that.
async fn ask_robots_until_asked(
    shared: &Arc<Running>,
    sinks: &Sinks,
    site: &str,
    turn: &Turn,
    mut permit: Permit,
) -> RobotsAnswer {
    loop {
        match ask_robots(shared, sinks, site, turn, permit).await {
            RobotsAnswer::NotAsked => descriptors::wait(shared).await,
            answer => return answer,
        }
        permit = match enter(shared, &turn.wish.host).await {
            Some(permit) => permit,
            None => return UNREACHABLE,
        };
    }
}

/// Follows redirects as far as the standard asks; each hop is kept like any answer.
async fn ask_robots(
    shared: &Arc<Running>,
    sinks: &Sinks,
    site: &str,
    turn: &Turn,
    permit: Permit,
) -> RobotsAnswer {
    let Ok(url) = Url::parse(site) else { return UNREACHABLE };
    let mut walk = shared.fetcher.walk(Request::get(url));
    let mut permit = Some(permit);
    let mut answer = UNREACHABLE;
    for _ in 0..=ROBOTS_REDIRECTS_MAX {
        let Some(next) = walk.next_url().cloned() else { return answer };
        let host = gate_host(&next);
        let mut permit = match permit.take() {
            Some(permit) => permit,
            None => match enter(shared, &host).await {
                Some(permit) => permit,
                None => return UNREACHABLE,
            },
        };
        permit.sending();
        let under_way = UnderWay::new(shared, &host);
        let Some(exchange) = walk.step().await else { return answer };
        shared.pacing.note_address(&host, &exchange);
        permit.done(exchange.went(shared.now()), shared.pacing.now());
        drop(under_way);
        if exchange.outcome == NO_DESCRIPTORS {
            return RobotsAnswer::NotAsked;
        }
        if exchange.status().is_some() {
            shared.counters.note_data(shared.pacing.now());
        }
        answer = match (&exchange.outcome, exchange.status()) {
            // Of a file that broke off nobody knows what the rest would have said.
            (Outcome::Complete | Outcome::Truncated(Cut::Length), Some(status)) => {
                RobotsAnswer::Status(status, body(&exchange))
            }
            (outcome, _) => {
                let fault = outcome.heritrix();
                RobotsAnswer::Unreachable { fault, may_pass: may_pass(&exchange) }
            }
        };
        let what = What::Robots { host, via: turn.wish.url.clone() };
        shared.counters.begun();
        hand_on(shared, sinks, Arrived { what, exchange, last: None }).await;
    }
    if walk.next_url().is_some() { RobotsAnswer::TooManyRedirects } else { answer }
}

/// Waits for leave to ask the host that a robots.txt redirects to; not for ever, and not when the crawl is to stop.
async fn enter(shared: &Running, host: &str) -> Option<Permit> {
    let mut course = shared.control.watch();
    let door = shared.pacing.politeness.door();
    tokio::select! {
        pass = door.enter(host, None) => Some(pass.into_permit()),
        () = tokio::time::sleep(REDIRECT_WAIT_MAX) => None,
        _ = course.wait_for(|course| *course == Course::Stop) => None,
    }
}

/// As much of a robots.txt as counts. One that cannot be unpacked is as good as its beginning.
fn body(exchange: &Exchange) -> Vec<u8> {
    let mut body = Vec::new();
    if let Ok(document) = exchange.document(ROBOTS_BYTES_MAX) {
        let _ = document.take(ROBOTS_BYTES_MAX).read_to_end(&mut body);
    }
    body
}
