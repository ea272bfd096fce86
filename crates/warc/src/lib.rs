#![doc = include_str!("../README.md")]

mod digest;
mod error;
mod fault;
mod framing;
mod http;
mod limits;
mod lines;
mod member;
pub mod parallel;
mod reader;
mod record;
pub mod rules;
mod verify;
mod window;
mod write;

pub use digest::{Algorithm, Digest, Hasher};
pub use error::Error;
pub use fault::{Fault, FaultKind, Severity};
pub use http::{CHUNK_HEADER_BYTES_MAX, Coding, Dechunk, HttpHead, chunk_length, decoder};
pub use limits::Limits;
pub use member::Compression;
pub use reader::{Extent, Nature, Options, Reader, Record};
pub use record::{Head, Name, Profile, RecordType, Truncated, Version};
pub use write::{Draft, Durable, Encoding, Press, SoundPart, Writer, sound_part, warcinfo_block};
