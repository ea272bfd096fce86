//! How many elements the parser holds open, and what happens when they are too many.
//!
//! The parser remembers every element that is open, so a page of a million nested ones would fill its memory. Nothing that we
//! do needs to know what an element stands in. So before that the parser is told to give up at a start tag; it then writes what
//! it has not yet read as it is, which is taken back and handed to a fresh one.

use lol_html::send::Element;

/// What an open element takes at most, beside its name.
const ELEMENT_BYTES: usize = 256;

const HTML: &str = "http://www.w3.org/1999/xhtml";

/// Too many elements are open for this parser.
#[derive(Debug, thiserror::Error)]
#[error("too many elements are open")]
pub(super) struct Full;

/// The elements that a parser holds open.
#[derive(Debug)]
pub(super) struct Open {
    /// What they take. Which of them have ended is not known: that would cost more than to begin anew once in a while.
    bytes: usize,
    bytes_max: usize,
    /// The parser was told to give up.
    is_full: bool,
    /// How much had been written when it did.
    written: usize,
}

impl Open {
    /// None yet. The parser may use so many bytes in all, of which half is for the longest tag.
    pub(super) fn new(html_bytes_max: usize) -> Open {
        Open { bytes: 0, bytes_max: html_bytes_max / 2, is_full: false, written: 0 }
    }

    /// Takes a start tag.
    ///
    /// # Errors
    /// [`Full`], if it is for the next parser. In drawings and formulae twice as many are taken before, because a parser that
    /// begins in one does not know where it is and takes a few elements for others.
    pub(super) fn take(&mut self, tag: &str, element: &Element<'_, '_>) -> Result<(), Full> {
        if !element.can_have_content() {
            return Ok(());
        }
        let bytes = self.bytes + ELEMENT_BYTES + 2 * tag.len();
        let is_html = element.namespace_uri() == HTML;
        let bytes_max = if is_html { self.bytes_max } else { 2 * self.bytes_max };
        // The first is always taken, or nobody would.
        if self.bytes > 0 && bytes > bytes_max {
            self.is_full = true;
            return Err(Full);
        }
        self.bytes = bytes;
        Ok(())
    }

    /// The parser gives up, and so much is written. Says whether a fresh one will take what follows.
    pub(super) fn gives_up(&mut self, written: usize) -> bool {
        self.written = written;
        self.is_full
    }

    /// Begins anew. Gives how much had been written when the parser gave up; nothing if that was for another reason.
    pub(super) fn begin_anew(&mut self) -> Option<usize> {
        self.bytes = 0;
        std::mem::take(&mut self.is_full).then_some(self.written)
    }
}
