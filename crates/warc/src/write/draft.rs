//! A record's header before it is written.

use std::borrow::Cow;
use std::net::IpAddr;
use std::ops::Range;

use jiff::Timestamp;

use crate::digest::Digest;
use crate::error::Error;
use crate::record::{Head, Name, Profile, RecordType, Version};

/// The header of a record to be written. `Content-Length` is the writer's business.
///
/// Ids and dates are handed in, so that the same inputs always give the same bytes.
#[derive(Debug, Clone)]
pub struct Draft {
    version: Version,
    fields: Vec<Field>,
    /// The values of all fields: a crawl makes two headers for each document, and one piece of memory is quicker than a dozen.
    /// Bytes: what was read is written as it was, be it UTF-8 or not.
    values: Vec<u8>,
}

#[derive(Debug, Clone)]
struct Field {
    name: Name,
    /// As it is written.
    spelling: Cow<'static, str>,
    /// Where its value lies.
    value: Range<usize>,
}

/// Fields, and bytes of their values, that a header usually has room for.
const FIELDS_USUAL: usize = 14;
const VALUES_USUAL: usize = 640;

impl Draft {
    /// A record of this type. `id` is a URI, such as `urn:uuid:…`, without angle brackets.
    #[must_use]
    pub fn new(version: Version, kind: &RecordType, id: &str, date: Timestamp) -> Draft {
        let date = match version {
            Version::Warc1_0 => urlkey::time::to_warc_date(date),
            _ => urlkey::time::to_warc_date_precise(date),
        };
        let (fields, values) = (Vec::with_capacity(FIELDS_USUAL), Vec::with_capacity(VALUES_USUAL));
        let draft = Draft { version, fields, values };
        draft.with(Name::RecordType, kind.name()).with_id(Name::RecordId, id).with(Name::Date, &date)
    }

    /// The same header as a record that was read has, field by field; a WARC record keeps its version.
    #[must_use]
    pub fn like(head: &Head) -> Draft {
        let version = match head.version() {
            // The drafts before 1.0 are nearer to it than to 1.1.
            Version::Warc1_0 | Version::WarcDraft => Version::Warc1_0,
            _ => Version::Warc1_1,
        };
        let mut draft = Draft { version, fields: Vec::new(), values: Vec::new() };
        for (name, value) in head.fields() {
            if !name.is_empty() && Name::of(name) != Name::ContentLength {
                draft.spelled(String::from_utf8_lossy(name).into_owned(), value);
            }
        }
        draft
    }

    /// Sets a field; one of that name that is there already is replaced, unless it may stand more than once.
    #[must_use]
    pub fn with(self, name: Name, value: &str) -> Draft {
        self.with_value(name, |values| values.extend_from_slice(value.as_bytes()))
    }

    /// Sets a field to an id, which is written in angle brackets.
    fn with_id(self, name: Name, id: &str) -> Draft {
        self.with_value(name, |values| {
            for part in ["<", id, ">"] {
                values.extend_from_slice(part.as_bytes());
            }
        })
    }

    /// Sets a field to what is appended.
    fn with_value(mut self, name: Name, append: impl FnOnce(&mut Vec<u8>)) -> Draft {
        let start = self.values.len();
        append(&mut self.values);
        let value = start..self.values.len();
        let is_it = |field: &Field| field.name == name;
        if !name.repeats()
            && let Some(place) = self.fields.iter().position(is_it)
        {
            if let Some(first) = self.fields.get_mut(place) {
                first.value = value;
            }
            // A header that was read may have it more than once.
            let mut seen = false;
            self.fields.retain(|field| !is_it(field) || !std::mem::replace(&mut seen, true));
            return self;
        }
        self.fields.push(Field { name, spelling: name.text().into(), value });
        self
    }

    fn spelled(&mut self, spelling: String, value: &[u8]) {
        let start = self.values.len();
        self.values.extend_from_slice(value);
        let (name, value) = (Name::of(spelling.as_bytes()), start..self.values.len());
        self.fields.push(Field { name, spelling: spelling.into(), value });
    }

    fn value(&self, field: &Field) -> &[u8] {
        self.values.get(field.value.clone()).unwrap_or_default()
    }

    /// Adds a field that no standard lists.
    #[must_use]
    pub fn with_named(mut self, name: &str, value: &str) -> Draft {
        self.spelled(name.to_owned(), value.as_bytes());
        self
    }

    /// Takes a field out.
    pub fn remove(&mut self, name: Name) {
        self.fields.retain(|field| field.name != name);
    }

    /// Value of the first field of this name.
    #[must_use]
    pub fn get(&self, name: Name) -> Option<Cow<'_, str>> {
        let found = self.fields.iter().find(|field| field.name == name);
        found.map(|field| String::from_utf8_lossy(self.value(field)))
    }

    /// The header without the fields that cannot be written, and the names of these.
    #[must_use]
    pub fn sanitized(mut self) -> (Draft, Vec<String>) {
        let fields = std::mem::take(&mut self.fields);
        let is_sound = |field: &Field| is_writable(field, self.value(field));
        let (sound, unsound): (_, Vec<Field>) = fields.into_iter().partition(is_sound);
        self.fields = sound;
        (self, unsound.into_iter().map(|field| field.spelling.into_owned()).collect())
    }

    /// `WARC-Target-URI`.
    #[must_use]
    pub fn target_uri(self, uri: &str) -> Draft {
        self.with(Name::TargetUri, uri)
    }

    /// `Content-Type` of the block.
    #[must_use]
    pub fn content_type(self, media: &str) -> Draft {
        self.with(Name::ContentType, media)
    }

    /// `WARC-IP-Address`.
    #[must_use]
    pub fn ip_address(self, address: IpAddr) -> Draft {
        self.with(Name::IpAddress, &address.to_string())
    }

    /// `WARC-Block-Digest`.
    #[must_use]
    pub fn block_digest(self, digest: &Digest) -> Draft {
        self.with_value(Name::BlockDigest, |values| digest.append_to(values))
    }

    /// `WARC-Payload-Digest`.
    #[must_use]
    pub fn payload_digest(self, digest: &Digest) -> Draft {
        self.with_value(Name::PayloadDigest, |values| digest.append_to(values))
    }

    /// `WARC-Concurrent-To`, an id without angle brackets; may be said of several records.
    #[must_use]
    pub fn concurrent_to(self, id: &str) -> Draft {
        self.with_id(Name::ConcurrentTo, id)
    }

    /// `WARC-Warcinfo-ID`, an id without angle brackets.
    #[must_use]
    pub fn warcinfo_id(self, id: &str) -> Draft {
        self.with_id(Name::WarcinfoId, id)
    }

    /// What a revisit stands for: the profile, and the record that holds the payload by its URI, date and id.
    #[must_use]
    pub fn revisit_of(self, profile: &Profile, uri: &str, date: Timestamp, id: Option<&str>) -> Draft {
        let written = match self.version {
            Version::Warc1_0 => urlkey::time::to_warc_date(date),
            _ => urlkey::time::to_warc_date_precise(date),
        };
        let uri_of_profile = profile.uri(self.version);
        let draft = self
            .with(Name::Profile, &uri_of_profile)
            .with(Name::RefersToTargetUri, uri)
            .with(Name::RefersToDate, &written);
        match id {
            Some(id) => draft.with_id(Name::RefersTo, id),
            None => draft,
        }
    }

    /// The header block as written: version line, fields, `Content-Length`, blank line.
    pub fn to_bytes(&self, content_length: u64) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::with_capacity(1024);
        self.write_to(content_length, &mut bytes)?;
        Ok(bytes)
    }

    /// Appends [`to_bytes`](Draft::to_bytes).
    pub(crate) fn write_to(&self, content_length: u64, bytes: &mut Vec<u8>) -> Result<(), Error> {
        bytes.extend_from_slice(self.version.line().as_bytes());
        bytes.extend_from_slice(b"\r\n");
        for field in &self.fields {
            let value = self.value(field);
            if !is_writable(field, value) {
                return Err(Error::FieldValue { name: field.spelling.escape_debug().collect() });
            }
            for part in [field.spelling.as_bytes(), b": ", value, b"\r\n"] {
                bytes.extend_from_slice(part);
            }
        }
        bytes.extend_from_slice(format!("Content-Length: {content_length}\r\n\r\n").as_bytes());
        Ok(())
    }
}

impl PartialEq for Draft {
    fn eq(&self, other: &Draft) -> bool {
        let fields = |draft: &Draft| -> Vec<(Name, String, Vec<u8>)> {
            let told = |field: &Field| (field.name, field.spelling.to_string(), draft.value(field).to_vec());
            draft.fields.iter().map(told).collect()
        };
        (self.version, fields(self)) == (other.version, fields(other))
    }
}

impl Eq for Draft {}

/// Whether a field can stand in a header without being taken for something else.
fn is_writable(field: &Field, value: &[u8]) -> bool {
    // With a slash, which no name has by the standard, it could pass for the first line of another record.
    let is_token = |byte: u8| byte.is_ascii_graphic() && byte != b':' && byte != b'/';
    let is_sound = |byte: u8| byte == b'\t' || !byte.is_ascii_control();
    let is_name =
        field.name != Name::Other || (!field.spelling.is_empty() && field.spelling.bytes().all(is_token));
    is_name && value.iter().all(|&byte| is_sound(byte))
}

/// The block of a warcinfo record, `application/warc-fields`. Line breaks in values are folded.
#[must_use]
pub fn warcinfo_block(fields: &[(&str, &str)]) -> Vec<u8> {
    let mut block = String::new();
    for (name, value) in fields {
        let folded =
            value.split(['\r', '\n']).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\r\n ");
        block.push_str(&format!("{name}: {folded}\r\n"));
    }
    block.into_bytes()
}
