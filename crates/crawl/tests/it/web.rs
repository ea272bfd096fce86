//! A small web on loopback, and an archive to crawl it into.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use archive::Archive;
use crawl::{Crawl, Ended, Job, Settings};
use fetch::dns::Override;
use fetch::{Allowed, Clock};
use jiff::Timestamp;
use tempfile::TempDir;
use testkit::server::{Place, Seen, Server, reply};

/// What is answered for one URL.
#[derive(Clone)]
pub(crate) struct Page {
    pub(crate) status: &'static str,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Vec<u8>,
}

impl Page {
    /// A page that links to these.
    pub(crate) fn linking(links: &[&str]) -> Page {
        let links: String = links.iter().map(|link| format!("<a href=\"{link}\">{link}</a>\n")).collect();
        Page::html(&links)
    }

    pub(crate) fn html(body: &str) -> Page {
        Page::of("text/html; charset=utf-8", body)
    }

    pub(crate) fn of(media: &str, body: &str) -> Page {
        Page { status: "200 OK", headers: vec![("Content-Type", media.to_owned())], body: body.into() }
    }

    pub(crate) fn redirect(to: &str) -> Page {
        Page { status: "302 Found", headers: vec![("Location", to.to_owned())], body: Vec::new() }
    }

    pub(crate) fn status(status: &'static str) -> Page {
        Page { status, ..Page::html(status) }
    }

    pub(crate) fn with(mut self, name: &'static str, value: &str) -> Page {
        self.headers.push((name, value.to_owned()));
        self
    }
}

type Pages = Arc<Mutex<HashMap<String, Page>>>;

/// A web of any hosts, all on one loopback port, and an archive.
pub(crate) struct Web {
    server: Server,
    pages: Pages,
    archive: PathBuf,
    _folder: TempDir,
    jobs: AtomicU64,
}

impl Web {
    /// `pages` are `host/path` and what is there.
    pub(crate) fn start(pages: impl IntoIterator<Item = (&'static str, Page)>) -> Web {
        let pages: Pages =
            Arc::new(Mutex::new(pages.into_iter().map(|(place, page)| (place.to_owned(), page)).collect()));
        let served = pages.clone();
        let server = Server::answering(&Place::default(), move |wire, request| {
            let place = format!("{}{}", request.host(), request.target);
            let page = served.lock().unwrap().get(&place).cloned();
            let page = page.unwrap_or_else(|| Page::status("404 Not Found"));
            let tag = page.headers.iter().find(|(name, _)| *name == "ETag").map(|(_, tag)| tag.clone());
            let is_known = tag.is_some() && request.field("if-none-match").map(str::to_owned) == tag;
            let headers: Vec<(&str, &str)> =
                page.headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
            let bytes = if is_known {
                reply("304 Not Modified", &headers, b"")
            } else {
                reply(page.status, &headers, &page.body)
            };
            wire.send(&bytes)?;
            Ok(true)
        });
        let folder = tempfile::tempdir().unwrap();
        let archive = folder.path().join("archive");
        Archive::create(&archive).unwrap();
        Web { server, pages, archive, _folder: folder, jobs: AtomicU64::new(0) }
    }

    /// The same with its archive elsewhere.
    pub(crate) fn archiving_at(self, archive: &Path) -> Web {
        Archive::create(archive).unwrap();
        Web { archive: archive.to_owned(), ..self }
    }

    pub(crate) fn set(&self, place: &str, page: Page) {
        self.pages.lock().unwrap().insert(place.to_owned(), page);
    }

    pub(crate) fn remove(&self, place: &str) {
        self.pages.lock().unwrap().remove(place);
    }

    pub(crate) fn archive(&self) -> Archive {
        Archive::open(&self.archive).unwrap()
    }

    /// Settings for a crawl of this web from these seeds, not polite at all.
    pub(crate) fn settings(&self, seeds: &str) -> Settings {
        let plan = scope::Plan { seeds: scope::Seeds::parse(seeds).unwrap(), ..scope::Plan::default() };
        let clock = Clock::new(Timestamp::now);
        let mut fetch = fetch::Settings::new(clock);
        fetch.allowed = Allowed::private();
        let address = self.server.address();
        fetch.dns.overrides = vec![Override {
            host: "*".to_owned(),
            port: None,
            address: address.ip(),
            to_port: Some(address.port()),
        }];
        let count = AtomicU64::new(0);
        let stamp = Timestamp::now().as_nanosecond();
        let ids = move || {
            let number = count.fetch_add(1, Ordering::Relaxed);
            format!("urn:uuid:{:032x}", stamp.unsigned_abs() << 32 | u128::from(number))
        };
        let mut settings = Settings::new(plan, fetch, Arc::new(ids));
        settings.gate.delay_min = Duration::ZERO;
        settings.gate.factor = 0.0;
        settings.gate.per_host = 4;
        settings.gate.per_address = 100;
        settings.gate.backoff_first = Duration::from_millis(1);
        settings.retry_delay = Duration::from_millis(1);
        settings
    }

    pub(crate) fn job(&self) -> Job {
        let number = self.jobs.fetch_add(1, Ordering::Relaxed);
        Job::create(&self.archive(), &format!("job{number}"), Timestamp::now(), "", "").unwrap()
    }

    /// A whole crawl.
    #[track_caller]
    pub(crate) fn crawl(&self, seeds: &str, change: impl FnOnce(&mut Settings)) -> Ended {
        let mut settings = self.settings(seeds);
        change(&mut settings);
        Crawl::start(self.job(), settings, None).unwrap().wait().unwrap()
    }

    /// What the archive has, without robots.txt: each URL with the status of its newest capture.
    pub(crate) fn captured(&self) -> BTreeMap<String, Option<u16>> {
        let snapshot = self.archive().snapshot().unwrap();
        let all = urlkey::KeyRange { start: String::new(), end: "\u{10ffff}".to_owned() };
        let captures = snapshot.range(&all).map(Result::unwrap);
        captures
            .filter_map(|capture| Some((capture.url.as_deref()?.to_owned(), capture.status)))
            .filter(|(url, _)| !url.ends_with("/robots.txt"))
            .collect()
    }

    /// The URLs of [`Web::captured`], without `http://`.
    pub(crate) fn urls(&self) -> BTreeSet<String> {
        self.captured().into_keys().map(|url| url.trim_start_matches("http://").to_owned()).collect()
    }

    /// Every request so far, with what was answered.
    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.server.seen()
    }

    /// The archive's report or log of a job.
    pub(crate) fn note(&self, job: &str, name: &str) -> String {
        std::io::read_to_string(self.archive().note(job, name).unwrap().unwrap()).unwrap()
    }

    /// Every request so far, as `host/path`, in their order, without robots.txt.
    pub(crate) fn requests(&self) -> Vec<String> {
        let seen = self.server.seen();
        let places = seen.iter().map(|seen| format!("{}{}", seen.fields("host").concat(), seen.target()));
        places.filter(|place| !place.ends_with("/robots.txt")).collect()
    }
}

/// A set of URLs, for comparing.
pub(crate) fn set(urls: &[&str]) -> BTreeSet<String> {
    urls.iter().map(|url| (*url).to_owned()).collect()
}
