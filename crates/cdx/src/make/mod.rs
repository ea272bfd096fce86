//! From records to captures: what an indexer of archive files writes.
//!
//! Two programs set the custom, and they differ in small things; [`Style`] says whose is followed. Reading is the caller's:
//! hand records to an [`Indexer`] one after another, in the order of their file.

mod describe;
mod fields;
mod request;

use std::io::Read;

use warc::{Head, Name, Record, RecordType};

use self::describe::Draft;
use crate::{Capture, Error};

pub use self::fields::Fields;

/// What to write.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Whose custom is followed.
    pub style: Style,
    /// Which records become captures.
    pub records: Records,
    /// Make method and body of a request part of the key of its response.
    pub post_append: bool,
    /// Which members a capture has.
    pub fields: Fields,
    /// Leave the label `sha1:` out of digests, as CDX columns have it. pywb always does.
    pub bare_digests: bool,
    /// Do not look at HTTP heads: no media types, no statuses. Not together with `post_append`.
    pub minimal: bool,
    /// Refuse records whose HTTP head does not begin with a method or version that HTTP/1 has.
    pub verify_http: bool,
}

/// Whose custom is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Style {
    /// `cdxj-indexer`: unknown things are left out.
    #[default]
    CdxjIndexer,
    /// pywb's `cdx-indexer`: digests without label, `unk` for unknown media types, no status for revisits.
    Pywb,
}

/// Which records become captures.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Records {
    /// Those that may be asked for: with [`Style::CdxjIndexer`] responses, revisits, resources and metadata, with
    /// [`Style::Pywb`] all but requests and file headers. What is `application/warc-fields`, and so about other records, is left out.
    #[default]
    Usual,
    /// All, with [`Style::Pywb`] but for file headers, records without a URL, and metadata that is `text/anvl`.
    All,
    /// Those of these types.
    Of(Vec<RecordType>),
}

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

impl Options {
    /// Whether a record's capture depends on the record before it, so that the records of a file must come in their order
    /// to one [`Indexer`].
    #[must_use]
    pub fn needs_pairs(&self) -> bool {
        self.post_append || self.fields.need_request()
    }

    fn wants(&self, kind: &RecordType, head: &Head) -> bool {
        let content_type = head.get(Name::ContentType).unwrap_or_default();
        // As it stands, parameters and all: so do both programs compare.
        let is_usual = content_type != b"application/warc-fields";
        let is_note = *kind == RecordType::Metadata && content_type.starts_with(b"text/anvl");
        let is_pywb_record = !matches!(kind, RecordType::Warcinfo | RecordType::ArcHeader) && !is_note;
        match (&self.records, self.style) {
            (Records::All, Style::CdxjIndexer) => true,
            (Records::All, Style::Pywb) => is_pywb_record,
            (Records::Usual, Style::CdxjIndexer) => match kind {
                RecordType::Response | RecordType::Revisit => true,
                RecordType::Resource | RecordType::Metadata => is_usual,
                _ => false,
            },
            (Records::Usual, Style::Pywb) => is_pywb_record && *kind != RecordType::Request && is_usual,
            (Records::Of(kinds), _) => kinds.contains(kind),
        }
    }
}
