//! What one record is, on one line.

use std::io::Read;

use serde::Serialize;
use warc::{Extent, Head, HttpHead, Name, Record};

/// A record in the words of `varve warc ls --json`.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Row<'a> {
    pub(crate) file: &'a str,
    pub(crate) offset: u64,
    /// Bytes in the file: of the member that holds the record, or of its header and block in a plain file.
    pub(crate) length: u64,
    #[serde(rename = "type")]
    pub(crate) kind: Option<String>,
    pub(crate) uri: Option<String>,
    /// As written: ISO 8601 in WARC, 14 digits in ARC.
    pub(crate) date: Option<String>,
    /// Of an HTTP response.
    pub(crate) status: Option<u16>,
    /// Of the HTTP message, else of the block; without parameters, in lower case.
    pub(crate) mime: Option<String>,
    /// Of the payload, as the header has it.
    pub(crate) digest: Option<String>,
    pub(crate) id: Option<String>,
    /// Bytes of the block.
    pub(crate) content_length: Option<u64>,
}

impl<'a> Row<'a> {
    /// Of this record; looks at the HTTP head, so nothing of the block may have been read.
    pub(crate) fn of<R: Read>(file: &'a str, record: &mut Record<'_, R>) -> Result<Row<'a>, warc::Error> {
        let http = record.http()?;
        let status = http.and_then(HttpHead::status);
        let mime = http.map(HttpHead::media_type);
        let head = record.head();
        let kind = head.record_type().name().to_owned();
        Ok(Row {
            file,
            offset: record.offset(),
            length: 0,
            kind: (!kind.is_empty()).then_some(kind),
            uri: head.target_uri().map(std::borrow::Cow::into_owned),
            date: head.date_text().map(std::borrow::Cow::into_owned),
            status,
            mime: mime.unwrap_or_else(|| block_mime(head)),
            digest: head.text(Name::PayloadDigest).map(std::borrow::Cow::into_owned),
            id: head.record_id().map(std::borrow::Cow::into_owned),
            content_length: head.content_length(),
        })
    }

    /// With the length, which is known when the record has been read.
    pub(crate) fn at(self, extent: Extent) -> Row<'a> {
        Row { length: extent.length, ..self }
    }
}

fn block_mime(head: &Head) -> Option<String> {
    let media = head.content_type()?;
    let media = media.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    (!media.is_empty()).then_some(media)
}
