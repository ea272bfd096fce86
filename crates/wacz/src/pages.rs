//! Lists of pages: where to begin to look, `pages/pages.jsonl`, and further lists of the same form.

use std::io::{BufRead, Read as _};

use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::error::Error;
use crate::limits::Limits;

/// What the first line of a list says it is.
pub const PAGES_FORMAT: &str = "json-pages-1.0";

/// The first line of a list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PagesHead {
    /// Which list it is: `pages`, `extra`, …
    pub id: String,
    /// What it is called.
    pub title: Option<String>,
    /// Whether pages come with their text.
    pub has_text: bool,
}

/// A page of a list.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Page {
    /// Its URL.
    pub url: String,
    /// When it was captured.
    pub at: Timestamp,
    /// Its title.
    pub title: Option<String>,
    /// Something that tells it from others.
    pub id: Option<String>,
    /// What it says.
    pub text: Option<String>,
    /// Whatever else is told of it: `seed`, `depth`, `mime`, `status`, `size`, …
    pub other: Map<String, Value>,
}

impl PagesHead {
    /// As a line, with its end.
    #[must_use]
    pub fn to_line(&self) -> Vec<u8> {
        let mut object = Map::new();
        object.insert("format".to_owned(), PAGES_FORMAT.into());
        object.insert("id".to_owned(), self.id.clone().into());
        if let Some(title) = &self.title {
            object.insert("title".to_owned(), title.clone().into());
        }
        if self.has_text {
            object.insert("hasText".to_owned(), true.into());
        }
        line(object)
    }

    fn of(object: &Map<String, Value>) -> Result<PagesHead, &'static str> {
        let text = |name: &str| object.get(name).and_then(Value::as_str).map(str::to_owned);
        match text("format").as_deref() {
            Some(PAGES_FORMAT) => {}
            Some(_) => return Err("a list of pages of a format that is not known"),
            None => return Err("a list of pages does not begin with its format"),
        }
        let has_text = object.get("hasText").and_then(Value::as_bool).unwrap_or_default();
        Ok(PagesHead { id: text("id").unwrap_or_default(), title: text("title"), has_text })
    }
}

impl Page {
    /// As a line, with its end.
    #[must_use]
    pub fn to_line(&self) -> Vec<u8> {
        let mut object = Map::new();
        let mut put = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                object.insert(name.to_owned(), value.into());
            }
        };
        put("id", self.id.clone());
        put("url", Some(self.url.clone()));
        put("ts", Some(self.at.to_string()));
        put("title", self.title.clone());
        for (name, value) in &self.other {
            object.insert(name.clone(), value.clone());
        }
        if let Some(text) = &self.text {
            object.insert("text".to_owned(), text.clone().into());
        }
        line(object)
    }

    fn of(mut object: Map<String, Value>) -> Result<Page, String> {
        let mut text = |name: &str| match object.remove(name) {
            Some(Value::String(text)) => Some(text),
            _ => None,
        };
        let url = text("url").ok_or_else(|| "a page has no `url`".to_owned())?;
        let time = text("ts").or_else(|| text("timestamp")).ok_or_else(|| "a page has no `ts`".to_owned())?;
        let digits = time.len() >= 4 && time.bytes().all(|byte| byte.is_ascii_digit());
        let at = if digits {
            urlkey::time::parse_14(&urlkey::time::pad_earliest(time.get(..14).unwrap_or(&time)))
        } else {
            urlkey::time::parse_iso(&time).map(|date| date.timestamp)
        };
        let at =
            at.map_err(|_| format!("`ts` is no time: `{}`", time.chars().take(40).collect::<String>()))?;
        let (title, id, body) = (text("title"), text("id"), text("text"));
        Ok(Page { url, at, title, id, text: body, other: object })
    }
}

fn line(object: Map<String, Value>) -> Vec<u8> {
    let mut line = Value::Object(object).to_string().into_bytes();
    line.push(b'\n');
    line
}

/// Reads a list of pages line by line. A line that is none is an error with its number, and reading goes on behind it.
#[derive(Debug)]
pub struct PageReader<R> {
    source: R,
    name: String,
    line_bytes_max: usize,
    number: u64,
    head: Option<PagesHead>,
    line: Vec<u8>,
    is_over: bool,
}

impl<R: BufRead> PageReader<R> {
    /// Reads the list of this name.
    pub fn new(source: R, name: &str, limits: &Limits) -> PageReader<R> {
        PageReader {
            source,
            name: name.to_owned(),
            line_bytes_max: limits.line_bytes,
            number: 0,
            head: None,
            line: Vec::new(),
            is_over: false,
        }
    }

    /// What the first line says, once the first page has been asked for.
    #[must_use]
    pub fn head(&self) -> Option<&PagesHead> {
        self.head.as_ref()
    }

    /// Number of the line that was read last, counted from 1.
    #[must_use]
    pub fn line_number(&self) -> u64 {
        self.number
    }

    fn read_line(&mut self) -> Result<bool, Error> {
        self.line.clear();
        let most = self.line_bytes_max as u64 + 1;
        self.source.by_ref().take(most).read_until(b'\n', &mut self.line).map_err(Error::from_io)?;
        if self.line.is_empty() {
            return Ok(false);
        }
        self.number += 1;
        if self.line.len() as u64 == most && self.line.last() != Some(&b'\n') {
            self.is_over = true;
            let (found, limit) = (most, self.line_bytes_max as u64);
            return Err(Error::Limit { what: "bytes of a line of the list of pages", found, limit });
        }
        Ok(true)
    }

    fn page(&mut self) -> Result<Option<Page>, Error> {
        while self.read_line()? {
            if self.line.trim_ascii().is_empty() {
                continue;
            }
            let place = format!("line {} of `{}`", self.number, self.name);
            let wrong = |what: String| Error::Json { place: place.clone(), what };
            let object: Map<String, Value> =
                serde_json::from_slice(&self.line).map_err(|error| wrong(error.to_string()))?;
            let is_first = self.number == 1;
            // A list without its head is a list all the same; that it lacks it is told once.
            if is_first || object.contains_key("format") && !object.contains_key("url") {
                let is_page = object.contains_key("url");
                match PagesHead::of(&object) {
                    Ok(head) => self.head = Some(head),
                    Err(what) => return Err(wrong(what.to_owned())),
                }
                if !is_page {
                    continue;
                }
            }
            return Page::of(object).map(Some).map_err(wrong);
        }
        Ok(None)
    }
}

impl<R: BufRead> Iterator for PageReader<R> {
    type Item = Result<Page, Error>;

    fn next(&mut self) -> Option<Result<Page, Error>> {
        if self.is_over {
            return None;
        }
        let page = self.page().transpose();
        if page.is_none() || matches!(page, Some(Err(Error::Read(_) | Error::Content { .. }))) {
            self.is_over = true;
        }
        page
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<Result<Page, Error>>, Option<PagesHead>) {
        let mut reader = PageReader::new(text.as_bytes(), "pages.jsonl", &Limits::default());
        let pages = reader.by_ref().collect();
        (pages, reader.head)
    }

    #[test]
    fn lists_read_back() {
        let head = PagesHead { id: "pages".to_owned(), title: Some("All".to_owned()), has_text: true };
        let mut page = Page {
            url: "http://example.org/".to_owned(),
            at: "2026-11-16T08:00:00.123Z".parse().unwrap(),
            title: Some("Herring".to_owned()),
            id: Some("1".to_owned()),
            text: Some("and\neel".to_owned()),
            ..Page::default()
        };
        page.other.insert("seed".to_owned(), true.into());
        let text = [head.to_line(), page.to_line()].concat();
        let (pages, found) = read(str::from_utf8(&text).unwrap());
        assert_eq!(found, Some(head));
        assert_eq!(pages.into_iter().map(Result::unwrap).collect::<Vec<_>>(), [page]);
    }

    #[test]
    fn a_bad_line_is_told_and_the_rest_read() {
        let (pages, head) = read(concat!(
            "{\"format\":\"json-pages-1.0\",\"id\":\"pages\"}\n",
            "nonsense\n",
            "{\"ts\":\"2026-01-01T00:00:00Z\"}\n",
            "{\"url\":\"http://a/\",\"ts\":\"yesterday\"}\n",
            "\n",
            "{\"url\":\"http://a/\",\"ts\":\"20260101000000\"}",
        ));
        assert!(head.is_some());
        let shown: Vec<String> = pages
            .into_iter()
            .map(|page| page.map_or_else(|error| error.to_string(), |page| page.at.to_string()))
            .collect();
        assert_eq!(shown.len(), 4, "{shown:?}");
        assert!(shown[0].starts_with("line 2 of `pages.jsonl`"), "{shown:?}");
        assert_eq!(shown[3], "2026-01-01T00:00:00Z");
    }

    #[test]
    fn a_line_without_end_is_not_held() {
        let limits = Limits { line_bytes: 10, ..Limits::default() };
        let mut reader = PageReader::new("x".repeat(100).leak().as_bytes(), "a", &limits);
        assert!(matches!(reader.next(), Some(Err(Error::Limit { .. }))));
        assert!(reader.next().is_none());
    }
}
