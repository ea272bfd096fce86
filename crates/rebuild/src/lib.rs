#![doc = include_str!("../README.md")]

mod build;
mod card;
mod check;
mod crew;
mod old;
mod order;
mod places;
mod report;
mod room;
mod run;

pub use archive::Error;
pub use report::{Kind, Problem, Report};
pub use run::{Settings, Step, rebuild_indexes};
