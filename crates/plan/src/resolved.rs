//! From settings to what the crates below want: scope, exchanges, politeness, budgets.
//!
//! This is the one place where a setting is asked for what it means.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crawl::{Budget, Budgets, Ids, RobotsRule};
use fetch::dns::Families;
use fetch::{Allowed, Clock, Network, Proxies, gate};
use filter::Chain;
use jiff::Timestamp;
use scope::{Patterns, Plan, Seeds, Sheets};
use urlkey::Decision;

use settings::kind::{Added, Number, Parsed, Size};
use settings::words::{Addresses, Dedup, DedupTypes, OnBudget, Robots};
use settings::{Harvest, Prefix, SheetLayer, Years};

use super::error::Result;

/// The settings with everything read that they name.
pub(crate) struct Resolved {
    pub(crate) harvest: Harvest,
    pub(crate) seeds: Seeds,
    pub(crate) traps: Vec<String>,
    pub(crate) sheets: Vec<SheetLayer>,
}

impl Resolved {
    /// What belongs to the crawl. The time decides which years are usual.
    pub(crate) fn scope(&self, now: Timestamp) -> Result<Plan> {
        let harvest = &self.harvest;
        let prefixes = |list: &Added<Parsed<Prefix>>, decision| {
            list.items.iter().map(move |prefix| (prefix.value.0.clone(), decision)).collect::<Vec<_>>()
        };
        let mut all = prefixes(&harvest.include_prefixes, Decision::Accept);
        all.extend(prefixes(&harvest.exclude_prefixes, Decision::Reject));
        let sheets: Vec<scope::Sheet> = self.sheets.iter().map(|sheet| sheet.values().sheet()).collect();
        let plan = Plan {
            preset: harvest.scope.value.clone(),
            seeds: self.seeds.clone(),
            prefixes: all,
            domains: texts(&harvest.include_domains),
            not_domains: texts(&harvest.exclude_domains),
            include: patterns("include_urls", &harvest.include_urls)?,
            exclude: patterns("exclude_urls", &harvest.exclude_urls)?,
            traps: Patterns::new("traps", self.traps.iter().map(String::as_str))?,
            depth: harvest.depth.map(number),
            transclusion_hops: number(harvest.embed_hops),
            speculative_hops: number(harvest.guess_hops),
            path_depth: number(harvest.path_depth),
            repeats: number(harvest.repeats),
            query_fields: number(harvest.query_fields),
            redirects: number(harvest.redirects),
            url_bytes_max: usize::try_from(harvest.max_url.0).unwrap_or(usize::MAX),
            schemes: harvest.schemes.clone(),
            extensions: texts(&harvest.only_files),
            not_extensions: texts(&harvest.exclude_files),
            years: None,
            sheets: Sheets::new(&sheets)?,
            limits: scope::Limits::default(),
        };
        Ok(match harvest.years.value {
            Years::Usual => plan.in_year(year(now)),
            Years::Any => plan,
            Years::Between(first, last) => Plan { years: Some((first, last)), ..plan },
        })
    }

    /// Everything that a crawl is told.
    pub(crate) fn crawl(&self, chain: Chain, clock: Clock, ids: Ids) -> Result<crawl::Settings> {
        let harvest = &self.harvest;
        let scope = self.scope(clock.now())?;
        let usual = crawl::Settings::new(scope, self.fetch(clock), ids);
        Ok(crawl::Settings {
            filters: Arc::new(chain),
            gate: self.gate(),
            robots_names: harvest.robots_names.join(","),
            robots: match harvest.robots {
                Robots::Obey => RobotsRule::Obey,
                Robots::Txt => RobotsRule::TxtOnly,
                Robots::Ignore => RobotsRule::Ignore,
            },
            concurrency: size(harvest.concurrency),
            threads: harvest.threads.map_or_else(cores, size),
            budgets: self.budgets(),
            on_budget: match harvest.on_budget {
                OnBudget::End => crawl::OnBudget::End,
                OnBudget::Ask => crawl::OnBudget::Ask,
            },
            width: harvest.width.map(number),
            retries: number(harvest.retries),
            retry_delay: harvest.retry_delay,
            dedup: match harvest.dedup {
                Dedup::Off => archive::Dedup::Off,
                Dedup::Url => archive::Dedup::Url,
                Dedup::Content => archive::Dedup::Content,
            },
            dedup_types: match harvest.dedup_types {
                DedupTypes::All => archive::DedupTypes::All,
                DedupTypes::NonText => archive::DedupTypes::NonText,
            },
            conditional: harvest.conditional,
            recheck: harvest.recheck,
            quiet_max: harvest.max_quiet,
            outlinks: harvest.outlinks,
            sitemaps: harvest.sitemaps,
            document_bytes_max: harvest.max_read.0,
            gzip_level: number(harvest.gzip_level),
            file_bytes_max: harvest.max_file.0,
            warcinfo: self.warcinfo(),
            ..usual
        })
    }

    /// How exchanges are made.
    fn fetch(&self, clock: Clock) -> fetch::Settings {
        let harvest = &self.harvest;
        let mut settings = fetch::Settings::new(clock);
        settings.user_agent = self.agent();
        settings.from.clone_from(&harvest.contact);
        settings.accept_language.clone_from(&harvest.accept_language);
        settings.timeouts = fetch::Timeouts {
            connect: harvest.connect_timeout,
            first_byte: harvest.first_byte_timeout,
            idle: harvest.idle_timeout,
            whole: harvest.timeout,
        };
        settings.limits.body_bytes = harvest.max_document.0;
        if let Some(proxy) = &harvest.proxy {
            let except = harvest.no_proxy.items.iter().map(|except| except.value.clone()).collect();
            settings.proxies = Proxies { except, ..Proxies::all(proxy.value.clone()) };
        }
        settings.tls.refuse_invalid = harvest.verify_tls;
        settings.dns.servers = harvest.name_servers.items.iter().map(|server| server.value.0).collect();
        settings.dns.overrides = harvest.resolve.items.iter().map(|given| given.value.clone()).collect();
        settings.dns.families = match harvest.addresses {
            Addresses::Both => Families::Both,
            Addresses::Ipv4 => Families::Ipv4,
            Addresses::Ipv6 => Families::Ipv6,
        };
        // Whoever gives an address by hand means it.
        let given = settings.dns.overrides.iter().map(|given| Network::single(given.address));
        let networks = harvest.allow.items.iter().map(|network| network.value).chain(given).collect();
        settings.allowed = Allowed { private: harvest.allow_private, networks };
        settings.proxy_allowed = Allowed { private: harvest.allow_private_proxy, networks: Vec::new() };
        settings
    }

    /// Who we say we are.
    fn agent(&self) -> String {
        const NAME: &str = concat!("varve/", env!("CARGO_PKG_VERSION"));
        match (&self.harvest.agent, &self.harvest.homepage, &self.harvest.contact) {
            (Some(agent), ..) => agent.clone(),
            (None, Some(homepage), _) => format!("{NAME} (+{homepage})"),
            (None, None, Some(contact)) => format!("{NAME} (web archive; {contact})"),
            (None, None, None) => format!("{NAME} (web archive; contact address not set)"),
        }
    }

    fn gate(&self) -> gate::Settings {
        let harvest = &self.harvest;
        let (delay_min, delay_max) = match harvest.delay {
            Some(delay) => (delay, delay),
            None => (harvest.delay_min, harvest.delay_max),
        };
        gate::Settings {
            per_host: number(harvest.per_host),
            per_address: number(harvest.per_address),
            factor: harvest.delay_factor.0,
            delay_min,
            delay_max,
            crawl_delay_max: harvest.crawl_delay_max,
            retry_after_max: harvest.retry_after_max,
            backoff_first: harvest.backoff_first,
            backoff_max: harvest.backoff_max,
            ..gate::Settings::default()
        }
    }

    fn budgets(&self) -> Budgets {
        let harvest = &self.harvest;
        let budget =
            |objects: Option<Number<0, { u64::MAX }>>, bytes: Option<Size>, time: Option<Duration>| Budget {
                objects: objects.map(|Number(objects)| objects),
                bytes: bytes.map(|Size(bytes)| bytes),
                time,
            };
        Budgets {
            job: budget(harvest.max_objects, harvest.max_bytes, harvest.max_time),
            domain: budget(harvest.domain_max_objects, harvest.domain_max_bytes, harvest.domain_max_time),
            host: budget(harvest.host_max_objects, harvest.host_max_bytes, harvest.host_max_time),
        }
    }

    /// What each WARC file says about the crawl, in the words of the standard.
    fn warcinfo(&self) -> Vec<(String, String)> {
        let harvest = &self.harvest;
        let robots = match harvest.robots {
            Robots::Obey => "classic",
            Robots::Txt => "robots.txt only",
            Robots::Ignore => "ignore",
        };
        let fields = [
            ("software", Some(concat!("varve/", env!("CARGO_PKG_VERSION")).to_owned())),
            ("robots", Some(robots.to_owned())),
            ("http-header-user-agent", Some(self.agent())),
            ("http-header-from", harvest.contact.clone()),
            ("operator", harvest.operator.clone()),
            ("isPartOf", harvest.collection.clone()),
            ("description", harvest.description.clone()),
        ];
        fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
    }
}

fn patterns<T>(list: &str, patterns: &Added<Parsed<T>>) -> Result<Patterns> {
    Ok(Patterns::new(list, patterns.items.iter().map(|pattern| pattern.text.as_str()))?)
}

fn texts<T>(list: &Added<Parsed<T>>) -> Vec<String> {
    list.items.iter().map(|parsed| parsed.text.clone()).collect()
}

/// The kinds keep to bounds that fit; were one wider, the most that fits would hold.
fn number<N: TryFrom<u64> + Most, const MIN: u64, const MAX: u64>(number: Number<MIN, MAX>) -> N {
    N::try_from(number.0).unwrap_or(N::MOST)
}

fn size<const MIN: u64, const MAX: u64>(number: Number<MIN, MAX>) -> usize {
    usize::try_from(number.0).unwrap_or(usize::MAX)
}

/// The most that a number can be.
trait Most {
    const MOST: Self;
}

impl Most for u8 {
    const MOST: u8 = u8::MAX;
}

impl Most for u16 {
    const MOST: u16 = u16::MAX;
}

impl Most for u32 {
    const MOST: u32 = u32::MAX;
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

fn year(now: Timestamp) -> u16 {
    // The year is the first number of the usual spelling.
    let text = now.to_string();
    text.split('-').next().and_then(|year| year.parse().ok()).unwrap_or(2026)
}
