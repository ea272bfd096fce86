//! From a URL to a connection: the name looked up, the address checked, the proxy asked, TLS agreed on.

use std::future::Future;
use std::net::IpAddr;
use std::sync::Arc;

use destination::{Allowed, Kind};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout_at};
use url::{Host, Url};

use crate::dns::{self, Answer, Resolver};
use crate::limits::Limits;
use crate::outcome::Failure;
use crate::proxy::{Proxies, Proxy, ProxyKind};
use crate::race;
use crate::stream::{Connection, Stream};
use crate::tls::Tls;
use crate::tunnel;

/// Makes connections.
#[derive(Debug)]
pub(crate) struct Connector {
    pub(crate) resolver: Resolver,
    pub(crate) tls: Tls,
    pub(crate) proxies: Proxies,
    pub(crate) allowed: Allowed,
    /// Where a proxy may be, beside those addresses.
    pub(crate) proxy_allowed: Allowed,
    pub(crate) limits: Limits,
}

/// Where a host is, and who said so.
struct Place {
    addresses: Vec<IpAddr>,
    port: u16,
    dns: Option<Arc<Answer>>,
}

impl Connector {
    /// A new connection for this URL. Whatever is too slow has its own failure.
    pub(crate) async fn open(&self, url: &Url, deadline: Instant) -> Result<Connection, Failure> {
        let host = url.host().ok_or(Failure::BadUrl)?;
        let name = url.host_str().ok_or(Failure::BadUrl)?;
        let port = url.port_or_known_default().ok_or(Failure::BadUrl)?;
        let is_tls = url.scheme() == "https";
        let proxy = self.proxies.for_url(url);
        let (stream, dns) = match proxy {
            None => {
                let place = within(deadline, dns_timeout(), self.find(&host, port)).await?;
                let connected = race::connect(&place.addresses, place.port);
                (within(deadline, Failure::ConnectTimeout, connected).await?, place.dns)
            }
            Some(proxy) => {
                self.check_literal(&host)?;
                let slow = Failure::Proxy("it took too long".to_owned());
                (within(deadline, slow, self.through(proxy, name, port, is_tls)).await?, None)
            }
        };
        let peer = stream.peer_addr().ok();
        let by_proxy = proxy.is_some();
        if !is_tls {
            return Ok(Connection { stream: Stream::Plain(stream), peer, dns, tls: None, by_proxy });
        }
        let (stream, facts) = within(deadline, Failure::TlsTimeout, self.tls.connect(name, stream)).await?;
        Ok(Connection {
            stream: Stream::Tls(Box::new(stream)),
            peer,
            dns,
            tls: Some(Arc::new(facts)),
            by_proxy,
        })
    }

    /// The addresses of a URL's host that may be asked; none where a proxy finds them out itself.
    pub(crate) async fn lookup(&self, url: &Url, deadline: Instant) -> Result<Arc<Answer>, Failure> {
        let (Some(host), Some(name)) = (url.host(), url.host_str()) else { return Err(Failure::BadUrl) };
        let port = url.port_or_known_default().ok_or(Failure::BadUrl)?;
        if self.proxies.for_url(url).is_some() {
            self.check_literal(&host)?;
            return Ok(self.resolver.told(name, &[]));
        }
        let place = within(deadline, dns_timeout(), self.find(&host, port)).await?;
        Ok(match place.dns {
            None => self.resolver.told(name, &place.addresses),
            Some(answer) if answer.addresses.iter().all(|found| place.addresses.contains(&found.address)) => {
                answer
            }
            Some(answer) => {
                let mut answer = Answer::clone(&answer);
                answer.addresses.retain(|found| place.addresses.contains(&found.address));
                Arc::new(answer)
            }
        })
    }

    /// The addresses of a host that may be asked; at least one.
    async fn find(&self, host: &Host<&str>, port: u16) -> Result<Place, Failure> {
        let name = match host {
            Host::Ipv4(address) => return self.literal((*address).into(), port),
            Host::Ipv6(address) => return self.literal((*address).into(), port),
            Host::Domain(name) => *name,
        };
        let (answer, port) = match self.resolver.overridden(name, port) {
            Some(given) => (self.resolver.given(name, given), given.to_port.unwrap_or(port)),
            None => (self.resolver.lookup(name).await?, port),
        };
        let mut refused = None;
        let allowed = answer.addresses.iter().map(|found| found.address).filter(|address| {
            let verdict = self.allowed.check(*address);
            refused = refused.or(verdict.err());
            verdict.is_ok()
        });
        let addresses = race::ordered(allowed, self.limits.addresses);
        match (addresses.is_empty(), refused) {
            (false, _) => Ok(Place { addresses, port, dns: Some(answer) }),
            (true, Some(kind)) => Err(Failure::AddressRefused(kind)),
            (true, None) => Err(Failure::NoAddress),
        }
    }

    fn literal(&self, address: IpAddr, port: u16) -> Result<Place, Failure> {
        self.allowed.check(address).map_err(Failure::AddressRefused)?;
        Ok(Place { addresses: vec![address], port, dns: None })
    }

    /// A proxy looks names up itself; an address in the URL is still ours to judge.
    fn check_literal(&self, host: &Host<&str>) -> Result<(), Failure> {
        let address: IpAddr = match host {
            Host::Ipv4(address) => (*address).into(),
            Host::Ipv6(address) => (*address).into(),
            Host::Domain(name) if dns::is_this_machine(name) => [127, 0, 0, 1].into(),
            Host::Domain(_) => return Ok(()),
        };
        self.allowed.check(address).map_err(Failure::AddressRefused)
    }

    /// Connects to the proxy, if its address may be asked, and through it if need be.
    async fn through(
        &self,
        proxy: &Proxy,
        host: &str,
        port: u16,
        is_tls: bool,
    ) -> Result<TcpStream, Failure> {
        let found = match proxy.host.parse::<IpAddr>() {
            Ok(address) => vec![address],
            Err(_) => {
                let answer = match self.resolver.overridden(&proxy.host, proxy.port) {
                    Some(given) => Ok(self.resolver.given(&proxy.host, given)),
                    None => self.resolver.lookup(&proxy.host).await,
                };
                let answer = answer.map_err(of_proxy)?;
                answer.addresses.iter().map(|found| found.address).collect()
            }
        };
        let addresses = self.allowed_of_proxy(found)?;
        let connected = race::connect(&addresses, proxy.port).await;
        let stream = connected.map_err(of_proxy)?;
        match proxy.kind {
            ProxyKind::Http if !is_tls => Ok(stream),
            ProxyKind::Http => tunnel::by_connect(stream, proxy, host, port, &self.limits).await,
            ProxyKind::Socks5 => tunnel::by_socks(stream, proxy, host, port).await,
        }
    }
}

impl Connector {
    /// The addresses of a proxy that may be asked; at least one.
    fn allowed_of_proxy(&self, found: Vec<IpAddr>) -> Result<Vec<IpAddr>, Failure> {
        let check = |address: IpAddr| self.allowed.check(address).or(self.proxy_allowed.check(address));
        let refused: Option<Kind> = found.iter().find_map(|address| check(*address).err());
        let allowed = found.into_iter().filter(|address| check(*address).is_ok());
        let addresses = race::ordered(allowed, self.limits.addresses);
        match refused {
            Some(kind) if addresses.is_empty() => Err(Failure::ProxyRefused(kind)),
            _ => Ok(addresses),
        }
    }
}

/// The failure of a connection to a proxy.
fn of_proxy(failure: Failure) -> Failure {
    match failure {
        Failure::NoDescriptors => failure,
        why => Failure::Proxy(why.to_string()),
    }
}

fn dns_timeout() -> Failure {
    Failure::DnsFailed("no answer in time".to_owned())
}

async fn within<T>(
    deadline: Instant,
    late: Failure,
    work: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    timeout_at(deadline, work).await.unwrap_or(Err(late))
}
