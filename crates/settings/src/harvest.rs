//! The table of everything that can be said about a harvest: in a file, in a profile, and mostly on the command line, too.
//!
//! `docs/settings.md`, the `varve.toml` of a new archive, the options of `varve harvest` and the complaints about all of them
//! are made from this table.

use std::time::Duration;

use fetch::dns::Override;
use fetch::{Exception, Network, Proxy};
use scope::Preset;

use super::kind::{Added, Factor, FilePath, Number, Parsed, Size};
use super::readable::{Domain, FileKind, NameServer, Pattern, Prefix, Years};
use super::table::table;
use super::words::{Addresses, Dedup, DedupTypes, OnBudget, Robots};

/// Any number that a crawl can meet.
type Count = Number<0, { u32::MAX as u64 }>;
/// Any of them but nought.
type Some1 = Number<1, { u32::MAX as u64 }>;
/// Any number of documents.
type Objects = Number<0, { u64::MAX }>;

table! {
    /// How a harvest is done.
    Harvest, HarvestLayer;

    section "What belongs to it";
    /// Which URLs belong to the crawl: `page` (each start URL and what it shows), `prefix` (what lies in its folder and below),
    /// `host`, `domain` (every host of the registered domain), `multi` (everything, everywhere), `multi:.example.org` (everything
    /// within these domains), `indexpage` (each link of a start page, and what lies in its folder and below), `list` (the start
    /// URLs and nothing else)
    scope: Parsed<Preset> = Parsed::of(Preset::default()), flag("scope", "PRESET");
    /// The most links between a start URL and a page
    depth: Option<Count> = None, flag("depth", "N");
    /// Take about so many pages from each distance: the fewer, the farther the crawl reaches
    width: Option<Some1> = None, flag("width", "N");
    /// Lists of start URLs or SURT prefixes, one a line; + in front is the usual, - excludes; # begins a comment
    seeds: Added<FilePath> = Added::default(), flag("seeds", "FILE");
    /// Take in what begins like this, too: a SURT prefix, a URL, or a host for itself and all below it
    include_prefixes: Added<Parsed<Prefix>> = Added::default(), flag("include-prefix", "PREFIX");
    /// Leave out what begins like this; of several prefixes that fit the longest decides
    exclude_prefixes: Added<Parsed<Prefix>> = Added::default(), flag("exclude-prefix", "PREFIX");
    /// Take in these domains, too, each with all hosts below it
    include_domains: Added<Parsed<Domain>> = Added::default(), flag("include-domain", "DOMAIN");
    /// Leave out these domains, each with all hosts below it
    exclude_domains: Added<Parsed<Domain>> = Added::default(), flag("exclude-domain", "DOMAIN");
    /// Take in URLs that one of these regular expressions matches from end to end, too
    include_urls: Added<Parsed<Pattern>> = Added::default(), flag("include-url", "REGEX");
    /// Leave out URLs that one of these regular expressions matches from end to end
    exclude_urls: Added<Parsed<Pattern>> = Added::default(), flag("exclude-url", "REGEX");
    /// Of files whose kind shows in their name take these alone, besides pages: .pdf, image/*
    only_files: Added<Parsed<FileKind>> = Added::default(), flag("only-files", "KIND");
    /// Leave out files whose name shows that they are of this kind: .zip, video/*
    exclude_files: Added<Parsed<FileKind>> = Added::default(), flag("exclude-files", "KIND");
    /// Lists of crawler traps: regular expressions, one a line, for whole URLs that lead nowhere
    traps: Added<FilePath> = Added::default(), flag("traps", "FILE");
    /// Further traps, written here
    trap_patterns: Added<Parsed<Pattern>> = Added::default(), file();
    /// The most steps from what a page embeds to what that embeds, and so on, outside of the scope
    embed_hops: Count = Number(4), file();
    /// The most guesses, such as addresses found in scripts, in a row outside of the scope
    guess_hops: Count = Number(1), file();
    /// The most folders in a path
    path_depth: Count = Number(20), file();
    /// How often one folder, or one field of a query, may stand in a URL
    repeats: Count = Number(3), file();
    /// The most fields of a query
    query_fields: Count = Number(50), file();
    /// The most redirects in a row
    redirects: Count = Number(10), file();
    /// The longest URL
    max_url: Size = Size(4096), file();
    /// The years that pages are about, such as 1990-2030: a calendar that goes beyond them is a trap; `usual` is from 1500 to
    /// ten years on
    years: Parsed<Years> = Parsed::of(Years::Usual), file();
    /// Kinds of URL that are fetched
    schemes: Vec<String> = vec!["http".to_owned(), "https".to_owned()], file();
    /// Read the sitemaps that robots.txt names
    sitemaps: bool = false, flag("sitemaps", "");

    section "How much is fetched";
    /// The most documents in all
    max_objects: Option<Objects> = None, flag("max-objects", "N");
    /// The most bytes in all
    max_bytes: Option<Size> = None, flag("max-bytes", "BYTES");
    /// The longest time in all
    max_time: Option<Duration> = None, flag("max-time", "TIME");
    /// The most documents of one registered domain
    domain_max_objects: Option<Objects> = None, flag("domain-max-objects", "N");
    /// The most bytes of one registered domain
    domain_max_bytes: Option<Size> = None, flag("domain-max-bytes", "BYTES");
    /// The longest time for one registered domain
    domain_max_time: Option<Duration> = None, flag("domain-max-time", "TIME");
    /// The most documents of one host
    host_max_objects: Option<Objects> = None, flag("host-max-objects", "N");
    /// The most bytes of one host
    host_max_bytes: Option<Size> = None, flag("host-max-bytes", "BYTES");
    /// The longest time for one host
    host_max_time: Option<Duration> = None, flag("host-max-time", "TIME");
    /// When a domain or host has used up its budget: `end` drops what is left of it, `ask` keeps it, and pauses when there is
    /// nothing else to do, until the operator raises the budget or ends it
    on_budget: OnBudget = OnBudget::End, flag("on-budget", "WHAT");
    /// End the crawl when nothing has come for so long
    max_quiet: Option<Duration> = None, flag("max-quiet", "TIME");
    /// Cut a document off behind so many bytes
    max_document: Size = Size(1 << 34), flag("max-document", "BYTES");
    /// Bytes of a document that are looked through for links
    max_read: Size = Size(64 << 20), file();
    /// Further tries after a failure that may pass
    retries: Number<0, 100> = Number(3), flag("retries", "N");
    /// Wait so long before the first of them; before each further one twice as long
    retry_delay: Duration = Duration::from_secs(30), file();

    section "How politely";
    /// Wait so long between two requests to a host; a number is seconds. `none` waits by `delay_factor`. What robots.txt and the
    /// server ask for holds if it is longer
    delay: Option<Duration> = None, flag("delay", "TIME");
    /// Without a `delay`: wait so many times as long as the last answer took
    delay_factor: Factor = Factor(fetch::gate::Settings::default().factor), file();
    /// … but at least so long
    delay_min: Duration = fetch::gate::Settings::default().delay_min, file();
    /// … and at most so long
    delay_max: Duration = fetch::gate::Settings::default().delay_max, file();
    /// A longer Crawl-delay in robots.txt is taken for this one
    crawl_delay_max: Duration = fetch::gate::Settings::default().crawl_delay_max, file();
    /// A longer Retry-After of a server is taken for this one
    retry_after_max: Duration = fetch::gate::Settings::default().retry_after_max, file();
    /// Leave a host alone so long after its first failure; each further one doubles it, each success halves it
    backoff_first: Duration = fetch::gate::Settings::default().backoff_first, file();
    /// … up to this
    backoff_max: Duration = fetch::gate::Settings::default().backoff_max, file();
    /// Requests to one host at a time
    per_host: Number<1, 65_535> = Number(u64::from(fetch::gate::Settings::default().per_host)), flag("per-host", "N");
    /// Requests to one address at a time, however many hosts it has
    per_address: Number<1, 65_535> = Number(u64::from(fetch::gate::Settings::default().per_address)), flag("per-address", "N");
    /// Requests under way at once, in all
    concurrency: Number<1, 65_535> = Number(64), flag("concurrency", "N");
    /// What robots.txt and robots META elements are worth: `obey` both, `txt` for robots.txt alone, or `ignore` them, which are
    /// fetched and kept all the same
    robots: Robots = Robots::Obey, flag("robots", "RULE");
    /// Names by which robots.txt and pages may speak to us
    robots_names: Vec<String> = vec!["varve".to_owned()], file();

    section "Who we are";
    /// User-Agent, instead of the program's name with `homepage` or `contact`
    agent: Option<String> = None, flag("agent", "TEXT");
    /// The operator's mail address, sent as From
    contact: Option<String> = None, flag("contact", "ADDRESS");
    /// A page that says who crawls and why, named in the User-Agent
    homepage: Option<String> = None, flag("homepage", "URL");
    /// Accept-Language; an empty text is not sent
    accept_language: String = "en,*;q=0.5".to_owned(), flag("accept-language", "TEXT");
    /// Who is responsible, noted in each WARC file
    operator: Option<String> = None, file();
    /// The collection that it belongs to, noted in each WARC file
    collection: Option<String> = None, file();
    /// What it is for, noted in each WARC file
    description: Option<String> = None, flag("description", "TEXT");

    section "The way to the servers";
    /// Go through this proxy: http://host:port or socks5://host:port
    proxy: Option<Parsed<Proxy>> = None, flag("proxy", "PROXY");
    /// Hosts, domains and networks that the proxy is not used for
    no_proxy: Added<Parsed<Exception>> = Added::default(), flag("no-proxy", "HOST");
    /// Allow a proxy in a private network or on this machine
    allow_private_proxy: bool = false, flag("allow-private-proxy", "");
    /// Ask addresses of private networks and of this machine, too
    allow_private: bool = false, flag("allow-private", "");
    /// Ask addresses of this network, too, such as 192.168.0.0/16
    allow: Added<Parsed<Network>> = Added::default(), flag("allow", "NETWORK");
    /// This host is at this address, wherever else it may be
    resolve: Added<Parsed<Override>> = Added::default(), flag("resolve", "HOST:PORT:ADDRESS");
    /// Ask these name servers instead of the system's
    name_servers: Added<Parsed<NameServer>> = Added::default(), flag("name-server", "ADDRESS:PORT");
    /// Which addresses names are looked up for: `both`, `ipv4`, `ipv6`
    addresses: Addresses = Addresses::Both, file();
    /// Refuse servers whose certificate is not valid, instead of making a note of it
    verify_tls: bool = false, flag("verify-tls", "");
    /// Give a connection up after so long: lookup, TCP, proxy and TLS together
    connect_timeout: Duration = fetch::Timeouts::default().connect, file();
    /// Give an answer up that has not begun after so long
    first_byte_timeout: Duration = fetch::Timeouts::default().first_byte, file();
    /// Give an answer up if nothing more has come for so long
    idle_timeout: Duration = fetch::Timeouts::default().idle, file();
    /// Give an exchange up after so long; what came until then is kept
    timeout: Duration = fetch::Timeouts::default().whole, flag("timeout", "TIME");

    section "What is kept";
    /// Filters that each document has to pass, in this order: `mime`, `size`, `status`, `url`, `language`, set in
    /// `[filters.NAME]`, or the name of a module in the archive's folder `filters`
    filters: Vec<String> = Vec::new(), flag("filter", "NAME");
    /// Files with sheets: settings for parts of the web
    sheets: Added<FilePath> = Added::default(), flag("sheet", "FILE");
    /// What is not stored again: the same `content` anywhere in the archive, the same content under the same `url`, or nothing
    /// (`off`)
    dedup: Dedup = Dedup::Content, flag("dedup", "HOW");
    /// Which documents that holds for: `all`, or `non-text`
    dedup_types: DedupTypes = DedupTypes::All, flag("dedup-types", "WHICH");
    /// Ask for what the archive has only if it has changed
    conditional: bool = true, flag("conditional", "");
    /// Ask at the end for what the archive has and no link leads to any more, so that it is known what is gone
    recheck: bool = true, flag("recheck", "");
    /// Write a record of each page's links beside it
    outlinks: bool = false, flag("outlinks", "");
    /// Level of gzip
    gzip_level: Number<1, 9> = Number(6), flag("gzip-level", "N");
    /// Begin another WARC file behind so many bytes
    max_file: Size = Size(1 << 30), flag("max-file", "BYTES");

    section "When, and how many at once";
    /// Use this profile, or build upon it: `[profiles.NAME]`, or one of those that are built in
    profile: Option<String> = None, flag("profile", "NAME");
    /// What the job is called, instead of its domain
    label: Option<String> = None, flag("label", "NAME");
    /// Begin again at this interval
    every: Option<Duration> = None, flag("every", "TIME");
    /// The most crawls at once; with more than 1 each domain of the start URLs is a crawl of its own
    max_crawls: Number<1, 1000> = Number(1), flag("max-crawls", "N");
    /// Threads that read documents and pack records; `none` is one per core
    threads: Option<Number<1, 1000>> = None, file();
}
