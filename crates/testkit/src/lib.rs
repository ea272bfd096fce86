#![doc = include_str!("../README.md")]
// A test that cannot go on panics: that is how it tells.
#![allow(clippy::panic)]

#[cfg(feature = "servers")]
pub mod changing;
#[cfg(feature = "chromium")]
pub mod chromium;
pub mod corpus;
#[cfg(feature = "servers")]
pub mod crowd;
pub mod differences;
#[cfg(feature = "chromium")]
pub mod difficult;
#[cfg(feature = "servers")]
pub mod dns;
#[cfg(feature = "servers")]
pub mod hostile;
pub mod ids;
#[cfg(feature = "servers")]
pub mod misbehave;
pub mod peers;
pub mod portal;
#[cfg(feature = "servers")]
pub mod post_office;
pub mod postgres;
#[cfg(feature = "servers")]
pub mod proxy;
#[cfg(feature = "servers")]
pub mod s3;
pub mod seeds;
#[cfg(feature = "servers")]
pub mod server;
#[cfg(feature = "servers")]
pub mod site;
#[cfg(feature = "servers")]
pub mod tls;
#[cfg(feature = "servers")]
pub mod torture;
mod until;
#[cfg(feature = "servers")]
pub mod vault_torture;
pub mod vectors;

pub use until::{until, until_async};
