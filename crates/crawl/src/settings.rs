//! Everything about a crawl that is decided beforehand.

use std::sync::Arc;
use std::time::Duration;

use archive::Dedup;
use archive::room::Room;
use fetch::gate;
use job::limits::LimitChange;

use crate::budget::Budget;

/// How a crawl behaves.
#[derive(Clone)]
pub struct Settings {
    /// What belongs to the crawl, where it begins, and what is otherwise for some parts of the web.
    pub scope: scope::Plan,
    /// What is not kept.
    pub filters: Arc<filter::Chain>,
    /// How exchanges are made; digests, cookies and the folder for large bodies are the crawl's own business.
    pub fetch: fetch::Settings,
    /// How polite it is, unless a gate is handed in that others use too.
    pub gate: gate::Settings,
    /// Names by which robots.txt and pages may speak to us, separated by commas.
    pub robots_names: String,
    /// What robots.txt and robots META elements are worth.
    pub robots: RobotsRule,
    /// Exchanges under way at once, in all.
    pub concurrency: usize,
    /// Threads that read documents and pack records.
    pub threads: usize,
    /// What may be fetched in all, of one domain and of one host.
    pub budgets: Budgets,
    /// Changes of limits that the operator asks for when a job is resumed. They hold over earlier ones, and the job keeps them.
    pub limit_changes: Vec<LimitChange>,
    /// What happens when the budget of a domain is used up.
    pub on_budget: OnBudget,
    /// C1: about so many pages are taken from each distance.
    pub width: Option<u32>,
    /// Further tries after a failure that may pass.
    pub retries: u8,
    /// Before the first of them; each further one waits twice as long.
    pub retry_delay: Duration,
    /// What counts as known content.
    pub dedup: Dedup,
    /// Which types of documents are looked for among the known.
    pub dedup_types: archive::DedupTypes,
    /// Whether servers are asked "only if it has changed" for what the archive has.
    pub conditional: bool,
    /// Whether documents that the archive has and no link leads to any more are asked for at the end, so that it is known which
    /// are gone (A8).
    pub recheck: bool,
    /// The crawl ends when nothing has come for so long (D7).
    pub quiet_max: Option<Duration>,
    /// Whether a record with a page's links is written beside it.
    pub outlinks: bool,
    /// Whether sitemaps that robots.txt names are read.
    pub sitemaps: bool,
    /// Bytes of a document that are looked through for links.
    pub document_bytes_max: u64,
    /// Level of gzip, from 1 to 9.
    pub gzip_level: u32,
    /// A WARC file that is longer is followed by another.
    pub file_bytes_max: u64,
    /// How much room there must be on the disks; with less the job pauses.
    pub room: Room,
    /// Where the ids of records come from: URIs such as `urn:uuid:…`.
    pub ids: Ids,
    /// What the warcinfo record of each file says beside what the program itself has to say.
    pub warcinfo: Vec<(String, String)>,
}

/// A source of ids that are never the same.
pub type Ids = Arc<dyn Fn() -> String + Send + Sync>;

/// What robots.txt and robots META elements are worth.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RobotsRule {
    /// Both are obeyed (C2): what robots.txt forbids is not fetched, links of `nofollow` pages are not followed, `noindex`
    /// pages are not kept.
    #[default]
    Obey,
    /// robots.txt is obeyed; what pages say of themselves is not.
    TxtOnly,
    /// They are fetched and kept, and not obeyed.
    Ignore,
}

impl From<scope::Robots> for RobotsRule {
    fn from(robots: scope::Robots) -> RobotsRule {
        match robots {
            scope::Robots::Obey => RobotsRule::Obey,
            scope::Robots::Ignore => RobotsRule::Ignore,
        }
    }
}

/// What may be fetched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Budgets {
    /// In all.
    pub job: Budget,
    /// Of one registrable domain.
    pub domain: Budget,
    /// Of one host.
    pub host: Budget,
}

/// What happens when the budget of a domain or host is used up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum OnBudget {
    /// What is left of it is dropped, and the report says so.
    #[default]
    End,
    /// It is kept; when there is nothing else to do the job pauses, and the operator raises the budget or ends it (B11).
    Ask,
}

/// The pause before a further try: it doubles with each.
pub(crate) fn retry_wait(delay: Duration, tries: u8) -> Duration {
    delay.saturating_mul(1 << tries.min(16))
}

impl Settings {
    /// The longest pause before a further try.
    pub(crate) fn retry_wait_max(&self) -> Duration {
        retry_wait(self.retry_delay, self.retries)
    }

    /// The usual settings for these seeds.
    #[must_use]
    pub fn new(scope: scope::Plan, fetch: fetch::Settings, ids: Ids) -> Settings {
        Settings {
            scope,
            filters: Arc::default(),
            fetch,
            gate: gate::Settings::default(),
            robots_names: "varve".to_owned(),
            robots: RobotsRule::default(),
            concurrency: 64,
            threads: 2,
            budgets: Budgets::default(),
            limit_changes: Vec::new(),
            on_budget: OnBudget::default(),
            width: None,
            retries: 3,
            retry_delay: Duration::from_secs(30),
            dedup: Dedup::Content,
            dedup_types: archive::DedupTypes::All,
            conditional: true,
            recheck: true,
            quiet_max: None,
            outlinks: false,
            sitemaps: false,
            document_bytes_max: 64 << 20,
            gzip_level: 6,
            file_bytes_max: 1 << 30,
            room: Room::default(),
            ids,
            warcinfo: Vec::new(),
        }
    }
}
