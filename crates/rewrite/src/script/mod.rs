//! Scripts: the one name that a page cannot be given another value of is called otherwise.
//!
//! `location` becomes `__varve_location`, wherever it is a variable or member; `import` and `export … from` lead into the
//! archive. Everything else stays: what a script asks for is caught when it asks. This works on tokens, not on a tree, so
//! it is linear and needs no more memory than the brackets that are open; what it must know of the grammar is whether a
//! slash divides, and whether a brace opens a block, an object, a pattern, a class or a list of imports.
//!
//! | question | file |
//! |---|---|
//! | How is a script read, piece by piece? | `scan.rs`, `scan/piece.rs` |
//! | Which token is this? | `scan/code.rs` |
//! | Where do strings, comments, templates and regular expressions end? | `scan/spans.rs` |
//! | What is written otherwise? | `scan/names.rs` |
//! | Which words matter? | `word.rs` |
//! | What does a brace open, and is this `location` a variable? | `level.rs` |
//! | Where does an import lead? | `specifier.rs` |

mod level;
mod scan;
mod specifier;
mod word;

use memchr::memmem;

use crate::{Limits, Place};

use scan::State;

/// What `location` is called.
pub(crate) const NAME: &str = "__varve_location";

/// What leads the computed address of an `import(` into the archive.
pub(crate) const IMPORTED: &str = "__varve_import(";

/// A script that arrives in pieces.
#[derive(Debug)]
pub(crate) struct Stream {
    state: State,
    /// What cannot be decided yet.
    held: Vec<u8>,
}

impl Stream {
    pub(crate) fn new(limits: &Limits, is_module: bool) -> Stream {
        Stream { state: State::new(limits, is_module), held: Vec::new() }
    }

    pub(crate) fn feed(&mut self, bytes: &[u8], place: &Place, out: &mut Vec<u8>) {
        self.run(bytes, false, place, out);
    }

    pub(crate) fn finish(&mut self, place: &Place, out: &mut Vec<u8>) {
        self.run(b"", true, place, out);
    }

    /// Whether brackets were nested too deeply, so that the rest passed as it is.
    pub(crate) fn is_cut(&self) -> bool {
        self.state.is_cut()
    }

    fn run(&mut self, bytes: &[u8], last: bool, place: &Place, out: &mut Vec<u8>) {
        if self.held.is_empty() {
            let read = self.state.scan(bytes, last, place, out);
            self.held.extend_from_slice(bytes.get(read..).unwrap_or_default());
        } else {
            self.held.extend_from_slice(bytes);
            let held = std::mem::take(&mut self.held);
            let read = self.state.scan(&held, last, place, out);
            self.held = held;
            self.held.drain(..read.min(self.held.len()));
        }
    }
}

/// A short script that is there whole.
pub(crate) fn rewrite_str(code: &str, place: &Place) -> String {
    if !may_change(code.as_bytes()) {
        return code.to_owned();
    }
    let mut stream = Stream::new(&Limits::default(), false);
    let mut out = Vec::with_capacity(code.len() + 32);
    stream.feed(code.as_bytes(), place, &mut out);
    stream.finish(place, &mut out);
    // Only ASCII is put in, and only between tokens.
    String::from_utf8(out).unwrap_or_else(|_| code.to_owned())
}

/// Whether there may be anything in a script that is changed. Names can be written with escapes.
pub(crate) fn may_change(code: &[u8]) -> bool {
    ["location", "import", "export", "\\u"].iter().any(|word| memmem::find(code, word.as_bytes()).is_some())
}

#[cfg(test)]
mod tests;
