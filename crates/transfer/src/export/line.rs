//! Lines of the index that goes with what is exported: where records lie now.

use std::borrow::Cow;

use cdx::{Capture, Timestamp};
use warc::{Extent, RecordType};

use super::loaded::Loaded;

/// What a line says of a request that was no GET. Readers of packages find such a capture by these, and by a key made of them.
const REQUEST: [&str; 2] = ["method", "requestBody"];

/// A line of our index as one about a record that lies elsewhere now. What only this archive needs to know is left out.
pub(super) fn moved(row: &Capture<'static>, file: &str, extent: Extent) -> Capture<'static> {
    Capture {
        filename: Some(Cow::Owned(file.to_owned())),
        offset: Some(extent.offset),
        length: Some(extent.length),
        original: None,
        extra: row.extra.iter().filter(|extra| REQUEST.contains(&extra.name.as_ref())).cloned().collect(),
        ..row.clone()
    }
}

/// A line about a record of which the index has none.
pub(super) fn of_record(loaded: &mut Loaded, file: &str, extent: Extent) -> Option<Capture<'static>> {
    let head = &loaded.head;
    let url = head.target_uri()?.into_owned();
    let timestamp = match head.date() {
        Some(date) => Timestamp::parse(&urlkey::time::to_14(date)),
        None => Timestamp::parse(head.date_text()?.get(..14)?),
    };
    let timestamp = timestamp.ok()?;
    let digest = head.payload_digest().and_then(Result::ok).map(|digest| digest.to_string().into());
    let own_type = head.content_type().map(|media| media.into_owned());
    let is_revisit = *head.record_type() == RecordType::Revisit;
    let http = loaded.http().ok().flatten().map(|(http, _)| http);
    let media = match &http {
        _ if is_revisit => Some("warc/revisit".to_owned()),
        Some(http) => http.text("content-type").map(|media| media.into_owned()),
        None => own_type,
    };
    let media = media.and_then(|media| media.split(';').next().map(|media| media.trim().to_owned()));
    Some(Capture {
        key: Some(urlkey::key(&url).into()),
        timestamp: Some(timestamp),
        url: Some(url.into()),
        mime: media.filter(|media| !media.is_empty() && !media.contains(char::is_whitespace)).map(Into::into),
        status: http.as_ref().and_then(warc::HttpHead::status),
        digest,
        filename: Some(Cow::Owned(file.to_owned())),
        offset: Some(extent.offset),
        length: Some(extent.length),
        ..Capture::default()
    })
}
