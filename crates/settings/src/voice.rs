//! How services tell people something: by a function that the program hands in. Only the program prints.

use std::sync::Arc;

/// How a message is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// What was done.
    Note,
    /// What does not stop the work but should be known.
    Warning,
    /// What went wrong.
    Error,
    /// What to do about it.
    Hint,
}

type Tell = dyn Fn(Tone, &str) + Send + Sync;

/// Tells people something. Clones tell the same people.
#[derive(Clone)]
pub struct Voice(Arc<Tell>);

impl Voice {
    /// Hands each message to the function.
    pub fn new(tell: impl Fn(Tone, &str) + Send + Sync + 'static) -> Voice {
        Voice(Arc::new(tell))
    }

    /// Tells nobody.
    #[must_use]
    pub fn silent() -> Voice {
        Voice::new(|_, _| ())
    }

    /// What was done.
    pub fn note(&self, text: &str) {
        (self.0)(Tone::Note, text);
    }

    /// What does not stop the work but should be known.
    pub fn warning(&self, text: &str) {
        (self.0)(Tone::Warning, text);
    }

    /// What went wrong.
    pub fn error(&self, text: &str) {
        (self.0)(Tone::Error, text);
    }

    /// What to do about it.
    pub fn hint(&self, text: &str) {
        (self.0)(Tone::Hint, text);
    }
}
