//! Asks the name servers.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hickory_resolver::TokioResolver;
use hickory_resolver::config::{ConnectionConfig, NameServerConfig, ResolverConfig, ResolverOpts};
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::net::{DnsError, NetError};
use hickory_resolver::proto::op::ResponseCode;
use hickory_resolver::proto::rr::{Name, RData, RecordType};
use tokio::sync::OnceCell;

use super::answer::{Address, Answer};
use super::cache::{Cache, Known};
use super::{DnsSettings, Families, Override, is_this_machine};
use crate::clock::Clock;
use crate::outcome::Failure;

/// Looks names up and remembers them.
#[derive(Debug)]
pub(crate) struct Resolver {
    settings: DnsSettings,
    clock: Clock,
    names_max: usize,
    cache: Cache,
    servers: OnceCell<Result<Servers, String>>,
}

/// Whom to ask.
struct Servers {
    resolver: TokioResolver,
    first: Option<SocketAddr>,
}

impl std::fmt::Debug for Servers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Servers from {:?}", self.first)
    }
}

impl Resolver {
    pub(crate) fn new(settings: DnsSettings, clock: Clock, names_max: usize) -> Resolver {
        Resolver { settings, clock, names_max, cache: Cache::default(), servers: OnceCell::new() }
    }

    /// The setting that gives this host an address.
    pub(crate) fn overridden(&self, host: &str, port: u16) -> Option<&Override> {
        self.settings.overrides.iter().find(|given| given.covers(host, port))
    }

    /// The answer that such a setting stands for.
    pub(crate) fn given(&self, host: &str, given: &Override) -> Arc<Answer> {
        let addresses = vec![Address { address: given.address, ttl: 0 }];
        Arc::new(Answer { name: host.to_owned(), at: self.clock.now(), addresses, server: None })
    }

    /// The addresses of a host, at least one.
    pub(crate) async fn lookup(&self, host: &str) -> Result<Arc<Answer>, Failure> {
        let name = host.trim_end_matches('.');
        // No server is to be asked, and a hosts file does not matter.
        if is_this_machine(name) {
            let addresses = [[127, 0, 0, 1].into(), std::net::Ipv6Addr::LOCALHOST.into()];
            let addresses = addresses.map(|address| Address { address, ttl: 0 }).into();
            let (name, at) = (name.to_owned(), self.clock.now());
            return Ok(Arc::new(Answer { name, at, addresses, server: None }));
        }
        self.cache.get(name, self.names_max, self.ask(name)).await
    }

    async fn ask(&self, name: &str) -> Known {
        let servers = match self.servers.get_or_init(async || make(&self.settings)).await {
            Ok(servers) => servers,
            Err(why) => return (Err(Failure::DnsFailed(why.clone())), Duration::ZERO),
        };
        // A dot at the end keeps the search list of the system out of it.
        let Ok(full) = Name::from_ascii(format!("{name}.")) else {
            return (Err(Failure::NoSuchName), self.settings.negative_ttl_max);
        };
        let at = self.clock.now();
        let one = async |kind: RecordType, wanted: bool| match wanted {
            true => Some(servers.resolver.lookup(full.clone(), kind).await),
            false => None,
        };
        let families = self.settings.families;
        let (six, four) = tokio::join!(
            one(RecordType::AAAA, families != Families::Ipv4),
            one(RecordType::A, families != Families::Ipv6)
        );
        let mut addresses = Vec::new();
        let mut failures = Vec::new();
        for found in [six, four].into_iter().flatten() {
            match found {
                Ok(lookup) => addresses.extend(lookup.answers().iter().filter_map(|record| {
                    let address = match record.data {
                        RData::A(address) => address.0.into(),
                        RData::AAAA(address) => address.0.into(),
                        _ => return None,
                    };
                    Some(Address { address, ttl: record.ttl })
                })),
                Err(error) => failures.push(error),
            }
        }
        if addresses.is_empty() {
            return self.without_addresses(&failures);
        }
        let shortest = addresses.iter().map(|address| address.ttl).min().unwrap_or_default();
        let shortest = Duration::from_secs(shortest.into());
        let holds = shortest.max(self.settings.ttl_min).min(self.settings.ttl_max);
        let answer = Answer { name: name.to_owned(), at, addresses, server: servers.first };
        (Ok(Arc::new(answer)), holds)
    }

    /// Why there is no address: of several reasons the one that says most.
    fn without_addresses(&self, failures: &[NetError]) -> Known {
        let mut negative = None;
        let mut failed = None;
        for failure in failures {
            match failure {
                NetError::Dns(DnsError::NoRecordsFound(none)) => {
                    let ttl = none.negative_ttl.map(|seconds| Duration::from_secs(seconds.into()));
                    let kind = match none.response_code {
                        ResponseCode::NXDomain => Failure::NoSuchName,
                        ResponseCode::NoError => Failure::NoAddress,
                        other => {
                            failed = Some(other.to_string());
                            continue;
                        }
                    };
                    negative = Some((kind, ttl.unwrap_or(self.settings.negative_ttl_max)));
                }
                other => failed = Some(other.to_string()),
            }
        }
        match (failed, negative) {
            (_, Some((Failure::NoSuchName, ttl))) => {
                (Err(Failure::NoSuchName), ttl.min(self.settings.negative_ttl_max))
            }
            // A server that does not answer now may do so soon.
            (Some(why), _) => (Err(Failure::DnsFailed(why)), Duration::from_secs(5)),
            (None, Some((kind, ttl))) => (Err(kind), ttl.min(self.settings.negative_ttl_max)),
            (None, None) => (Err(Failure::NoAddress), self.settings.negative_ttl_max),
        }
    }
}

fn make(settings: &DnsSettings) -> Result<Servers, String> {
    let (config, mut options) = if settings.servers.is_empty() {
        hickory_resolver::system_conf::read_system_conf()
            .map_err(|error| format!("the system's settings cannot be read: {error}"))?
    } else {
        let servers = settings.servers.iter().map(|server| {
            let mut connections = vec![ConnectionConfig::udp(), ConnectionConfig::tcp()];
            connections.iter_mut().for_each(|connection| connection.port = server.port());
            NameServerConfig::new(server.ip(), true, connections)
        });
        (ResolverConfig::from_name_servers(servers.collect()), ResolverOpts::default())
    };
    // The answers are remembered here, with their own times.
    options.cache_size = 0;
    options.timeout = settings.timeout;
    options.attempts = 2;
    let first = config.name_servers().first().map(|server| {
        let port = server.connections.first().map_or(53, |connection| connection.port);
        SocketAddr::new(server.ip, port)
    });
    let mut builder = TokioResolver::builder_with_config(config, TokioRuntimeProvider::default());
    *builder.options_mut() = options;
    let resolver = builder.build().map_err(|error| error.to_string())?;
    Ok(Servers { resolver, first })
}
