//! How the suites make fetchers and ask for things: in one place, so that the crate's face can change.

use std::io::Read as _;
use std::net::SocketAddr;
use std::time::Duration;

use fetch::dns::Override;
use fetch::{Allowed, Clock, Exchange, Fetcher, Request, Settings, Timeouts, Trail};
use testkit::site::{HOSTS, Site};
use url::Url;

/// Settings for loopback, with times that nothing well-behaved comes near even on a busy machine.
pub(crate) fn settings() -> Settings {
    let time = "2026-11-16T08:00:00Z".parse().unwrap();
    let mut settings = Settings::new(Clock::fixed(time));
    settings.allowed = Allowed::private();
    let long = Duration::from_secs(20);
    settings.timeouts = Timeouts { connect: long, first_byte: long, idle: long, whole: long };
    settings
}

/// The same with times that a silent server soon exceeds.
pub(crate) fn hasty() -> Settings {
    let mut settings = settings();
    let short = Duration::from_millis(200);
    settings.timeouts =
        Timeouts { connect: short, first_byte: short, idle: short, whole: Duration::from_millis(600) };
    settings
}

/// Settings under which the names of a site lead to it.
pub(crate) fn settings_for(site: &Site) -> Settings {
    with_hosts(settings(), &HOSTS, site.address())
}

/// Leads these hosts to an address, whatever port the URL has.
pub(crate) fn with_hosts(mut settings: Settings, hosts: &[&str], to: SocketAddr) -> Settings {
    settings.dns.overrides.extend(hosts.iter().map(|host| Override {
        host: (*host).to_owned(),
        port: None,
        address: to.ip(),
        to_port: Some(to.port()),
    }));
    settings
}

/// Waits for something on a runtime of its own.
pub(crate) fn wait<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

/// One exchange with a new fetcher.
pub(crate) fn fetch(settings: Settings, request: Request) -> Exchange {
    wait(async { Fetcher::new(settings).unwrap().fetch(request).await })
}

/// An exchange and all those that its redirects lead to, with a new fetcher.
pub(crate) fn follow(settings: Settings, request: Request) -> Trail {
    wait(async { Fetcher::new(settings).unwrap().follow(request).await })
}

/// One `GET` with a new fetcher.
pub(crate) fn get(settings: Settings, url: &str) -> Exchange {
    fetch(settings, request(url))
}

/// A `GET`.
pub(crate) fn request(url: &str) -> Request {
    Request::get(Url::parse(url).unwrap())
}

/// All the bytes of a response.
pub(crate) fn bytes(exchange: &Exchange) -> Vec<u8> {
    let mut bytes = Vec::new();
    exchange.response.reader().read_to_end(&mut bytes).unwrap();
    bytes
}

/// The document of a response: unpacked, at most 64 MiB of it.
pub(crate) fn document(exchange: &Exchange) -> Vec<u8> {
    let mut bytes = Vec::new();
    exchange.document(64 << 20).unwrap().read_to_end(&mut bytes).unwrap();
    bytes
}
