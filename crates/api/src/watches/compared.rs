//! Differences as people and programs read them: unified, side by side, as HTML, or as findings.

use std::collections::HashMap;
use std::fmt::Write as _;

use diff::{Finding, Kind, Limits, What, lines};
use serde_json::{Value, json};

use super::watcher::Compared;
use crate::Error;

/// So many lines that are the same stand around a change.
const CONTEXT: usize = 3;

/// How a difference is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// What differs, finding by finding.
    #[default]
    Json,
    /// As `diff -u` has it.
    Unified,
    /// Rows of both texts.
    Side,
    /// A page with what was removed and added marked.
    Html,
}

impl Format {
    /// By its word.
    ///
    /// # Errors
    /// When there is no such format.
    pub fn parse(word: Option<&str>) -> Result<Format, Error> {
        match word {
            None | Some("json") => Ok(Format::Json),
            Some("unified") => Ok(Format::Unified),
            Some("side") => Ok(Format::Side),
            Some("html") => Ok(Format::Html),
            Some(_) => Err(Error::bad("a `format` is `json`, `unified`, `side` or `html`")),
        }
    }
}

impl Compared {
    /// Both texts as they are compared by default: what is only noise is in the older one as it is in the newer.
    #[must_use]
    pub fn quiet(&self) -> (String, String) {
        let (mut old, mut new) = (Lines::new(&self.old_text), Lines::new(&self.new_text));
        for finding in &self.row.left_out {
            hush(&mut old, &mut new, finding);
        }
        (old.joined(), new.joined())
    }

    /// What differs and is not to be seen in the texts: links, images, the title.
    pub fn unseen(&self) -> impl Iterator<Item = &Finding> {
        self.row.findings.iter().filter(|finding| finding.attribute.is_some() || finding.path == "title")
    }

    /// Both texts, as `diff -u` has it.
    #[must_use]
    pub fn unified(&self, with_noise: bool) -> String {
        let (old, new) = self.texts(with_noise);
        let row = &self.row;
        let name = |version: &super::VersionRow| {
            format!("{} version {} {}", version.url, version.number, version.time)
        };
        let limits = Limits::default();
        lines(&old, &new, &limits).unified(&name(&row.before), &name(&row.after), CONTEXT)
    }

    /// Both texts in rows.
    #[must_use]
    pub fn side(&self, with_noise: bool) -> Value {
        let (old, new) = self.texts(with_noise);
        let limits = Limits::default();
        let rows = lines(&old, &new, &limits).rows(Some(CONTEXT));
        let mut value = json!(self.row);
        if let Some(members) = value.as_object_mut() {
            members.insert("rows".to_owned(), json!(rows));
        }
        value
    }

    /// Both texts in one page, which needs no style.
    #[must_use]
    pub fn html(&self, with_noise: bool) -> String {
        let (old, new) = self.texts(with_noise);
        let row = &self.row;
        let title = format!("{}: version {} to {}", row.url, row.before.number, row.after.number);
        let title = escaped(&title);
        let mut page = format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title></head>\n<body><h1>{title}</h1>\n<pre>"
        );
        for span in lines(&old, &new, &Limits::default()).inline() {
            let text = escaped(span.text);
            // Writing to a string cannot fail.
            let _ = match span.kind {
                Kind::Same => write!(page, "{text}"),
                Kind::Removed => write!(page, "<del>{text}</del>"),
                Kind::Added => write!(page, "<ins>{text}</ins>"),
            };
        }
        page.push_str("</pre></body></html>\n");
        page
    }

    fn texts(&self, with_noise: bool) -> (String, String) {
        if with_noise { (self.old_text.clone(), self.new_text.clone()) } else { self.quiet() }
    }
}

/// Takes one finding out of the difference of two texts: each stands for one place.
fn hush<'a>(old: &mut Lines<'a>, new: &mut Lines<'a>, finding: &'a Finding) {
    if finding.attribute.is_some() {
        return;
    }
    match finding.what {
        What::Changed => {
            let places = old.find(&finding.old).zip(new.find(&finding.new));
            if let Some((old_at, new_at)) = places {
                let text = new.lines.get(new_at.clone()).unwrap_or_default().concat();
                old.put(old_at, text);
                new.take(new_at);
            }
        }
        What::Added => {
            if let Some(at) = new.find(&finding.new) {
                new.put(at, String::new());
            }
        }
        What::Removed => {
            if let Some(at) = old.find(&finding.old) {
                old.put(at, String::new());
            }
        }
        _ => {}
    }
}

/// Lines of a text, and where each stands that nobody has taken yet.
struct Lines<'a> {
    lines: Vec<&'a str>,
    /// What stands there instead.
    instead: HashMap<usize, String>,
    places: HashMap<&'a str, Vec<usize>>,
    taken: Vec<bool>,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Lines<'a> {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, line) in lines.iter().enumerate().rev() {
            places.entry(plain(line)).or_default().push(at);
        }
        Lines { taken: vec![false; lines.len()], instead: HashMap::new(), places, lines }
    }

    /// Where a text of one line or more stands.
    fn find(&self, text: &str) -> Option<std::ops::Range<usize>> {
        let wanted: Vec<&str> = text.lines().map(plain).collect();
        let first = self.places.get(*wanted.first()?)?;
        let is_there = |at: usize| {
            wanted.iter().enumerate().all(|(index, line)| {
                let found = self.lines.get(at + index).is_some_and(|found| plain(found) == *line);
                found && self.taken.get(at + index) == Some(&false)
            })
        };
        // The last of them is the first in the text; looking through many that are alike is not worth it.
        let at = first.iter().rev().copied().take(100).find(|at| is_there(*at))?;
        Some(at..at + wanted.len())
    }

    fn take(&mut self, at: std::ops::Range<usize>) {
        self.taken.get_mut(at).unwrap_or_default().fill(true);
    }

    fn put(&mut self, at: std::ops::Range<usize>, text: String) {
        self.take(at.clone());
        for line in at.clone() {
            self.instead.insert(line, String::new());
        }
        self.instead.insert(at.start, text);
    }

    fn joined(&self) -> String {
        let line = |(at, line): (usize, &&'a str)| match self.instead.get(&at) {
            Some(other) => other.clone(),
            None => (*line).to_owned(),
        };
        self.lines.iter().enumerate().map(line).collect()
    }
}

/// A line as findings have it: without its end, and without the star of a list.
fn plain(line: &str) -> &str {
    let line = line.trim_end_matches(['\n', '\r']);
    line.strip_prefix("* ").unwrap_or(line)
}

/// A text that means nothing in HTML.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            char => escaped.push(char),
        }
    }
    escaped
}
