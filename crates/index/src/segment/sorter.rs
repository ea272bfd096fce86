//! Sorts fingerprints or hashes, more of them than the memory should hold: runs are put aside in a file without a name.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use super::prints::Print;

/// What can be sorted: a few bytes, which it goes into and comes back from.
pub(crate) trait Small: Copy + Ord {
    /// How many bytes.
    const BYTES: usize;
    /// Appends them.
    fn put(self, out: &mut Vec<u8>);
    /// The other way; of too few bytes it is nothing in particular.
    fn of(bytes: &[u8]) -> Self;
}

impl Small for Print {
    const BYTES: usize = 24;

    fn put(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_bytes());
    }

    fn of(bytes: &[u8]) -> Print {
        bytes.first_chunk().map_or(Print::LEAST, Print::from_bytes)
    }
}

impl Small for u64 {
    const BYTES: usize = 8;

    fn put(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_le_bytes());
    }

    fn of(bytes: &[u8]) -> u64 {
        bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
    }
}

/// Fingerprints of a run that are read at once.
const READ_PRINTS: usize = 1 << 10;
const WRITE_BYTES: usize = 1 << 16;

/// Gathers fingerprints, at most so many in memory.
pub(crate) struct Sorter<T> {
    prints: Vec<T>,
    prints_max: usize,
    folder: PathBuf,
    spill: Option<BufWriter<File>>,
    /// Where in the file each run ends, in fingerprints.
    ends: Vec<u64>,
}

impl<T: Small> Sorter<T> {
    /// Runs are put aside in this folder.
    pub(crate) fn new(folder: &Path, prints_max: usize) -> Sorter<T> {
        Sorter {
            prints: Vec::new(),
            prints_max: prints_max.max(1),
            folder: folder.to_owned(),
            spill: None,
            ends: Vec::new(),
        }
    }

    pub(crate) fn push(&mut self, print: T) -> io::Result<()> {
        if self.prints.len() >= self.prints_max {
            self.put_aside()?;
        }
        self.prints.push(print);
        Ok(())
    }

    /// All of them, sorted.
    pub(crate) fn finish(mut self) -> io::Result<Sorted<T>> {
        if self.spill.is_none() {
            self.prints.sort_unstable();
            return Ok(Sorted {
                memory: self.prints.into_iter(),
                runs: Vec::new(),
                heads: BinaryHeap::new(),
            });
        }
        self.put_aside()?;
        let mut sorted =
            Sorted { memory: Vec::new().into_iter(), runs: Vec::new(), heads: BinaryHeap::new() };
        let Some(spill) = self.spill else { return Ok(sorted) };
        let file = std::sync::Arc::new(spill.into_inner().map_err(io::IntoInnerError::into_error)?);
        let mut start = 0;
        for end in self.ends {
            let mut run = Run { file: file.clone(), next: start, end, read: Vec::new().into_iter() };
            if let Some(print) = run.next()? {
                sorted.heads.push(Reverse((print, sorted.runs.len())));
            }
            sorted.runs.push(run);
            start = end;
        }
        Ok(sorted)
    }

    fn put_aside(&mut self) -> io::Result<()> {
        let spill = match &mut self.spill {
            Some(spill) => spill,
            none => none.insert(BufWriter::with_capacity(1 << 16, tempfile::tempfile_in(&self.folder)?)),
        };
        self.prints.sort_unstable();
        let mut bytes = Vec::with_capacity(WRITE_BYTES + T::BYTES);
        for print in &self.prints {
            print.put(&mut bytes);
            if bytes.len() >= WRITE_BYTES {
                spill.write_all(&bytes)?;
                bytes.clear();
            }
        }
        spill.write_all(&bytes)?;
        self.ends.push(self.ends.last().copied().unwrap_or_default() + self.prints.len() as u64);
        self.prints.clear();
        Ok(())
    }
}

/// Sorted fingerprints, from memory or from runs.
pub(crate) struct Sorted<T> {
    memory: std::vec::IntoIter<T>,
    runs: Vec<Run<T>>,
    heads: BinaryHeap<Reverse<(T, usize)>>,
}

impl<T: Small> Sorted<T> {
    pub(crate) fn next(&mut self) -> io::Result<Option<T>> {
        let Some(mut head) = self.heads.peek_mut() else { return Ok(self.memory.next()) };
        let Reverse((print, run)) = *head;
        match self.runs.get_mut(run).map(Run::next).transpose()?.flatten() {
            Some(next) => *head = Reverse((next, run)),
            None => drop(std::collections::binary_heap::PeekMut::pop(head)),
        }
        Ok(Some(print))
    }
}

/// A run that is being read.
struct Run<T> {
    file: std::sync::Arc<File>,
    next: u64,
    end: u64,
    read: std::vec::IntoIter<T>,
}

impl<T: Small> Run<T> {
    fn next(&mut self) -> io::Result<Option<T>> {
        if self.read.len() == 0 {
            let count = usize::try_from(self.end - self.next).unwrap_or(READ_PRINTS).min(READ_PRINTS);
            let mut bytes = vec![0; count * T::BYTES];
            self.file.read_exact_at(&mut bytes, self.next * T::BYTES as u64)?;
            self.next += count as u64;
            self.read = bytes.chunks_exact(T::BYTES).map(T::of).collect::<Vec<_>>().into_iter();
        }
        Ok(self.read.next())
    }
}

#[cfg(test)]
mod tests {
    use super::super::prints::{Target, Wanted};
    use super::*;

    #[test]
    fn runs_become_one() {
        let folder = tempfile::tempdir().unwrap();
        let target = Target { time: 20_140_101_000_000, commit: 0, leaf: 0, row: 0 };
        let hashes: Vec<u64> =
            (0..10_000_u64).map(|number| number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 50).collect();
        let mut expect: Vec<Print> =
            hashes.iter().map(|hash| Print::new(*hash, &target, Wanted::Earliest)).collect();
        for prints_max in [0, 1000, 1300, 9_999, 10_000, 20_000] {
            let mut sorter = Sorter::new(folder.path(), prints_max.max(100));
            expect.iter().for_each(|print| sorter.push(*print).unwrap());
            let mut sorted = sorter.finish().unwrap();
            let found: Vec<Print> = std::iter::from_fn(|| sorted.next().unwrap()).collect();
            expect.sort_unstable();
            assert_eq!(found, expect);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
