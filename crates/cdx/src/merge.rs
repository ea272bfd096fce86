//! Merges sorted inputs into one sorted stream of lines, holding one line of each in memory.
//!
//! Equal lines come in the order of their inputs. Of the headers one remains, and inputs whose headers differ are refused, for
//! their columns would mean different things. That an input is sorted is checked as it goes by.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::io::{BufRead, Write};

use crate::{Error, Limits, Lines, compare, is_header};

/// How to merge.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// Leave out lines that are equal to the line before.
    pub unique: bool,
    /// Bounds on lines.
    pub limits: Limits,
}

/// The lines of sorted inputs, in order: call [`next_line`](Merge::next_line).
#[derive(Debug)]
pub struct Merge<R> {
    inputs: Vec<Lines<R>>,
    heads: BinaryHeap<Reverse<Head>>,
    /// The line handed out last, whose room is used for the next one of its input.
    current: Option<Head>,
    header: Option<Vec<u8>>,
    unique: bool,
}

/// The next line of an input.
#[derive(Debug, PartialEq, Eq)]
struct Head {
    line: Vec<u8>,
    input: usize,
}

impl Ord for Head {
    fn cmp(&self, other: &Head) -> Ordering {
        compare(&self.line, &other.line).then(self.input.cmp(&other.input))
    }
}

impl PartialOrd for Head {
    fn partial_cmp(&self, other: &Head) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<R: BufRead> Merge<R> {
    /// Starts to merge.
    ///
    /// # Errors
    /// When the first line of an input cannot be read, or headers differ.
    pub fn new(inputs: impl IntoIterator<Item = R>, options: &Options) -> Result<Merge<R>, Error> {
        let mut merge = Merge {
            inputs: inputs.into_iter().map(|input| Lines::new(input, &options.limits)).collect(),
            heads: BinaryHeap::new(),
            current: None,
            header: None,
            unique: options.unique,
        };
        for input in 0..merge.inputs.len() {
            merge.refill(Head { line: Vec::new(), input }, true)?;
        }
        Ok(merge)
    }

    /// The header that the inputs have in common, without its line end. It is not among the lines.
    pub fn header(&self) -> Option<&[u8]> {
        self.header.as_deref()
    }

    /// The next line, without its line end; `None` at the end.
    ///
    /// # Errors
    /// When an input cannot be read or is not sorted.
    pub fn next_line(&mut self) -> Result<Option<&[u8]>, Error> {
        loop {
            let mut skipped = None;
            if let Some(last) = self.current.take() {
                if self.unique && self.heads.peek().is_some_and(|head| head.0.line == last.line) {
                    skipped = self.heads.pop();
                }
                self.refill(last, false)?;
            }
            match skipped {
                // Its equal has been handed out already, so it only makes room for the next of its input.
                Some(Reverse(head)) => self.current = Some(head),
                None => {
                    let Some(Reverse(head)) = self.heads.pop() else { return Ok(None) };
                    return Ok(Some(&self.current.insert(head).line));
                }
            }
        }
    }

    /// Writes all lines, with the header before them.
    ///
    /// # Errors
    /// When an input cannot be read or is not sorted, or the output cannot be written.
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

    /// Puts the next line of an input among the heads, in the room of the line before it.
    fn refill(&mut self, mut head: Head, is_first: bool) -> Result<(), Error> {
        let Some(lines) = self.inputs.get_mut(head.input) else { return Ok(()) };
        while lines.advance()? {
            let number = lines.number();
            let line = lines.line();
            if line.is_empty() {
                continue;
            }
            if is_header(line) && is_first {
                agree(&mut self.header, line, head.input)?;
                continue;
            }
            if !is_first && compare(line, &head.line) == Ordering::Less {
                return Err(Error::OutOfOrder { input: head.input, line: number });
            }
            if self.unique && !is_first && line == head.line {
                continue;
            }
            head.line.clear();
            head.line.extend_from_slice(line);
            self.heads.push(Reverse(head));
            break;
        }
        Ok(())
    }
}

/// Keeps the first header and refuses others. Metadata lines (`!…`) describe one file and do not survive a merge.
fn agree(header: &mut Option<Vec<u8>>, line: &[u8], input: usize) -> Result<(), Error> {
    if line.starts_with(b"!") {
        return Ok(());
    }
    match header {
        None => *header = Some(line.to_vec()),
        Some(header) if header == line => {}
        Some(header) => {
            let text = |line: &[u8]| String::from_utf8_lossy(line).into_owned();
            return Err(Error::HeadersDiffer { input, expected: text(header), found: text(line) });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(inputs: &[&str], unique: bool, expect: &str) {
        let options = Options { unique, ..Options::default() };
        let merged = Merge::new(inputs.iter().map(|text| text.as_bytes()), &options).and_then(|merge| {
            let mut out = Vec::new();
            merge.write_to(&mut out).map(|()| String::from_utf8(out).unwrap())
        });
        assert_eq!(merged.unwrap_or_else(|error| error.to_string()), expect, "{inputs:?}");
    }

    #[test]
    fn sorted_inputs_become_one() {
        check(&["a\nc\n", "b\nd", "", "c\n"], false, "a\nb\nc\nc\nd\n");
        check(&["a\nc\n", "b\nd", "", "c\n"], true, "a\nb\nc\nd\n");
        check(&["a\na\na\nb\n", "a\na\nc\n"], true, "a\nb\nc\n");
        check(&[], false, "");
    }

    #[test]
    fn one_header_remains() {
        check(&[" CDX N b\na\n", "!meta {}\nb\n", " CDX N b\nc\n"], false, " CDX N b\na\nb\nc\n");
        check(
            &[" CDX N b\na\n", " CDX N a\nb\n"],
            false,
            "input 1 has the header ` CDX N a`, those before it ` CDX N b`",
        );
    }

    #[test]
    fn an_input_that_is_not_sorted_is_refused() {
        check(&["a\n", "b\n\na\n"], false, "line 3 of input 1 sorts before the line above it");
    }
}
