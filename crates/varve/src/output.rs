//! The one way results leave the program: buffered standard output.
//!
//! A reader that has seen enough (`varve warc ls … | head`) closes the pipe. That is success: the write fails with an
//! error that [`was_closed`] knows, the verb stops by its ordinary `?`, and `main` exits 0 without a word. On a
//! terminal each line appears at once, and a progress bar makes room for it.

use std::fmt;
use std::io::{self, BufWriter, Write};

use anyhow::Context as _;
use indicatif::MultiProgress;
use serde::Serialize;

use crate::hint::Hinted;
use crate::terminal::escape_json;

/// Enough that a long listing is written in few calls, little enough to come to nothing beside a record.
const BUFFER_BYTES: usize = 64 * 1024;

/// Where results go.
pub(crate) struct Output {
    sink: BufWriter<Box<dyn Write + Send>>,
    is_terminal: bool,
    bars: MultiProgress,
}

impl Output {
    /// Standard output.
    pub(crate) fn stdout(is_terminal: bool, bars: MultiProgress) -> Self {
        Self::to(Box::new(io::stdout()), is_terminal, bars)
    }

    /// Any other place; tests use it.
    fn to(sink: Box<dyn Write + Send>, is_terminal: bool, bars: MultiProgress) -> Self {
        Self { sink: BufWriter::with_capacity(BUFFER_BYTES, sink), is_terminal, bars }
    }

    /// Whether a person is looking at the results.
    pub(crate) fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// One line of text. Archived text in it must have been escaped already: see [`crate::terminal::escape()`].
    pub(crate) fn line(&mut self, text: impl fmt::Display) -> anyhow::Result<()> {
        writeln!(self, "{text}").context(CANNOT_WRITE)?;
        if self.is_terminal { self.finish() } else { Ok(()) }
    }

    /// Several lines, each with its end. Archived text in them must have been escaped already.
    pub(crate) fn text(&mut self, lines: &str) -> anyhow::Result<()> {
        self.write_all(lines.as_bytes()).context(CANNOT_WRITE)?;
        if self.is_terminal { self.finish() } else { Ok(()) }
    }

    /// One JSON object on a line of its own. What JSON leaves as it is, and a terminal would obey or hide, is escaped
    /// for a person who looks.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> anyhow::Result<()> {
        // Through the buffer's own writer: a failed write then arrives as an `io::Error` and not inside serde's.
        let text = serde_json::to_string(value).context("cannot put a result into JSON")?;
        if self.is_terminal { self.line(escape_json(&text)) } else { self.line(text) }
    }

    /// Writes out what is still in the buffer. Verbs that answer line by line call it after each answer.
    pub(crate) fn finish(&mut self) -> anyhow::Result<()> {
        self.flush().context(CANNOT_WRITE)
    }
}

const CANNOT_WRITE: &str = "cannot write to standard output";

/// Raw bytes, for payloads.
impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.sink.write(bytes).map_err(mark)
    }

    fn flush(&mut self) -> io::Result<()> {
        let Self { sink, bars, is_terminal } = self;
        if *is_terminal { bars.suspend(|| sink.flush()) } else { sink.flush() }.map_err(mark)
    }
}

/// Whether the failure is only that the reader of our output went away.
pub(crate) fn was_closed(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let marked = |error: &io::Error| error.get_ref().is_some_and(|inner| inner.is::<ReaderGone>());
        cause.downcast_ref::<io::Error>().is_some_and(marked)
            || cause.downcast_ref::<Hinted>().is_some_and(|hinted| was_closed(hinted.inner()))
    })
}

/// Marks a broken pipe as ours, so that it cannot be confused with one met elsewhere.
fn mark(error: io::Error) -> io::Error {
    if error.kind() == io::ErrorKind::BrokenPipe { io::Error::new(error.kind(), ReaderGone) } else { error }
}

/// The reader of standard output has closed it.
#[derive(Debug)]
struct ReaderGone;

impl fmt::Display for ReaderGone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the reader of standard output has gone")
    }
}

impl std::error::Error for ReaderGone {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hint::WithHint as _;

    /// A sink that fails in one way.
    struct Failing(io::ErrorKind);

    impl Write for Failing {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn failure(kind: io::ErrorKind) -> anyhow::Error {
        let mut output = Output::to(Box::new(Failing(kind)), false, crate::progress::bars(false));
        output.line("text").unwrap();
        output.finish().unwrap_err()
    }

    #[test]
    fn a_closed_pipe_is_known_also_under_context_and_hints() {
        let error = failure(io::ErrorKind::BrokenPipe);
        assert!(was_closed(&error));
        assert!(was_closed(&error.context("while listing")));
        let hinted = Err::<(), _>(failure(io::ErrorKind::BrokenPipe)).hint("try").unwrap_err();
        assert!(was_closed(&hinted));
    }

    #[test]
    fn other_failures_are_not_taken_for_a_closed_pipe() {
        assert!(!was_closed(&failure(io::ErrorKind::StorageFull)));
        let elsewhere = anyhow::Error::from(io::Error::from(io::ErrorKind::BrokenPipe));
        assert!(!was_closed(&elsewhere));
    }
}
