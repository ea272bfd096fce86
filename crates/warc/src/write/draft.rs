//! A record's header before it is written.

use std::borrow::Cow;
use std::net::IpAddr;

use jiff::Timestamp;

use crate::digest::Digest;
use crate::error::Error;
use crate::record::{Head, Name, Profile, RecordType, Version};

/// The header of a record to be written. `Content-Length` is the writer's business.
///
/// Ids and dates are handed in, so that the same inputs always give the same bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    version: Version,
    fields: Vec<Field>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Field {
    name: Name,
    /// As it is written.
    spelling: Cow<'static, str>,
    /// Bytes: what was read is written as it was, be it UTF-8 or not.
    value: Vec<u8>,
}

impl Field {
    fn spelled(spelling: String, value: &[u8]) -> Field {
        Field { name: Name::of(spelling.as_bytes()), spelling: spelling.into(), value: value.into() }
    }
}

impl Draft {
    /// A record of this type. `id` is a URI, such as `urn:uuid:…`, without angle brackets.
    #[must_use]
    pub fn new(version: Version, kind: &RecordType, id: &str, date: Timestamp) -> Draft {
        let date = match version {
            Version::Warc1_0 => urlkey::time::to_warc_date(date),
            _ => urlkey::time::to_warc_date_precise(date),
        };
        let draft = Draft { version, fields: Vec::new() };
        draft
            .with(Name::RecordType, kind.name())
            .with(Name::RecordId, &format!("<{id}>"))
            .with(Name::Date, &date)
    }

    /// The same header as a record that was read has, field by field; a WARC record keeps its version.
    #[must_use]
    pub fn like(head: &Head) -> Draft {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let fields = head
            .fields()
            .filter(|(name, _)| !name.is_empty() && Name::of(name) != Name::ContentLength)
            .map(|(name, value)| Field::spelled(text(name), value))
            .collect();
        let version = match head.version() {
            // The drafts before 1.0 are nearer to it than to 1.1.
            Version::Warc1_0 | Version::WarcDraft => Version::Warc1_0,
            _ => Version::Warc1_1,
        };
        Draft { version, fields }
    }

    /// Sets a field; one of that name that is there already is replaced, unless it may stand more than once.
    #[must_use]
    pub fn with(mut self, name: Name, value: &str) -> Draft {
        let is_it = |field: &Field| field.name == name;
        if !name.repeats()
            && let Some(place) = self.fields.iter().position(is_it)
        {
            if let Some(first) = self.fields.get_mut(place) {
                first.value = value.into();
            }
            // A header that was read may have it more than once.
            let mut seen = false;
            self.fields.retain(|field| !is_it(field) || !std::mem::replace(&mut seen, true));
            return self;
        }
        self.fields.push(Field { name, spelling: name.text().into(), value: value.into() });
        self
    }

    /// Adds a field that no standard lists.
    #[must_use]
    pub fn with_named(mut self, name: &str, value: &str) -> Draft {
        self.fields.push(Field::spelled(name.to_owned(), value.as_bytes()));
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
        found.map(|field| String::from_utf8_lossy(&field.value))
    }

    /// The header without the fields that cannot be written, and the names of these.
    #[must_use]
    pub fn sanitized(mut self) -> (Draft, Vec<String>) {
        let (sound, unsound): (_, Vec<Field>) = self.fields.into_iter().partition(is_writable);
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
        self.with(Name::BlockDigest, &digest.to_string())
    }

    /// `WARC-Payload-Digest`.
    #[must_use]
    pub fn payload_digest(self, digest: &Digest) -> Draft {
        self.with(Name::PayloadDigest, &digest.to_string())
    }

    /// `WARC-Concurrent-To`, an id without angle brackets; may be said of several records.
    #[must_use]
    pub fn concurrent_to(self, id: &str) -> Draft {
        self.with(Name::ConcurrentTo, &format!("<{id}>"))
    }

    /// `WARC-Warcinfo-ID`, an id without angle brackets.
    #[must_use]
    pub fn warcinfo_id(self, id: &str) -> Draft {
        self.with(Name::WarcinfoId, &format!("<{id}>"))
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
            Some(id) => draft.with(Name::RefersTo, &format!("<{id}>")),
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
            if !is_writable(field) {
                return Err(Error::FieldValue { name: field.spelling.escape_debug().collect() });
            }
            for part in [field.spelling.as_bytes(), b": ", &field.value, b"\r\n"] {
                bytes.extend_from_slice(part);
            }
        }
        bytes.extend_from_slice(format!("Content-Length: {content_length}\r\n\r\n").as_bytes());
        Ok(())
    }
}

/// Whether a field can stand in a header without being taken for something else.
fn is_writable(field: &Field) -> bool {
    // With a slash, which no name has by the standard, it could pass for the first line of another record.
    let is_token = |byte: u8| byte.is_ascii_graphic() && byte != b':' && byte != b'/';
    let is_sound = |byte: u8| byte == b'\t' || !byte.is_ascii_control();
    let is_name =
        field.name != Name::Other || (!field.spelling.is_empty() && field.spelling.bytes().all(is_token));
    is_name && field.value.iter().all(|&byte| is_sound(byte))
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
