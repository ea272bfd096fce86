//! What the other threads do: from the lines of a piece to leaves.

use std::collections::{BTreeSet, HashSet};
use std::io;

use cdx::{Capture, Format};

use super::merge::{Bad, Piece};
use crate::hiding::Identity;
use crate::segment::{Encoder, LeafLines, Packed, order_of};
use crate::{Limits, Settings};

/// What became of a piece.
#[derive(Default)]
pub(super) struct Made {
    pub(super) leaves: Vec<Packed>,
    pub(super) rows: u64,
    pub(super) bad: Bad,
    /// Numbers of the files that rows come from.
    pub(super) inputs: BTreeSet<usize>,
}

/// One thread.
pub(super) struct Worker {
    encoder: Encoder,
    leaf_bytes: usize,
    limits: Limits,
    line_limits: cdx::Limits,
    line: Vec<u8>,
    /// Rows of one key and time that may be of one capture.
    run: Vec<Vec<u8>>,
}

impl Worker {
    pub(super) fn new(encoder: Encoder, settings: &Settings) -> Worker {
        let line_limits = cdx::Limits { line_bytes: settings.limits.line_bytes, ..cdx::Limits::default() };
        let (leaf_bytes, limits) = (settings.leaf_bytes, settings.limits);
        Worker { encoder, leaf_bytes, limits, line_limits, line: Vec::new(), run: Vec::new() }
    }

    pub(super) fn make(&mut self, piece: Piece) -> io::Result<Made> {
        let mut made = Made { bad: piece.bad, ..Made::default() };
        let mut leaf = LeafLines::with_room(self.leaf_bytes);
        let mut start = 0;
        // Lines of one file mostly follow each other.
        let mut last_input = None;
        for line in &piece.lines {
            let text = piece.text.get(start..line.end as usize).unwrap_or_default();
            start = line.end as usize;
            let Some(format) = piece.formats.get(usize::from(line.format)) else { continue };
            if let Err(why) = self.read(format, text) {
                made.bad.tell(line.input as usize, line.number, why);
                continue;
            }
            if last_input.replace(line.input) != Some(line.input) {
                made.inputs.insert(line.input as usize);
            }
            if self.run.first().is_some_and(|first| order_of(first) != order_of(&self.line)) {
                self.end_run(&mut leaf, &mut made)?;
            }
            self.run.push(self.line.clone());
        }
        self.end_run(&mut leaf, &mut made)?;
        if leaf.len() > 0 {
            made.leaves.push(self.encoder.pack(&leaf)?);
        }
        Ok(made)
    }

    /// Puts rows of one key and time into leaves: of several of one capture the last.
    fn end_run(&mut self, leaf: &mut LeafLines, made: &mut Made) -> io::Result<()> {
        let mut run = std::mem::take(&mut self.run);
        if run.len() > 1 {
            let mut seen = HashSet::new();
            run.reverse();
            run.retain(|line| match Capture::parse_cdxj(line, &self.line_limits) {
                Ok(capture) => seen.insert(Identity::of(&capture)),
                Err(_) => true,
            });
            run.reverse();
        }
        for line in run.drain(..) {
            if !leaf.has_room(line.len(), self.leaf_bytes) {
                let full = std::mem::replace(leaf, LeafLines::with_room(self.leaf_bytes));
                made.leaves.push(self.encoder.pack(&full)?);
            }
            leaf.push(&line, order_of(&line).unwrap_or_default().len(), 0);
            made.rows += 1;
        }
        self.run = run;
        Ok(())
    }

    /// Writes a line as rows have it.
    fn read(&mut self, format: &Format, text: &[u8]) -> Result<(), String> {
        let capture = format.parse(text, &self.line_limits).map_err(|error| error.to_string())?;
        if capture.key.is_none() || capture.timestamp.is_none() {
            return Err("it has no key or no time".to_owned());
        }
        self.line.clear();
        capture.write_cdxj(&mut self.line);
        if self.line.len() > self.limits.line_bytes {
            return Err(format!("longer than {} bytes as CDXJ", self.limits.line_bytes));
        }
        // Escapes may make more of a line than the limits of reading allow: then nobody could read it back.
        if !capture.extra.is_empty() {
            Capture::parse_cdxj(&self.line, &self.line_limits).map_err(|error| error.to_string())?;
        }
        order_of(&self.line).map(|_| ()).ok_or_else(|| "it has no key".to_owned())
    }
}
