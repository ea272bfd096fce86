//! What a record says of itself.

use std::borrow::Cow;
use std::io::{BufRead, Read};

use cdx::{Capture, Extra, Field, Timestamp, Value};
use urlkey::time;
use warc::{Algorithm, Hasher, Head, HttpHead, Name, Record, RecordType};

use crate::error::{Error, excerpt};
use crate::fields::Asked;
use crate::options::{Options, Style};
use crate::request::Request;

/// A capture that is not ready: its record may turn out to belong to the next one.
#[derive(Debug)]
pub(crate) struct Draft {
    /// Whether it is written, or only serves its neighbour.
    pub(crate) is_wanted: bool,
    pub(crate) kind: RecordType,
    pub(crate) url: Option<String>,
    pub(crate) id: Option<String>,
    pub(crate) concurrent_to: Vec<String>,
    pub(crate) capture: Capture<'static>,
    /// What was asked for beyond the usual, as far as the record itself tells.
    pub(crate) asked: Vec<Asked>,
    /// What the record asks of a server, if it is a request.
    pub(crate) request: Option<Request>,
    /// The request that belongs to the record.
    pub(crate) answers: Option<Request>,
}

impl Draft {
    /// Reads a record to its end.
    pub(crate) fn of<R: Read>(
        mut record: Record<'_, R>,
        kind: &RecordType,
        options: &Options,
    ) -> Result<Draft, Error> {
        if !options.minimal {
            record.http()?;
        }
        let (head, http) = (record.head(), record.http_head());
        if options.verify_http {
            verify(kind, http, record.offset())?;
        }
        let url =
            if *kind == RecordType::Warcinfo || *kind == RecordType::ArcHeader { None } else { url_of(head) };
        let mut draft = Draft {
            is_wanted: true,
            kind: kind.clone(),
            url,
            id: head.record_id().map(Cow::into_owned),
            concurrent_to: head.concurrent_to().map(Cow::into_owned).collect(),
            capture: Capture {
                timestamp: timestamp_of(head),
                mime: mime_of(kind, head, http, options).map(Into::into),
                status: status_of(kind, http, options),
                digest: digest_of(head).map(Into::into),
                offset: Some(record.offset()),
                ..Capture::default()
            },
            asked: options.fields.of_record(kind, head, http),
            request: None,
            answers: None,
        };
        if options.style == Style::Pywb && !options.minimal {
            draft.capture.extra = pywb_extras(head);
        }
        let needs_digest = draft.capture.digest.is_none() && has_digest(kind, options.style);
        let mut hasher = needs_digest.then(|| Hasher::new(Algorithm::Sha1));
        if *kind == RecordType::Request && !options.minimal {
            draft.request = Request::read(&mut record, options, hasher.as_mut())?;
        }
        if let Some(mut hasher) = hasher {
            if !is_blank(&mut record)? {
                hash_rest(&mut record, &mut hasher)?;
            }
            draft.capture.digest = Some(format!("sha1:{}", hasher.finish().base32()).into());
        }
        draft.capture.length = Some(record.finish()?.length);
        Ok(draft)
    }

    /// Hands on the capture, if it is wanted.
    pub(crate) fn emit(mut self, options: &Options, sink: &mut impl FnMut(Capture<'static>)) {
        if !self.is_wanted {
            return;
        }
        let request =
            self.answers.as_ref().or(self.request.as_ref().filter(|_| self.kind == RecordType::Request));
        let appended = self.answers.as_ref().and_then(|request| request.query(options));
        let url = match (&self.url, &appended) {
            (Some(url), Some(query)) => Some(Cow::Owned(urlkey::request::append_query(url, query))),
            (Some(url), None) => Some(Cow::Borrowed(url.as_str())),
            (None, _) => None,
        };
        self.capture.key = url.map(|url| urlkey::key(&url).into());
        if options.bare_digests || options.style == Style::Pywb {
            let bare = self.capture.digest.as_deref().and_then(|digest| digest.strip_prefix("sha1:"));
            self.capture.digest =
                bare.map(|digest| Cow::Owned(digest.to_owned())).or(self.capture.digest.take());
            // A label without a digest behind it says nothing.
            self.capture.digest = self.capture.digest.take().filter(|digest| !digest.is_empty());
        }
        if let (Some(request), Some(query)) = (&self.answers, &appended)
            && self.kind != RecordType::Request
        {
            request.describe(query, options.style, &mut self.capture);
        }
        let asked = options.fields.complete(std::mem::take(&mut self.asked), request);
        self.capture.url = self.url.map(Into::into);
        sink(options.fields.apply(self.capture, asked));
    }
}

/// A header value as text: UTF-8, or else taken byte by byte, as old files have it.
pub(crate) fn text(bytes: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
    }
}

fn url_of(head: &Head) -> Option<String> {
    let uri = head.get(Name::TargetUri)?;
    let uri = uri.strip_prefix(b"<").and_then(|inner| inner.strip_suffix(b">")).unwrap_or(uri);
    // A blank cannot stand in a URL, and would break a line of columns.
    Some(text(uri).replace(' ', "%20")).filter(|uri| !uri.is_empty())
}

fn timestamp_of(head: &Head) -> Option<Timestamp> {
    let date = head.date_text()?;
    // ARC files exist whose times have more digits than 14.
    let digits = date.get(..14).filter(|_| date.bytes().all(|byte| byte.is_ascii_digit()));
    if let Ok(timestamp) = Timestamp::parse(digits.unwrap_or(&date)) {
        return Some(timestamp);
    }
    let instant = head.date().or_else(|| time::parse_lenient(&date).ok())?;
    Timestamp::parse(&time::to_14(instant)).ok()
}

fn mime_of(kind: &RecordType, head: &Head, http: Option<&HttpHead>, options: &Options) -> Option<String> {
    let of_record = || head.get(Name::ContentType).and_then(media_type);
    let of_http = || http.and_then(|http| http.get("content-type")).and_then(media_type);
    let unknown = || Some("unk".to_owned());
    match (kind, options.style) {
        (RecordType::Revisit, _) => Some("warc/revisit".to_owned()),
        _ if options.minimal => None,
        (RecordType::Response | RecordType::Request, Style::CdxjIndexer) => of_http(),
        (_, Style::CdxjIndexer) => of_record(),
        (RecordType::Request, Style::Pywb) => of_http(),
        // The line of an ARC record has what the server said, or what the crawler made of it.
        (RecordType::Response, Style::Pywb) if http.is_some() && !head.version().is_arc() => {
            of_http().or_else(unknown)
        }
        (_, Style::Pywb) => of_record().or_else(unknown),
    }
}

/// What stands before the first semicolon or blank. Its case is the server's.
fn media_type(value: &[u8]) -> Option<String> {
    let value = text(value.trim_ascii());
    let media = value.split([';', ' ']).next().unwrap_or_default();
    (!media.is_empty()).then(|| media.to_owned())
}

fn status_of(kind: &RecordType, http: Option<&HttpHead>, options: &Options) -> Option<u16> {
    let of_http = http.and_then(HttpHead::status);
    match (kind, options.style) {
        _ if options.minimal => None,
        (RecordType::Response | RecordType::Revisit, Style::CdxjIndexer) => of_http,
        // What came without a status line came.
        (RecordType::Response, Style::Pywb) => of_http.or(Some(200).filter(|_| http.is_none())),
        _ => None,
    }
}

/// What pywb takes over from record headers that no standard has.
fn pywb_extras(head: &Head) -> Vec<Extra<'static>> {
    let value = |header: &str| Some(Value::Text(text(head.get_named(header)?).into_owned().into()));
    let metadata = value("WARC-JSON-Metadata").map(|value| Extra::first("metadata", value));
    let detected = value("WARC-Identified-Payload-Type")
        .map(|value| Extra::behind(&Field::Mime, "mime-detected", value));
    metadata.into_iter().chain(detected).collect()
}

fn digest_of(head: &Head) -> Option<String> {
    let digest = text(head.get(Name::PayloadDigest)?).into_owned();
    (!digest.is_empty()).then_some(digest)
}

/// Whether a digest is made where the record has none.
fn has_digest(kind: &RecordType, style: Style) -> bool {
    match kind {
        RecordType::Warcinfo | RecordType::ArcHeader | RecordType::Revisit => false,
        RecordType::Request => style == Style::CdxjIndexer,
        _ => true,
    }
}

/// Whether an HTTP message should stand here and there is nothing but line ends: records of a wrong length are like that.
fn is_blank<R: Read>(record: &mut Record<'_, R>) -> Result<bool, Error> {
    const BLANK_BYTES_MAX: u64 = 4;
    if record.http_head().is_some() || !record.head().holds_http() || record.left() > BLANK_BYTES_MAX {
        return Ok(false);
    }
    let offset = record.offset();
    let bytes = record.fill_buf().map_err(Error::block(offset))?;
    Ok(bytes.iter().all(|byte| matches!(byte, b'\r' | b'\n')))
}

fn hash_rest<R: Read>(record: &mut Record<'_, R>, hasher: &mut Hasher) -> Result<(), Error> {
    let offset = record.offset();
    loop {
        let bytes = record.fill_buf().map_err(Error::block(offset))?;
        if bytes.is_empty() {
            return Ok(());
        }
        hasher.update(bytes);
        let count = bytes.len();
        record.consume(count);
    }
}

fn verify(kind: &RecordType, http: Option<&HttpHead>, offset: u64) -> Result<(), Error> {
    const METHODS: [&str; 9] =
        ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"];
    let Some(http) = http else { return Ok(()) };
    let line = http.first_line();
    let word = line.split(' ').next().unwrap_or_default();
    let is_sound = match kind {
        RecordType::Request => METHODS.contains(&word),
        _ => matches!(word, "HTTP/1.0" | "HTTP/1.1"),
    };
    if is_sound { Ok(()) } else { Err(Error::NotHttp { offset, line: excerpt(&line) }) }
}
