//! Remembers answers, good and bad, as long as they hold; who asks while a lookup runs waits for it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::OnceCell;
use tokio::time::Instant;

use super::answer::Answer;
use crate::outcome::Failure;

/// An answer or the lack of one, and how long it holds.
pub(super) type Known = (Result<Arc<Answer>, Failure>, Duration);

/// What is known of each name.
#[derive(Debug, Default)]
pub(super) struct Cache {
    names: Mutex<HashMap<String, Entry, foldhash::fast::RandomState>>,
}

#[derive(Debug, Clone)]
struct Entry {
    answer: Arc<OnceCell<(Known, Instant)>>,
}

impl Entry {
    fn is_over(&self, now: Instant) -> bool {
        self.answer.get().is_some_and(|((_, holds), since)| now.duration_since(*since) >= *holds)
    }
}

impl Cache {
    /// What is known of the name, or what `look` finds out.
    pub(super) async fn get(
        &self,
        name: &str,
        names_max: usize,
        look: impl Future<Output = Known>,
    ) -> Result<Arc<Answer>, Failure> {
        let entry = self.entry(name, names_max);
        let (known, _) = entry.answer.get_or_init(async || (look.await, Instant::now())).await;
        known.0.clone()
    }

    fn entry(&self, name: &str, names_max: usize) -> Entry {
        let now = Instant::now();
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = names.get(name)
            && !entry.is_over(now)
        {
            return entry.clone();
        }
        if names.len() >= names_max {
            names.retain(|_, entry| !entry.is_over(now));
            // Full of answers that still hold: some have to be asked for again. Which, does not matter.
            if names.len() >= names_max {
                let mut turn = 0_usize;
                names.retain(|_, _| {
                    turn += 1;
                    turn.is_multiple_of(2)
                });
            }
        }
        let entry = Entry { answer: Arc::default() };
        names.insert(name.to_owned(), entry.clone());
        entry
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(seconds: u64) -> Known {
        (Err(Failure::NoSuchName), Duration::from_secs(seconds))
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_holds_as_long_as_it_says() {
        let cache = Cache::default();
        let asked = std::sync::atomic::AtomicUsize::new(0);
        let ask = || async {
            asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            known(10)
        };
        for wait in [0, 5, 4, 1, 9] {
            tokio::time::advance(Duration::from_secs(wait)).await;
            assert_eq!(cache.get("a", 10, ask()).await, Err(Failure::NoSuchName));
        }
        assert_eq!(asked.into_inner(), 2);
    }

    #[tokio::test]
    async fn it_does_not_grow_without_end() {
        let cache = Cache::default();
        for number in 0..1000 {
            let _ = cache.get(&number.to_string(), 10, async { known(1000) }).await;
        }
        assert!(cache.names.lock().unwrap().len() <= 10);
    }
}
