//! What can be said about a request on the command line, and the settings that come of it.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::anyhow;
use bytes::Bytes;
use fetch::dns::Override;
use fetch::gate::{self, Gate};
use fetch::{Allowed, Clock, Exception, Fetcher, Jar, Network, Proxies, Proxy, Request, Settings};
use settings::{parse_bytes, parse_duration};
use url::Url;
use warc::Algorithm;

use crate::hint::WithHint as _;

/// The options of a request.
#[derive(clap::Args)]
pub(super) struct Options {
    /// Cut bodies off behind so many bytes, such as 4096, 10MB or 1GiB; 0 keeps heads alone [default: 16GiB]
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes)]
    at_most: Option<u64>,

    /// Send this header, in this spelling, instead of one that is usually sent; may be given several times
    #[arg(short = 'H', long, value_name = "NAME: VALUE", value_parser = header)]
    header: Vec<(String, String)>,

    /// Ask by this method [default: GET, or POST with --data]
    #[arg(short = 'X', long, value_name = "METHOD", value_parser = method)]
    method: Option<String>,

    /// Send this in the body of the request
    #[arg(short, long, value_name = "TEXT")]
    data: Option<String>,

    /// Ask for the head alone
    #[arg(short = 'I', long, conflicts_with_all = ["method", "data"])]
    head: bool,

    /// Go where redirects lead; each hop is an exchange of its own
    #[arg(short = 'L', long)]
    follow: bool,

    /// Follow so many redirects, no more
    #[arg(long, value_name = "N", default_value_t = 30)]
    max_redirects: usize,

    /// Who we say we are; name a page or address where you can be reached [default: varve, its version, and that no
    /// address is set]
    #[arg(short = 'A', long, value_name = "TEXT")]
    user_agent: Option<String>,

    /// Your mail address, sent as From
    #[arg(long, value_name = "ADDRESS")]
    from: Option<String>,

    /// Give a URL up after so long, such as 90 (seconds) or 5m; what came until then is kept; 0 gives up at once [default: 20m;
    /// and 20s for the connection, 60s for the first byte, 30s between two pieces]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    timeout: Option<Duration>,

    /// Wait so long between two requests to a host, such as 2 (seconds) or 500ms; 0 does not wait; failures, 429 and 503 lengthen it
    /// in any case [default: twice as long as it takes to answer, 500ms to 30s]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    delay: Option<Duration>,

    /// Allow a proxy in a private network or on this machine
    #[arg(long)]
    allow_private_proxy: bool,

    /// Ask addresses of private networks and of this machine, too; those where clouds keep their secrets (metadata, such as
    /// 169.254.169.254) stay refused unless --allow names them
    #[arg(long)]
    allow_private: bool,

    /// Ask addresses of this network, too, such as 192.168.0.0/16; may be given several times
    #[arg(long, value_name = "NETWORK")]
    allow: Vec<Network>,

    /// Fail if a server's certificate is not valid, instead of making a note of it
    #[arg(long)]
    verify_tls: bool,

    /// Keep cookies from one URL to the next
    #[arg(long)]
    cookies: bool,

    /// Go through this proxy: http://host:port or socks5://host:port
    #[arg(long, value_name = "PROXY")]
    proxy: Option<Proxy>,

    /// Do not go through it for this host, domain or network; may be given several times
    #[arg(long, value_name = "HOST", requires = "proxy")]
    no_proxy: Vec<Exception>,

    /// This host is at this address, wherever else it may be; the address may be private
    #[arg(long, value_name = "HOST:PORT:ADDRESS")]
    resolve: Vec<Override>,

    /// Ask this name server instead of the system's; may be given several times
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = server)]
    name_server: Vec<SocketAddr>,
}

/// What is the same for all URLs of a run.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) fetcher: Fetcher,
    pub(super) gate: Gate,
    pub(super) clock: Clock,
    pub(super) is_following: bool,
    method: String,
    headers: Vec<(String, String)>,
    data: Option<Bytes>,
    at_most: Option<u64>,
}

impl Plan {
    /// The request for one URL.
    pub(super) fn request(&self, url: Url) -> Request {
        let mut request = Request::new(&self.method, url);
        request.headers.clone_from(&self.headers);
        request.body.clone_from(&self.data);
        request.body_bytes_max = self.at_most;
        request
    }
}

impl Options {
    /// Turns options into ready things.
    pub(super) fn plan(self) -> anyhow::Result<Plan> {
        // The one place where fetching meets the clock.
        let clock = Clock::new(crate::clock::now);
        let mut settings = Settings::new(clock.clone());
        settings.limits.redirects = self.max_redirects;
        if let Some(user_agent) = self.user_agent {
            settings.user_agent = user_agent;
        }
        settings.from = self.from;
        if let Some(timeout) = self.timeout {
            let times = &mut settings.timeouts;
            for time in [&mut times.connect, &mut times.first_byte, &mut times.idle, &mut times.whole] {
                *time = timeout.min(*time);
            }
            times.whole = timeout;
        }
        // Whoever gives an address by hand means it.
        let given = self.resolve.iter().map(|given| Network::single(given.address));
        settings.allowed =
            Allowed { private: self.allow_private, networks: self.allow.into_iter().chain(given).collect() };
        settings.proxy_allowed = Allowed { private: self.allow_private_proxy, networks: Vec::new() };
        settings.tls.refuse_invalid = self.verify_tls;
        settings.cookies = self.cookies.then(Jar::default);
        if let Some(proxy) = self.proxy {
            settings.proxies = Proxies { except: self.no_proxy, ..Proxies::all(proxy) };
        }
        settings.dns.overrides = self.resolve;
        settings.dns.servers = self.name_server;
        // SHA-1, because every reader of WARC files knows it.
        settings.digests.payload = vec![Algorithm::Sha1];
        settings.digests.block = vec![Algorithm::Sha1];
        let usual_method = if self.data.is_some() { "POST" } else { "GET" };
        let method = if self.head {
            "HEAD".to_owned()
        } else {
            self.method.unwrap_or_else(|| usual_method.to_owned())
        };
        let mut headers = self.header;
        let has_type = headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type"));
        if self.data.is_some() && !has_type {
            headers.push(("Content-Type".to_owned(), "application/x-www-form-urlencoded".to_owned()));
        }
        Ok(Plan {
            fetcher: Fetcher::new(settings)
                .map_err(|error| anyhow!(error))
                .hint("leave the line break out")?,
            gate: Gate::new(pace(self.delay)),
            clock,
            is_following: self.follow,
            method,
            headers,
            data: self.data.map(Bytes::from),
            at_most: self.at_most,
        })
    }
}

fn pace(delay: Option<Duration>) -> gate::Settings {
    match delay {
        Some(delay) => gate::Settings { delay_min: delay, delay_max: delay, ..gate::Settings::default() },
        None => gate::Settings::default(),
    }
}

fn method(text: &str) -> Result<String, String> {
    if !fetch::is_token(text) {
        return Err("a method is one word, such as GET".to_owned());
    }
    Ok(text.to_owned())
}

fn header(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once(':').ok_or("a header is written `Name: value`")?;
    Ok((name.trim_end().to_owned(), value.trim().to_owned()))
}

fn server(text: &str) -> Result<SocketAddr, String> {
    let alone = || text.parse().ok().map(|address| SocketAddr::new(address, 53));
    text.parse().ok().or_else(alone).ok_or_else(|| "write an address, or `address:port`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_are_words() {
        for text in ["GET", "m-search", "X"] {
            assert!(method(text).is_ok(), "{text}");
        }
        for text in ["", "GET ", "GET /", "G\r\n", "Ä"] {
            assert!(method(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn servers_may_leave_their_port_out() {
        assert_eq!(server("127.0.0.1").unwrap().port(), 53);
        assert_eq!(server("[::1]:5353").unwrap().port(), 5353);
        assert!(server("dns.example").is_err());
    }
}
