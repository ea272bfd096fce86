//! A week of five hundred watches, with a process that is killed again and again: no check is lost or doubled, every change is told once.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use archive::Archive;
use testkit::server::{Place, Request, Server, reply};
use watch::{Monitor, NewsKind};

const PAGES: usize = 500;
const BEGIN: i64 = 1_794_960_000;
const END: i64 = BEGIN + 7 * 86_400;
/// Requests after which the process is killed each time: to the site, or to the hook.
const KILLS: [(i64, Door); 14] = [
    (3, Door::Site),
    (200, Door::Site),
    (1, Door::Hook),
    (1001, Door::Site),
    (1, Door::Site),
    (9, Door::Hook),
    (640, Door::Site),
    (88, Door::Site),
    (1, Door::Hook),
    (1, Door::Hook),
    (1500, Door::Site),
    (70, Door::Hook),
    (12, Door::Site),
    (55, Door::Hook),
];

/// Who is asked.
#[derive(Clone, Copy, PartialEq)]
enum Door {
    Site,
    Hook,
}

/// A number that looks like chance, and is the same in every run.
fn chance(page: usize, salt: u64) -> u64 {
    let mut number =
        (page as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ salt.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    number ^= number >> 31;
    number = number.wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 29)
}

/// What a page says at a time; `None` while it is away.
fn edition(page: usize, seconds: i64) -> Option<u64> {
    let week = (END - BEGIN) as u64;
    let since = seconds.saturating_sub(BEGIN) as u64;
    if page % 11 == 3 {
        let away = chance(page, 100) % (week / 2);
        if (away..away + 30 * 3600).contains(&since) {
            return None;
        }
    }
    let changes = chance(page, 1) % 4;
    Some((0..changes).filter(|change| chance(page, 10 + change) % week <= since).count() as u64)
}

const WORDS: [&str; 8] =
    ["herring", "flounder", "lamprey", "sturgeon", "halibut", "mackerel", "anchovy", "turbot"];

fn page_text(page: usize, edition: u64, visit: usize) -> String {
    let word = WORDS[(edition as usize + page) % WORDS.len()];
    let counter =
        if page.is_multiple_of(5) { format!("<p>{} visitors</p>", 1000 + visit) } else { String::new() };
    format!(
        "<title>Page {page}</title><h1>Market</h1><p>Today the {word} came in at the north pier.</p>{counter}"
    )
}

/// What came to the hook: headers and body.
struct Told {
    id: String,
    timestamp: String,
    signature: String,
    body: Vec<u8>,
}

enum Sign {
    Kill,
    Bye,
}

struct Stage {
    /// Requests until the next kill; below zero there is none. And of whom.
    fuse: AtomicI64,
    door: Mutex<Door>,
    signs: Mutex<mpsc::Sender<Sign>>,
    visits: AtomicUsize,
    told: Mutex<Vec<Told>>,
    clock: PathBuf,
}

impl Stage {
    fn now(&self) -> i64 {
        std::fs::read_to_string(&self.clock).ok().and_then(|text| text.parse().ok()).unwrap_or(BEGIN)
    }

    /// Whether this is the request after which the process is killed: it gets no answer.
    fn burns(&self, door: Door) -> bool {
        let is_over = *self.door.lock().unwrap() == door && self.fuse.fetch_sub(1, Ordering::SeqCst) == 1;
        if is_over {
            self.sign(Sign::Kill);
        }
        is_over
    }

    fn sign(&self, sign: Sign) {
        let _ = self.signs.lock().unwrap().send(sign);
    }

    fn page(&self, request: &Request) -> Option<Vec<u8>> {
        if request.target == "/bye" {
            self.sign(Sign::Bye);
            return Some(reply("200 OK", &[], b""));
        }
        if self.burns(Door::Site) {
            return None;
        }
        let page: usize = request.path().trim_start_matches('/').parse().unwrap();
        let visit = self.visits.fetch_add(1, Ordering::SeqCst);
        Some(match edition(page, self.now()) {
            Some(edition) => {
                let text = page_text(page, edition, visit);
                reply("200 OK", &[("Content-Type", "text/html")], text.as_bytes())
            }
            None => reply("503 Service Unavailable", &[], b"away"),
        })
    }

    fn hook(&self, request: &Request) -> Option<Vec<u8>> {
        let field = |name: &str| request.field(name).unwrap_or_default().to_owned();
        self.told.lock().unwrap().push(Told {
            id: field("webhook-id"),
            timestamp: field("webhook-timestamp"),
            signature: field("webhook-signature"),
            body: request.body().to_vec(),
        });
        // Told, and the process dies before it knows.
        if self.burns(Door::Hook) { None } else { Some(reply("204 No Content", &[], b"")) }
    }
}

fn serve(stage: &Arc<Stage>, answer: fn(&Stage, &Request) -> Option<Vec<u8>>) -> Server {
    let stage = Arc::clone(stage);
    Server::answering(&Place::forgetful(), move |wire, request| match answer(&stage, request) {
        Some(bytes) => wire.send(&bytes).map(|()| true),
        None => Ok(false),
    })
}

fn start(archive: &Path, stage: &Stage, site: &str, hook: &str) -> Child {
    let own = std::env::current_exe().unwrap();
    let program = own.parent().and_then(Path::parent).unwrap().join("examples").join("week");
    Command::new(program)
        .arg(archive)
        .arg(&stage.clock)
        .args([site, hook, &PAGES.to_string()])
        .stdin(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn a_week_of_five_hundred_watches_with_a_process_that_is_killed() {
    let memory = Path::new("/dev/shm");
    let folder = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.unwrap();
    let path = folder.path().join("archive");
    let archive = Archive::create(&path).unwrap();
    let (signs, seen) = mpsc::channel();
    let stage = Arc::new(Stage {
        fuse: AtomicI64::new(0),
        door: Mutex::new(Door::Site),
        signs: Mutex::new(signs),
        visits: AtomicUsize::new(0),
        told: Mutex::default(),
        clock: folder.path().join("clock"),
    });
    let (site, hooks) = (serve(&stage, Stage::page), serve(&stage, Stage::hook));
    let (site_url, hook_url) = (format!("http://{}", site.address()), hooks.url("/told"));
    let mut kills = 0;
    loop {
        let (fuse, door) = KILLS.get(kills).copied().unwrap_or((0, Door::Site));
        stage.fuse.store(fuse, Ordering::SeqCst);
        *stage.door.lock().unwrap() = door;
        let mut child = start(&path, &stage, &site_url, &hook_url);
        let sign = seen.recv_timeout(Duration::from_secs(600)).expect("the process has gone without a word");
        if matches!(sign, Sign::Bye) {
            assert!(child.wait().unwrap().success());
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
    }
    assert_eq!(kills, KILLS.len());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(judge(&archive, &stage, &site_url));
}

/// Holds what was written down against what the site did.
async fn judge(archive: &Archive, stage: &Stage, site: &str) {
    let clock = fetch::Clock::new(|| jiff::Timestamp::from_second(END).unwrap());
    let monitor =
        Monitor::open(archive, watch::Settings::new(clock, testkit::ids::record_ids())).await.unwrap();
    let mut expected = BTreeSet::new();
    let mut checks_in_all = 0;
    for page in 0..PAGES {
        let every = [3, 6, 12, 24][page % 4] * 3600;
        let url = format!("{site}/{page}");
        let resource = monitor.resource(&url).unwrap();
        let checks = resource.checks(0, 1000).await.unwrap();
        checks_in_all += checks.len();
        // None lost, none doubled: each comes after its pause, or at most the ten minutes later over which what is overdue is spread.
        for pair in checks.windows(2) {
            let gap = pair[1].at.as_second() - pair[0].at.as_second();
            assert!((every..=every + 601).contains(&gap), "{url}: {gap} s between checks");
        }
        let first = checks[0].at.as_second() - BEGIN;
        assert!((0..=3600 + 601).contains(&first), "{url}: first after {first} s");
        let last = END - checks.last().unwrap().at.as_second();
        assert!(last <= every + 601, "{url}: nothing for the last {last} s");
        // What should be told, by what the site showed at the times of the checks.
        let (mut known, mut missed, mut is_gone) = (None, 0, false);
        for check in &checks {
            let second = check.at.as_second();
            match edition(page, second) {
                Some(edition) => {
                    assert!(check.is_available(), "{url}: {check:?}");
                    if known.is_some_and(|known| known != edition) {
                        expected.insert((url.clone(), "changed", second));
                    }
                    if std::mem::take(&mut is_gone) {
                        expected.insert((url.clone(), "back", second));
                    }
                    (known, missed) = (Some(edition), 0);
                }
                None => {
                    assert!(!check.is_available(), "{url}: {check:?}");
                    missed += 1;
                    if missed == 2 {
                        is_gone = true;
                        expected.insert((url.clone(), "gone", second));
                    }
                }
            }
        }
    }
    // What is news in the database is just that.
    let mut news = Vec::new();
    while let Some(page) =
        Some(monitor.news_behind(news.last().map_or(0, |n: &watch::News| n.id), 500).await.unwrap())
            .filter(|page| !page.is_empty())
    {
        news.extend(page);
    }
    let found: BTreeSet<_> = news.iter().map(|n| (n.url.clone(), n.kind.code(), n.at.as_second())).collect();
    assert_eq!(found.len(), news.len());
    let missing: Vec<_> = expected.difference(&found).take(5).collect();
    let surplus: Vec<_> = found.difference(&expected).take(5).collect();
    assert!(missing.is_empty() && surplus.is_empty(), "missing {missing:?}, too many {surplus:?}");
    assert!(news.iter().filter(|n| n.kind == NewsKind::Changed).count() > 300);
    assert!(news.iter().any(|n| n.kind == NewsKind::Gone) && news.iter().any(|n| n.kind == NewsKind::Back));
    // And so is what was told: each under one id, again at most where the process died between sending and noting.
    let told = std::mem::take(&mut *stage.told.lock().unwrap());
    let mut ids: BTreeMap<i64, BTreeSet<&str>> = BTreeMap::new();
    let mut bodies: HashMap<&str, &[u8]> = HashMap::new();
    for one in told.iter() {
        let event: serde_json::Value = serde_json::from_slice(&one.body).unwrap();
        ids.entry(event["data"]["news"].as_i64().unwrap()).or_default().insert(&one.id);
        assert_eq!(bodies.insert(&one.id, &one.body).unwrap_or(&one.body), one.body);
    }
    assert_eq!(ids.keys().copied().collect::<Vec<_>>(), news.iter().map(|n| n.id).collect::<Vec<_>>());
    assert!(ids.values().all(|ids| ids.len() == 1));
    let deaths = KILLS.iter().filter(|(_, door)| *door == Door::Hook).count();
    assert_eq!(told.len(), news.len() + deaths);
    assert_eq!(monitor.next_post().await.unwrap(), None);
    signatures_are_right(&told);
    assert_eq!(checks_in_all, PAGES / 4 * (56 + 28 + 14 + 7));
}

/// Signatures as somebody else makes them: by Python's own library.
fn signatures_are_right(told: &[Told]) {
    let Some(python) = testkit::peers::python() else { return };
    let mut python = Command::new(python);
    python.args(["-c", include_str!("verify_signatures.py")]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut python = python.spawn().unwrap();
    let mut stdin = python.stdin.take().unwrap();
    for one in told {
        let body = data_encoding::BASE64.encode(&one.body);
        let line = serde_json::json!({ "id": one.id, "timestamp": one.timestamp, "signature": one.signature, "body": body });
        std::io::Write::write_all(&mut stdin, format!("{line}\n").as_bytes()).unwrap();
    }
    drop(stdin);
    let output = python.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), format!("{} right", told.len()));
}
