//! What the payload of a record says and links to.

use std::borrow::Cow;
use std::io::Read as _;

use extract::html::Wanted;
use extract::{Document, Limits, Source, Stop};
use warc::Record;

use crate::reading::Reading;
use crate::records::payload;
use crate::task::Failure;

/// Reads the document in a record: its HTTP head, or the type in its header, tells what it claims to be.
pub(super) fn document(
    record: &mut Record<'_, &mut Reading>,
    wanted: Wanted,
    stop: &Stop,
) -> Result<Document, Failure> {
    let url = record.head().target_uri().unwrap_or_default().into_owned();
    let own_type = record.head().content_type().map(Cow::into_owned);
    let headers: Vec<(String, String)> = match record.http()? {
        Some(http) => {
            let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
            http.fields().map(|(name, value)| (text(name), text(value))).collect()
        }
        None => own_type.map(|value| ("Content-Type".to_owned(), value)).into_iter().collect(),
    };
    let headers: Vec<(&str, &str)> =
        headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let source = Source { url: &url, headers: &headers, ..Source::default() };
    let mut limits = Limits::default();
    limits.stop = Some(stop.clone());
    let mut reader = extract::Reader::new(&source, wanted, &limits);
    if let Some(mut payload) = payload(record) {
        let mut buffer = vec![0; 64 << 10];
        // What cannot be unfolded to its end is read as far as it goes.
        while let Ok(count) = payload.read(&mut buffer)
            && count > 0
        {
            reader.write(buffer.get(..count).unwrap_or_default());
        }
    }
    Ok(reader.finish())
}
