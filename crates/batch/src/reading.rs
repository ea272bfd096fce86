//! The file that a task has before it: its name, its bytes, and whether there is still time.

use std::io::{self, Read};
use std::sync::Arc;

use store::Sealed;

use crate::source::{End, Source};
use crate::watch::Watch;

/// A file that is being worked on. Its bytes are read through [`Read`]; when time is up, or the run is cancelled, that fails.
pub struct Reading {
    file: Sealed,
    source: Option<Source>,
    watch: Arc<Watch>,
}

impl Reading {
    pub(crate) fn new(file: Sealed, source: Option<Source>, watch: Arc<Watch>) -> Reading {
        Reading { file, source, watch }
    }

    /// What is known of it.
    #[must_use]
    pub fn file(&self) -> &Sealed {
        &self.file
    }

    /// The job that it belongs to.
    #[must_use]
    pub fn job(&self) -> &str {
        self.file.name.split_once('/').map_or("", |(job, _)| job)
    }

    /// Whether work on it is to end: its time is up, or the run was cancelled. For tasks that work long without reading.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.watch.over().is_some()
    }

    /// Reads what is left; SHA-256 of the whole file in hex.
    ///
    /// # Errors
    /// When it cannot be read, or time is up.
    pub fn finish(&mut self) -> io::Result<&str> {
        match &mut self.source {
            Some(source) => source.finish(),
            None => Err(io::Error::other("its bytes are not at hand")),
        }
    }

    /// The same question for those who cannot hold on to the file.
    pub(crate) fn stop(&self) -> extract::Stop {
        let watch = self.watch.clone();
        extract::Stop::when(move || watch.over().is_some())
    }

    pub(crate) fn watch(&self) -> &Arc<Watch> {
        &self.watch
    }

    /// Why its bytes could not be read, if they could not.
    pub(crate) fn trouble(&self) -> Option<String> {
        match self.source.as_ref()?.end()? {
            End::Failed(why) => Some(why.clone()),
            End::Read(_) => None,
        }
    }

    /// Takes the bytes out, for a thread of their own.
    pub(crate) fn take_source(&mut self) -> Option<Source> {
        self.source.take()
    }

    pub(crate) fn give_back(&mut self, source: Source) {
        self.source = Some(source);
    }
}

impl Read for Reading {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.source {
            Some(source) => source.read(buffer),
            None => Ok(0),
        }
    }
}
