//! Loads sorted files of CDX and CDXJ lines, as many lines as there are, in bounded memory and on several threads.
//!
//! One thread reads the files, merges them and cuts the stream into pieces; others parse the lines of a piece, make leaves of them and pack
//! those; the first writes them in their order. Lines that make no sense are left out and counted.

mod merge;
mod piece;

use std::collections::BTreeSet;
use std::fmt;
use std::io::BufRead;

use crate::segment::{Crew, Encoder};
use crate::writing::{Growing, Session};
use crate::{Commit, Error, Index};
use merge::Stream;
use piece::{Made, Worker};

/// Lines that make no sense of which it is told why.
const TOLD_MAX: usize = 20;

/// A file of lines, sorted by bytes: CDX with its header or of a known number of columns, or CDXJ. Unpacked.
pub struct Input {
    /// What to call it.
    pub name: String,
    /// Its lines.
    pub lines: Box<dyn BufRead>,
}

impl fmt::Debug for Input {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Input").field("name", &self.name).finish_non_exhaustive()
    }
}

/// What becomes of lines that make no sense.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BadLines {
    /// They are left out and counted.
    #[default]
    Skip,
    /// With one of them, nothing is loaded.
    Refuse,
}

/// What was loaded.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Loaded {
    /// Rows.
    pub rows: u64,
    /// Lines that were left out.
    pub bad: u64,
    /// The first few of those.
    pub told: Vec<BadLine>,
    /// Files that have lines, none of which makes sense: they are something else than files of captures.
    pub senseless: Vec<String>,
}

/// A line that makes no sense.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadLine {
    /// The file.
    pub name: String,
    /// Number of the line, counted from 1.
    pub line: u64,
    /// What ails it.
    pub why: String,
}

impl fmt::Display for BadLine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: line {}: {}", self.name, self.line, self.why)
    }
}

impl Index {
    /// Makes all lines of sorted files visible, at once: under the name of a commit, in the place of what was published under it before;
    /// or, without a commit, each in the place of all rows of the same capture, as [`add`](Index::add) does.
    ///
    /// Keys are taken as the lines have them. Who publishes meanwhile waits; who reads does not.
    ///
    /// # Errors
    /// When a file is not sorted or cannot be read, or the folder cannot be read or written; and as `bad_lines` says.
    pub fn load(
        &self,
        commit: Option<&Commit>,
        inputs: Vec<Input>,
        bad_lines: BadLines,
    ) -> Result<Loaded, Error> {
        let mut session = Session::begin(self)?;
        let loaded = session.load_lines(commit, inputs, bad_lines)?;
        self.merge_if_due(&mut session);
        Ok(loaded)
    }
}

impl Session<'_> {
    /// All lines of sorted files as one segment.
    pub(crate) fn load_lines(
        &mut self,
        commit: Option<&Commit>,
        inputs: Vec<Input>,
        bad_lines: BadLines,
    ) -> Result<Loaded, Error> {
        let mut loaded = Loaded::default();
        self.load(commit, |growing, index| {
            loaded = fill(growing, index, inputs)?;
            match loaded.told.first() {
                Some(first) if bad_lines == BadLines::Refuse => {
                    Err(Error::BadLines { count: loaded.bad, first: first.to_string() })
                }
                _ => Ok(()),
            }
        })?;
        Ok(loaded)
    }
}

/// Fills a segment.
fn fill(growing: &mut Growing, index: &Index, inputs: Vec<Input>) -> Result<Loaded, Error> {
    let path = index.folder().segment_path(growing.number);
    let settings = index.settings().clone();
    let names: Vec<String> = inputs.iter().map(|input| input.name.clone()).collect();
    let mut stream = Stream::new(inputs, &settings)?;
    let mut loaded = Loaded::default();
    let (mut with_rows, mut with_bad) = (BTreeSet::new(), BTreeSet::new());
    let (seed, level) = (growing.writer.seed(), settings.level);
    let mut crew = Crew::start(settings.threads, || {
        let mut worker = Worker::new(Encoder::new(seed, level)?, &settings);
        Ok(move |piece| worker.make(piece))
    })
    .map_err(|error| Error::write(&path, error))?;
    let mut take = |made: std::io::Result<Made>| {
        let made = made?;
        loaded.rows += made.rows;
        loaded.bad += made.bad.count;
        with_rows.extend(made.inputs);
        with_bad.extend(made.bad.inputs);
        let room = TOLD_MAX.saturating_sub(loaded.told.len());
        loaded.told.extend(made.bad.told.into_iter().take(room).map(|(input, line, why)| BadLine {
            name: names.get(input).cloned().unwrap_or_default(),
            line,
            why,
        }));
        made.leaves.into_iter().try_for_each(|packed| growing.writer.put(packed))
    };
    while let Some(piece) = stream.next()? {
        crew.push(piece, &mut take).map_err(|error| Error::write(&path, error))?;
    }
    crew.finish(&mut take).map_err(|error| Error::write(&path, error))?;
    let senseless = with_bad.difference(&with_rows).filter_map(|input| names.get(*input).cloned());
    loaded.senseless = senseless.collect();
    Ok(loaded)
}
