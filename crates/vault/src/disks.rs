//! Reading many copies of a replica: those of one disk one after another, those of several disks at once.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

use catalogue::File;
use store::Pace;
use store::replica::Found;

use crate::error::Error;
use crate::place::Place;
use crate::vault::Vault;

/// What came of reading a copy.
pub(crate) type Read = Result<Option<Found>, store::Error>;

impl Vault {
    /// Reads copies until about so many bytes of each disk, or of all, are read, and hands over what each was, as it comes. Those of a disk
    /// come in their order.
    pub(crate) fn read_many<'f>(
        &self,
        place: &Place,
        files: &'f [File],
        (bytes_of_each, bytes_of_all): (u64, u64),
        pace: Pace<'_>,
        mut each: impl FnMut(&'f File, Read) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut disks: BTreeMap<Option<u64>, Vec<&'f File>> = BTreeMap::new();
        for file in files {
            disks.entry(place.replica.disk(&file.name)).or_default().push(file);
        }
        // One pace for all: where it waits, all wait.
        let pace = Mutex::new(pace);
        let (bytes_read, is_enough) = (AtomicU64::new(0), AtomicBool::new(false));
        // Where something went wrong, nobody reads his file to its end.
        let is_over = AtomicBool::new(false);
        let tell = |bytes: u64| {
            let total = bytes_read.fetch_add(bytes, Ordering::Relaxed) + bytes;
            let told = pace.lock().unwrap_or_else(PoisonError::into_inner)(bytes);
            if told.is_break() || total >= bytes_of_all {
                is_enough.store(true, Ordering::Relaxed);
            }
            if is_over.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { told }
        };
        thread::scope(|scope| {
            // Whoever reads waits until the one before is written down.
            let (sender, receiver) = mpsc::sync_channel(0);
            for own in disks.into_values() {
                let (sender, tell, is_enough) = (sender.clone(), &tell, &is_enough);
                scope.spawn(move || {
                    let mut bytes_of_own = 0;
                    for file in own {
                        let read = self.read_well(file, place, &mut |bytes| {
                            bytes_of_own += bytes;
                            tell(bytes)
                        });
                        let is_over = sender.send((file, read)).is_err() || bytes_of_own >= bytes_of_each;
                        if is_over || is_enough.load(Ordering::Relaxed) {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            let outcome = receiver.iter().try_for_each(|(file, read)| each(file, read));
            if outcome.is_err() {
                is_over.store(true, Ordering::Relaxed);
            }
            outcome
        })
    }
}
