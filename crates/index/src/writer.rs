//! The right to write, for those who do not want to wait for it.

use cdx::Capture;

use crate::batch::Batch;
use crate::loading::{BadLines, Input, Loaded};
use crate::writing::Session;
use crate::{Error, Index, aliases};

/// Whoever has it writes, and nobody else does.
pub struct Writer<'a> {
    index: &'a Index,
    session: Session<'a>,
}

impl Index {
    /// The right to write, if nobody has it. [`add`](Index::add) and the others wait for it instead, for as long as that takes: while
    /// another process loads a thousand files, minutes.
    ///
    /// # Errors
    /// When the folder cannot be read or written.
    pub fn try_writer(&self) -> Result<Option<Writer<'_>>, Error> {
        Ok(Session::try_begin(self)?.map(|session| Writer { index: self, session }))
    }
}

impl Writer<'_> {
    /// As [`Index::add`].
    ///
    /// # Errors
    /// As [`Index::add`].
    pub fn add(&mut self, rows: impl Iterator<Item = Result<Capture<'static>, Error>>) -> Result<u64, Error> {
        self.session.add(Batch::gather(rows, self.index.settings().limits.batch_bytes)?)
    }

    /// As [`Index::delete`].
    ///
    /// # Errors
    /// As [`Index::delete`].
    pub fn delete(
        &mut self,
        rows: impl Iterator<Item = Result<Capture<'static>, Error>>,
    ) -> Result<u64, Error> {
        self.session.delete(Batch::gather(rows, self.index.settings().limits.batch_bytes)?)
    }

    /// As [`Index::load`], without a commit.
    ///
    /// # Errors
    /// As [`Index::load`].
    pub fn load(&mut self, inputs: Vec<Input>, bad_lines: BadLines) -> Result<Loaded, Error> {
        self.session.load_lines(None, inputs, bad_lines)
    }

    /// As [`Index::add_aliases`].
    ///
    /// # Errors
    /// As [`Index::add_aliases`].
    pub fn add_aliases<'k>(
        &mut self,
        pairs: impl IntoIterator<Item = (&'k str, &'k str)>,
    ) -> Result<(), Error> {
        let pairs = aliases::checked_pairs(pairs)?;
        self.session.change_aliases(|known| aliases::add(known, pairs))
    }

    /// Merges segments if that is due, as all who write should do in the end.
    pub fn finish(mut self) {
        self.index.merge_if_due(&mut self.session);
    }
}

impl std::fmt::Debug for Writer<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Writer").field("index", self.index).finish_non_exhaustive()
    }
}
