//! A crawl under way, and its lines on the screen.

use std::time::Duration;

use crawl::{Crawl, Ended, Error};

use crate::crawl_progress::Live;
use crate::session::Session;

/// How often the terminal is brought up to date, and interrupts are looked for.
pub(super) const LOOK_EVERY: Duration = Duration::from_millis(100);

pub(super) struct Running {
    pub(super) name: String,
    crawl: Crawl,
    live: Live,
    elapsed: Duration,
    held: Option<String>,
}

impl Running {
    pub(super) fn new(crawl: Crawl, session: &Session) -> Running {
        let name = crawl.progress().job;
        let live = Live::new(&session.talk);
        Running { name, crawl, live, elapsed: Duration::ZERO, held: None }
    }

    /// Stops it when what is under way has ended.
    pub(super) fn stop(&self) {
        self.crawl.control().stop();
    }

    /// Shows how it gets on, unless it is over. To be asked every [`LOOK_EVERY`].
    pub(super) fn is_over(&mut self, session: &Session) -> bool {
        if self.crawl.is_over() {
            return true;
        }
        self.elapsed += LOOK_EVERY;
        let progress = self.crawl.progress();
        // Whoever does not look at the bottom line is told once why nothing moves.
        if progress.why != self.held {
            self.held.clone_from(&progress.why);
            if let Some(why) = &self.held {
                session.talk.warning(&format!("{}: {why}", progress.job));
            }
        }
        self.live.show(&progress, self.elapsed, &session.talk);
        false
    }

    /// What became of it.
    pub(super) fn wait(self) -> Result<Ended, Error> {
        self.live.finish();
        self.crawl.wait()
    }
}
