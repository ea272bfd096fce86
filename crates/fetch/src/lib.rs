#![doc = include_str!("../README.md")]

// What to ask, and how.
mod clock;
mod error;
mod limits;
mod request;
mod settings;
// What came of it.
mod exchange;
mod kept;
mod outcome;
// The way to a server.
pub mod addresses;
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

pub use addresses::{Allowed, Network};
pub use clock::Clock;
pub use cookies::{Jar, JarLimits};
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
