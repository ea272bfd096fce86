#![doc = include_str!("../README.md")]

mod address;
mod css;
mod error;
mod headers;
mod hls;
mod html;
mod jsonp;
mod kind;
mod limits;
mod modifier;
mod place;
mod rewriter;
mod script;
mod text;
mod xml;

pub use address::{Address, Span, When};
pub use error::Error;
pub use headers::headers;
pub use kind::{Kind, kind_of};
pub use limits::Limits;
pub use modifier::{Form, Modifier};
pub use place::Place;
pub use rewriter::{Rewriter, Settings};
