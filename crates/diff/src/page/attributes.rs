//! Attributes of two blocks that say the same: their order is no change, and neither is what names a visit.

use serde::Serialize;

use super::address::normal;
use super::blocks::Block;
use super::tree::{NodeId, Page};
use crate::Limits;
use crate::text::compare_sequences;

/// An attribute that came, went or has another value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AttributeChange {
    /// Where the element stands.
    pub path: String,
    /// The element.
    pub element: String,
    /// The attribute.
    pub name: String,
    /// Its old value; `None` if it was not there.
    pub old: Option<String>,
    /// Its new value; `None` if it is not there.
    pub new: Option<String>,
    /// Whether a reader meets it: where a link leads, which picture is shown, what a field says.
    pub visible: bool,
}

/// Attributes that hold addresses.
fn is_address(name: &str) -> bool {
    matches!(name, "href" | "src" | "action" | "data" | "poster" | "cite" | "formaction" | "background")
}

/// Attributes that a reader meets.
fn is_visible(element: &str, name: &str) -> bool {
    matches!(
        (element, name),
        ("a" | "area", "href")
            | ("img" | "video" | "audio" | "iframe" | "embed" | "source" | "object", "src" | "data")
            | ("time", "datetime")
            | ("form", "action")
            | (_, "alt" | "value" | "placeholder" | "disabled" | "checked" | "selected")
    )
}

/// The value as far as it matters.
fn value_of(name: &str, value: &str) -> String {
    if is_address(name) {
        return normal(value).into_owned();
    }
    let mut words: Vec<&str> = value.split_whitespace().collect();
    if matches!(name, "class" | "rel" | "headers") {
        words.sort_unstable();
        words.dedup();
    }
    words.join(" ")
}

/// What makes an element the same as another one: its name and where it leads.
pub(super) fn identity(page: &Page, node: NodeId) -> (String, String) {
    let name = page.name(node).unwrap_or_default().to_owned();
    let address = page.attributes(node).iter().find(|(name, _)| is_address(name));
    let address = address.map(|(name, value)| value_of(name, value)).unwrap_or_default();
    (name, address)
}

/// What differs between the elements of two blocks.
pub(super) fn compare(
    (old_page, old): (&Page, &Block),
    (new_page, new): (&Page, &Block),
    limits: &Limits,
    changes: &mut Vec<AttributeChange>,
) {
    let elements = |block: &Block| -> Vec<NodeId> {
        [block.node].into_iter().chain(block.inline.iter().copied()).collect()
    };
    let (old, new) = (elements(old), elements(new));
    let plain = |page: &Page, nodes: &[NodeId]| nodes.iter().all(|node| page.attributes(*node).is_empty());
    if plain(old_page, &old) && plain(new_page, &new) {
        return;
    }
    let old_ids = old.iter().map(|node| identity(old_page, *node));
    let new_ids = new.iter().map(|node| identity(new_page, *node));
    let (hunks, _) = compare_sequences(old_ids, new_ids, limits);
    let mut pair = |old: Option<NodeId>, new: Option<NodeId>| {
        element((old_page, old), (new_page, new), changes);
    };
    let (mut old_at, mut new_at) = (0, 0);
    for hunk in hunks {
        while old_at < hunk.old.start {
            pair(old.get(old_at).copied(), new.get(new_at).copied());
            (old_at, new_at) = (old_at + 1, new_at + 1);
        }
        // What took the place of something of the same name is the same element with other attributes.
        for (left, right) in pairs(old_page, old.get(hunk.old.clone()), new_page, new.get(hunk.new.clone())) {
            pair(left, right);
        }
        (old_at, new_at) = (hunk.old.end, hunk.new.end);
    }
    while old_at < old.len() {
        pair(old.get(old_at).copied(), new.get(new_at).copied());
        (old_at, new_at) = (old_at + 1, new_at + 1);
    }
}

type Pair = (Option<NodeId>, Option<NodeId>);

fn pairs(old_page: &Page, old: Option<&[NodeId]>, new_page: &Page, new: Option<&[NodeId]>) -> Vec<Pair> {
    let mut left = new.unwrap_or_default();
    let mut pairs = Vec::new();
    for node in old.unwrap_or_default() {
        match left.split_first() {
            Some((first, rest)) if new_page.name(*first) == old_page.name(*node) => {
                pairs.push((Some(*node), Some(*first)));
                left = rest;
            }
            _ => pairs.push((Some(*node), None)),
        }
    }
    pairs.extend(left.iter().map(|node| (None, Some(*node))));
    pairs
}

/// What differs between two elements, or between one and nothing.
fn element(
    (old_page, old): (&Page, Option<NodeId>),
    (new_page, new): (&Page, Option<NodeId>),
    changes: &mut Vec<AttributeChange>,
) {
    let attributes = |page: &Page, node: Option<NodeId>| -> Vec<(String, String)> {
        let mut list: Vec<_> = node
            .map(|node| page.attributes(node))
            .unwrap_or_default()
            .iter()
            .map(|(name, value)| (name.to_string(), value_of(name, value)))
            .collect();
        list.sort();
        list
    };
    let (olds, news) = (attributes(old_page, old), attributes(new_page, new));
    if olds == news {
        return;
    }
    let (page, node) = match (new, old) {
        (Some(node), _) => (new_page, node),
        (None, Some(node)) => (old_page, node),
        (None, None) => return,
    };
    let element = page.name(node).unwrap_or_default();
    let path = page.path(node);
    let find = |list: &[(String, String)], name: &str| -> Option<String> {
        list.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    };
    let mut names: Vec<&String> = olds.iter().chain(&news).map(|(name, _)| name).collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        let (old, new) = (find(&olds, name), find(&news, name));
        if old != new {
            let visible = is_visible(element, name);
            let (path, element, name) = (path.clone(), element.to_owned(), name.clone());
            changes.push(AttributeChange { path, element, name, old, new, visible });
        }
    }
}
