#![doc = include_str!("../README.md")]

mod database;
mod file;
mod folder;
mod mode;
mod refused;

pub use database::protect_database;
pub use file::{options, read, replace};
pub use folder::{check_folder, make_folder};
pub use mode::tighten;
pub use refused::Refused;
