//! Finds lines in a sorted file by halving, without reading the rest of it.

use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};

use memchr::memchr_iter;

use crate::query::KeyRange;
use crate::{Error, Limits, Lines, is_header};

/// A sorted file of lines.
#[derive(Debug)]
pub struct SortedFile<R> {
    input: BufReader<R>,
    length: u64,
    limits: Limits,
}

/// Lines that were found: call [`next_line`](Found::next_line).
#[derive(Debug)]
pub struct Found<'a, R> {
    lines: Lines<&'a mut BufReader<R>>,
    range: KeyRange,
}

/// Once the place is known this closely, lines are read one after another: one read from disk brings them all.
const WINDOW_BYTES: u64 = 4096;

impl<R: Read + Seek> SortedFile<R> {
    /// A file whose lines are sorted, with or without a header.
    ///
    /// # Errors
    /// When its end cannot be found.
    pub fn new(input: R, limits: Limits) -> Result<SortedFile<R>, Error> {
        let mut input = BufReader::new(input);
        let length = input.seek(SeekFrom::End(0)).map_err(Error::Read)?;
        Ok(SortedFile { input, length, limits })
    }

    /// The lines in a range of keys.
    ///
    /// # Errors
    /// When the file cannot be read, or a line on the way is too long.
    pub fn find(&mut self, range: &KeyRange) -> Result<Found<'_, R>, Error> {
        self.find_with_before(range, 0)
    }

    /// The lines in a range of keys, and so many lines before them.
    ///
    /// # Errors
    /// As [`find`](SortedFile::find).
    pub fn find_with_before(&mut self, range: &KeyRange, before: usize) -> Result<Found<'_, R>, Error> {
        let start = self.place_of(range.start())?;
        let start = self.step_back(start, before)?;
        self.seek(start)?;
        Ok(Found { lines: Lines::new(&mut self.input, &self.limits), range: range.clone() })
    }

    /// Where the first line begins that does not sort before `key`.
    fn place_of(&mut self, key: &[u8]) -> Result<u64, Error> {
        let mut line = Vec::new();
        // A line begins at `low`, and all before it sort before `key`. The first line that begins behind `high` does not.
        let (mut low, mut high) = (0, self.length);
        while high.saturating_sub(low) > WINDOW_BYTES {
            let middle = low + (high - low) / 2;
            self.seek(middle)?;
            let start = middle + self.read_line(&mut line)?;
            self.read_line(&mut line)?;
            if sorts_before(&line, key) && start < self.length {
                low = start;
            } else {
                high = middle;
            }
        }
        self.seek(low)?;
        loop {
            let taken = self.read_line(&mut line)?;
            if taken == 0 || !sorts_before(&line, key) {
                return Ok(low);
            }
            low += taken;
        }
    }

    /// Where the line begins that is so many lines before the one at `place`; the first line if there are not as many.
    fn step_back(&mut self, place: u64, count: usize) -> Result<u64, Error> {
        if count == 0 {
            return Ok(place);
        }
        let mut window = WINDOW_BYTES;
        loop {
            let from = place.saturating_sub(window);
            self.seek(from)?;
            let mut before = Vec::new();
            self.input.by_ref().take(place - from).read_to_end(&mut before).map_err(Error::Read)?;
            // The last line end belongs to the line before `place`; each one before it is followed by the start of a line.
            let ends = memchr_iter(b'\n', &before).rev();
            if let Some(end) = ends.skip(1).nth(count - 1) {
                return Ok(from + end as u64 + 1);
            }
            if from == 0 {
                return Ok(0);
            }
            if window > (count as u64 + 1).saturating_mul(self.limits.line_bytes as u64 + 1) {
                return Err(Error::LineTooLong { limit: self.limits.line_bytes });
            }
            window = window.saturating_mul(2);
        }
    }

    fn seek(&mut self, place: u64) -> Result<(), Error> {
        self.input.seek(SeekFrom::Start(place)).map(drop).map_err(Error::Read)
    }

    /// Reads up to and with the next line end; how many bytes that took.
    fn read_line(&mut self, line: &mut Vec<u8>) -> Result<u64, Error> {
        line.clear();
        // Two more than the limit, for the line end.
        let limit = self.limits.line_bytes as u64 + 2;
        let taken = self.input.by_ref().take(limit).read_until(b'\n', line).map_err(Error::Read)?;
        if taken as u64 == limit && !line.ends_with(b"\n") {
            return Err(Error::LineTooLong { limit: self.limits.line_bytes });
        }
        Ok(taken as u64)
    }
}

impl<R: Read + Seek> Found<'_, R> {
    /// The next line, without its line end; `None` behind the last.
    ///
    /// # Errors
    /// When the file cannot be read, or a line is too long.
    pub fn next_line(&mut self) -> Result<Option<&[u8]>, Error> {
        while self.lines.advance()? {
            if !is_header(self.lines.line()) {
                let is_behind = self.range.is_behind(self.lines.line());
                return Ok((!is_behind).then(|| self.lines.line()));
            }
        }
        Ok(None)
    }
}

fn sorts_before(line: &[u8], key: &[u8]) -> bool {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    is_header(line) || line < key
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;
    use std::io::Cursor;

    use super::*;

    fn find(text: &str, range: &KeyRange, before: usize) -> Vec<String> {
        let mut file = SortedFile::new(Cursor::new(text), Limits::default()).unwrap();
        let mut found = file.find_with_before(range, before).unwrap();
        let mut lines = Vec::new();
        while let Some(line) = found.next_line().unwrap() {
            lines.push(String::from_utf8(line.to_vec()).unwrap());
        }
        lines
    }

    #[test]
    fn every_line_is_found_whatever_its_length() {
        let mut text = String::from(" CDX N b a\n");
        let keys: Vec<String> = (0..400).map(|number| format!("k{number:03}")).collect();
        for (at, key) in keys.iter().enumerate() {
            writeln!(text, "{key} 2014 {}", "x".repeat(at * at % 997)).unwrap();
        }
        for (at, key) in keys.iter().enumerate() {
            let found = find(&text, &KeyRange::exact(key), 1);
            let expect: Vec<&String> = keys.get(at.saturating_sub(1)..=at).unwrap().iter().collect();
            assert_eq!(found.iter().map(|line| line.split(' ').next().unwrap()).collect::<Vec<_>>(), expect);
        }
        assert_eq!(find(&text, &KeyRange::prefix("k1"), 0).len(), 100);
        assert_eq!(find(&text, &KeyRange::prefix(""), 0).len(), 400);
        assert_eq!(find(&text, &KeyRange::prefix("z"), 2).len(), 2);
        assert_eq!(find(&text, &KeyRange::prefix("a"), 2).len(), 0);
        assert_eq!(find("", &KeyRange::prefix("a"), 2).len(), 0);
    }

    #[test]
    fn a_file_without_line_ends_does_not_fill_the_memory() {
        let limits = Limits { line_bytes: 1000, ..Limits::default() };
        let mut file = SortedFile::new(Cursor::new("x".repeat(100_000)), limits).unwrap();
        assert!(matches!(file.find(&KeyRange::exact("y")), Err(Error::LineTooLong { .. })));
    }
}
