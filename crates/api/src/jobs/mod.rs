//! The jobs of an archive: those at work, in this process or another, and those that are done.

// What there is of one.
mod commits;
mod counted;
mod files;
mod import;
mod list;
mod log;
mod parts;
mod report;
mod show;
mod timeline;
// What can be done about it.
mod harvests;
mod steer;
mod watch;
// HTTP.
pub(crate) mod events;
pub(crate) mod routes;

use std::fmt;
use std::sync::Arc;

use archive::Archive;

pub(crate) use self::commits::is_import;
use self::counted::Cache;
use self::watch::Watch;
use crate::limits::Limits;

pub use commits::Kind;
pub use files::{files, newest, open};
pub use harvests::{Harvests, Profile, Wish};
pub use import::{FILE as IMPORT_FILE, Import};
pub use list::{Summary, state};
pub use log::{Entry, Page, Visit, Wanted};
pub use parts::{Part, Parts, Seed};
pub use report::{Domain, Report};
pub use show::Shown;
pub use steer::Course;
pub use supervisor::{Outcome, RefusalKind, Refused};
pub use timeline::Timeline;
pub use watch::{Event, Subscriber};

/// The jobs of an archive. Clones are the same.
#[derive(Clone)]
pub struct Jobs {
    inside: Arc<Inside>,
}

struct Inside {
    archive: Archive,
    limits: Limits,
    harvests: Option<Arc<dyn Harvests>>,
    counted: Cache,
    watch: Watch,
}

impl Jobs {
    /// The jobs of this archive. Without somebody who harvests they can be looked at and steered, and none can be begun.
    #[must_use]
    pub fn new(archive: Archive, harvests: Option<Arc<dyn Harvests>>, limits: Limits) -> Jobs {
        let watch = Watch::default();
        Jobs { inside: Arc::new(Inside { archive, limits, harvests, counted: Cache::default(), watch }) }
    }

    /// The archive.
    #[must_use]
    pub fn archive(&self) -> &Archive {
        &self.inside.archive
    }

    /// Bounds on what is asked.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.inside.limits
    }

    /// Some lines of a job's log.
    ///
    /// # Errors
    /// When there is no such job or file, or it cannot be read.
    pub fn log(&self, job: &str, wanted: &Wanted) -> Result<Page, crate::Error> {
        log::read(self.archive(), job, wanted, self.limits())
    }

    /// Follows the jobs that run. Those who follow hear of it when [`Jobs::close`] is called.
    #[must_use]
    pub fn follow(&self) -> Subscriber {
        self.inside.watch.follow(self)
    }

    /// Ends all that follow, because the server ends.
    pub fn close(&self) {
        self.inside.watch.close();
    }

    fn harvests(&self) -> Option<&Arc<dyn Harvests>> {
        self.inside.harvests.as_ref()
    }
}

impl fmt::Debug for Jobs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Jobs").field("archive", &self.inside.archive.folder()).finish_non_exhaustive()
    }
}
