//! One request, from where it is understood to its answer: who asks, of which collection, and how its addresses are written.

use archive::Collection;
use axum::http::{HeaderMap, Method, header};
use bytes::Bytes;
use index::Snapshot;
use urlkey::request::{Dialect, url_with_request};

use crate::asker::Asker;
use crate::error::Error;
use crate::replay::Replay;
use crate::versions::Row;

/// A request that is being answered. Whatever it does may wait for the disk.
#[derive(Debug)]
pub(crate) struct Visit {
    pub(crate) replay: Replay,
    pub(crate) asker: Asker,
    pub(crate) collection: Collection,
    pub(crate) snapshot: Snapshot,
    pub(crate) method: Method,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Visit {
    /// A header of the request, if it is text.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The key of a URL; of an alias that of what it stands for.
    pub(crate) fn key(&self, url: &str) -> String {
        self.snapshot.resolve_alias(&urlkey::key(url)).to_owned()
    }

    /// The keys that a URL may have, by the method and body of the request: those who write indexes do not agree.
    pub(crate) fn keys(&self, url: &str) -> Vec<String> {
        if matches!(self.method, Method::GET | Method::HEAD) {
            return vec![self.key(url)];
        }
        let content_type = self.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let key = |dialect| {
            let url = url_with_request(url, self.method.as_str(), content_type, &self.body, dialect);
            self.key(&url)
        };
        let mut keys = vec![key(Dialect::CdxjIndexer), key(Dialect::Pywb), key(Dialect::Jwarc)];
        keys.dedup();
        keys
    }

    /// Where a capture is shown, as a path.
    pub(crate) fn path(&self, time: &str, form: &str, url: &str) -> String {
        format!("/{}/{time}{form}/{}", self.collection.name(), safe(url))
    }

    /// The same as a whole URL.
    pub(crate) fn address(&self, time: &str, form: &str, url: &str) -> String {
        format!("{}{}", self.asker.origin, self.path(time, form, url))
    }

    /// Where a capture of the index is shown.
    pub(crate) fn row_path(&self, row: &Row, form: &str) -> String {
        let time = row.timestamp.map(|at| at.to_string()).unwrap_or_default();
        self.path(&time, form, row.url.as_deref().unwrap_or_default())
    }

    /// Where its TimeGate is.
    pub(crate) fn gate(&self, url: &str) -> String {
        format!("{}/{}/{}", self.asker.origin, self.collection.name(), safe(url))
    }

    /// Where a TimeMap of it is.
    pub(crate) fn map(&self, format: &str, url: &str) -> String {
        format!("{}/{}/timemap/{format}/{}", self.asker.origin, self.collection.name(), safe(url))
    }

    /// Where its calendar is.
    pub(crate) fn calendar(&self, within: &str, url: &str) -> String {
        self.path(&format!("{within}*"), "", url)
    }

    /// Whether this one may see the capture of a row.
    pub(crate) fn may_see(&self, row: &Row) -> bool {
        self.asker.may_see(&self.replay, row)
    }

    /// The first of these rows that this one may see, looking at no more than are worth it.
    pub(crate) fn first_seen(
        &self,
        rows: impl Iterator<Item = Result<Row, Error>>,
    ) -> Result<Option<Row>, Error> {
        self.first_seen_of(rows, |_| true)
    }

    /// The same of those that are wanted.
    pub(crate) fn first_seen_of(
        &self,
        rows: impl Iterator<Item = Result<Row, Error>>,
        is_wanted: impl Fn(&Row) -> bool,
    ) -> Result<Option<Row>, Error> {
        for row in rows.take(self.replay.limits().passed_by) {
            let row = row?;
            if is_wanted(&row) && self.may_see(&row) {
                return Ok(Some(row));
            }
        }
        Ok(None)
    }
}

/// A URL as it may stand in a header or an attribute: whatever could end it there, or was never allowed, is escaped.
pub(crate) fn safe(url: &str) -> String {
    let mut text = String::with_capacity(url.len());
    for byte in url.bytes() {
        match byte {
            b'!' | b'#'..=b';' | b'=' | b'?'..=b'[' | b']' | b'_' | b'a'..=b'z' | b'~' | b'|' => {
                text.push(char::from(byte));
            }
            _ => {
                const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
                text.push('%');
                for half in [byte >> 4, byte & 15] {
                    text.extend(DIGITS.get(usize::from(half)).map(|digit| char::from(*digit)));
                }
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_gets_out_of_a_header_or_attribute() {
        assert_eq!(safe("http://a.org/?b=c&d=[1]|2#e"), "http://a.org/?b=c&d=[1]|2#e");
        assert_eq!(safe("http://a.org/\r\nX: y"), "http://a.org/%0D%0AX:%20y");
        assert_eq!(safe("http://a.org/\"><b>é"), "http://a.org/%22%3E%3Cb%3E%C3%A9");
    }
}
