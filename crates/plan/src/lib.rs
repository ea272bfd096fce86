#![doc = include_str!("../README.md")]

mod error;
mod filters;
mod job_file;
mod keychain;
mod lists;
mod plan;
mod planner;
mod resolved;
mod seeds;

pub use error::Error;
pub use keychain::{KEY_NAME, Keychain, Keychains, why};
pub use plan::Plan;
pub use planner::{Planner, asking, check, profiles, scope_of};
pub use seeds::{domain as domain_of, one_url, one_url_with_login, read as read_seeds};
