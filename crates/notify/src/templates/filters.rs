//! The filters and tests of templates. None makes more of a text than was there, but for a little.

use std::collections::HashSet;

use jiff::Timestamp;
use minijinja::value::ValueKind;
use minijinja::{Environment, Error, ErrorKind, State, UndefinedBehavior, Value};

/// What there is.
pub(super) const FILTERS: [&str; 13] = [
    "date", "default", "first", "kind", "last", "length", "lines", "lower", "marked", "pages", "trim",
    "truncate", "upper",
];
/// What there is to ask.
pub(super) const TESTS: [&str; 2] = ["defined", "startingwith"];

/// How what is gone and what is new are told apart, in light and in dark, and without colours.
const DEL: &str = "<del style=\"background-color:rgba(248,81,73,.2);text-decoration:line-through\">";
const INS: &str = "<ins style=\"background-color:rgba(46,160,67,.25);text-decoration:underline\">";

/// How much longer a tag becomes by that, at most.
pub(super) const MARK_BYTES: usize = INS.len();

/// Makes them known.
pub(super) fn add(environment: &mut Environment<'static>) {
    environment.add_filter("date", date);
    environment.add_filter("default", default);
    environment.add_filter("first", first);
    environment.add_filter("kind", kind);
    environment.add_filter("last", last);
    environment.add_filter("length", length);
    environment.add_filter("lines", lines);
    environment.add_filter("lower", |state: &State, value: &Value| text(state, value).map(str::to_lowercase));
    environment.add_filter("marked", marked);
    environment.add_filter("pages", pages);
    environment.add_filter("trim", |state: &State, value: &Value| {
        text(state, value).map(|text| text.trim().to_owned())
    });
    environment.add_filter("truncate", truncate);
    environment.add_filter("upper", |state: &State, value: &Value| text(state, value).map(str::to_uppercase));
    environment.add_test("defined", |value: &Value| !value.is_undefined());
    environment.add_test("startingwith", |state: &State, value: &Value, start: &Value| {
        Ok::<bool, Error>(text(state, value)?.starts_with(text(state, start)?))
    });
}

/// A text; nothing counts as the empty one, but for a name that is not known when a template is tried.
fn text<'a>(state: &State, value: &'a Value) -> Result<&'a str, Error> {
    match value.kind() {
        ValueKind::Undefined if is_tried(state) => Err(ErrorKind::UndefinedError.into()),
        ValueKind::Undefined | ValueKind::None => Ok(""),
        _ => value.as_str().ok_or_else(|| wrong("a text is wanted")),
    }
}

fn is_tried(state: &State) -> bool {
    state.undefined_behavior() == UndefinedBehavior::Strict
}

fn wrong(why: &'static str) -> Error {
    Error::new(ErrorKind::InvalidOperation, why)
}

/// A time as people read it: `18 November 2026, 03:00 UTC`. What is none stays as it is.
fn date(state: &State, value: &Value) -> Result<Value, Error> {
    let time = match value.kind() {
        ValueKind::Number => None,
        _ => text(state, value)?.parse::<Timestamp>().ok(),
    };
    Ok(time.map_or_else(|| value.clone(), |at| Value::from(at.strftime("%-d %B %Y, %H:%M UTC").to_string())))
}

/// Something else where there is nothing.
fn default(value: &Value, other: Value) -> Value {
    if value.is_true() { value.clone() } else { other }
}

/// A list, as [`text`] is a text.
fn items(state: &State, value: &Value) -> Result<Vec<Value>, Error> {
    match value.kind() {
        ValueKind::Undefined if is_tried(state) => Err(ErrorKind::UndefinedError.into()),
        ValueKind::Undefined | ValueKind::None => Ok(Vec::new()),
        ValueKind::Seq | ValueKind::Iterable => value.try_iter().map(Iterator::collect),
        _ => Err(wrong("a list is wanted")),
    }
}

fn first(state: &State, value: &Value) -> Result<Value, Error> {
    Ok(items(state, value)?.into_iter().next().unwrap_or_default())
}

fn last(state: &State, value: &Value) -> Result<Value, Error> {
    Ok(items(state, value)?.pop().unwrap_or_default())
}

fn length(state: &State, value: &Value) -> Result<usize, Error> {
    match value.as_str() {
        Some(text) => Ok(text.chars().count()),
        None => items(state, value).map(|items| items.len()),
    }
}

/// The lines of a text, or the first so many of them.
fn lines(state: &State, value: &Value, most: Option<usize>) -> Result<Vec<String>, Error> {
    Ok(text(state, value)?.lines().take(most.unwrap_or(usize::MAX)).map(str::to_owned).collect())
}

/// No more than so many characters.
fn truncate(state: &State, value: &Value, most: usize) -> Result<String, Error> {
    let text = text(state, value)?;
    let mut chars = text.chars();
    let mut short: String = chars.by_ref().take(most).collect();
    if chars.next().is_some() {
        short.push('…');
    }
    Ok(short)
}

/// News of one kind.
fn kind(state: &State, value: &Value, kind: &Value) -> Result<Vec<Value>, Error> {
    let kind = text(state, kind)?;
    let mut found = items(state, value)?;
    found.retain(|item| item.get_attr("kind").is_ok_and(|of| of.as_str() == Some(kind)));
    Ok(found)
}

/// How many pages the news is about.
fn pages(state: &State, value: &Value) -> Result<usize, Error> {
    let items = items(state, value)?;
    let urls: HashSet<Option<String>> =
        items.iter().map(|item| Some(item.get_attr("url").ok()?.as_str()?.to_owned())).collect();
    Ok(urls.len())
}

/// HTML in which what is gone and what is new have colours, without a style sheet: many who show mail leave those out.
fn marked(state: &State, value: &Value) -> Result<Value, Error> {
    let html = text(state, value)?;
    match value.is_safe() {
        true => Ok(Value::from_safe_string(html.replace("<del>", DEL).replace("<ins>", INS))),
        false => Ok(value.clone()),
    }
}
