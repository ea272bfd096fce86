//! urlwatch's filters as rules. Each is a name and what it takes: a text, or a map of its options; the older spelling has all on one
//! line, `css:div,html2text`.
//!
//! In urlwatch each filter works on what the one before it left. Here parts of a page are chosen first and lines of their text after
//! that, so one filter of each sort can be taken over; what lies beyond that is told.

use super::told;
use crate::yaml::{Node, Value};
use crate::{Entry, RuleKind, jq};

/// Takes over the filters of a job.
pub(super) fn take(entry: &mut Entry, value: &Node) {
    let mut chain = Chain { entry, parts: None, lines: None };
    match &value.value {
        Value::Scalar(text, _) => {
            for filter in text.split(',') {
                let (name, subject) =
                    filter.split_once(':').map_or((filter, None), |(name, text)| (name, Some(text)));
                let node = Node {
                    line: value.line,
                    value: Value::Scalar(subject.unwrap_or_default().to_owned(), true),
                };
                chain.filter(name.trim(), &node);
            }
        }
        Value::List(filters) => filters.iter().for_each(|filter| chain.item(filter)),
        Value::Map(_) => chain.item(value),
    }
}

struct Chain<'e> {
    entry: &'e mut Entry,
    /// The filter that chose parts of the page, if there was one.
    parts: Option<String>,
    /// The filter that chose lines, if there was one.
    lines: Option<String>,
}

impl Chain<'_> {
    fn item(&mut self, item: &Node) {
        match &item.value {
            Value::Scalar(name, _) => {
                let nothing = Node { line: item.line, value: Value::Scalar(String::new(), true) };
                self.filter(name.trim(), &nothing);
            }
            Value::Map(_) => item.fields().for_each(|(name, value)| self.filter(name, value)),
            Value::List(_) => self.entry.tell(told(item, "a list is no filter")),
        }
    }

    fn filter(&mut self, name: &str, value: &Node) {
        let subject = |key: &str| match &value.value {
            Value::Map(_) => value.field(key).and_then(Node::text),
            _ => value.text(),
        };
        match name {
            "css" => self.choose(name, value, RuleKind::Css, subject("selector")),
            "xpath" => self.choose(name, value, RuleKind::XPath, subject("path")),
            "element-by-id" => self.attribute(name, value, "id", subject("id")),
            "element-by-class" => self.attribute(name, value, "class", subject("class")),
            "element-by-style" => self.attribute(name, value, "style", subject("style")),
            "element-by-tag" => self.choose(name, value, RuleKind::Css, subject("tag")),
            "jq" => match subject("query").map(|query| (query, jq::json_path(query))) {
                Some((_, Some(path))) => self.choose(name, value, RuleKind::JsonPath, Some(&path)),
                Some((query, None)) => self.tell(value, name, &format!("`{query}` is more than a path")),
                None => self.tell(value, name, "it lacks its query"),
            },
            // Whole lines that match, whatever groups the pattern has.
            "grep" => {
                self.keep(name, value, subject("re").map(|pattern| format!("(?m)^(.*(?:{pattern}).*)$")))
            }
            "re.findall" if value.field("repl").is_none() => {
                self.keep(name, value, subject("pattern").map(|pattern| format!("({pattern})")));
            }
            "grepi" => match subject("re") {
                Some(pattern) => self.entry.never(RuleKind::Regex, pattern),
                None => self.tell(value, name, "it lacks its pattern"),
            },
            // What is done anyway: texts are compared, blanks and indentation do not count.
            "html2text" | "strip" | "striplines" | "beautify" | "format-json" | "pretty-xml" => {}
            _ => self.tell(value, name, not_done(name)),
        }
    }

    /// Takes over a filter that chooses parts of the page.
    fn choose(&mut self, name: &str, value: &Node, kind: RuleKind, text: Option<&str>) {
        let Some(text) = text.filter(|text| !text.trim().is_empty()) else {
            return self.tell(value, name, "it does not say what it chooses");
        };
        if let Some(before) = self.parts.replace(name.to_owned()) {
            let why = format!("`{text}` within what `{before}` chose: parts are chosen once");
            return self.tell(value, name, &why);
        }
        if let Some(before) = &self.lines {
            let why = format!("`{text}` within the lines that `{before}` kept: parts are chosen first");
            return self.tell(value, name, &why);
        }
        self.entry.only(kind, text);
        for (option, value) in value.fields() {
            match option {
                "selector" | "path" | "id" | "class" | "style" | "tag" | "query" => {}
                "exclude" => self.entry.never(kind, value.text().unwrap_or_default()),
                "method" if value.text() == Some("html") => {}
                "skip" if value.text() == Some("0") => {}
                "sort" if value.is_yes() == Some(false) => {}
                _ => {
                    let why = format!("the option `{option}: {}` is not understood", value.shown());
                    self.tell(value, name, &why);
                }
            }
        }
    }

    fn attribute(&mut self, name: &str, value: &Node, attribute: &str, text: Option<&str>) {
        let selector = text.map(|text| with_attribute(attribute, text));
        self.choose(name, value, RuleKind::Css, selector.as_deref());
    }

    /// Takes over a filter that keeps lines.
    fn keep(&mut self, name: &str, value: &Node, pattern: Option<String>) {
        let Some(pattern) = pattern else { return self.tell(value, name, "it lacks its pattern") };
        if let Some(before) = self.lines.replace(name.to_owned()) {
            return self.tell(value, name, &format!("of what `{before}` kept: lines are chosen once"));
        }
        self.entry.only(RuleKind::Regex, pattern);
    }

    fn tell(&mut self, value: &Node, name: &str, why: &str) {
        let name = crate::error::excerpt(name);
        self.entry.tell(told(value, &format!("filter `{name}`: {}", crate::error::excerpt(why))));
    }
}

/// The selector of everything with this value of an attribute.
fn with_attribute(name: &str, value: &str) -> String {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\a ");
    format!("[{name}=\"{value}\"]")
}

fn not_done(name: &str) -> &'static str {
    match name {
        "re.sub" => "texts are not replaced; lines count or do not",
        "re.findall" => "what is found is not put together anew",
        "sort" | "reverse" | "remove-duplicate-lines" => "lines stay as they are",
        "sha1sum" | "hexdump" => "the text itself is compared",
        "shellpipe" => "no commands are run",
        "ocr" => "no text is read from pictures",
        "pdf2text" | "ical2text" | "csv2text" => "the file is compared as it is",
        _ => "it is not known",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_stays_within_its_quotes() {
        assert_eq!(with_attribute("id", "a\"] *, [b=\"\\"), r#"[id="a\"] *, [b=\"\\"]"#);
    }
}
