#![doc = include_str!("../README.md")]

mod digest;
mod error;
mod fault;
mod framing;
mod http;
mod limits;
mod lines;
mod member;
mod reader;
mod record;
mod verify;
mod window;

pub use digest::{Algorithm, Digest, Hasher};
pub use error::Error;
pub use fault::{Fault, FaultKind, Severity};
pub use http::{Coding, Dechunk, HttpHead, decoder};
pub use limits::Limits;
pub use member::Compression;
pub use reader::{Extent, Options, Reader, Record};
pub use record::{Head, Name, Profile, RecordType, Truncated, Version};
