//! Takes records one after another and hands on the captures that they make.

use std::io::Read;

use cdx::Capture;
use warc::{Record, RecordType};

use crate::draft::Draft;
use crate::error::Error;
use crate::options::{Options, Style};
use crate::request;

/// Makes captures of the records of one file.
#[derive(Debug)]
pub struct Indexer {
    filename: String,
    options: Options,
    /// The record before, which may belong to the one that comes.
    pending: Option<Draft>,
}

impl Indexer {
    /// An indexer for the file that is to be called this.
    ///
    /// # Errors
    /// When the options contradict each other.
    pub fn new(filename: &str, options: Options) -> Result<Indexer, Error> {
        if options.minimal && options.post_append {
            return Err(Error::MinimalWithPost);
        }
        Ok(Indexer { filename: filename.to_owned(), options, pending: None })
    }

    /// Takes the next record, reads it to its end, and hands on the captures that are known then: often one, sometimes none
    /// yet, sometimes two.
    ///
    /// # Errors
    /// When the record cannot be read, or is refused.
    pub fn push<R: Read>(
        &mut self,
        record: Record<'_, R>,
        sink: &mut impl FnMut(Capture<'static>),
    ) -> Result<(), Error> {
        let kind = record.head().record_type().clone();
        let is_wanted = self.options.wants(&kind, record.head());
        let needs_pairs = self.options.needs_pairs();
        let is_needed = is_wanted || (needs_pairs && kind == RecordType::Request);
        if !is_needed {
            // cdxj-indexer pairs neighbours of the file, pywb neighbours among what it looks at.
            if self.options.style == Style::CdxjIndexer {
                self.finish(sink);
            }
            record.finish()?;
            return Ok(());
        }
        let mut draft = Draft::of(record, &kind, &self.options)?;
        draft.is_wanted = is_wanted && !(self.options.style == Style::Pywb && draft.url.is_none());
        draft.capture.filename = Some(self.filename.clone().into());
        if !needs_pairs {
            draft.emit(&self.options, sink);
            return Ok(());
        }
        if let Some(mut before) = self.pending.take() {
            let is_pair = request::pair(&mut before, &mut draft, self.options.style);
            before.emit(&self.options, sink);
            if is_pair {
                draft.emit(&self.options, sink);
                return Ok(());
            }
        }
        self.pending = Some(draft);
        Ok(())
    }

    /// Hands on what was held back. To be called behind the last record.
    pub fn finish(&mut self, sink: &mut impl FnMut(Capture<'static>)) {
        if let Some(draft) = self.pending.take() {
            draft.emit(&self.options, sink);
        }
    }
}
