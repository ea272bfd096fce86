//! TimeMaps: all captures of a URL, in the three forms that clients ask for.
//!
//! Long ones come in pages, each of which begins at a time: `/web/timemap/link/20261116080000/http://example.org/`. The address of a
//! page is no parameter, because what stands behind a question mark belongs to the URL that is asked about.
//!
//! <https://www.rfc-editor.org/rfc/rfc7089#section-5>

use axum::http::{HeaderName, StatusCode, header};
use axum::response::Response;
use cdx::Timestamp;
use serde_json::json;

use crate::error::Error;
use crate::memento::{http_date, insert, of_original};
use crate::pages;
use crate::versions::{Row, Versions};
use crate::visit::{Visit, safe};

/// One page of a TimeMap.
struct Map<'a> {
    visit: &'a Visit,
    url: &'a str,
    rows: Vec<Row>,
    is_first: bool,
    /// Where the next page begins.
    next: Option<Timestamp>,
}

/// Answers with a TimeMap.
pub(crate) fn answer(visit: &Visit, format: &str, from: &str, url: &str) -> Result<Response, Error> {
    if !matches!(format, "link" | "json" | "cdxj") {
        return Ok(pages::no_such_form(visit, format));
    }
    let Some(map) = Map::read(visit, from, url)? else { return pages::missing(visit, url) };
    let (content_type, text) = match format {
        "json" => ("application/json", map.json()),
        "cdxj" => ("application/cdxj+ors", map.cdxj()),
        _ => ("application/link-format", map.link()),
    };
    let mut response = Response::new(axum::body::Body::from(text));
    *response.status_mut() = StatusCode::OK;
    let headers = response.headers_mut();
    insert(headers, header::CONTENT_TYPE, content_type);
    insert(headers, header::CACHE_CONTROL, "private, max-age=60");
    insert(headers, header::LINK, &of_original(visit, url));
    insert(headers, HeaderName::from_static("x-content-type-options"), "nosniff");
    Ok(response)
}

impl<'a> Map<'a> {
    fn read(visit: &'a Visit, from: &str, url: &'a str) -> Result<Option<Map<'a>>, Error> {
        let max = visit.replay.limits().mementos_in_page;
        let versions = Versions::unread(&visit.snapshot, &visit.key(url));
        let start = Timestamp::parse(from).ok();
        let all = start.map_or_else(|| versions.all(), |start| versions.from(start));
        let mut rows: Vec<Row> = Vec::new();
        let mut next = None;
        for row in all {
            let row = row?;
            if !visit.may_see(&row) {
                continue;
            }
            // A page ends where a second does, so that the next can begin with one.
            if rows.len() >= max && rows.last().is_some_and(|last| last.timestamp != row.timestamp) {
                next = row.timestamp;
                break;
            }
            // Nobody has as many captures of one second as that; what lies beyond is cut off.
            if rows.len() < 2 * max {
                rows.push(row);
            }
        }
        let is_first = start.is_none();
        Ok((!rows.is_empty()).then_some(Map { visit, url, rows, is_first, next }))
    }

    /// This page, and the next, by their addresses.
    fn page(&self, format: &str, from: Option<Timestamp>) -> String {
        match from {
            Some(from) => self.visit.map(&format!("{format}/{from}"), self.url),
            None => self.visit.map(format, self.url),
        }
    }

    fn itself(&self, format: &str) -> String {
        self.page(format, self.first().filter(|_| !self.is_first))
    }

    fn first(&self) -> Option<Timestamp> {
        self.rows.first().and_then(|row| row.timestamp)
    }

    fn last(&self) -> Option<Timestamp> {
        self.rows.last().and_then(|row| row.timestamp)
    }

    /// Each capture: its relation, address and time.
    fn mementos(&self) -> impl Iterator<Item = (&'static str, String, Timestamp)> {
        let count = self.rows.len();
        self.rows.iter().enumerate().filter_map(move |(at, row)| {
            let is_first = at == 0 && self.is_first;
            let is_last = at + 1 == count && self.next.is_none();
            let relation = match (is_first, is_last) {
                (true, true) => "first last memento",
                (true, false) => "first memento",
                (false, true) => "last memento",
                (false, false) => "memento",
            };
            let time = row.timestamp?;
            let url = row.url.as_deref().unwrap_or(self.url);
            Some((relation, self.visit.address(&time.to_string(), "", url), time))
        })
    }

    fn link(&self) -> String {
        let within = |at: Option<Timestamp>, name: &str| {
            at.map(|at| format!("; {name}=\"{}\"", http_date(at))).unwrap_or_default()
        };
        let kind = "type=\"application/link-format\"";
        let (from, until) = (within(self.first(), "from"), within(self.last(), "until"));
        let mut lines = vec![
            format!("<{}>; rel=\"original\"", safe(self.url)),
            format!("<{}>; rel=\"self\"; {kind}{from}{until}", self.itself("link")),
            format!("<{}>; rel=\"timegate\"", self.visit.gate(self.url)),
        ];
        if !self.is_first {
            lines.push(format!("<{}>; rel=\"timemap\"; {kind}", self.page("link", None)));
        }
        if let Some(next) = self.next {
            let from = within(Some(next), "from");
            lines.push(format!("<{}>; rel=\"next timemap\"; {kind}{from}", self.page("link", Some(next))));
        }
        lines.extend(self.mementos().map(|(relation, address, at)| {
            format!("<{address}>; rel=\"{relation}\"; datetime=\"{}\"", http_date(at))
        }));
        lines.join(",\n") + "\n"
    }

    fn json(&self) -> String {
        let list: Vec<_> =
            self.mementos().map(|(_, uri, at)| json!({ "datetime": iso(at), "uri": uri })).collect();
        let first = list.first().filter(|_| self.is_first).cloned();
        let last = list.last().filter(|_| self.next.is_none()).cloned();
        let mut map = json!({
            "original_uri": self.url,
            "self": self.itself("json"),
            "timegate_uri": self.visit.gate(self.url),
            "timemap_uri": self.forms(),
            "mementos": { "list": list },
        });
        if let Some(mementos) = map.get_mut("mementos").and_then(|mementos| mementos.as_object_mut()) {
            mementos.extend(first.map(|first| ("first".to_owned(), first)));
            mementos.extend(last.map(|last| ("last".to_owned(), last)));
        }
        if let (Some(next), Some(map)) = (self.next, map.as_object_mut()) {
            map.insert("next".to_owned(), self.page("json", Some(next)).into());
        }
        format!("{map:#}\n")
    }

    fn forms(&self) -> serde_json::Value {
        json!({
            "link_format": self.visit.map("link", self.url),
            "json_format": self.visit.map("json", self.url),
            "cdxj_format": self.visit.map("cdxj", self.url),
        })
    }

    fn cdxj(&self) -> String {
        let mut lines = vec![
            "!context [\"http://tools.ietf.org/html/rfc7089\"]".to_owned(),
            format!("!id {}", json!({ "uri": self.itself("cdxj") })),
            "!keys [\"memento_datetime_YYYYMMDDhhmmss\"]".to_owned(),
            format!("!meta {}", json!({ "original_uri": self.url })),
            format!("!meta {}", json!({ "timegate_uri": self.visit.gate(self.url) })),
            format!("!meta {}", json!({ "timemap_uri": self.forms() })),
        ];
        if let Some(next) = self.next {
            lines.push(format!("!meta {}", json!({ "next": self.page("cdxj", Some(next)) })));
        }
        lines.extend(self.mementos().map(|(relation, uri, at)| {
            format!("{at} {}", json!({ "uri": uri, "rel": relation, "datetime": http_date(at) }))
        }));
        lines.join("\n") + "\n"
    }
}

fn iso(at: Timestamp) -> String {
    urlkey::time::to_warc_date(urlkey::time::parse_14_clamped(&at.to_string()))
}
