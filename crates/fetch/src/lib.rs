#![doc = include_str!("../README.md")]

// What to ask, and how.
mod clock;
mod credentials;
mod error;
mod limits;
mod request;
mod settings;
// What came of it.
mod exchange;
mod kept;
mod outcome;
// The way to a server.
mod cookies;
pub mod dns;
mod proxy;
pub mod tls;
// The words on the wire.
pub mod http1;
mod wire;
// One exchange after another.
mod connect;
mod conversation;
mod descriptors;
mod digesting;
mod fetcher;
mod pool;
mod race;
mod records;
mod redirect;
mod stream;
mod tunnel;
// How often a host may be asked.
pub mod gate;

pub use clock::Clock;
pub use cookies::{Jar, JarLimits};
pub use credentials::{CredentialSource, Credentials};
pub use descriptors::{has_descriptors, is_out_of_descriptors, lacks_descriptors};
pub use destination::{Allowed, Kind as AddressKind, Network};
pub use error::Error;
pub use exchange::{Digests, Exchange, Times};
pub use fetcher::{Arriving, Fetcher};
pub use kept::{Arrivals, Kept, KeptReader};
pub use limits::Limits;
pub use outcome::{Cut, Failure, Outcome};
pub use proxy::{Exception, Proxies, Proxy, ProxyKind};
pub use records::{Ids, Ready};
pub use redirect::{Trail, TrailEnd, Walk};
pub use request::{Condition, Request, without_password};
pub use settings::{Pool, Settings, Timeouts, Wanted};
pub use wire::is_token;
