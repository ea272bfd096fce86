//! What is known of a URL: what to ask by, what to compare with.

use ::db::Row;
use archive::{Last, Original};
use jiff::Timestamp;

use crate::db::{get, number};
use crate::error::Error;
use crate::moment;
use crate::sha256::Sha256;

/// A row of `resource`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) id: i64,
    pub(crate) url: String,
    /// The newest version; 0 while there is none.
    pub(crate) newest: u32,
    pub(crate) digest: Option<Sha256>,
    /// What to ask by, and of which URL it was said.
    pub(crate) asked_url: Option<String>,
    pub(crate) etag: Option<String>,
    pub(crate) last_modified: Option<String>,
    /// What was announced of it, if it was right.
    pub(crate) sent_length: Option<u64>,
    pub(crate) sent_digest: Option<String>,
    pub(crate) record: Option<Record>,
    pub(crate) media_type: String,
    pub(crate) is_large: bool,
    pub(crate) large_head: Option<String>,
    pub(crate) cut_digest: Option<Sha256>,
    pub(crate) last_check: Option<i64>,
    pub(crate) checked_at: Option<Timestamp>,
}

/// The record that holds the newest version's payload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) at: Timestamp,
    pub(crate) url: String,
    pub(crate) file: Option<String>,
    pub(crate) offset: Option<u64>,
    pub(crate) length: Option<u64>,
    /// Digest of the payload as sent.
    pub(crate) payload: Option<String>,
}

impl Known {
    /// What to ask by whether it changed: only where the answer was this URL's own, and never by its age alone.
    pub(crate) fn condition(&self) -> fetch::Condition {
        match &self.etag {
            Some(etag) if self.asked_url.as_deref() == Some(&self.url) => {
                fetch::Condition { etag: Some(etag.clone()), last_modified: self.last_modified.clone() }
            }
            _ => fetch::Condition::default(),
        }
    }

    /// The same for the archive: the capture that "as before" means.
    pub(crate) fn last(&self) -> Option<Last> {
        let Record { at, url, file, offset, length, payload } = self.record.clone()?;
        Some(Last {
            at,
            status: Some(200),
            mime: self.media_type.clone(),
            digest: payload,
            etag: self.etag.clone(),
            last_modified: self.last_modified.clone(),
            was_there: true,
            original: Original { url, date: at, record_id: None, file, offset, length },
        })
    }

    pub(crate) fn of(row: &Row) -> Result<Known, Error> {
        let digest = |column: &'static str| {
            get::<Option<Vec<u8>>>(row, column)?.map(|bytes| Sha256::parse(column, &bytes)).transpose()
        };
        let count = |column: &'static str| {
            get::<Option<i64>>(row, column)?.map(|found| number::<u64>(column, found)).transpose()
        };
        let time = |column: &'static str| {
            get::<Option<i64>>(row, column)?.map(|found| moment::parse(column, found)).transpose()
        };
        let record = match (time("record_at")?, get::<Option<String>>(row, "record_url")?) {
            (Some(at), Some(url)) => Some(Record {
                at,
                url,
                file: get(row, "record_file")?,
                offset: count("record_offset")?,
                length: count("record_length")?,
                payload: get(row, "payload")?,
            }),
            _ => None,
        };
        Ok(Known {
            id: get(row, "id")?,
            url: get(row, "url")?,
            newest: number("newest", get(row, "newest")?)?,
            digest: digest("digest")?,
            asked_url: get(row, "asked_url")?,
            etag: get(row, "etag")?,
            last_modified: get(row, "last_modified")?,
            sent_length: count("sent_length")?,
            sent_digest: get(row, "sent_digest")?,
            record,
            media_type: get(row, "media_type")?,
            is_large: get::<i64>(row, "is_large")? != 0,
            large_head: get(row, "large_head")?,
            cut_digest: digest("cut_digest")?,
            last_check: get(row, "last_check")?,
            checked_at: time("checked_at")?,
        })
    }
}
