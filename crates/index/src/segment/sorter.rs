//! Sorts fingerprints, more of them than the memory should hold: runs are put aside in a file without a name.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use super::prints::Print;

/// Fingerprints of a run that are read at once.
const READ_PRINTS: usize = 1 << 10;
const PRINT_BYTES: usize = 24;

/// Gathers fingerprints, at most so many in memory.
pub(crate) struct Sorter {
    prints: Vec<Print>,
    prints_max: usize,
    folder: PathBuf,
    spill: Option<BufWriter<File>>,
    /// Where in the file each run ends, in fingerprints.
    ends: Vec<u64>,
}

impl Sorter {
    /// Runs are put aside in this folder.
    pub(crate) fn new(folder: &Path, prints_max: usize) -> Sorter {
        Sorter {
            prints: Vec::new(),
            prints_max: prints_max.max(1),
            folder: folder.to_owned(),
            spill: None,
            ends: Vec::new(),
        }
    }

    pub(crate) fn push(&mut self, print: Print) -> io::Result<()> {
        if self.prints.len() >= self.prints_max {
            self.put_aside()?;
        }
        self.prints.push(print);
        Ok(())
    }

    /// All of them, sorted.
    pub(crate) fn finish(mut self) -> io::Result<Sorted> {
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
        for print in &self.prints {
            spill.write_all(&print.to_bytes())?;
        }
        self.ends.push(self.ends.last().copied().unwrap_or_default() + self.prints.len() as u64);
        self.prints.clear();
        Ok(())
    }
}

/// Sorted fingerprints, from memory or from runs.
pub(crate) struct Sorted {
    memory: std::vec::IntoIter<Print>,
    runs: Vec<Run>,
    heads: BinaryHeap<Reverse<(Print, usize)>>,
}

impl Sorted {
    pub(crate) fn next(&mut self) -> io::Result<Option<Print>> {
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
struct Run {
    file: std::sync::Arc<File>,
    next: u64,
    end: u64,
    read: std::vec::IntoIter<Print>,
}

impl Run {
    fn next(&mut self) -> io::Result<Option<Print>> {
        if self.read.len() == 0 {
            let count = usize::try_from(self.end - self.next).unwrap_or(READ_PRINTS).min(READ_PRINTS);
            let mut bytes = vec![0; count * PRINT_BYTES];
            self.file.read_exact_at(&mut bytes, self.next * PRINT_BYTES as u64)?;
            self.next += count as u64;
            let (prints, _) = bytes.as_chunks();
            self.read = prints.iter().map(Print::from_bytes).collect::<Vec<_>>().into_iter();
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
