//! How far a file has come on its way in, when it is read more than once.

use std::cell::Cell;

/// Each sound file is read for its checksum, and then looked through.
const READS: u64 = 2;

/// Tells each byte of a file once, however often it is read.
pub(super) struct Pace<'a> {
    bytes: u64,
    read: Cell<u64>,
    told: Cell<u64>,
    tell: &'a (dyn Fn(u64) + Sync),
}

impl Pace<'_> {
    pub(super) fn new(bytes: u64, tell: &(dyn Fn(u64) + Sync)) -> Pace<'_> {
        Pace { bytes, read: Cell::new(0), told: Cell::new(0), tell }
    }

    /// So much more was read.
    pub(super) fn read(&self, count: u64) {
        self.read.set(self.read.get() + count);
        self.tell((self.read.get() / READS).min(self.bytes));
    }

    fn tell(&self, due: u64) {
        let new = due.saturating_sub(self.told.get());
        if new > 0 {
            self.told.set(due);
            (self.tell)(new);
        }
    }
}

/// Nothing is left to be read of it, however it ended.
impl Drop for Pace<'_> {
    fn drop(&mut self) {
        self.tell(self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn each_byte_is_told_once() {
        let told = Mutex::new(Vec::new());
        let tell = |count| told.lock().unwrap().push(count);
        for reads in [&[11, 4, 7][..], &[11], &[11, 11, 11], &[]] {
            let pace = Pace::new(11, &tell);
            reads.iter().for_each(|count| pace.read(*count));
            drop(pace);
            assert_eq!(told.lock().unwrap().drain(..).sum::<u64>(), 11, "{reads:?}");
        }
    }
}
