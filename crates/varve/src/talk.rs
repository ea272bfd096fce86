//! Everything the program says that is not a result: it goes to standard error, past any progress bar.
//!
//! Messages may quote archived text, so each is escaped here, whoever wrote it, and passwords of URLs are hidden. A standard error that cannot be
//! written to is nobody's concern: there is no one to tell.

use std::fmt;
use std::io::{self, Write as _};

use indicatif::MultiProgress;
use settings::{Tone, Voice};
use urlkey::hide_logins;

use crate::terminal::{Paint, escape};

/// The voice of the program. Clones speak to the same terminal.
#[derive(Clone)]
pub(crate) struct Talk {
    paint: Paint,
    quiet: bool,
    is_terminal: bool,
    bars: MultiProgress,
}

impl Talk {
    /// A voice that is coloured or not, and says only errors if `quiet`.
    pub(crate) fn new(paint: Paint, quiet: bool, is_terminal: bool, bars: MultiProgress) -> Self {
        Self { paint, quiet, is_terminal, bars }
    }

    /// Hands what services say to the same terminal.
    pub(crate) fn voice(&self) -> Voice {
        let talk = self.clone();
        Voice::new(move |tone, text| match tone {
            Tone::Note => talk.note(text),
            Tone::Warning => talk.warning(text),
            Tone::Error => talk.error(text),
            Tone::Hint => talk.hint(text),
        })
    }

    /// What went wrong. Said even when quiet.
    pub(crate) fn error(&self, text: &str) {
        self.say(format_args!("{} {}", self.paint.bad("error:"), escape(text)));
    }

    /// Why it went wrong, below the error.
    pub(crate) fn cause(&self, text: &str) {
        self.say(format_args!("  {} {}", self.paint.faint("cause:"), escape(text)));
    }

    /// The way out of an error. Said even when quiet, because it belongs to it.
    pub(crate) fn way_out(&self, text: &str) {
        self.say(format_args!("{} {}", self.paint.good("hint:"), escape(text)));
    }

    /// What to do next where nothing went wrong with the program itself.
    pub(crate) fn hint(&self, text: &str) {
        if !self.quiet {
            self.way_out(text);
        }
    }

    /// Something that does not stop the work but should be known.
    pub(crate) fn warning(&self, text: &str) {
        if !self.quiet {
            self.say(format_args!("{} {}", self.paint.odd("warning:"), escape(text)));
        }
    }

    /// What was done, in a line.
    pub(crate) fn note(&self, text: &str) {
        if !self.quiet {
            self.say(format_args!("{}", escape(text)));
        }
    }

    /// What the exit code is about, in a line. Said even when quiet: nobody is to wonder why it is not 0.
    pub(crate) fn reason(&self, text: &str) {
        self.say(format_args!("{}", escape(text)));
    }

    /// An empty line, to set hints apart.
    pub(crate) fn blank(&self) {
        self.say(format_args!(""));
    }

    /// Bytes as they are, for the log.
    pub(crate) fn raw(&self, bytes: &[u8]) {
        self.bars.suspend(|| {
            let _ = io::stderr().lock().write_all(bytes);
        });
    }

    /// Whether a person is reading.
    pub(crate) fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// Whether colours are wanted.
    pub(crate) fn is_coloured(&self) -> bool {
        self.paint.is_on()
    }

    /// The bars that share the terminal with this voice.
    pub(crate) fn bars(&self) -> &MultiProgress {
        &self.bars
    }

    /// One line, written whole.
    fn say(&self, line: fmt::Arguments<'_>) {
        self.raw(hide_logins(&format!("{line}\n")).as_bytes());
    }
}
