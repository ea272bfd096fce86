//! Progress bars for work that takes long, on standard error.
//!
//! Whether they are drawn at all is decided once, in [`crate::session`]: only for a person at a terminal, not when
//! `--quiet`, and not when JSON scrolls over the same screen. A verb always makes its bar and need not ask.

use std::io::Read;

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::talk::Talk;
use crate::terminal::escape;

/// Redraws a second: enough to look alive, few enough to cost nothing.
const DRAWS_PER_SECOND: u8 = 8;

const KNOWN_BYTES: &str = "{prefix} {wide_bar} {percent}% of {total_bytes}, {bytes_per_sec}, {eta} left";
const UNKNOWN_BYTES: &str = "{prefix} {spinner} {bytes}, {bytes_per_sec}";
const CHECKS: &str = "{prefix} {spinner} {human_pos} checks, {per_sec}";
const CAPTURES: &str = "{prefix} {spinner} {human_pos} captures, {per_sec}";

/// The screen that all bars of a run share; one that shows nothing if `visible` is false.
pub(crate) fn bars(visible: bool) -> MultiProgress {
    MultiProgress::with_draw_target(if visible {
        ProgressDrawTarget::stderr_with_hz(DRAWS_PER_SECOND)
    } else {
        ProgressDrawTarget::hidden()
    })
}

/// One bar. Clones move the same bar, so every worker may have one. It vanishes with the last of them.
#[derive(Clone)]
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Counts bytes, against a total where it is known.
    pub(crate) fn bytes(talk: &Talk, label: &str, total: Option<u64>) -> Self {
        let (bar, template) = match total {
            Some(total) => (ProgressBar::new(total), KNOWN_BYTES),
            None => (ProgressBar::no_length(), UNKNOWN_BYTES),
        };
        Self::new(talk, label, bar, template)
    }

    /// Counts captures, of which nobody knows how many there will be.
    pub(crate) fn captures(talk: &Talk, label: &str) -> Self {
        Self::new(talk, label, ProgressBar::no_length(), CAPTURES)
    }

    /// Counts checks of watched pages, of which there is no end.
    pub(crate) fn checks(talk: &Talk, label: &str) -> Self {
        Self::new(talk, label, ProgressBar::no_length(), CHECKS)
    }

    /// So many are done.
    pub(crate) fn set(&self, count: u64) {
        self.bar.set_position(count);
    }

    /// Goes on by so much.
    pub(crate) fn inc(&self, by: u64) {
        self.bar.inc(by);
    }

    /// A reader that moves the bar by what is read through it.
    pub(crate) fn around<R: Read + Send>(self, source: R) -> impl Read + Send {
        self.bar.wrap_read(source)
    }

    /// Takes the bar away.
    pub(crate) fn finish(self) {
        self.bar.finish_and_clear();
    }

    fn new(talk: &Talk, label: &str, bar: ProgressBar, template: &str) -> Self {
        let bar = talk.bars().add(bar);
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_prefix(escape(label).into_owned());
        Self { bar }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_understood() {
        for template in [KNOWN_BYTES, UNKNOWN_BYTES, CAPTURES, CHECKS] {
            assert!(ProgressStyle::with_template(template).is_ok());
        }
    }
}
