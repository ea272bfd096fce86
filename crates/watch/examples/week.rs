//! Makes the rounds through a week that passes as fast as it can be worked off. A test kills it now and then, and starts it again.
//!
//! ```console
//! $ week ARCHIVE CLOCK SITE HOOK PAGES
//! ```
//! CLOCK is a file with the time in seconds, which it moves on; SITE has pages `/0` to `/PAGES`, which change by that clock; HOOK is told.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, clippy::disallowed_methods)] // It is a test.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use archive::Archive;
use jiff::Timestamp;
use notify::{Event, Limits, Roots, Webhook};
use watch::{Courier, Message, Monitor, Pace, Rounds, Settings, Telling, Tempo, Undelivered, Wish};

/// What events are signed with.
const SECRET: &str = "whsec_dGlkZXMgYW5kIGxheWVycw==";
const BEGIN: i64 = 1_794_960_000;
const END: i64 = BEGIN + 7 * 86_400;

struct Hook(Webhook);

impl Courier for Hook {
    fn deliver(&self, message: &Message) -> Result<(), Undelivered> {
        let news = &message.news[0];
        let event = Event {
            id: message.id.clone(),
            kind: format!("watch.{}", news.kind.code()),
            subject: Some(news.url.clone()),
            at: news.at,
            data: serde_json::json!({ "news": news.id, "url": news.url, "time": news.at.to_string() }),
        };
        self.0
            .send_event(&event)
            .map_err(|error| Undelivered { why: error.to_string(), is_final: error.is_final() })
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [archive, clock, site, hook, pages] = words.as_slice() else { panic!("see the head of this file") };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(run(Path::new(archive), Path::new(clock), site, hook, pages.parse().unwrap()));
}

async fn run(archive: &Path, clock: &Path, site: &str, hook: &str, pages: usize) {
    let time = Time::of(clock);
    let archive = Archive::open(archive).unwrap();
    let now = {
        let seconds = Arc::clone(&time.seconds);
        move || at(seconds.load(Ordering::SeqCst))
    };
    // Ids of records must differ from one process to the next.
    let (salt, count) = (std::process::id(), AtomicI64::new(0));
    let ids =
        move || format!("urn:uuid:{salt:08x}-0000-4000-8000-{:012x}", count.fetch_add(1, Ordering::SeqCst));
    let mut settings = Settings::new(fetch::Clock::new(now.clone()), Arc::new(ids));
    settings.fetch.allowed = fetch::Allowed::private();
    settings.fetch.pool.per_host = 16;
    (settings.gate.delay_min, settings.gate.factor) = (Duration::ZERO, 0.0);
    settings.gate.backoff_first = Duration::ZERO;
    (settings.gate.per_host, settings.gate.per_address) = (16, 16);
    let monitor = Monitor::open(&archive, settings).await.unwrap();
    add_watches(&monitor, site, hook, pages).await;
    let webhook = Webhook {
        hook: hook.parse().unwrap(),
        secret: Some(SECRET.parse().unwrap()),
        source: "urn:varve:archive:week".to_owned(),
        allowed: notify::Allowed::private(),
        roots: Roots::System,
        limits: Limits::default(),
        clock: Arc::new(now),
    };
    let courier: Option<Arc<dyn Courier>> = Some(Arc::new(Hook(webhook)));
    let tempo =
        Tempo { courier, per_host: 16, commit_every: Duration::from_secs(6 * 3600), ..Tempo::default() };
    let mut rounds = Rounds::begin(&monitor, tempo).await.unwrap().unwrap();
    loop {
        rounds.once().await.unwrap();
        let due =
            monitor.next_due().await.unwrap().into_iter().chain(monitor.next_post().await.unwrap()).min();
        let next = due.map_or(END, |due| due.as_second().max(time.now() + 1));
        if next >= END {
            break;
        }
        time.move_to(next);
    }
    drop(rounds);
    monitor.commit().await.unwrap();
    monitor.close().await;
    // Says good-bye.
    let _ = std::net::TcpStream::connect(site.trim_start_matches("http://"))
        .and_then(|mut stream| {
            std::io::Write::write_all(&mut stream, b"GET /bye HTTP/1.1\r\nHost: site\r\n\r\n")
                .map(|()| stream)
        })
        .and_then(|mut stream| std::io::Read::read(&mut stream, &mut [0; 64]));
}

/// Each page is watched every three, six, twelve or twenty-four hours, by rules or by none.
async fn add_watches(monitor: &Monitor, site: &str, hook: &str, pages: usize) {
    let me = monitor.person("me").await.unwrap();
    for page in 0..pages {
        let every = Duration::from_secs([3, 6, 12, 24][page % 4] * 3600);
        // Every fifth page has a counter, and no rule against it: that is learned, or known to be noise.
        let rules = diff::RuleSet { noise: page % 5 != 0, ..diff::RuleSet::default() };
        let telling = Telling { to: vec![hook.to_owned()], gone_after: 2, ..Telling::default() };
        let wish = Wish { pace: Pace::Every(every), rules, telling, ..Wish::default() };
        let due = at(BEGIN + (page as i64 * 37) % 3600);
        match monitor.add_watch_due(&me, &format!("{site}/{page}"), &wish, due).await {
            Ok(_) | Err(watch::Error::Watched { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(seconds).unwrap()
}

/// A clock that outlives the process.
struct Time {
    path: PathBuf,
    seconds: Arc<AtomicI64>,
}

impl Time {
    fn of(path: &Path) -> Time {
        let seconds = std::fs::read_to_string(path).ok().and_then(|text| text.parse().ok()).unwrap_or(BEGIN);
        Time { path: path.to_owned(), seconds: Arc::new(AtomicI64::new(seconds)) }
    }

    fn now(&self) -> i64 {
        self.seconds.load(Ordering::SeqCst)
    }

    /// Moves it on, whole or not at all.
    fn move_to(&self, seconds: i64) {
        let new = self.path.with_extension("new");
        std::fs::write(&new, seconds.to_string()).unwrap();
        std::fs::rename(&new, &self.path).unwrap();
        self.seconds.store(seconds, Ordering::SeqCst);
    }
}
