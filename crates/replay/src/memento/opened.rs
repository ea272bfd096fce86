//! A payload that is opened, and as much of its start as was read.

use std::io::{self, Read as _};

use archive::{Form, Found, Payload};
use rewrite::Modifier;

use crate::error::Error;

/// A payload, and its first bytes, which are no longer in it.
pub(super) struct Opened {
    pub(super) payload: Payload,
    pub(super) start: Vec<u8>,
    pub(super) form: Form,
}

impl Opened {
    /// Opens the payload in the form that an address asks for.
    pub(super) fn new(found: &Found, modifier: Modifier) -> Result<Opened, Error> {
        let form = if modifier == Modifier::Raw { Form::Unchunked } else { Form::Decoded };
        Ok(Opened { payload: found.payload(form)?, start: Vec::new(), form })
    }

    /// Reads on until the start has more than so many bytes; whether there are no more.
    pub(super) fn read_up_to(&mut self, bytes: usize) -> io::Result<bool> {
        let missing = (bytes as u64 + 1).saturating_sub(self.start.len() as u64);
        self.payload.by_ref().take(missing).read_to_end(&mut self.start)?;
        Ok(self.start.len() <= bytes)
    }
}
