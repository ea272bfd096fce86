//! One capture: what a line of an index says about one record of one archive file.
//!
//! Fields borrow from the line they were read from; [`Capture::into_owned`] cuts that tie. A value that a line leaves out
//! or writes as `-` is `None`.

use std::borrow::Cow;

use crate::cdxj::slot_behind;
use crate::error::excerpt;
use crate::{Error, Field, Timestamp};

/// A capture. Every field may be missing: there are layouts without each of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Capture<'a> {
    /// The canonical URL that lines are sorted by, usually as SURT (`org,example)/a`).
    pub key: Option<Cow<'a, str>>,
    /// When it was captured.
    pub timestamp: Option<Timestamp>,
    /// The URL as it was asked for.
    pub url: Option<Cow<'a, str>>,
    /// The media type that the server claimed, or `warc/revisit`.
    pub mime: Option<Cow<'a, str>>,
    /// The HTTP status.
    pub status: Option<u16>,
    /// Digest of the payload, with or without a label such as `sha1:`.
    pub digest: Option<Cow<'a, str>>,
    /// Where the server pointed to.
    pub redirect: Option<Cow<'a, str>>,
    /// What the page's robots META says (`AIF`).
    pub robots: Option<Cow<'a, str>>,
    /// Bytes of the record as it lies in its file, packed if the file is.
    pub length: Option<u64>,
    /// Where in its file the record begins.
    pub offset: Option<u64>,
    /// The file that holds the record.
    pub filename: Option<Cow<'a, str>>,
    /// Where the payload of a revisit lies, if that has been looked up.
    pub original: Option<Box<Place<'a>>>,
    /// What else the line says, in its order.
    pub extra: Vec<Extra<'a>>,
}

/// Where a record lies.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place<'a> {
    /// Bytes of the record as it lies in its file.
    pub length: Option<u64>,
    /// Where in its file the record begins.
    pub offset: Option<u64>,
    /// The file that holds the record.
    pub filename: Option<Cow<'a, str>>,
}

/// A field without a place of its own in [`Capture`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extra<'a> {
    /// Its name.
    pub name: Cow<'a, str>,
    /// Its value.
    pub value: Value<'a>,
    /// How many of [`cdxj::ORDER`](crate::cdxj::ORDER) it stands behind: a line is written as it was read.
    pub(crate) slot: u8,
}

/// Value of an [`Extra`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value<'a> {
    /// A text.
    Text(Cow<'a, str>),
    /// Any other JSON, as it stands in the line.
    Json(Cow<'a, str>),
}

/// What a revisit record has for a media type.
const REVISIT: &str = "warc/revisit";

impl<'a> Capture<'a> {
    /// Whether this is a revisit: a record that says "the same as before" and has no payload of its own.
    #[must_use]
    pub fn is_revisit(&self) -> bool {
        self.mime.as_deref() == Some(REVISIT)
    }

    /// The field as a line would show it, or `None` where it is missing.
    #[must_use]
    pub fn text(&self, field: &Field) -> Option<Cow<'_, str>> {
        fn borrowed<'b>(text: &'b Option<Cow<'_, str>>) -> Option<Cow<'b, str>> {
            text.as_deref().map(Cow::Borrowed)
        }
        fn number(number: Option<u64>) -> Option<Cow<'static, str>> {
            number.map(|number| Cow::Owned(number.to_string()))
        }
        match field {
            Field::Key => borrowed(&self.key),
            Field::Timestamp => self.timestamp.map(|timestamp| Cow::Owned(timestamp.to_string())),
            Field::Url => borrowed(&self.url),
            Field::Mime => borrowed(&self.mime),
            Field::Status => number(self.status.map(u64::from)),
            Field::Digest => borrowed(&self.digest),
            Field::Redirect => borrowed(&self.redirect),
            Field::Robots => borrowed(&self.robots),
            Field::Length => number(self.length),
            Field::Offset => number(self.offset),
            Field::Filename => borrowed(&self.filename),
            Field::OriginalLength => number(self.original.as_ref()?.length),
            Field::OriginalOffset => number(self.original.as_ref()?.offset),
            Field::OriginalFilename => borrowed(&self.original.as_ref()?.filename),
            Field::Other(name) => self.extra(name).map(|value| Cow::Borrowed(value.as_str())),
        }
    }

    /// The extra field of this name.
    #[must_use]
    pub fn extra(&self, name: &str) -> Option<&Value<'a>> {
        self.extra.iter().find(|extra| extra.name == name).map(|extra| &extra.value)
    }

    /// Sets a field to what a line shows; `-` and nothing mean that it is missing.
    ///
    /// # Errors
    /// When a number or a time is expected and the text is none.
    pub fn set_text(&mut self, field: &Field, text: Cow<'a, str>) -> Result<(), Error> {
        let text = Some(text).filter(|text| !matches!(text.as_ref(), "" | "-"));
        match field {
            Field::Key => self.key = text,
            Field::Timestamp => self.timestamp = text.as_deref().map(Timestamp::parse).transpose()?,
            Field::Url => self.url = text,
            Field::Mime => self.mime = text,
            Field::Status => self.status = number(field, text.as_deref())?,
            Field::Digest => self.digest = text,
            Field::Redirect => self.redirect = text,
            Field::Robots => self.robots = text,
            Field::Length => self.length = number(field, text.as_deref())?,
            Field::Offset => self.offset = number(field, text.as_deref())?,
            Field::Filename => self.filename = text,
            // Resolved revisits are rare; a capture without an original needs no room for one.
            Field::OriginalLength | Field::OriginalOffset | Field::OriginalFilename if text.is_none() => {}
            Field::OriginalLength => self.original_mut().length = number(field, text.as_deref())?,
            Field::OriginalOffset => self.original_mut().offset = number(field, text.as_deref())?,
            Field::OriginalFilename => self.original_mut().filename = text,
            Field::Other(name) => {
                if let Some(text) = text {
                    self.extra.push(Extra::new(name.to_string(), Value::Text(text)));
                }
            }
        }
        Ok(())
    }

    /// The same capture, with copies of all it borrowed.
    #[must_use]
    pub fn into_owned(self) -> Capture<'static> {
        fn owned(text: Option<Cow<'_, str>>) -> Option<Cow<'static, str>> {
            text.map(|text| Cow::Owned(text.into_owned()))
        }
        Capture {
            key: owned(self.key),
            timestamp: self.timestamp,
            url: owned(self.url),
            mime: owned(self.mime),
            status: self.status,
            digest: owned(self.digest),
            redirect: owned(self.redirect),
            robots: owned(self.robots),
            length: self.length,
            offset: self.offset,
            filename: owned(self.filename),
            original: self.original.map(|place| {
                Box::new(Place {
                    length: place.length,
                    offset: place.offset,
                    filename: owned(place.filename),
                })
            }),
            extra: self.extra.into_iter().map(Extra::into_owned).collect(),
        }
    }

    fn original_mut(&mut self) -> &mut Place<'a> {
        self.original.get_or_insert_default()
    }
}

impl<'a> Extra<'a> {
    /// A field that stands behind all others.
    #[must_use]
    pub fn new(name: impl Into<Cow<'a, str>>, value: Value<'a>) -> Extra<'a> {
        Extra { name: name.into(), value, slot: u8::MAX }
    }

    /// A field that stands before all others.
    #[must_use]
    pub fn first(name: impl Into<Cow<'a, str>>, value: Value<'a>) -> Extra<'a> {
        Extra { name: name.into(), value, slot: 0 }
    }

    /// A field that stands behind this one, as CDXJ has them in order.
    #[must_use]
    pub fn behind(field: &Field, name: impl Into<Cow<'a, str>>, value: Value<'a>) -> Extra<'a> {
        Extra { name: name.into(), value, slot: slot_behind(field) }
    }

    /// The same field, with copies of all it borrowed.
    #[must_use]
    pub fn into_owned(self) -> Extra<'static> {
        let value = match self.value {
            Value::Text(text) => Value::Text(Cow::Owned(text.into_owned())),
            Value::Json(json) => Value::Json(Cow::Owned(json.into_owned())),
        };
        Extra { name: Cow::Owned(self.name.into_owned()), value, slot: self.slot }
    }
}

impl Value<'_> {
    /// The text, or the JSON as it stands in the line.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Value::Text(text) | Value::Json(text) => text,
        }
    }
}

/// A number of digits only. `-1` is how OutbackCDX says that it does not know.
fn number<N: TryFrom<u64>>(field: &Field, text: Option<&str>) -> Result<Option<N>, Error> {
    let Some(text) = text.filter(|text| *text != "-1") else { return Ok(None) };
    let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let number =
        is_digits.then(|| text.parse::<u64>().ok()).flatten().and_then(|number| N::try_from(number).ok());
    match number {
        Some(number) => Ok(Some(number)),
        None => Err(Error::BadNumber { field: field.name().to_owned(), value: excerpt(text) }),
    }
}
