#![doc = include_str!("../README.md")]

mod error;
// An archive, its vault, and who is told what happens to it.
mod backup;
mod begun;
mod kept;
pub mod notifying;
mod opening;
// Harvests.
mod harvester;
mod runner;
mod seed_fate;
// Files and disks.
mod caretaker;
mod disks;
mod rooms;
mod task;

pub use backup::backups;
pub use begun::{Begun, Rebuilding};
pub use caretaker::Caretaker;
pub use disks::Disks;
pub use error::{Error, is_busy};
pub use harvester::{Harvester, Lead, Setup};
pub use kept::{APART, CATALOGUE, Kept, OWN, begin, check_apart, has_catalogue, hinted, named, others};
pub use opening::{open, store_is_gone};
pub use runner::{Outcome, RefusalKind, Refused, Tell};
pub use seed_fate::{SEEDS_TOLD, seed_fate};
pub use task::{Doing, Habits, Last, Remedied, Room, Task};
