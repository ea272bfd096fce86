//! What rules leave of a document.

use std::collections::HashSet;

use serde_json::Value;

use super::Rules;
use super::lines::Lines;
use super::selector::Selector;
use crate::page::{Block, NodeId, Page, text_of};
use crate::xpath::{Item, Place};
use crate::{Document, Error};

/// The part of a document that counts.
#[derive(Debug)]
pub(crate) enum View<'a> {
    Page(&'a Page, Vec<Block>),
    Json(Value),
    Text(String),
}

impl View<'_> {
    /// It, as text.
    pub(crate) fn text(&self) -> String {
        match self {
            View::Page(_, blocks) => text_of(blocks),
            View::Json(value) => serde_json::to_string_pretty(value).unwrap_or_default(),
            View::Text(text) => text.clone(),
        }
    }
}

impl Rules {
    /// What counts of a document.
    pub(crate) fn view<'a>(&self, document: &'a Document) -> Result<View<'a>, Error> {
        let mut lines = Lines::new(&self.only, &self.never, &self.limits);
        Ok(match document {
            Document::Page(page) => {
                let mut blocks = self.blocks(page)?;
                if let Some(lines) = &mut lines {
                    for block in &mut blocks {
                        block.text = lines.keep(&block.text)?.trim_end().to_owned();
                    }
                    blocks.retain(|block| !block.text.is_empty());
                }
                View::Page(page, blocks)
            }
            Document::Json(value) => View::Json(self.values(value)),
            Document::Text(text) => {
                View::Text(lines.map_or_else(|| Ok(text.clone()), |mut lines| lines.keep(text))?)
            }
        })
    }

    /// What the rules choose of a page as markup, each part on its own; what is no element as its text. Of other documents and
    /// without rules that choose there are none.
    ///
    /// # Errors
    /// If a rule takes too many steps on this page.
    pub fn markup(&self, document: &Document) -> Result<Vec<String>, Error> {
        let Document::Page(page) = document else { return Ok(Vec::new()) };
        let never: HashSet<Place> = self
            .places(page, &self.never)?
            .into_iter()
            .filter_map(|item| match item {
                Item::Place(place) => Some(place),
                _ => None,
            })
            .collect();
        let is_node = |node: NodeId| !never.contains(&Place::of(node));
        let is_attribute =
            |node: NodeId, number: usize| !never.contains(&Place { node, attribute: number as u32 + 1 });
        let parts = self.places(page, &self.only)?.into_iter().filter_map(|item| match item {
            Item::Place(place @ Place { node, attribute: 0 }) if page.name(node).is_some() => {
                (!never.contains(&place)).then(|| page.source(node, &is_node, &is_attribute))
            }
            item => Some(item.text(page)),
        });
        Ok(parts.collect())
    }

    /// All that rules find on a page.
    fn places(&self, page: &Page, rules: &[Selector]) -> Result<Vec<Item>, Error> {
        let mut items = Vec::new();
        for rule in rules {
            match rule {
                Selector::Css(css) => {
                    items.extend(
                        css.find(page, &self.limits)?.into_iter().map(|node| Item::Place(Place::of(node))),
                    );
                }
                Selector::XPath(xpath) => items.extend(xpath.evaluate(page, &self.limits)?),
                _ => {}
            }
        }
        Ok(items)
    }

    /// The blocks of a page that its rules choose.
    fn blocks(&self, page: &Page) -> Result<Vec<Block>, Error> {
        let never: HashSet<NodeId> = self.found(page, &self.never)?.0.into_iter().collect();
        let is_choosing = self.only.iter().any(|rule| matches!(rule, Selector::Css(_) | Selector::XPath(_)));
        if !is_choosing {
            return Ok(page.blocks_of(&|node| !never.contains(&node)));
        }
        let (only, mut extra) = self.found(page, &self.only)?;
        let only: HashSet<NodeId> = only.into_iter().collect();
        let chosen = chosen(page, &only);
        let mut blocks = page
            .blocks_of(&|node| !never.contains(&node) && chosen.get(node.index()).copied().unwrap_or(false));
        blocks.append(&mut extra);
        Ok(blocks)
    }

    /// Nodes that rules find, and what they find that is no node, as blocks.
    fn found(&self, page: &Page, rules: &[Selector]) -> Result<(Vec<NodeId>, Vec<Block>), Error> {
        let (mut nodes, mut blocks) = (Vec::new(), Vec::new());
        for item in self.places(page, rules)? {
            match item {
                Item::Place(Place { node, attribute: 0 }) => nodes.push(node),
                item => blocks.push(Block::of_text(item.text(page))),
            }
        }
        Ok((nodes, blocks))
    }

    /// What JSON paths leave of a value.
    fn values(&self, value: &Value) -> Value {
        let mut value = value.clone();
        for rule in &self.never {
            if let Selector::Json(path) = rule {
                // The last first, so that numbers of entries stay right.
                let mut places: Vec<String> =
                    path.query_located(&value).locations().map(|place| place.to_json_pointer()).collect();
                places.reverse();
                places.iter().for_each(|pointer| remove(&mut value, pointer));
            }
        }
        let paths: Vec<_> = self
            .only
            .iter()
            .filter_map(|rule| if let Selector::Json(path) = rule { Some(path) } else { None })
            .collect();
        if paths.is_empty() {
            return value;
        }
        let found: Vec<Value> =
            paths.iter().flat_map(|path| path.query(&value).all().into_iter().cloned()).collect();
        if found.len() == 1 { found.into_iter().next().unwrap_or(Value::Null) } else { Value::Array(found) }
    }
}

/// Which nodes are wanted if these are: those, all in them, and what leads to them.
fn chosen(page: &Page, only: &HashSet<NodeId>) -> Vec<bool> {
    let mut chosen = vec![false; page.len()];
    let mut only: Vec<NodeId> = only.iter().copied().collect();
    only.sort_unstable();
    // Where the last one ends: what lies before that is in it.
    let mut end = 0;
    for node in only.into_iter() {
        if node.index() < end {
            continue;
        }
        end = page.behind(node).map_or(page.len(), NodeId::index);
        chosen.get_mut(node.index()..end).unwrap_or_default().fill(true);
        for above in page.ancestors(node) {
            match chosen.get_mut(above.index()) {
                Some(place) if !*place => *place = true,
                _ => break,
            }
        }
    }
    chosen
}

fn remove(value: &mut Value, pointer: &str) {
    let Some((parent, last)) = pointer.rsplit_once('/') else { return };
    let last = last.replace("~1", "/").replace("~0", "~");
    match value.pointer_mut(parent) {
        Some(Value::Object(map)) => {
            map.shift_remove(&last);
        }
        Some(Value::Array(list)) => {
            if let Some(at) = last.parse::<usize>().ok().filter(|at| *at < list.len()) {
                list.remove(at);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use crate::{Document, Limits, RuleSet, Rules};

    #[track_caller]
    fn check(document: &Document, only: &[&str], never: &[&str], expect: &str) {
        let owned = |rules: &[&str]| rules.iter().map(|rule| (*rule).to_owned()).collect();
        let set = RuleSet { only: owned(only), never: owned(never), ..RuleSet::default() };
        let rules = Rules::new(&set, &Limits::default()).unwrap();
        assert_eq!(rules.text(document).unwrap(), expect, "{only:?} {never:?}");
    }

    #[test]
    fn parts_of_pages_are_chosen_and_left_out() {
        let page = Document::page(
            "<h1>Fish</h1><div id=a><p>Cod<p class=x>Eel <b>big</b></div><i id=z title=T>end</i>",
            &Limits::default(),
        );
        check(&page, &[], &[], "Fish\nCod\nEel big\nend\n");
        check(&page, &["#a"], &[], "Cod\nEel big\n");
        check(&page, &["#a"], &[".x"], "Cod\n");
        check(&page, &["//b", "h1"], &[], "Fish\nbig\n");
        check(&page, &["//i/@title", "xpath:count(//p)"], &[], "T\n2\n");
        check(&page, &["regex:E[a-z]+"], &[], "Eel\n");
        check(&page, &["regex:E([a-z]+)"], &[], "el\n");
        check(&page, &[], &["regex:/^f/i", "text:BIG"], "Cod\nend\n");
        check(&page, &["$.a"], &[], "Fish\nCod\nEel big\nend\n");
    }

    #[test]
    fn lines_of_texts_are_chosen_and_left_out() {
        let text = Document::text("one\ntwo 2\nthree\n");
        check(&text, &[], &["regex:[0-9]"], "one\nthree\n");
        check(&text, &[], &["regex:/two.+th/s"], "one\n");
        check(&text, &["text:T"], &[], "two 2\nthree\n");
        check(&text, &[], &[], "one\ntwo 2\nthree\n");
    }

    #[test]
    fn parts_of_json_are_chosen_and_left_out() {
        let json =
            Document::json(r#"{"a": [{"n": 1, "t": 9}, {"n": 2, "t": 8}]}"#, &Limits::default()).unwrap();
        check(&json, &["$.a[0].n"], &[], "1");
        check(&json, &["$.a[*].n"], &[], "[\n  1,\n  2\n]");
        check(&json, &["$.a"], &["$..t"], "[\n  {\n    \"n\": 1\n  },\n  {\n    \"n\": 2\n  }\n]");
        check(
            &json,
            &[],
            &["$.a[0]"],
            "{\n  \"a\": [\n    {\n      \"n\": 2,\n      \"t\": 8\n    }\n  ]\n}",
        );
    }
}
