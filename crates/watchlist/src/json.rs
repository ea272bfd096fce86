//! What readers of JSON need.

use serde_json::{Map, Value};

use crate::error::excerpt;
use crate::{Error, Place};

/// A JSON document.
pub(crate) fn parse(text: &str) -> Result<Value, Error> {
    serde_json::from_str(text).map_err(|error| {
        Error::syntax(Place::Line { line: error.line(), column: error.column().max(1) }, why(&error))
    })
}

/// What is wrong, without the place.
pub(crate) fn why(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or_default().to_owned()
}

/// A value as a text: strings as they are, nothing for what is empty.
pub(crate) fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.trim().is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The texts of a list, or of a text with a line for each, as older versions have it.
pub(crate) fn texts(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::Array(items)) => {
            items.iter().filter_map(text).map(|text| text.trim().to_owned()).collect()
        }
        Some(Value::String(text)) => {
            text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether somebody has said yes; some versions say it in words.
pub(crate) fn is_yes(value: Option<&Value>) -> bool {
    match value {
        Some(Value::Bool(is)) => *is,
        Some(Value::String(word)) => matches!(word.to_lowercase().as_str(), "true" | "yes" | "on" | "1"),
        Some(Value::Number(number)) => number.as_f64().is_some_and(|number| number != 0.0),
        _ => false,
    }
}

/// Whether something is said at all.
pub(crate) fn is_said(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.trim().is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        Value::Bool(true) | Value::Number(_) => true,
    }
}

/// A value for a message.
pub(crate) fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => excerpt(text),
        Value::Array(items) => format!("a list of {}", items.len()),
        Value::Object(fields) => format!("{} fields", fields.len()),
        other => other.to_string(),
    }
}

/// A number, also one in quotes.
pub(crate) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok().filter(|number: &f64| number.is_finite()),
        _ => None,
    }
}

/// The object within an object.
pub(crate) fn object<'v>(fields: &'v Map<String, Value>, name: &str) -> Option<&'v Map<String, Value>> {
    fields.get(name).and_then(Value::as_object)
}
