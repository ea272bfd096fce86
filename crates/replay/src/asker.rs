//! Who asks: from where, as whom, and under which name of ours.

use std::net::{IpAddr, SocketAddr};

use axum::extract::ConnectInfo;
use axum::http::{HeaderMap, header, request};
use jiff::Timestamp;
use policy::{Decision, Request};

use crate::replay::{Replay, Settings};

/// Whoever sent a request.
#[derive(Debug, Clone)]
pub(crate) struct Asker {
    client: Option<IpAddr>,
    user: Option<String>,
    pub(crate) now: Timestamp,
    /// Our origin as the client sees it; never ends with a slash.
    pub(crate) origin: String,
}

impl Asker {
    pub(crate) fn of(settings: &Settings, request: &request::Parts) -> Asker {
        let peer = request.extensions.get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip());
        let is_trusted =
            |address: IpAddr| settings.trusted_proxies.iter().any(|network| network.contains(address));
        let is_behind_proxy = peer.is_some_and(is_trusted);
        let client = if is_behind_proxy { forwarded(&request.headers, is_trusted).or(peer) } else { peer };
        let user = settings.user_header.as_ref().filter(|_| is_behind_proxy);
        let user = user.and_then(|name| request.headers.get(name)?.to_str().ok()).map(str::to_owned);
        let origin = settings.origin.clone().unwrap_or_else(|| by_host(request));
        Asker { client, user, now: (settings.now)(), origin }
    }

    /// What of it decides who may see what.
    pub(crate) fn identity(&self) -> String {
        format!("{:?} {:?}", self.client, self.user)
    }

    /// Whether this one may see that capture, or a URL as such.
    pub(crate) fn decide(&self, replay: &Replay, key: &str, captured: Option<Timestamp>) -> Decision {
        let (client, user) = (self.client, self.user.as_deref());
        replay.settings().access_rules.decide(&Request { key, captured, now: self.now, client, user })
    }

    /// Whether this one may see the capture of a line.
    pub(crate) fn decide_row(&self, replay: &Replay, row: &cdx::Capture<'_>) -> Decision {
        let at = row.timestamp.map(|at| urlkey::time::parse_14_clamped(&at.to_string()));
        self.decide(replay, row.key.as_deref().unwrap_or_default(), at)
    }

    /// Whether this one may see it at all.
    pub(crate) fn may_see(&self, replay: &Replay, row: &cdx::Capture<'_>) -> bool {
        self.decide_row(replay, row).is_allowed()
    }
}

/// The client that a trusted proxy names: the last address that is none of our proxies', because whoever stands before them can write
/// what they like.
fn forwarded(headers: &HeaderMap, is_trusted: impl Fn(IpAddr) -> bool) -> Option<IpAddr> {
    let values = headers.get_all("x-forwarded-for").into_iter().filter_map(|value| value.to_str().ok());
    let named: Vec<&str> = values.flat_map(|value| value.split(',')).map(str::trim).collect();
    let addresses = named.iter().rev().map(|text| text.parse::<IpAddr>().ok());
    // An address that cannot be read ends what can be believed.
    addresses.take_while(Option::is_some).flatten().find(|address| !is_trusted(*address))
}

/// By the name that the client asked for. One with odd letters is none.
fn by_host(request: &request::Parts) -> String {
    let host = request.headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let host = host.or_else(|| request.uri.authority().map(|authority| authority.as_str()));
    let is_sound = |host: &&str| {
        !host.is_empty()
            && host.len() <= 255
            && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-:[]_".contains(&byte))
    };
    format!("http://{}", host.filter(is_sound).unwrap_or("localhost"))
}
