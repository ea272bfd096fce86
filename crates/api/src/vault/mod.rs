//! The files that are kept: how they stand in every replica, what happened to them, and what can be done about it (D11–D13).
//!
//! What is told comes from the catalogue; what is to be done is asked of whoever looks after the files, a [`Keeper`].

// What there is to tell.
mod events;
mod files;
mod remedies;
mod status;
// What can be done about it.
mod keeper;
mod tasks;
// HTTP.
pub(crate) mod routes;

use std::fmt;
use std::sync::Arc;

use crate::{Api, Error, Limits};

pub use events::{Event, EventPage, Story};
pub use files::{CopyRow, FilePage, FileRow, Wanted};
pub use keeper::Keeper;
pub use remedies::{Remedies, RemedyRow};
pub use status::{AuditRow, LastRow, ReplicaRow, Status, Work};
pub use supervisor::{Doing, Habits, Last, Remedied, Room, Task};
pub use tasks::parse_task;

/// The files of an archive. Clones are the same.
///
/// Its calls wait for a disk: none may be made on a thread of an asynchronous runtime.
#[derive(Clone)]
pub struct Keeping {
    keeper: Arc<dyn Keeper>,
    /// When it was asked.
    now: jiff::Timestamp,
    limits: Limits,
}

impl Api {
    /// The files of the archive.
    ///
    /// # Errors
    /// When nobody looks after them here.
    pub fn keeping(&self) -> Result<Keeping, Error> {
        let keeper =
            self.keeper().ok_or_else(|| Error::NotFound("this server looks after no files".to_owned()))?;
        Ok(Keeping { keeper: keeper.clone(), now: self.now(), limits: self.limits().clone() })
    }
}

impl Keeping {
    fn catalogue(&self) -> &catalogue::Catalogue {
        self.keeper.vault().catalogue()
    }

    /// How whoever looks after the files goes about it.
    #[must_use]
    pub fn habits(&self) -> Habits {
        self.keeper.habits()
    }
}

impl fmt::Debug for Keeping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keeping").field("vault", self.keeper.vault()).finish_non_exhaustive()
    }
}
