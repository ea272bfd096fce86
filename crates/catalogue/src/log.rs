//! The log of events, proved: every event follows from the one before it, up to one that was told to somebody else.

use crate::catalogue::Catalogue;
use crate::error::Error;
use crate::event::Hash;

/// Events that are looked at in one go.
const PIECE: u32 = 10_000;

/// What came of looking through the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verified {
    /// Every event follows from the one before: how many there are, and what stands for all of them.
    Sound {
        /// How many.
        events: u64,
        /// What stands for the last and all before it.
        hash: Hash,
    },
    /// From this event on it is not what was written down.
    Broken {
        /// The first that does not follow from the one before; where it is missing, the number it would have.
        number: u64,
    },
}

impl Catalogue {
    /// Looks through the whole log. With the number and hash of an event that was noted elsewhere, also whether that event is still
    /// what it was: who changes the database may change every hash in it, but not what others have noted.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn verify_log(&self, noted: Option<(u64, Hash)>) -> Result<Verified, Error> {
        let (mut number, mut hash) = (0, Hash::default());
        loop {
            let events = self.events(number, PIECE)?;
            if events.is_empty() {
                break;
            }
            for event in events {
                let is_noted = noted.is_none_or(|(at, noted)| at != event.number || noted == event.hash);
                if event.number != number + 1 || !event.follows(hash) || !is_noted {
                    return Ok(Verified::Broken { number: number + 1 });
                }
                (number, hash) = (event.number, event.hash);
            }
        }
        match noted {
            // The log ends before what was noted: its end was cut off.
            Some((at, _)) if at > number => Ok(Verified::Broken { number: number + 1 }),
            _ => Ok(Verified::Sound { events: number, hash }),
        }
    }
}
