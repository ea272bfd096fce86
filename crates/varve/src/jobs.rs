//! Many files at once on all cores, with results in the order in which the files were named.

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// How many messages of one item may wait for those of the items before it. A worker that is ahead then pauses, so
/// that memory stays bounded however long the listing of a file is.
const WAITING_MAX: usize = 64;

/// The option of every verb that works in parallel.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub(crate) struct Jobs {
    /// How many workers to use [default: one per core]
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
}

impl Jobs {
    /// The number of workers.
    pub(crate) fn count(self) -> usize {
        self.jobs.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
    }

    /// Calls `work` for each item on a worker, and `emit` here for each message that `work` sends, in the order of the
    /// items and, within one, of sending.
    ///
    /// `work` is to stop when sending fails: then `emit` has failed and nobody listens. The first error of `emit` is
    /// the result.
    pub(crate) fn in_order<Item, Message, E>(
        self,
        items: Vec<Item>,
        work: impl Fn(Item, &SyncSender<Message>) + Sync,
        mut emit: impl FnMut(Message) -> Result<(), E>,
    ) -> Result<(), E>
    where
        Item: Send,
        Message: Send,
    {
        let workers = self.count().min(items.len()).max(1);
        let (todo, results) = queue(items);
        let todo = Mutex::new(todo.into_iter());
        let next = || todo.lock().ok().and_then(|mut todo| todo.next());
        thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| {
                    while let Some((item, sender)) = next() {
                        work(item, &sender);
                    }
                });
            }
            // Workers take items in order, so the one that is listened to is always being worked on or done.
            let outcome = results.into_iter().flatten().try_for_each(&mut emit);
            // After an error the receivers are gone, so each worker ends at its next message; and no item is begun any more.
            while next().is_some() {}
            outcome
        })
    }
}

/// An item and where its messages go.
type Task<Item, Message> = (Item, SyncSender<Message>);

/// One channel per item.
fn queue<Item, Message>(items: Vec<Item>) -> (Vec<Task<Item, Message>>, Vec<Receiver<Message>>) {
    let with_channel = |item| {
        let (sender, receiver) = sync_channel(WAITING_MAX);
        ((item, sender), receiver)
    };
    items.into_iter().map(with_channel).unzip()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jobs(count: usize) -> Jobs {
        Jobs { jobs: NonZeroUsize::new(count) }
    }

    #[test]
    fn results_come_in_the_order_of_the_items() {
        for workers in [1, 2, 7] {
            let mut seen = Vec::new();
            let outcome = jobs(workers).in_order(
                (0..20_usize).collect(),
                |item, sender| (0..WAITING_MAX * 2).for_each(|part| sender.send((item, part)).unwrap()),
                |message| {
                    seen.push(message);
                    Ok::<(), ()>(())
                },
            );
            assert_eq!(outcome, Ok(()));
            assert!(seen.is_sorted());
            assert_eq!(seen.len(), 20 * WAITING_MAX * 2);
        }
    }

    #[test]
    fn an_error_stops_the_workers() {
        let outcome = jobs(2).in_order(
            (0..1000_usize).collect(),
            |item, sender| while sender.send(item).is_ok() {},
            |item| if item == 0 { Err("stop") } else { Ok(()) },
        );
        assert_eq!(outcome, Err("stop"));
    }

    #[test]
    fn no_items_is_no_work() {
        let outcome =
            jobs(4).in_order(Vec::<u8>::new(), |_, _: &SyncSender<u8>| {}, |_| Err("none expected"));
        assert_eq!(outcome, Ok(()));
    }
}
