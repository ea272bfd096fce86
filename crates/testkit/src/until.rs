//! Waits until something holds that another thread or process brings about, with a deadline.

// The deadline is one of the real clock: what is waited for happens outside of the test.
#![allow(clippy::disallowed_methods)]

use std::future::poll_fn;
use std::task::Poll;
use std::thread;
use std::time::{Duration, Instant};

/// Nothing that a test waits for takes longer, even on a machine that builds something at the same time.
const DEADLINE: Duration = Duration::from_secs(120);

/// The pause between two looks. Short, because some tests kill a process at a moment that passes quickly.
const LOOK_EVERY: Duration = Duration::from_millis(1);

/// Waits until `holds` returns `true`; fails the test after two minutes, with `what` was waited for.
#[track_caller]
pub fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + DEADLINE;
    while !holds() {
        assert!(Instant::now() < deadline, "waited {DEADLINE:?} in vain until {what}");
        thread::park_timeout(LOOK_EVERY);
    }
}

/// The same for a question that is asked asynchronously. Other tasks of the thread run between two looks.
pub async fn until_async(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let deadline = Instant::now() + DEADLINE;
    while !holds().await {
        assert!(Instant::now() < deadline, "waited {DEADLINE:?} in vain until {what}");
        thread::park_timeout(LOOK_EVERY);
        let mut has_yielded = false;
        poll_fn(|context| {
            if std::mem::replace(&mut has_yielded, true) {
                return Poll::Ready(());
            }
            context.waker().wake_by_ref();
            Poll::Pending
        })
        .await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_looks_until_the_answer_is_yes() {
        let mut looks = 0;
        until("three looks", || {
            looks += 1;
            looks == 3
        });
        assert_eq!(looks, 3);
    }
}
