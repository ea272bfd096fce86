//! Who is told when a request ends: one bell for each host and address that somebody waits for.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{MutexGuard as Turn, Notify};

/// What somebody waits for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Aim {
    Host(Arc<str>),
    Address(IpAddr),
}

/// All posts at which somebody waits.
#[derive(Debug, Default)]
pub(super) struct Waiters(Mutex<HashMap<Aim, Arc<Post>>>);

#[derive(Debug, Default)]
struct Post {
    bell: Notify,
    /// Held by the first in line.
    line: tokio::sync::Mutex<()>,
}

/// A place at a post. The post is taken down when the last one leaves.
#[derive(Debug)]
pub(super) struct Stand {
    aim: Aim,
    post: Arc<Post>,
    waiters: Arc<Waiters>,
}

impl Waiters {
    pub(super) fn stand(self: &Arc<Self>, aim: Aim) -> Stand {
        let post = Arc::clone(self.lock().entry(aim.clone()).or_default());
        Stand { aim, post, waiters: Arc::clone(self) }
    }

    /// Tells those who wait at a post, if anybody does.
    pub(super) fn ring(&self, aim: &Aim) {
        if let Some(post) = self.lock().get(aim) {
            post.bell.notify_waiters();
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Aim, Arc<Post>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stand {
    pub(super) fn aim(&self) -> &Aim {
        &self.aim
    }

    /// Waits for those who came earlier.
    pub(super) async fn line(&self) -> Turn<'_, ()> {
        self.post.line.lock().await
    }

    /// Listens from this call on, not only from the first time it is waited for.
    pub(super) fn rung(&self) -> impl Future<Output = ()> {
        self.post.bell.notified()
    }
}

impl Drop for Stand {
    fn drop(&mut self) {
        let mut posts = self.waiters.lock();
        // Two hold a post at which nobody else waits: the table, and the one who is leaving.
        if Arc::strong_count(&self.post) <= 2 {
            posts.remove(&self.aim);
        }
    }
}
