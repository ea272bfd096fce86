//! A record's header block: the version line and the named fields, as they stand in the file.

use std::borrow::Cow;
use std::net::IpAddr;
use std::ops::Range;

use super::kind::{Profile, RecordType, Truncated, Version};
use super::name::Name;
use crate::digest::Digest;
use crate::error::Error;

/// The header of a record. ARC lines are given as the WARC fields that mean the same.
#[derive(Debug, Clone)]
pub struct Head {
    pub(super) version: Version,
    /// The header block as read, followed by values that had to be put together from folded lines.
    pub(super) text: Vec<u8>,
    /// Bytes of `text` that were read from the file.
    pub(super) raw_length: usize,
    pub(super) fields: Vec<FieldPlace>,
    pub(super) content_length: Option<u64>,
    pub(super) record_type: RecordType,
}

#[derive(Debug, Clone)]
pub(super) struct FieldPlace {
    pub(super) name: Name,
    pub(super) spelling: Range<usize>,
    pub(super) value: Range<usize>,
}

impl Head {
    /// A head with nothing in it, to be filled again and again.
    pub(crate) fn empty() -> Head {
        Head {
            version: Version::Warc1_1,
            text: Vec::new(),
            raw_length: 0,
            fields: Vec::new(),
            content_length: None,
            record_type: RecordType::Other(String::new()),
        }
    }

    /// Takes these bytes as the header block to be parsed.
    pub(crate) fn refill(&mut self, bytes: &[u8]) {
        self.text.clear();
        self.text.extend_from_slice(bytes);
        self.raw_length = bytes.len();
    }

    /// Format and version of the record.
    #[must_use]
    pub fn version(&self) -> Version {
        self.version
    }

    /// What the record is.
    #[must_use]
    pub fn record_type(&self) -> &RecordType {
        &self.record_type
    }

    /// The header block as it stands in the file, with the blank line that ends it.
    #[must_use]
    pub fn raw(&self) -> &[u8] {
        self.text.get(..self.raw_length).unwrap_or_default()
    }

    /// Length of the block by `Content-Length`, if that is a number.
    #[must_use]
    pub fn content_length(&self) -> Option<u64> {
        self.content_length
    }

    /// Value of the first field of this name, without blanks around it.
    #[must_use]
    pub fn get(&self, name: Name) -> Option<&[u8]> {
        let place = self.fields.iter().find(|field| field.name == name)?;
        self.text.get(place.value.clone())
    }

    /// Value of the first field of this spelling, whatever its case; for names that no standard lists.
    #[must_use]
    pub fn get_named(&self, spelling: &str) -> Option<&[u8]> {
        self.fields().find(|(name, _)| name.eq_ignore_ascii_case(spelling.as_bytes())).map(|(_, value)| value)
    }

    /// Value of the first field of this name as text; bytes that are no UTF-8 are replaced.
    #[must_use]
    pub fn text(&self, name: Name) -> Option<Cow<'_, str>> {
        self.get(name).map(String::from_utf8_lossy)
    }

    /// All fields as they are spelled, in order.
    pub fn fields(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.fields.iter().map(|field| {
            let name = self.text.get(field.spelling.clone()).unwrap_or_default();
            (name, self.text.get(field.value.clone()).unwrap_or_default())
        })
    }

    /// All fields with their known names, in order.
    pub fn known_fields(&self) -> impl Iterator<Item = (Name, &[u8])> {
        self.fields.iter().map(|field| (field.name, self.text.get(field.value.clone()).unwrap_or_default()))
    }

    /// `WARC-Record-ID` without its angle brackets.
    #[must_use]
    pub fn record_id(&self) -> Option<Cow<'_, str>> {
        self.get(Name::RecordId).map(unbracketed)
    }

    /// `WARC-Target-URI`, or an ARC line's URL. Angle brackets, which old writers put around it, are taken off.
    #[must_use]
    pub fn target_uri(&self) -> Option<Cow<'_, str>> {
        self.get(Name::TargetUri).map(unbracketed)
    }

    /// `WARC-Date` as written: ISO 8601 in WARC, 14 digits in ARC.
    #[must_use]
    pub fn date_text(&self) -> Option<Cow<'_, str>> {
        self.text(Name::Date)
    }

    /// When it was captured, if the date can be understood.
    #[must_use]
    pub fn date(&self) -> Option<jiff::Timestamp> {
        let text = self.date_text()?;
        if self.version.is_arc() {
            return urlkey::time::parse_14(&text).ok();
        }
        urlkey::time::parse_warc_date(&text).ok().map(|date| date.timestamp)
    }

    /// Media type of the block, parameters included.
    #[must_use]
    pub fn content_type(&self) -> Option<Cow<'_, str>> {
        self.text(Name::ContentType)
    }

    /// Address of the server.
    #[must_use]
    pub fn ip_address(&self) -> Option<IpAddr> {
        self.text(Name::IpAddress)?.parse().ok()
    }

    /// Digest of the block; `Some(Err(_))` if its text is not understood.
    #[must_use]
    pub fn block_digest(&self) -> Option<Result<Digest, Error>> {
        self.text(Name::BlockDigest).map(|text| Digest::parse(&text))
    }

    /// Digest of the payload; `Some(Err(_))` if its text is not understood.
    #[must_use]
    pub fn payload_digest(&self) -> Option<Result<Digest, Error>> {
        self.text(Name::PayloadDigest).map(|text| Digest::parse(&text))
    }

    /// Why the block is incomplete, if it is said to be.
    #[must_use]
    pub fn truncated(&self) -> Option<Truncated> {
        self.text(Name::Truncated).map(|text| Truncated::of(&text))
    }

    /// Why a revisit stores no payload.
    #[must_use]
    pub fn profile(&self) -> Option<Profile> {
        self.get(Name::Profile).map(|uri| Profile::of(&unbracketed(uri)))
    }

    /// Ids of the records that came about together with this one.
    pub fn concurrent_to(&self) -> impl Iterator<Item = Cow<'_, str>> {
        self.known_fields().filter(|(name, _)| *name == Name::ConcurrentTo).map(|(_, id)| unbracketed(id))
    }

    /// Id of the record that this one is about, or that holds a revisit's payload.
    #[must_use]
    pub fn refers_to(&self) -> Option<Cow<'_, str>> {
        self.get(Name::RefersTo).map(unbracketed)
    }

    /// URI of the record that holds a revisit's payload.
    #[must_use]
    pub fn refers_to_target_uri(&self) -> Option<Cow<'_, str>> {
        self.get(Name::RefersToTargetUri).map(unbracketed)
    }

    /// When the record that holds a revisit's payload was captured.
    #[must_use]
    pub fn refers_to_date(&self) -> Option<jiff::Timestamp> {
        let text = self.text(Name::RefersToDate)?;
        urlkey::time::parse_warc_date(&text).ok().map(|date| date.timestamp)
    }

    /// Id of the warcinfo that describes this record.
    #[must_use]
    pub fn warcinfo_id(&self) -> Option<Cow<'_, str>> {
        self.get(Name::WarcinfoId).map(unbracketed)
    }

    /// Name that the file had when its warcinfo was written.
    #[must_use]
    pub fn filename(&self) -> Option<Cow<'_, str>> {
        self.text(Name::Filename)
    }

    /// Media type of the payload as somebody found it out, whatever the server said.
    #[must_use]
    pub fn identified_payload_type(&self) -> Option<Cow<'_, str>> {
        self.text(Name::IdentifiedPayloadType)
    }

    /// The protocols of the exchange, such as `h2` and `tls/1.3`.
    pub fn protocols(&self) -> impl Iterator<Item = Cow<'_, str>> {
        let values = self.known_fields().filter(|(name, _)| *name == Name::Protocol);
        values.map(|(_, value)| String::from_utf8_lossy(value))
    }

    /// Id of the record whose first segment this continues.
    #[must_use]
    pub fn segment_origin_id(&self) -> Option<Cow<'_, str>> {
        self.get(Name::SegmentOriginId).map(unbracketed)
    }

    /// Length of all segments together, said in the last one.
    #[must_use]
    pub fn segment_total_length(&self) -> Option<u64> {
        self.text(Name::SegmentTotalLength)?.parse().ok()
    }

    /// Which segment this is, counted from 1.
    #[must_use]
    pub fn segment_number(&self) -> Option<u64> {
        self.text(Name::SegmentNumber)?.parse().ok()
    }

    /// Whether the block is an HTTP message, head first.
    #[must_use]
    pub fn holds_http(&self) -> bool {
        let uri = self.get(Name::TargetUri).unwrap_or_default();
        let uri = uri.strip_prefix(b"<").unwrap_or(uri);
        let is_web = starts_ignoring_case(uri, b"http:") || starts_ignoring_case(uri, b"https:");
        if self.version.is_arc() {
            return is_web && self.record_type == RecordType::Response;
        }
        let exchange =
            matches!(self.record_type, RecordType::Response | RecordType::Request | RecordType::Revisit);
        match self.get(Name::ContentType) {
            Some(media) => exchange && starts_ignoring_case(media, b"application/http"),
            None => exchange && is_web,
        }
    }
}

/// Whether `bytes` start with `prefix`, ASCII case aside.
pub(crate) fn starts_ignoring_case(bytes: &[u8], prefix: &[u8]) -> bool {
    bytes.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

fn unbracketed(value: &[u8]) -> Cow<'_, str> {
    let inner = value.strip_prefix(b"<").and_then(|rest| rest.strip_suffix(b">"));
    String::from_utf8_lossy(inner.unwrap_or(value))
}
