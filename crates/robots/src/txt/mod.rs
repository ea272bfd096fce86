//! robots.txt after RFC 9309, with the slips of the pen that Google forgives.
//!
//! <https://www.rfc-editor.org/rfc/rfc9309.html>

mod agent;
mod line;
mod normal;
mod parse;
mod path;
mod pattern;
mod robots;

pub use agent::is_product_token;
pub use normal::normal_pattern;
pub use path::{path_of, robots_url};
pub use robots::{Robots, Verdict};

pub(crate) use agent::is_named;
