#![doc = include_str!("../README.md")]

// The key of a URL, and other ideas of sameness.
mod ia;
mod jwarc;
pub mod openwayback;
mod outbackcdx;
mod rules;
pub mod scrapy;
mod urlcanon;
mod wayback;
// What the keys are for: ranges, prefixes, owners.
mod domain;
mod prefix;
mod range;
mod surt;
// Requests with a body.
pub mod request;
// URLs in parts.
mod handy;
mod host;
mod login;
mod parts;
mod pathdots;
pub mod percent;
pub mod query;
pub mod session;
mod split;
mod whatwg;
// Sloppy URLs, and those that carry a document.
pub mod data_uri;
pub mod repair;
// Times.
pub mod time;
// What can be wrong with any of them.
mod error;

pub use domain::{is_authority, public_suffix, registrable_domain, split_registrable, topmost_assigned_surt};
pub use error::Error;
pub use handy::{HandyUrl, add_default_scheme, default_port};
pub use host::{parse_ipv4, parse_ipv6, resolve_ipv4, to_ascii};
pub use login::{Login, hide_login, hide_logins, remove_login, remove_logins};
pub use parts::Parts;
pub use pathdots::resolve_path_dots;
pub use prefix::{Decision, PrefixSet, Prefixes, implied_prefix, prefix_search};
pub use range::{KeyRange, Match, key_range, plain_range};
pub use rules::{Rules, canonicalize, canonicalize_bytes, key_by};
pub use split::{Split, split};
pub use surt::{full_surt, key_host, reverse_host, ssurt_host, unsurt};
pub use wayback::{SurtForm, key, surt, surt_bytes, surt_with};
pub use whatwg::{encode_query, origin, parse_whatwg};
