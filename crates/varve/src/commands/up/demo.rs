//! `varve up --demo`: the sample site, served on this machine and harvested once for each of its editions.
//!
//! The site has the name it would have in the world, and requests for that name are led here. Each edition is harvested at the time it
//! came out: the clock that the crawl is handed runs from there.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;
use std::time::Duration;

use ::demo::{EDITIONS, Edition, FRONT, HOST};
use anyhow::{Context as _, anyhow};
use archive::Archive;
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::Response;
use crawl::{Crawl, Error, Job};
use fetch::dns::Override;
use fetch::{Clock, Network};
use jiff::Timestamp;
use plan::Plan;
use settings::HarvestLayer;
use tokio::net::TcpListener;

use crate::clock::now;
use crate::hint::WithHint as _;
use crate::interrupts::Interrupts;
use crate::session::Session;
use crate::terminal::amount;

/// How often a harvest is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// The sample site, as long as the process lives.
pub(super) struct Demo {
    edition: Arc<AtomicU8>,
    sample: Sample,
}

/// Where the sample site is.
#[derive(Clone, Copy)]
pub(super) struct Sample {
    port: u16,
}

impl Demo {
    /// Begins to serve the newest edition.
    pub(super) async fn serve() -> anyhow::Result<Demo> {
        let listener =
            TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.context("cannot serve the sample site")?;
        let port = listener.local_addr().context("cannot see where the sample site is")?.port();
        let newest = EDITIONS.last().map_or(1, |edition| edition.number);
        let edition = Arc::new(AtomicU8::new(newest));
        let router = Router::new().fallback(answer).with_state(edition.clone());
        tokio::spawn(async move {
            if let Err(error) = axum::serve(listener, router).await {
                tracing::error!("the sample site is gone: {error}");
            }
        });
        Ok(Demo { edition, sample: Sample { port } })
    }

    /// Where it is.
    pub(super) fn sample(&self) -> Sample {
        self.sample
    }

    /// Harvests every edition that the archive has not; `false` if somebody has had enough.
    pub(super) fn harvest(
        &self,
        archive: &Archive,
        interrupts: &Interrupts,
        session: &Session,
    ) -> anyhow::Result<bool> {
        let newest = self.edition.load(Ordering::SeqCst);
        let all = EDITIONS.iter().try_fold(true, |goes_on, edition| {
            Ok(goes_on && self.harvest_one(*edition, archive, interrupts, session)?)
        });
        self.edition.store(newest, Ordering::SeqCst);
        all
    }

    fn harvest_one(
        &self,
        edition: Edition,
        archive: &Archive,
        interrupts: &Interrupts,
        session: &Session,
    ) -> anyhow::Result<bool> {
        let published: Timestamp =
            edition.published.parse().with_context(|| format!("no time: {}", edition.published))?;
        let mut asked = HarvestLayer::default();
        asked.say("description", &format!("The sample site, edition {}", edition.number))?;
        let mut plan = session.planner()?.plan(&[FRONT.to_owned()], &asked)?;
        let name = format!("{}-{}", plan.label, urlkey::time::to_14(published));
        let is_there = archive.snapshot()?.commits().iter().any(|commit| commit.name == name);
        if is_there {
            return Ok(true);
        }
        self.sample.lead(&mut plan);
        self.sample.hurry(&mut plan);
        plan.settings.fetch.clock = clock(published);
        self.edition.store(edition.number, Ordering::SeqCst);
        let job = match Job::open(archive, &name) {
            Err(Error::NoSuchJob { .. }) => {
                Job::create(archive, &name, published, &plan.job_toml, &plan.seeds_text)
            }
            job => job,
        };
        let crawl = Crawl::start(job?, plan.settings, None)?;
        while !crawl.is_over() {
            if interrupts.is_wanted() {
                crawl.control().stop();
            }
            thread::sleep(LOOK_EVERY);
        }
        let ended = crawl.wait()?;
        if !ended.is_committed && interrupts.is_wanted() {
            return Ok(false);
        }
        if !ended.is_committed {
            return Err(anyhow!("the sample site could not be harvested: {}", ended.how))
                .hint("a proxy or a firewall may stand before this machine's own addresses");
        }
        session.talk.note(&format!(
            "harvested the sample site as of {}: {}, {} of them new or changed",
            edition.day,
            amount::counted(ended.counts.got.urls, "document"),
            amount::grouped(ended.counts.novel.urls),
        ));
        Ok(true)
    }
}

impl Sample {
    /// Leads requests for the site's name to where it is served, if the plan is about it. Whoever harvests something else cannot be
    /// led to this machine by it.
    pub(super) fn lead(self, plan: &mut Plan) {
        let starts = plan.settings.scope.seeds.starts();
        if !starts.iter().any(|url| url.host_str() == Some(HOST)) {
            return;
        }
        let address = IpAddr::V4(Ipv4Addr::LOCALHOST);
        let fetch = &mut plan.settings.fetch;
        let led = Override { host: HOST.to_owned(), port: Some(80), address, to_port: Some(self.port) };
        fetch.dns.overrides.push(led);
        fetch.allowed.networks.push(Network::single(address));
        fetch.proxies = fetch::Proxies::default();
    }

    /// Nobody else is bothered by it, so it need not be polite, and what fails once fails again.
    fn hurry(self, plan: &mut Plan) {
        let settings = &mut plan.settings;
        settings.gate.delay_min = Duration::ZERO;
        settings.gate.delay_max = Duration::ZERO;
        settings.gate.per_host = 8;
        settings.gate.per_address = 8;
        settings.gate.backoff_first = Duration::ZERO;
        settings.retries = 0;
    }
}

/// A clock that runs from this time on.
fn clock(from: Timestamp) -> Clock {
    let ahead = now().duration_since(from);
    Clock::new(move || now().checked_sub(ahead).unwrap_or(from))
}

async fn answer(State(edition): State<Arc<AtomicU8>>, request: Request) -> Response<Body> {
    let place = request.uri().path_and_query().map_or("/", |place| place.as_str());
    let answer = ::demo::answer(edition.load(Ordering::SeqCst), place);
    let mut response = Response::builder().status(answer.status).header("content-type", answer.content_type);
    for (name, value) in &answer.fields {
        response = response.header(*name, value.as_ref());
    }
    response.body(Body::from(answer.body.into_owned())).unwrap_or_default()
}
