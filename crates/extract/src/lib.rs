#![doc = include_str!("../README.md")]

pub mod charset;
pub mod css;
pub mod dash;
pub mod dates;
mod document;
pub mod headers;
pub mod html;
pub mod identify;
pub mod json;
pub mod language;
pub mod likely;
mod limits;
mod link;
pub mod mime;
pub mod pdf;
pub mod plain;
pub mod playlist;
mod reader;
mod relation;
pub mod robots_txt;
pub mod script;
pub mod sitemap;
pub mod srcset;
mod stop;
pub mod xml;

pub use document::{Cut, Dated, Document};
pub use limits::Limits;
pub use link::{Hop, Link, Links, Rule};
pub use reader::{Reader, Source, read};
pub use stop::Stop;
