//! Which records are described, and in whose way.

use warc::{Head, Name, RecordType};

use crate::fields::Fields;

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

impl Options {
    /// Whether a record's capture depends on the record before it, so that the records of a file must come in their order
    /// to one [`Indexer`](crate::Indexer).
    #[must_use]
    pub fn needs_pairs(&self) -> bool {
        self.post_append || self.fields.need_request()
    }

    pub(crate) fn wants(&self, kind: &RecordType, head: &Head) -> bool {
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
