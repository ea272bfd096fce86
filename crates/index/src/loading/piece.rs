//! What the other threads do: from the lines of a piece to leaves.

use std::io;

use cdx::{Capture, Format};

use super::TOLD_MAX;
use super::merge::Piece;
use crate::segment::{Encoder, LeafLines, Packed, order_of};
use crate::{Limits, Settings};

/// What became of a piece.
#[derive(Default)]
pub(super) struct Made {
    pub(super) leaves: Vec<Packed>,
    pub(super) rows: u64,
    pub(super) bad: u64,
    /// The first few lines that make no sense: number of the file, of the line, and why.
    pub(super) told: Vec<(usize, u64, String)>,
}

/// One thread.
pub(super) struct Worker {
    encoder: Encoder,
    leaf_bytes: usize,
    limits: Limits,
    line_limits: cdx::Limits,
    line: Vec<u8>,
}

impl Worker {
    pub(super) fn new(encoder: Encoder, settings: &Settings) -> Worker {
        let line_limits = cdx::Limits { line_bytes: settings.limits.line_bytes, ..cdx::Limits::default() };
        let (leaf_bytes, limits) = (settings.leaf_bytes, settings.limits);
        Worker { encoder, leaf_bytes, limits, line_limits, line: Vec::new() }
    }

    pub(super) fn make(&mut self, piece: Piece) -> io::Result<Made> {
        let mut made = Made::default();
        for (input, number, why) in piece.bad {
            made.tell(input, number, why);
        }
        let mut leaf = LeafLines::with_room(self.leaf_bytes);
        let mut start = 0;
        for line in &piece.lines {
            let text = piece.text.get(start..line.end as usize).unwrap_or_default();
            start = line.end as usize;
            let Some(format) = piece.formats.get(usize::from(line.format)) else { continue };
            match self.read(format, text) {
                Ok(order) => {
                    if !leaf.has_room(self.line.len(), self.leaf_bytes) {
                        made.leaves.push(self.encoder.pack(&leaf)?);
                        leaf = LeafLines::with_room(self.leaf_bytes);
                    }
                    leaf.push(&self.line, order, 0);
                    made.rows += 1;
                }
                Err(why) => made.tell(line.input as usize, line.number, why),
            }
        }
        if leaf.len() > 0 {
            made.leaves.push(self.encoder.pack(&leaf)?);
        }
        Ok(made)
    }

    /// Writes a line as rows have it; how long its key and time are.
    fn read(&mut self, format: &Format, text: &[u8]) -> Result<usize, String> {
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
        order_of(&self.line).map(<[u8]>::len).ok_or_else(|| "it has no key".to_owned())
    }
}

impl Made {
    fn tell(&mut self, input: usize, line: u64, why: String) {
        self.bad += 1;
        if self.told.len() < TOLD_MAX {
            self.told.push((input, line, why));
        }
    }
}
