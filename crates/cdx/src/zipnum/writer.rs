//! Writes sorted lines as ZipNum blocks, with their index.

use std::cmp::Ordering;
use std::io::Write;

use flate2::{Compression, GzBuilder};

use super::Entry;
use super::entry::key_and_time;
use crate::error::excerpt;
use crate::{Error, Limits, compare, is_header};

/// How to write.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Lines of one block.
    pub lines_per_block: usize,
    /// How hard to pack, 0 to 9.
    pub level: u32,
    /// Bounds on lines and blocks; a block ends early rather than pass them.
    pub limits: Limits,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { lines_per_block: 3000, level: 6, limits: Limits::default() }
    }
}

/// Takes sorted lines, writes blocks to one place and their index to another.
///
/// The same lines make the same bytes: no time and no machine is written down.
#[derive(Debug)]
pub struct Writer<D, I> {
    data: D,
    index: I,
    part: String,
    settings: Settings,
    block: Vec<u8>,
    packed: Vec<u8>,
    last: Vec<u8>,
    begins: String,
    lines_in_block: usize,
    lines: u64,
    offset: u64,
    number: u64,
}

impl<D: Write, I: Write> Writer<D, I> {
    /// A writer of one part.
    pub fn new(data: D, index: I, part: &str, settings: Settings) -> Writer<D, I> {
        Writer {
            data,
            index,
            part: part.to_owned(),
            settings,
            block: Vec::new(),
            packed: Vec::new(),
            last: Vec::new(),
            begins: String::new(),
            lines_in_block: 0,
            lines: 0,
            offset: 0,
            number: 0,
        }
    }

    /// Takes a line, without its line end. Headers are passed over: blocks have none.
    ///
    /// # Errors
    /// When the line sorts before the one above it, is too long, or something cannot be written; or when it begins a block
    /// and its key is not UTF-8 or holds a control character.
    pub fn push(&mut self, line: &[u8]) -> Result<(), Error> {
        if is_header(line) || line.is_empty() {
            return Ok(());
        }
        let limits = self.settings.limits;
        if line.len() > limits.line_bytes {
            return Err(Error::LineTooLong { limit: limits.line_bytes }.at_line(self.lines + 1));
        }
        if compare(line, &self.last) == Ordering::Less {
            return Err(Error::OutOfOrder { input: 0, line: self.lines + 1 });
        }
        let is_full = self.lines_in_block >= self.settings.lines_per_block.max(1)
            || (self.block.len() + line.len()) as u64 >= limits.block_bytes / 2;
        if is_full {
            self.end_block()?;
        }
        if self.lines_in_block == 0 {
            self.begins = begins(line).map_err(|error| error.at_line(self.lines + 1))?;
        }
        self.block.extend_from_slice(line);
        self.block.push(b'\n');
        self.lines_in_block += 1;
        self.lines += 1;
        self.last.clear();
        self.last.extend_from_slice(line);
        Ok(())
    }

    /// Ends this part and goes on in another; the index goes on too. Gives back where the part was written to.
    ///
    /// # Errors
    /// When something cannot be written.
    pub fn next_part(&mut self, data: D, part: &str) -> Result<D, Error> {
        self.end_block()?;
        self.data.flush().map_err(Error::Write)?;
        self.offset = 0;
        part.clone_into(&mut self.part);
        Ok(std::mem::replace(&mut self.data, data))
    }

    /// Ends the last block and gives back where data and index were written to.
    ///
    /// # Errors
    /// When something cannot be written.
    pub fn finish(mut self) -> Result<(D, I), Error> {
        self.end_block()?;
        self.data.flush().and_then(|()| self.index.flush()).map_err(Error::Write)?;
        Ok((self.data, self.index))
    }

    fn end_block(&mut self) -> Result<(), Error> {
        if self.lines_in_block == 0 {
            return Ok(());
        }
        self.packed.clear();
        let level = Compression::new(self.settings.level.min(9));
        let mut encoder = GzBuilder::new().write(&mut self.packed, level);
        encoder.write_all(&self.block).and_then(|()| encoder.finish().map(drop)).map_err(Error::Write)?;
        self.data.write_all(&self.packed).map_err(Error::Write)?;
        self.number += 1;
        let entry = Entry {
            begins: std::mem::take(&mut self.begins),
            part: self.part.clone(),
            offset: self.offset,
            length: self.packed.len() as u64,
            number: Some(self.number),
        };
        self.offset += entry.length;
        self.block.clear();
        self.lines_in_block = 0;
        let mut line = Vec::new();
        entry.write(&mut line);
        line.push(b'\n');
        self.index.write_all(&line).map_err(Error::Write)
    }
}

/// Key and time of a line, which an index line can hold: its columns are cut by tabs.
fn begins(line: &[u8]) -> Result<String, Error> {
    let text = crate::format::utf8(key_and_time(line))?;
    if text.contains(|c: char| c.is_ascii_control()) {
        return Err(Error::KeyWithControl(excerpt(text)));
    }
    Ok(text.to_owned())
}
