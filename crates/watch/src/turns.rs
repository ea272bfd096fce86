//! One at a time for each URL: whoever comes second waits, and is told what the first was told.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use tokio::sync::OwnedMutexGuard;

type Table = HashMap<String, Weak<tokio::sync::Mutex<()>>>;

/// Whose turn it is.
#[derive(Debug, Default)]
pub(crate) struct Turns(Mutex<Table>);

/// A turn, until it is dropped.
#[derive(Debug)]
pub(crate) struct Turn<'t> {
    turns: &'t Turns,
    url: String,
    guard: Option<OwnedMutexGuard<()>>,
}

impl Turns {
    /// Waits for the turn.
    pub(crate) async fn take(&self, url: &str) -> Turn<'_> {
        let line = self.line(url);
        let guard = line.lock_owned().await;
        Turn { turns: self, url: url.to_owned(), guard: Some(guard) }
    }

    fn line(&self, url: &str) -> Arc<tokio::sync::Mutex<()>> {
        let mut table = self.table();
        if let Some(line) = table.get(url).and_then(Weak::upgrade) {
            return line;
        }
        let line = Arc::new(tokio::sync::Mutex::new(()));
        table.insert(url.to_owned(), Arc::downgrade(&line));
        line
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        drop(self.guard.take());
        let mut table = self.turns.table();
        // Nobody waits behind us.
        if table.get(&self.url).is_some_and(|line| line.strong_count() == 0) {
            table.remove(&self.url);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_second_waits_and_nothing_is_left() {
        let turns = Turns::default();
        let first = turns.take("a").await;
        let _other = turns.take("b").await;
        let mut second = Box::pin(turns.take("a"));
        tokio::select! {
            biased;
            _ = &mut second => panic!("both at once"),
            () = std::future::ready(()) => {}
        }
        drop(first);
        drop(second.await);
        assert_eq!(turns.table().len(), 1);
    }
}
