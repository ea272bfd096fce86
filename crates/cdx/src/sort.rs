//! Sorts any number of lines in bounded memory: full buffers are sorted and put aside, then all are merged.
//!
//! This crate opens no files, so the caller says where "aside" is: see [`Spill`].

use std::io::{self, BufRead, Write};

use crate::merge::{Merge, Options};
use crate::order::is_header;
use crate::{Error, Limits};

/// A place for sorted runs, such as a folder of temporary files.
pub trait Spill {
    /// Takes the lines of a run.
    type Writer: Write;
    /// Gives them back from the start.
    type Reader: BufRead;

    /// Begins a run.
    ///
    /// # Errors
    /// When there is no room for one.
    fn create(&mut self) -> io::Result<Self::Writer>;

    /// Ends a run and opens it to be read. Its room is free again when the reader is dropped.
    ///
    /// # Errors
    /// When what was written cannot be made whole or opened.
    fn reopen(&mut self, run: Self::Writer) -> io::Result<Self::Reader>;
}

/// How to sort.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Bytes of lines, and of what it takes to sort them, that are held at once.
    pub memory_bytes: usize,
    /// Runs that are read at once; each costs the caller a reader with its buffer.
    pub runs_max: usize,
    /// Leave out lines that are equal to the line before.
    pub unique: bool,
    /// Bounds on lines.
    pub limits: Limits,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { memory_bytes: 32 << 20, runs_max: 128, unique: false, limits: Limits::default() }
    }
}

/// Takes lines in any order: [`push`](Sorter::push) them, then [`finish`](Sorter::finish).
#[derive(Debug)]
pub struct Sorter<S: Spill> {
    spill: S,
    settings: Settings,
    header: Option<Vec<u8>>,
    text: Vec<u8>,
    /// Where in `text` each line begins and ends.
    spans: Vec<(usize, usize)>,
    runs: Vec<S::Reader>,
}

impl<S: Spill> Sorter<S> {
    /// A sorter that puts its runs here.
    pub fn new(spill: S, settings: Settings) -> Sorter<S> {
        Sorter { spill, settings, header: None, text: Vec::new(), spans: Vec::new(), runs: Vec::new() }
    }

    /// Makes room at once for lines of so many bytes, as far as they are held at once: growing bit by bit would copy them
    /// again and again.
    pub fn make_room(&mut self, bytes: u64) {
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX).min(self.settings.memory_bytes);
        self.text.reserve(bytes.saturating_sub(self.text.len()));
    }

    /// Takes a line, without its line end. Of headers the first is kept and comes first in the end.
    ///
    /// # Errors
    /// When the line is too long, or a run cannot be put aside.
    pub fn push(&mut self, line: &[u8]) -> Result<(), Error> {
        if line.len() > self.settings.limits.line_bytes {
            return Err(Error::LineTooLong { limit: self.settings.limits.line_bytes });
        }
        if is_header(line) {
            self.header.get_or_insert_with(|| line.to_vec());
            return Ok(());
        }
        let needed = self.text.len() + line.len() + (self.spans.len() + 1) * size_of::<(usize, usize)>();
        if needed > self.settings.memory_bytes && !self.spans.is_empty() {
            self.put_aside()?;
        }
        let start = self.text.len();
        self.text.extend_from_slice(line);
        self.spans.push((start, self.text.len()));
        Ok(())
    }

    /// The sorted lines.
    ///
    /// # Errors
    /// When a run cannot be written or read again.
    pub fn finish(mut self) -> Result<Sorted<S::Reader>, Error> {
        let lines = if self.runs.is_empty() {
            self.sort();
            Source::Memory { text: self.text, spans: self.spans.into_iter() }
        } else {
            self.put_aside()?;
            let options = Options { unique: self.settings.unique, limits: self.settings.limits };
            Source::Runs(Merge::new(self.runs, &options)?)
        };
        Ok(Sorted { header: self.header, lines })
    }

    fn sort(&mut self) {
        let text = &self.text;
        let line = |span: &(usize, usize)| text.get(span.0..span.1).unwrap_or_default();
        // Headers are elsewhere and equal lines cannot be told apart, so this is the order of `compare`.
        self.spans.sort_unstable_by(|left, right| line(left).cmp(line(right)));
        if self.settings.unique {
            self.spans.dedup_by(|left, right| line(left) == line(right));
        }
    }

    fn put_aside(&mut self) -> Result<(), Error> {
        if self.spans.is_empty() {
            return Ok(());
        }
        self.sort();
        let mut run = self.spill.create().map_err(Error::Write)?;
        for (start, end) in self.spans.drain(..) {
            let line = self.text.get(start..end).unwrap_or_default();
            run.write_all(line).and_then(|()| run.write_all(b"\n")).map_err(Error::Write)?;
        }
        self.text.clear();
        self.runs.push(self.spill.reopen(run).map_err(Error::Write)?);
        if self.runs.len() >= self.settings.runs_max.max(2) { self.join_runs() } else { Ok(()) }
    }

    /// Makes one run of all, so that there are never too many to read at once.
    fn join_runs(&mut self) -> Result<(), Error> {
        let options = Options { unique: self.settings.unique, limits: self.settings.limits };
        let mut joined = self.spill.create().map_err(Error::Write)?;
        Merge::new(self.runs.drain(..), &options)?.write_to(&mut joined)?;
        self.runs.push(self.spill.reopen(joined).map_err(Error::Write)?);
        Ok(())
    }
}

/// Sorted lines: call [`next_line`](Sorted::next_line).
#[derive(Debug)]
pub struct Sorted<R> {
    header: Option<Vec<u8>>,
    lines: Source<R>,
}

#[derive(Debug)]
enum Source<R> {
    Memory { text: Vec<u8>, spans: std::vec::IntoIter<(usize, usize)> },
    Runs(Merge<R>),
}

impl<R: BufRead> Sorted<R> {
    /// The header, without its line end. It is not among the lines.
    pub fn header(&self) -> Option<&[u8]> {
        self.header.as_deref()
    }

    /// The next line, without its line end; `None` at the end.
    ///
    /// # Errors
    /// When a run cannot be read again.
    pub fn next_line(&mut self) -> Result<Option<&[u8]>, Error> {
        match &mut self.lines {
            Source::Memory { text, spans } => Ok(spans.next().and_then(|(start, end)| text.get(start..end))),
            Source::Runs(merge) => merge.next_line(),
        }
    }

    /// Writes all lines, with the header before them.
    ///
    /// # Errors
    /// When a run cannot be read again, or the output cannot be written.
    pub fn write_to(mut self, mut output: impl Write) -> Result<(), Error> {
        let mut write =
            |line: &[u8]| output.write_all(line).and_then(|()| output.write_all(b"\n")).map_err(Error::Write);
        if let Some(header) = &self.header {
            write(header)?;
        }
        while let Some(line) = self.next_line()? {
            write(line)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    /// Runs in memory, counted.
    #[derive(Debug, Default)]
    struct Pile {
        runs: usize,
    }

    impl Spill for &mut Pile {
        type Writer = Vec<u8>;
        type Reader = Cursor<Vec<u8>>;

        fn create(&mut self) -> io::Result<Vec<u8>> {
            self.runs += 1;
            Ok(Vec::new())
        }

        fn reopen(&mut self, run: Vec<u8>) -> io::Result<Cursor<Vec<u8>>> {
            Ok(Cursor::new(run))
        }
    }

    #[track_caller]
    fn check(lines: &[String], settings: Settings) -> usize {
        let mut pile = Pile::default();
        let mut sorter = Sorter::new(&mut pile, settings);
        for line in lines {
            sorter.push(line.as_bytes()).unwrap();
        }
        let mut out = Vec::new();
        sorter.finish().unwrap().write_to(&mut out).unwrap();
        let mut expect = lines.to_vec();
        expect.sort();
        if settings.unique {
            expect.dedup();
        }
        assert_eq!(String::from_utf8(out).unwrap().lines().collect::<Vec<_>>(), expect);
        pile.runs
    }

    #[test]
    fn lines_are_sorted_whatever_the_memory() {
        let mut lines: Vec<String> = (0..500_u32).map(|number| format!("{}", number * 7919 % 331)).collect();
        lines.push(" CDX N b".to_owned());
        for unique in [false, true] {
            let settings = Settings { unique, ..Settings::default() };
            assert_eq!(check(&lines, settings), 0, "all fits in memory");
            let runs = check(&lines, Settings { memory_bytes: 1000, runs_max: 4, ..settings });
            assert!(runs > 10, "{runs} runs");
            check(&lines, Settings { memory_bytes: 0, runs_max: 0, ..settings });
        }
    }

    #[test]
    fn a_line_that_is_too_long_is_refused() {
        let mut pile = Pile::default();
        let limits = Limits { line_bytes: 3, ..Limits::default() };
        let mut sorter = Sorter::new(&mut pile, Settings { limits, ..Settings::default() });
        assert!(matches!(sorter.push(b"1234"), Err(Error::LineTooLong { limit: 3 })));
    }
}
