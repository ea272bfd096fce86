//! YAML as a tree whose nodes know their lines: several documents, aliases within bounds, merge keys.

use std::collections::{HashMap, HashSet};

use saphyr_parser::{Event, Parser, ScalarStyle, Span, StrInput};

use crate::error::excerpt;
use crate::{Error, Limits, Place};

/// A part of a document.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) line: usize,
    pub(crate) value: Value,
}

/// What a part is.
#[derive(Debug, Clone)]
pub(crate) enum Value {
    /// A text, and whether it stands there without quotes.
    Scalar(String, bool),
    List(Vec<Node>),
    Map(Vec<(Node, Node)>),
}

impl Node {
    /// Its text, unless it is a list, a map or nothing.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar(text, _) if !self.is_nothing() => Some(text),
            _ => None,
        }
    }

    /// Nothing is said: `~`, `null` or blank.
    pub(crate) fn is_nothing(&self) -> bool {
        matches!(&self.value, Value::Scalar(text, true) if matches!(text.as_str(), "" | "~" | "null" | "Null" | "NULL"))
    }

    /// Yes or no, in the words of YAML 1.1, which urlwatch reads.
    pub(crate) fn is_yes(&self) -> Option<bool> {
        let Value::Scalar(text, true) = &self.value else { return None };
        match text.to_lowercase().as_str() {
            "true" | "yes" | "on" | "1" => Some(true),
            "false" | "no" | "off" | "0" => Some(false),
            _ => None,
        }
    }

    /// Its parts by their names; none if it is no map.
    pub(crate) fn fields(&self) -> impl Iterator<Item = (&str, &Node)> {
        let pairs = match &self.value {
            Value::Map(pairs) => pairs.as_slice(),
            _ => &[],
        };
        pairs.iter().filter_map(|(key, value)| Some((key.text()?, value)))
    }

    /// The part of a name.
    pub(crate) fn field(&self, name: &str) -> Option<&Node> {
        self.fields().find(|(known, _)| *known == name).map(|(_, node)| node)
    }

    /// For a message.
    pub(crate) fn shown(&self) -> String {
        match &self.value {
            Value::Scalar(text, _) => excerpt(text),
            Value::List(items) => format!("a list of {}", items.len()),
            Value::Map(pairs) => format!("{} fields", pairs.len()),
        }
    }

    /// Bytes that a copy takes, roughly, and how deep it is.
    fn size(&self) -> (usize, usize) {
        const NODE: usize = 64;
        let both = |(cost, depth): (usize, usize), part: &Node| {
            let size = part.size();
            (cost + size.0, depth.max(size.1))
        };
        let (cost, depth) = match &self.value {
            Value::Scalar(text, _) => return (NODE + text.len(), 0),
            Value::List(items) => items.iter().fold((0, 0), both),
            Value::Map(pairs) => pairs.iter().fold((0, 0), |size, (key, value)| both(both(size, key), value)),
        };
        (NODE + cost, depth + 1)
    }
}

/// All documents of a file; those that say nothing are left out.
pub(crate) fn documents(text: &str, limits: &Limits) -> Result<Vec<Node>, Error> {
    let mut builder =
        Builder { limits, open: Vec::new(), anchors: HashMap::new(), documents: Vec::new(), cost: 0 };
    let mut parser = Parser::<StrInput<'_>>::new_from_str(text);
    while let Some(event) = parser.next_event() {
        let (event, span) =
            event.map_err(|error| Error::syntax(place(error.marker()), error.info().to_owned()))?;
        builder.event(event, span)?;
    }
    Ok(builder.documents)
}

fn place(marker: &saphyr_parser::Marker) -> Place {
    Place::Line { line: marker.line().max(1), column: marker.col() + 1 }
}

/// A list or map that is not closed yet.
struct Open {
    node: Node,
    anchor: usize,
    /// The key that waits for its value.
    key: Option<Node>,
    /// What merge keys bring along.
    merged: Vec<(Node, Node)>,
}

impl Open {
    /// The whole of it: of a key that stands there twice the last counts, and one's own before any that is merged.
    fn settled(&mut self) -> Node {
        let node = std::mem::replace(&mut self.node, Node { line: 0, value: Value::List(Vec::new()) });
        let Value::Map(pairs) = node.value else { return node };
        let mut known = HashSet::new();
        let merged = self.merged.drain(..);
        let mut kept: Vec<_> = pairs
            .into_iter()
            .rev()
            .chain(merged)
            .filter(|(key, _)| key.text().is_none_or(|key| known.insert(key.to_owned())))
            .collect();
        kept.sort_by_key(|(key, _)| key.line);
        Node { line: node.line, value: Value::Map(kept) }
    }
}

struct Builder<'l> {
    limits: &'l Limits,
    open: Vec<Open>,
    anchors: HashMap<usize, (Node, (usize, usize))>,
    documents: Vec<Node>,
    /// Bytes of all copies that aliases made.
    cost: usize,
}

impl Builder<'_> {
    fn event(&mut self, event: Event<'_>, span: Span) -> Result<(), Error> {
        let line = span.start.line().max(1);
        match event {
            Event::Scalar(text, style, anchor, _) => {
                let value = Value::Scalar(text.into_owned(), style == ScalarStyle::Plain);
                self.put(Node { line, value }, anchor, &span)
            }
            Event::SequenceStart(anchor, _) => self.start(Value::List(Vec::new()), anchor, &span),
            Event::MappingStart(anchor, _) => self.start(Value::Map(Vec::new()), anchor, &span),
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                Some(mut open) => self.put(open.settled(), open.anchor, &span),
                None => Ok(()),
            },
            Event::Alias(anchor) => {
                let Some((cost, depth)) = self.anchors.get(&anchor).map(|(_, size)| *size) else {
                    return Err(Error::syntax(place(&span.start), "an alias stands within what it names"));
                };
                if self.open.len() + depth > self.limits.depth_max {
                    return Err(Error::syntax(place(&span.start), "this is nested too deep"));
                }
                // Before the copy is made, because it may be as large as all others together.
                self.spend(cost, &span)?;
                match self.anchors.get(&anchor) {
                    Some((node, _)) => self.put(node.clone(), 0, &span),
                    None => Ok(()),
                }
            }
            Event::DocumentEnd => {
                self.anchors.clear();
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn spend(&mut self, cost: usize, span: &Span) -> Result<(), Error> {
        self.cost = self.cost.saturating_add(cost);
        if self.cost > self.limits.yaml_bytes_max {
            return Err(Error::syntax(place(&span.start), "the aliases make the file too large"));
        }
        Ok(())
    }

    fn start(&mut self, value: Value, anchor: usize, span: &Span) -> Result<(), Error> {
        if self.open.len() >= self.limits.depth_max {
            return Err(Error::syntax(place(&span.start), "this is nested too deep"));
        }
        self.open.push(Open {
            node: Node { line: span.start.line().max(1), value },
            anchor,
            key: None,
            merged: Vec::new(),
        });
        Ok(())
    }

    fn put(&mut self, node: Node, anchor: usize, span: &Span) -> Result<(), Error> {
        if anchor != 0 {
            let size = node.size();
            self.spend(size.0, span)?;
            self.anchors.insert(anchor, (node.clone(), size));
        }
        let Some(open) = self.open.last_mut() else {
            if !node.is_nothing() {
                if self.documents.len() >= self.limits.entries_max {
                    let max = self.limits.entries_max;
                    return Err(Error::TooMany { place: place(&span.start), what: "documents", max });
                }
                self.documents.push(node);
            }
            return Ok(());
        };
        match &mut open.node.value {
            Value::List(items) => items.push(node),
            Value::Map(pairs) => match open.key.take() {
                None => open.key = Some(node),
                Some(key) if matches!(&key.value, Value::Scalar(text, true) if text == "<<") => {
                    merge(&mut open.merged, node)
                }
                Some(key) => pairs.push((key, node)),
            },
            Value::Scalar(..) => {}
        }
        Ok(())
    }
}

/// Fields of another map, or of several.
fn merge(pairs: &mut Vec<(Node, Node)>, node: Node) {
    match node.value {
        Value::Map(others) => pairs.extend(others),
        Value::List(maps) => maps.into_iter().for_each(|map| {
            if let Value::Map(others) = map.value {
                pairs.extend(others);
            }
        }),
        Value::Scalar(..) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Node>, Error> {
        documents(text, &Limits::default())
    }

    #[test]
    fn documents_know_their_lines() {
        let documents = read("a: 1\n---\n# only a remark\n---\nb:\n  - c\n  - no\n").unwrap();
        assert_eq!(documents.len(), 2);
        let list = documents[1].field("b").unwrap();
        let Value::List(items) = &list.value else { panic!("no list") };
        assert_eq!((items[1].line, items[1].is_yes()), (7, Some(false)));
    }

    #[test]
    fn aliases_and_merge_keys_are_written_out() {
        let documents = read("a: &x {k: v, l: x}\nb: *x\nc:\n  <<: *x\n  l: w\n").unwrap();
        assert_eq!(documents[0].field("b").unwrap().field("k").unwrap().text(), Some("v"));
        assert_eq!(documents[0].field("c").unwrap().field("k").unwrap().text(), Some("v"));
        assert_eq!(documents[0].field("c").unwrap().field("l").unwrap().text(), Some("w"));
        assert_eq!(read("a: 1\na: 2\n").unwrap()[0].field("a").unwrap().text(), Some("2"));
    }

    #[test]
    fn a_billion_laughs_end_early() {
        let mut text = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n".to_owned();
        for level in 1..20 {
            let list = vec![format!("*a{}", level - 1); 9].join(", ");
            text.push_str(&format!("a{level}: &a{level} [{list}]\n"));
        }
        assert!(read(&text).unwrap_err().to_string().contains("the aliases make the file too large"));
        assert!(read("a: &a [*a]\n").is_err());
    }

    #[test]
    fn nesting_and_damage_are_told_with_their_place() {
        let told = |text: &str| read(text).unwrap_err().to_string();
        assert!(told(&"[".repeat(50)).contains("nested too deep"));
        // The library has a bound of its own.
        assert!(told(&"[".repeat(100_000)).starts_with("line 1, column"));
        assert!(told(&"- ".repeat(1000)).contains("nested too deep"));
        let ladder: String = (1..5000).map(|rung| format!("a{rung}: &a{rung} [*a{}]\n", rung - 1)).collect();
        assert!(told(&format!("a0: &a0 [x]\n{ladder}")).contains("nested too deep"));
        assert!(told("a: 'b\n").starts_with("line "), "{}", told("a: 'b\n"));
        assert!(told("a: *b\n").starts_with("line 1, column"), "{}", told("a: *b\n"));
    }
}
