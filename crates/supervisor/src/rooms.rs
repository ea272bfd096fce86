//! Asks the replicas now and then how much more they would take. Each has a thread of its own: one on a server that is gone may never
//! answer, and neither those who look at pages nor the other replicas are to wait for it.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use fetch::Clock;
use vault::Place;

use super::task::Room;

/// How often they are asked.
const ASK_EVERY: Duration = Duration::from_secs(20);

/// Asks until it is dropped. Threads that wait for an answer then are left to the end of the process.
pub(crate) struct Rooms {
    told: Arc<Told>,
    _ends: Vec<Sender<()>>,
}

/// What they said.
struct Told {
    rooms: Mutex<Vec<Room>>,
    clock: Clock,
}

impl Rooms {
    /// Begins to ask.
    pub(crate) fn watch(places: &[Place], clock: Clock) -> Rooms {
        let told = Arc::new(Told::of(places.iter().map(|place| place.name.clone()), clock));
        let ask = |place: &Place| {
            let (end, ended) = mpsc::channel();
            let (told, place) = (Arc::clone(&told), place.clone());
            thread::spawn(move || {
                loop {
                    told.ask(&place.name, || place.replica.room().map_err(|error| error.to_string()));
                    if !matches!(ended.recv_timeout(ASK_EVERY), Err(RecvTimeoutError::Timeout)) {
                        return;
                    }
                }
            });
            end
        };
        let ends = places.iter().map(ask).collect();
        Rooms { told, _ends: ends }
    }

    /// What they said last.
    pub(crate) fn told(&self) -> Vec<Room> {
        self.told.lock().clone()
    }
}

impl Told {
    fn of(names: impl Iterator<Item = String>, clock: Clock) -> Told {
        let rooms = names.map(|replica| Room { replica, ..Room::default() }).collect();
        Told { rooms: Mutex::new(rooms), clock }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Room>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks one, while others can read what was said before.
    fn ask(&self, replica: &str, room: impl FnOnce() -> Result<Option<u64>, String>) {
        self.change(replica, |room| room.asked = Some(self.clock.now()));
        let said = room();
        self.change(replica, |room| (room.asked, room.told) = (None, Some((self.clock.now(), said))));
    }

    fn change(&self, replica: &str, change: impl FnOnce(&mut Room)) {
        if let Some(room) = self.lock().iter_mut().find(|room| room.replica == replica) {
            change(room);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_does_not_answer_keeps_nobody_waiting() {
        let clock = Clock::new(|| jiff::Timestamp::UNIX_EPOCH);
        let told = Told::of(["store", "cellar"].map(str::to_owned).into_iter(), clock);
        let said = |at: usize| {
            let room = told.lock()[at].clone();
            (room.told.map(|(_, said)| said), room.asked.is_some())
        };
        told.ask("cellar", || Ok(Some(5)));
        assert_eq!((said(0), said(1)), ((None, false), (Some(Ok(Some(5))), false)));
        told.ask("cellar", || {
            // All that is asked of the others meanwhile.
            told.ask("store", || Err("not mounted".to_owned()));
            assert_eq!(said(0), (Some(Err("not mounted".to_owned())), false));
            assert_eq!(said(1), (Some(Ok(Some(5))), true));
            Ok(None)
        });
        assert_eq!(said(1), (Some(Ok(None)), false));
    }
}
