#![doc = include_str!("../README.md")]

// What can go wrong, and how much is taken.
mod error;
mod limits;
// The container.
mod zip;
// What lies in it.
mod digest;
mod index;
mod manifest;
mod pages;
// Reading, judging, writing.
mod package;
mod validate;
mod write;

pub use digest::{Algorithm, Checksum, DigestFile, Hasher};
pub use error::Error;
pub use index::IndexReader;
pub use limits::Limits;
pub use manifest::{DIGEST_PATH, MANIFEST_PATH, MainPage, Manifest, Profile, Resource};
pub use package::Wacz;
pub use pages::{PAGES_FORMAT, Page, PageReader, PagesHead};
pub use validate::{Kind, Place, Problem, Report, validate};
pub use write::{About, IndexForm, Writer};
pub use zip::{Content, Entry, Method, Remnant, Span, Window, remnants};
