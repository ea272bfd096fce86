//! Filters, texts and conditions of a watch, as rules and triggers.

use serde_json::Value;

use super::{Fields, Folder};
use crate::error::excerpt;
use crate::json::{is_said, number, text};
use crate::{Crossing, Entry, RuleKind, Trigger, jq};

/// Takes over what a watch, its tags and the settings say.
pub(super) fn take(entry: &mut Entry, fields: &Fields, folder: &Folder) {
    for filter in folder.texts(fields, "include_filters", None) {
        include(entry, &filter);
    }
    for selector in folder.texts(fields, "subtractive_selectors", Some("global_subtractive_selectors")) {
        subtract(entry, &selector);
    }
    for ignored in folder.texts(fields, "ignore_text", Some("global_ignore_text")) {
        match pattern(&ignored) {
            Some(pattern) => entry.never(RuleKind::Regex, pattern),
            None => entry.never(RuleKind::Text, ignored),
        }
    }
    for extracted in folder.texts(fields, "extract_text", None) {
        // A plain text leaves itself, not its line.
        let pattern = pattern(&extracted).unwrap_or_else(|| format!("/{}/i", escape(&extracted)));
        if groups(&pattern) > 1 {
            entry.tell(format!("`extract_text`: of `{}` only the first group is kept", excerpt(&extracted)));
        }
        entry.only(RuleKind::Regex, pattern);
    }
    for line in folder.texts(fields, "extract_lines_containing", None) {
        entry.only(RuleKind::Text, line);
    }
    for awaited in folder.texts(fields, "trigger_text", None) {
        entry.trigger(Trigger::Appears(pattern(&awaited).unwrap_or(awaited)));
    }
    for unwanted in folder.texts(fields, "text_should_not_be_present", None) {
        entry.trigger(Trigger::Disappears(pattern(&unwanted).unwrap_or(unwanted)));
    }
    conditions(entry, fields);
}

fn include(entry: &mut Entry, filter: &str) {
    let behind = |word: &str| filter.strip_prefix(word).map(str::trim);
    if let Some(path) = behind("xpath:").or_else(|| behind("xpath1:")) {
        entry.only(RuleKind::XPath, path);
    } else if filter.starts_with('/') {
        entry.only(RuleKind::XPath, filter);
    } else if let Some(path) = behind("json:") {
        entry.only(RuleKind::JsonPath, path);
    } else if let Some(query) = behind("jq:").or_else(|| behind("jqraw:")) {
        match jq::json_path(query) {
            Some(path) => entry.only(RuleKind::JsonPath, path),
            None => entry
                .tell(format!("`include_filters`: the jq query `{}` is more than a path", excerpt(query))),
        }
    } else {
        entry.only(RuleKind::Css, filter);
    }
}

fn subtract(entry: &mut Entry, selector: &str) {
    let path = selector.strip_prefix("xpath:").or_else(|| selector.strip_prefix("xpath1:"));
    match path {
        Some(path) => entry.never(RuleKind::XPath, path),
        None if selector.starts_with("//") => entry.never(RuleKind::XPath, selector),
        None => entry.never(RuleKind::Css, selector),
    }
}

/// What stands between slashes is a pattern, and without flags upper and lower case are the same.
fn pattern(text: &str) -> Option<String> {
    let (inner, flags) = text.strip_prefix('/')?.rsplit_once('/')?;
    if inner.is_empty() || !flags.bytes().all(|flag| flag.is_ascii_lowercase()) {
        return None;
    }
    Some(format!("/{inner}/{}", if flags.is_empty() { "i" } else { flags }))
}

/// A text as a pattern that finds it.
fn escape(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len());
    for char in text.chars() {
        if char.is_ascii_punctuation() && !matches!(char, '<' | '>' | '/') {
            pattern.push('\\');
        }
        pattern.push(char);
    }
    pattern
}

/// How many groups a pattern keeps, roughly: parentheses that nothing excuses.
fn groups(pattern: &str) -> usize {
    let plain = pattern.replace("\\\\", "").replace("\\(", "");
    plain.matches('(').count() - plain.matches("(?").count() + plain.matches("(?P<").count()
}

fn conditions(entry: &mut Entry, fields: &Fields) {
    let all = fields.get("conditions").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let mut taken = 0;
    for condition in all {
        let part = |name: &str| condition.get(name).and_then(text).unwrap_or_default();
        let (field, operator) = (part("field"), part("operator"));
        if field.is_empty() || operator.is_empty() || operator == "None" || field == "None" {
            continue;
        }
        let value = condition.get("value").filter(|value| is_said(value));
        match value.and_then(|value| trigger(&field, &operator, value)) {
            Some(trigger) => {
                entry.trigger(trigger);
                taken += 1;
            }
            None => {
                let (field, operator, value) = (excerpt(&field), excerpt(&operator), excerpt(&part("value")));
                entry.tell(format!("`conditions`: `{field} {operator} {value}` is not understood"));
            }
        }
    }
    let is_all =
        fields.get("conditions_match_logic").and_then(Value::as_str).is_none_or(|logic| logic != "ANY");
    if is_all && taken > 1 {
        entry.tell("`conditions_match_logic`: any of the conditions is enough, not all of them");
    }
}

fn trigger(field: &str, operator: &str, value: &Value) -> Option<Trigger> {
    match (field, operator) {
        ("extracted_number", _) => {
            let crossing = match operator {
                ">" | ">=" => Crossing::Up,
                "<" | "<=" => Crossing::Down,
                _ => return None,
            };
            // The first number of what the rules keep.
            Some(Trigger::Number { find: r"/(\d[\d.,]*)/".to_owned(), line: number(value)?, crossing })
        }
        ("page_filtered_text", "in") => Some(Trigger::Appears(text(value)?)),
        ("page_filtered_text", "!in") => Some(Trigger::Disappears(text(value)?)),
        ("page_filtered_text", "contains_regex") => Some(Trigger::Appears(format!("/{}/i", text(value)?))),
        ("page_filtered_text", "!contains_regex") => {
            Some(Trigger::Disappears(format!("/{}/i", text(value)?)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_stand_between_slashes() {
        assert_eq!(pattern("/sold \\d+/").as_deref(), Some("/sold \\d+/i"));
        assert_eq!(pattern("/a/b/ms").as_deref(), Some("/a/b/ms"));
        for text in ["sold", "/sold", "//", "/a/ b", "/"] {
            assert_eq!(pattern(text), None, "{text}");
        }
    }

    #[test]
    fn groups_are_counted() {
        for (pattern, count) in
            [("a", 0), ("(a)", 1), ("(?:a)(b)", 1), (r"\(a", 0), ("(?P<n>a)(b)", 2), ("(?i)a", 0)]
        {
            assert_eq!(groups(pattern), count, "{pattern}");
        }
    }
}
