//! What an expression comes to: nodes, texts, numbers, truths.

use crate::page::{Data, NodeId, Page};

/// Where something is on a page; in the order of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) node: NodeId,
    /// Which of its attributes, from 1; 0 is the node itself.
    pub(crate) attribute: u32,
}

impl Place {
    pub(crate) fn of(node: NodeId) -> Place {
        Place { node, attribute: 0 }
    }

    /// Name and value, if it is an attribute.
    pub(crate) fn attribute<'a>(&self, page: &'a Page) -> Option<(&'a str, &'a str)> {
        let index = (self.attribute as usize).checked_sub(1)?;
        page.attributes(self.node).get(index).map(|(name, value)| (&**name, &**value))
    }

    pub(super) fn name<'a>(&self, page: &'a Page) -> &'a str {
        match self.attribute(page) {
            Some((name, _)) => name,
            None => page.name(self.node).unwrap_or_default(),
        }
    }

    pub(super) fn is_text(&self, page: &Page) -> bool {
        self.attribute == 0 && matches!(page.data(self.node), Data::Text(_))
    }

    pub(super) fn is_element(&self, page: &Page) -> bool {
        self.attribute == 0 && page.name(self.node).is_some()
    }
}

/// One thing that an expression comes to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Item {
    Place(Place),
    Text(String),
    Number(f64),
    Boolean(bool),
    Date(String),
}

impl Item {
    /// Its text. Of a node it is all text in it.
    pub(crate) fn text(&self, page: &Page) -> String {
        match self {
            Item::Place(place) => match place.attribute(page) {
                Some((_, value)) => value.to_owned(),
                None => page.string(place.node),
            },
            Item::Text(text) | Item::Date(text) => text.clone(),
            Item::Number(number) => shown(*number),
            Item::Boolean(truth) => truth.to_string(),
        }
    }

    pub(super) fn number(&self, page: &Page) -> f64 {
        match self {
            Item::Number(number) => *number,
            Item::Boolean(truth) => f64::from(u8::from(*truth)),
            other => number(&other.text(page)),
        }
    }

    pub(super) fn place(&self) -> Option<Place> {
        match self {
            Item::Place(place) => Some(*place),
            _ => None,
        }
    }
}

/// A number as it is written, without a point if it is whole.
fn shown(number: f64) -> String {
    if number.is_nan() {
        "NaN".to_owned()
    } else if number.is_infinite() {
        if number > 0.0 { "Infinity".to_owned() } else { "-Infinity".to_owned() }
    } else {
        format!("{}", if number == 0.0 { 0.0 } else { number })
    }
}

/// The number that a text is, or none.
pub(super) fn number(text: &str) -> f64 {
    let text = text.trim();
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    if is_number { text.parse().unwrap_or(f64::NAN) } else { f64::NAN }
}

/// Whether a sequence counts as true.
pub(super) fn truth(items: &[Item]) -> bool {
    match items {
        [] => false,
        [Item::Boolean(truth)] => *truth,
        [Item::Number(number)] => *number != 0.0 && !number.is_nan(),
        [Item::Text(text)] => !text.is_empty(),
        _ => true,
    }
}
