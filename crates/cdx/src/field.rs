//! The fields of a capture and what the field calls them.
//!
//! Names are those of pywb's CDX server; the synonyms of OutbackCDX and of the Internet Archive's server are understood.

use std::fmt;

/// One field of a capture.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Field {
    /// `urlkey`: the canonical URL, usually as SURT.
    Key,
    /// `timestamp`: when it was captured.
    Timestamp,
    /// `url`: the URL as it was asked for.
    Url,
    /// `mime`: the media type that the server claimed, or `warc/revisit`.
    Mime,
    /// `status`: the HTTP status.
    Status,
    /// `digest`: digest of the payload.
    Digest,
    /// `redirect`: where the server pointed to.
    Redirect,
    /// `robotflags`: what the page's robots META says (`AIF`).
    Robots,
    /// `length`: bytes of the record as it lies in its file.
    Length,
    /// `offset`: where in its file the record begins.
    Offset,
    /// `filename`: the file that holds the record.
    Filename,
    /// `orig.length`: length of the record that a revisit refers to.
    OriginalLength,
    /// `orig.offset`: offset of the record that a revisit refers to.
    OriginalOffset,
    /// `orig.filename`: file of the record that a revisit refers to.
    OriginalFilename,
    /// A field that has no place of its own in a [`Capture`](crate::Capture).
    Other(Box<str>),
}

impl Field {
    /// The field of this exact name; the only spelling that a CDXJ object uses.
    #[must_use]
    pub fn of_cdxj(name: &str) -> Option<Field> {
        Some(match name {
            "url" => Field::Url,
            "mime" => Field::Mime,
            "status" => Field::Status,
            "digest" => Field::Digest,
            "length" => Field::Length,
            "offset" => Field::Offset,
            "filename" => Field::Filename,
            "redirect" => Field::Redirect,
            "robotflags" => Field::Robots,
            "orig.length" => Field::OriginalLength,
            "orig.offset" => Field::OriginalOffset,
            "orig.filename" => Field::OriginalFilename,
            "urlkey" => Field::Key,
            "timestamp" => Field::Timestamp,
            _ => return None,
        })
    }

    /// The field of this name or one of its synonyms; any other name is a field that a line may or may not have.
    #[must_use]
    pub fn named(name: &str) -> Field {
        if let Some(field) = Field::of_cdxj(name) {
            return field;
        }
        match name {
            "original" => Field::Url,
            "mimetype" => Field::Mime,
            "statuscode" => Field::Status,
            "redirecturl" => Field::Redirect,
            "originalLength" => Field::OriginalLength,
            "originalOffset" => Field::OriginalOffset,
            "originalFilename" => Field::OriginalFilename,
            _ => Field::Other(name.into()),
        }
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Field::Key => "urlkey",
            Field::Timestamp => "timestamp",
            Field::Url => "url",
            Field::Mime => "mime",
            Field::Status => "status",
            Field::Digest => "digest",
            Field::Redirect => "redirect",
            Field::Robots => "robotflags",
            Field::Length => "length",
            Field::Offset => "offset",
            Field::Filename => "filename",
            Field::OriginalLength => "orig.length",
            Field::OriginalOffset => "orig.offset",
            Field::OriginalFilename => "orig.filename",
            Field::Other(name) => name,
        }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
