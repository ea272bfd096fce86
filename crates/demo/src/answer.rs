//! From a path to what the paper's server says.

use std::borrow::Cow;

use crate::edition::{self, Edition};
use crate::{data, feeds, files, pages, timetable};

pub(crate) const HTML: &str = "text/html; charset=utf-8";
/// How old pages are: the paper's first web site was never converted.
pub(crate) const HTML_1252: &str = "text/html; charset=windows-1252";
pub(crate) const JSON: &str = "application/json";

/// What the server says to a `GET`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// The value of `Content-Type`.
    pub content_type: &'static str,
    /// Further fields, without `Content-Type` and `Content-Length`.
    pub fields: Vec<(&'static str, Cow<'static, str>)>,
    /// The payload.
    pub body: Cow<'static, [u8]>,
}

impl Answer {
    /// A good answer.
    pub(crate) fn ok(content_type: &'static str, body: impl Into<Cow<'static, [u8]>>) -> Answer {
        Answer { status: 200, content_type, fields: Vec::new(), body: body.into() }
    }

    /// A good page.
    pub(crate) fn page(text: String) -> Answer {
        Answer::ok(HTML, text.into_bytes())
    }

    pub(crate) fn with_status(mut self, status: u16) -> Answer {
        self.status = status;
        self
    }

    pub(crate) fn with(mut self, name: &'static str, value: impl Into<Cow<'static, str>>) -> Answer {
        self.fields.push((name, value.into()));
        self
    }

    /// What stands behind the code in the status line.
    pub fn reason(&self) -> &'static str {
        match self.status {
            200 => "OK",
            301 => "Moved Permanently",
            404 => "Not Found",
            500 => "Internal Server Error",
            _ => "",
        }
    }
}

/// What the site of this edition (1, 2 or 3) says to a `GET` of this path, which may have a query.
///
/// The same question has the same answer on every machine and every day. What the site does not have is a page with
/// status 404.
pub fn answer(edition: u8, path: &str) -> Answer {
    let edition = edition::of(edition);
    let path = path.split('#').next().unwrap_or_default();
    let (path, _query) = path.split_once('?').unwrap_or((path, ""));
    found(edition, path).unwrap_or_else(|| pages::missing(edition))
}

fn found(edition: Edition, path: &str) -> Option<Answer> {
    pages::find(edition, path)
        .or_else(|| data::find(edition, path))
        .or_else(|| feeds::find(edition, path))
        .or_else(|| timetable::find(edition, path))
        .or_else(|| files::find(edition, path))
}
