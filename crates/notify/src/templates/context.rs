//! What templates get, brought within bounds on the way.

use std::collections::BTreeMap;

use minijinja::Value;
use serde::Serialize;
use serde_json::Value as Json;

use super::filters::MARK_BYTES;
use crate::bounded::{cut, one_line};
use crate::limits::{NEWS_HTML_MAX, NEWS_HTMLS_MAX, NEWS_LINES_MAX, NEWS_MAX, NEWS_TEXT_MAX, NEWS_TEXTS_MAX};

/// The longest text that is one line, in characters: a URL may be long.
const LINE_MAX: usize = 2000;
/// How deep tables stand in tables.
const DEPTH_MAX: usize = 8;

/// A bulletin as templates get it, and `more`: of how many pieces of news they are not told.
///
/// Every text is one line, but for those that are called `text`, and those that are called `html`, which are marked as HTML. Of those only so much is
/// given as fits into a letter: the later ones are empty then, so that a letter still tells of every page.
pub(super) fn read(bulletin: &impl Serialize) -> Result<Value, String> {
    let json = serde_json::to_value(bulletin).map_err(|error| error.to_string())?;
    let more =
        json.get("news").and_then(Json::as_array).map_or(0, |news| news.len().saturating_sub(NEWS_MAX));
    let Json::Object(mut fields) = json else { return Err("news is a table of values".to_owned()) };
    fields.insert("more".to_owned(), more.into());
    Ok(Reader { texts: NEWS_TEXTS_MAX, lines: NEWS_LINES_MAX, htmls: NEWS_HTMLS_MAX }.value(
        Json::Object(fields),
        "",
        DEPTH_MAX,
    ))
}

struct Reader {
    /// How many bytes of texts there may still be.
    texts: usize,
    /// How many lines of them.
    lines: usize,
    /// How many bytes of HTML.
    htmls: usize,
}

impl Reader {
    /// A value of this name; what stands in `links` is a link.
    fn value(&mut self, json: Json, name: &str, depth: usize) -> Value {
        match json {
            Json::Null => Value::from(()),
            Json::Bool(flag) => Value::from(flag),
            Json::Number(number) => match (number.as_i64(), number.as_f64()) {
                (Some(number), _) => Value::from(number),
                (None, number) => Value::from(number.unwrap_or_default()),
            },
            Json::String(text) => self.text(text, name),
            _ if depth == 0 => Value::from(()),
            Json::Array(list) => {
                list.into_iter().take(NEWS_MAX).map(|json| self.value(json, name, depth - 1)).collect()
            }
            Json::Object(fields) => {
                let is_links = name == "links";
                let fields = fields.into_iter().take(NEWS_MAX).map(|(key, json)| {
                    let name = if is_links { "links" } else { key.as_str() };
                    let value = self.value(json, name, depth - 1);
                    (key, value)
                });
                Value::from(fields.collect::<BTreeMap<String, Value>>())
            }
        }
    }

    fn text(&mut self, text: String, name: &str) -> Value {
        match name {
            "html" => {
                // Colours come to it, too.
                let marks = text.matches("<ins>").count() + text.matches("<del>").count();
                let bytes = text.len() + marks * MARK_BYTES;
                let fits = bytes <= self.htmls.min(NEWS_HTML_MAX);
                let (html, bytes) = if fits { (text, bytes) } else { (String::new(), 0) };
                self.htmls -= bytes;
                Value::from_safe_string(html)
            }
            "text" => {
                let text = cut(text, NEWS_TEXT_MAX);
                // Most of them are not shown, where there are many.
                let count = text.lines().count().min(100);
                let fits = text.len() <= self.texts && count <= self.lines;
                let (text, count) = if fits { (text, count) } else { (String::new(), 0) };
                (self.texts, self.lines) = (self.texts - text.len(), self.lines - count);
                // Lines are kept; what moves a cursor or turns the direction of what follows is not.
                Value::from(
                    text.lines().map(|line| one_line(line, usize::MAX)).collect::<Vec<_>>().join("\n"),
                )
            }
            "links" if !is_web(&text) => Value::from(""),
            _ => Value::from(one_line(&text, LINE_MAX)),
        }
    }
}

/// Whether it leads somewhere when it is clicked on, and runs nothing.
fn is_web(link: &str) -> bool {
    let starts =
        |scheme: &str| link.get(..scheme.len()).is_some_and(|head| head.eq_ignore_ascii_case(scheme));
    starts("https://") || starts("http://")
}
