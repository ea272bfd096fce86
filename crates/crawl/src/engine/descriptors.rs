//! What a crawl does when its process has no file descriptor left: it pauses, says so, and resumes when there are some again.

use std::sync::Arc;

use super::room::LOOK_EVERY;
use super::running::Running;
use crate::control::Course;

/// The reason that the operator sees.
pub(super) const NONE_LEFT: &str =
    "this process has no file descriptors left; the job resumes automatically once some are free";

/// Starts nothing new until descriptors are free.
pub(super) fn hold(shared: &Arc<Running>) {
    if !shared.hold_for_room(NONE_LEFT) {
        return;
    }
    let shared = Arc::clone(shared);
    tokio::spawn(async move {
        while shared.control.course() != Course::Stop {
            tokio::time::sleep(LOOK_EVERY).await;
            // Connections of requests that have ended since keep theirs otherwise.
            shared.fetcher.close_idle();
            if fetch::has_descriptors() {
                break;
            }
        }
        shared.release_room(NONE_LEFT);
    });
}

/// Waits until descriptors are free, or the crawl is to stop.
pub(super) async fn wait(shared: &Arc<Running>) {
    loop {
        // Another part of the crawl may hold it already, and release it before descriptors are free.
        hold(shared);
        tokio::time::sleep(LOOK_EVERY).await;
        shared.fetcher.close_idle();
        if fetch::has_descriptors() || shared.control.course() == Course::Stop {
            return;
        }
    }
}
