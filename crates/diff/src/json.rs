//! Two JSON documents: what differs, by its path. The order of keys is no change.
//!
//! Arrays are compared as sequences: an entry that was put in at the front is one change, and not one for each that moved up.
//! Where an entry took the place of another, both are compared on.

use serde::Serialize;
use serde_json::Value;

use crate::text::compare_sequences;
use crate::{Error, Limits};

/// How two JSON documents differ.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JsonChanges {
    /// The changes, in the order of the documents.
    pub changes: Vec<JsonChange>,
    /// So many more were not listed.
    pub left_out: usize,
}

impl JsonChanges {
    /// Whether both say the same.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.left_out == 0
    }
}

/// A value that came, went or became another.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JsonChange {
    /// Where it stands, as a JSON path: `$.fish[2]['cod-liver']`. Numbers are those of the new document, or of the old one if it went.
    pub path: String,
    /// What it was; `None` if it came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<Value>,
    /// What it is; `None` if it went.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<Value>,
}

/// Reads a JSON document within the limits. Depth is bounded by the parser, at 128.
///
/// # Errors
/// If it is too long, too deep or no JSON; the place is told.
pub fn parse_json(text: &str, limits: &Limits) -> Result<Value, Error> {
    if text.len() > limits.json_bytes_max {
        return Err(Error::TooLong { bytes: text.len() as u64, max: limits.json_bytes_max as u64 });
    }
    serde_json::from_str(text.strip_prefix('\u{feff}').unwrap_or(text)).map_err(Error::Json)
}

/// Compares two JSON documents.
///
/// ```
/// let limits = diff::Limits::default();
/// let old = diff::parse_json(r#"{"fish": ["cod", "eel"], "price": 3}"#, &limits)?;
/// let new = diff::parse_json(r#"{"price": 4, "fish": ["herring", "cod", "eel"]}"#, &limits)?;
/// let changes = diff::compare_json(&old, &new, &limits);
/// let paths: Vec<&str> = changes.changes.iter().map(|change| change.path.as_str()).collect();
/// assert_eq!(paths, ["$.fish[0]", "$.price"]);
/// # Ok::<(), diff::Error>(())
/// ```
#[must_use]
pub fn compare_json(old: &Value, new: &Value, limits: &Limits) -> JsonChanges {
    let mut comparison = Comparison { changes: Vec::new(), left_out: 0, limits };
    comparison.values("$", old, new);
    JsonChanges { changes: comparison.changes, left_out: comparison.left_out }
}

struct Comparison<'a> {
    changes: Vec<JsonChange>,
    left_out: usize,
    limits: &'a Limits,
}

impl Comparison<'_> {
    /// Recurses no deeper than the documents are, which is bounded when they are read.
    fn values(&mut self, path: &str, old: &Value, new: &Value) {
        match (old, new) {
            (Value::Object(olds), Value::Object(news)) => {
                for (name, old) in olds {
                    let path = || format!("{path}{}", step(name));
                    match news.get(name) {
                        Some(new) if new != old => self.values(&path(), old, new),
                        Some(_) => {}
                        None => self.push(path(), Some(old), None),
                    }
                }
                for (name, new) in news.iter().filter(|(name, _)| !olds.contains_key(*name)) {
                    self.push(format!("{path}{}", step(name)), None, Some(new));
                }
            }
            (Value::Array(olds), Value::Array(news)) => self.arrays(path, olds, news),
            (old, new) if same(old, new) => {}
            _ => self.push(path.to_owned(), Some(old), Some(new)),
        }
    }

    fn arrays(&mut self, path: &str, olds: &[Value], news: &[Value]) {
        let (hunks, _) = compare_sequences(olds.iter(), news.iter(), self.limits);
        for hunk in hunks {
            let old = olds.get(hunk.old.clone()).unwrap_or_default();
            let new = news.get(hunk.new.clone()).unwrap_or_default();
            let both = old.len().min(new.len());
            for (at, (old, new)) in old.iter().zip(new).enumerate() {
                self.values(&format!("{path}[{}]", hunk.new.start + at), old, new);
            }
            for (at, old) in old.iter().enumerate().skip(both) {
                self.push(format!("{path}[{}]", hunk.old.start + at), Some(old), None);
            }
            for (at, new) in new.iter().enumerate().skip(both) {
                self.push(format!("{path}[{}]", hunk.new.start + at), None, Some(new));
            }
        }
    }

    fn push(&mut self, path: String, old: Option<&Value>, new: Option<&Value>) {
        if self.changes.len() < self.limits.changes_max {
            self.changes.push(JsonChange { path, old: old.cloned(), new: new.cloned() });
        } else {
            self.left_out += 1;
        }
    }
}

/// Numbers that are written differently may be the same: `1` and `1.0`.
fn same(old: &Value, new: &Value) -> bool {
    match (old, new) {
        (Value::Number(left), Value::Number(right)) => left == right || left.as_f64() == right.as_f64(),
        _ => old == new,
    }
}

/// A step of a path, plain where that can be.
pub(crate) fn step(name: &str) -> String {
    let is_plain = name.starts_with(|char: char| char.is_ascii_alphabetic() || char == '_')
        && name.chars().all(|char| char.is_ascii_alphanumeric() || char == '_');
    if is_plain {
        format!(".{name}")
    } else {
        format!("['{}']", name.replace('\\', "\\\\").replace('\'', "\\'"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(old: Value, new: Value, expect: &[&str]) {
        let changes = compare_json(&old, &new, &Limits::default());
        let shown: Vec<String> = changes
            .changes
            .iter()
            .map(|change| {
                let side = |value: &Option<Value>| value.as_ref().map_or("-".to_owned(), Value::to_string);
                format!("{} {} {}", change.path, side(&change.old), side(&change.new))
            })
            .collect();
        assert_eq!(shown, expect);
    }

    #[test]
    fn the_order_of_keys_and_the_writing_of_numbers_are_no_change() {
        check(json!({"a": 1, "b": [{"c": 2, "d": 3}]}), json!({"b": [{"d": 3, "c": 2}], "a": 1.0}), &[]);
    }

    #[test]
    fn what_came_and_went_is_told_by_its_path() {
        check(
            json!({"a": {"b c": 1, "d": 2}, "e": [1, 2, 3]}),
            json!({"a": {"b c": 4, "f": null}, "e": [1, 3]}),
            &["$.a['b c'] 1 4", "$.a.d 2 -", "$.a.f - null", "$.e[1] 2 -"],
        );
    }

    #[test]
    fn entries_of_arrays_are_followed() {
        check(
            json!([{"id": 1, "n": "x"}, {"id": 2}]),
            json!([{"id": 0}, {"id": 1, "n": "x"}, {"id": 2, "k": 5}]),
            &["$[0] - {\"id\":0}", "$[2].k - 5"],
        );
    }

    #[test]
    fn what_is_too_deep_or_too_much_is_refused_or_counted() {
        let limits = Limits { changes_max: 2, ..Limits::default() };
        let deep = "[".repeat(200) + &"]".repeat(200);
        assert!(matches!(parse_json(&deep, &limits), Err(Error::Json(_))));
        let changes = compare_json(&json!([1, 2, 3, 4]), &json!([5, 6, 7, 8]), &limits);
        assert_eq!((changes.changes.len(), changes.left_out), (2, 2));
        assert!(!changes.is_empty());
    }
}
