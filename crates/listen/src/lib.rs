#![doc = include_str!("../README.md")]

mod activity;
mod limits;
mod pace;
mod registry;
mod response;
mod server;
mod stream;
mod upload;

pub use limits::Limits;
pub use server::serve;
