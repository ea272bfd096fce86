#![doc = include_str!("../README.md")]

mod error;
mod handy;
mod host;
mod pathdots;
pub mod percent;
pub mod query;
pub mod repair;
pub mod session;
mod split;
pub mod data_uri;
pub mod time;
mod wayback;

pub use error::Error;
pub use handy::{HandyUrl, add_default_scheme, default_port};
pub use host::{parse_ipv4, parse_ipv6, resolve_ipv4, to_ascii};
pub use pathdots::resolve_path_dots;
pub use split::{Split, split};
pub use wayback::{SurtForm, key, surt, surt_bytes, surt_with};
