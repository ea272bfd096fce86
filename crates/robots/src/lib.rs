#![doc = include_str!("../README.md")]

mod directives;
mod limits;
mod policy;
pub mod sitemap;
mod txt;

pub use directives::{Directives, meta_is_for};
pub use limits::Limits;
pub use policy::{Basis, Fetched, Patience, Policy};
pub use txt::{Robots, Verdict, is_product_token, normal_pattern, path_of, robots_url};
