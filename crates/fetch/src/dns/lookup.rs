//! Asks the name servers.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use hickory_resolver::TokioResolver;
use hickory_resolver::config::{ConnectionConfig, NameServerConfig, ResolverConfig, ResolverOpts};
use hickory_resolver::lookup::Lookup;
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::net::{DnsError, NetError};
use hickory_resolver::proto::op::ResponseCode;
use hickory_resolver::proto::rr::{Name, RData, RecordType};
use tokio::sync::OnceCell;
use tokio::time::timeout;

use super::answer::{Address, Answer, Record};
use super::cache::{Cache, Known};
use super::{DnsSettings, Families, Override, is_this_machine};
use crate::clock::Clock;
use crate::descriptors::is_out_of_descriptors;
use crate::outcome::Failure;

/// How long the second family may keep us waiting once the first has an address (RFC 8305, 3).
const SECOND: Duration = Duration::from_millis(50);

/// Looks names up and remembers them.
#[derive(Debug)]
pub(crate) struct Resolver {
    settings: DnsSettings,
    clock: Clock,
    names_max: usize,
    cache: Cache,
    servers: OnceCell<Servers>,
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
        self.told(host, &[given.address])
    }

    /// An answer that nobody was asked for.
    pub(crate) fn told(&self, host: &str, addresses: &[IpAddr]) -> Arc<Answer> {
        let addresses = addresses.iter().map(|address| Address { address: *address, ttl: 0 }).collect();
        let (name, at) = (host.to_owned(), self.clock.now());
        Arc::new(Answer { name, at, addresses, records: Vec::new(), server: None })
    }

    /// The addresses of a host, at least one.
    pub(crate) async fn lookup(&self, host: &str) -> Result<Arc<Answer>, Failure> {
        let name = host.trim_end_matches('.');
        // No server is to be asked, and a hosts file does not matter.
        if is_this_machine(name) {
            return Ok(self.told(name, &[Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()]));
        }
        self.cache.get(name, self.names_max, self.ask(name)).await
    }

    async fn ask(&self, name: &str) -> Known {
        // Settings that cannot be read now may be mended by the next time.
        let servers = match self.servers.get_or_try_init(async || make(&self.settings)).await {
            Ok(servers) => servers,
            Err(why) => return (Err(Failure::DnsFailed(why)), Duration::ZERO),
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
        let six = one(RecordType::AAAA, families != Families::Ipv4);
        let four = one(RecordType::A, families != Families::Ipv6);
        let (mut addresses, mut records, mut failures) = (Vec::new(), Vec::new(), Vec::new());
        for found in both(six, four).await.into_iter().flatten() {
            match found {
                Ok(lookup) => take(&lookup, &mut addresses, &mut records),
                Err(error) => failures.push(error),
            }
        }
        if addresses.is_empty() {
            return self.without_addresses(&failures);
        }
        let shortest = addresses.iter().map(|address| address.ttl).min().unwrap_or_default();
        let shortest = Duration::from_secs(shortest.into());
        let holds = shortest.max(self.settings.ttl_min).min(self.settings.ttl_max);
        let answer = Answer { name: name.to_owned(), at, addresses, records, server: servers.first };
        (Ok(Arc::new(answer)), holds)
    }

    /// Why there is no address: of several reasons the one that says most.
    fn without_addresses(&self, failures: &[NetError]) -> Known {
        let mut negative = None;
        let mut failed = None;
        for failure in failures {
            match failure {
                NetError::Io(error) if is_out_of_descriptors(error) => {
                    return (Err(Failure::NoDescriptors), Duration::ZERO);
                }
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

/// What came of one question; `None` if it was not asked, or not waited for.
type Found = Option<Result<Lookup, NetError>>;

/// Asks for both families. Once there is an address of one, the other has little time left.
async fn both(six: impl Future<Output = Found>, four: impl Future<Output = Found>) -> [Found; 2] {
    let (mut six, mut four) = (pin!(six), pin!(four));
    tokio::select! {
        found = &mut six => {
            let other = if has_address(&found) { timeout(SECOND, four).await.ok().flatten() } else { four.await };
            [found, other]
        }
        found = &mut four => {
            let other = if has_address(&found) { timeout(SECOND, six).await.ok().flatten() } else { six.await };
            [other, found]
        }
    }
}

fn has_address(found: &Found) -> bool {
    let Some(Ok(lookup)) = found else { return false };
    lookup.answers().iter().any(|record| matches!(record.data, RData::A(_) | RData::AAAA(_)))
}

/// Takes an answer apart. Both questions are answered with the same aliases, which are kept once.
fn take(lookup: &Lookup, addresses: &mut Vec<Address>, records: &mut Vec<Record>) {
    for record in lookup.answers() {
        let ttl = record.ttl;
        match record.data {
            RData::A(address) => addresses.push(Address { address: address.0.into(), ttl }),
            RData::AAAA(address) => addresses.push(Address { address: address.0.into(), ttl }),
            _ => {}
        }
        let (owner, kind) = (record.name.to_string(), record.record_type().to_string());
        let record = Record { owner, ttl, kind, data: record.data.to_string() };
        let is_same = |known: &Record| known.owner == record.owner && known.data == record.data;
        if !records.iter().any(|known| is_same(known) && known.kind == record.kind) {
            records.push(record);
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
