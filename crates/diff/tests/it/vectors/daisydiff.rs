//! Which words DaisyDiff takes for added and removed. Its markup is its own.

use std::collections::BTreeMap;

use diff::{Document, Kind, Limits, Page, RuleSet, Rules, words};

use super::folder;

/// Cases in which we find other words, and why.
const OTHERWISE: [(&str, &str); 2] = [
    (
        "General/Minimal/27 Tag scope",
        "`be` went from one cell into the text behind it: it says that the end of the cell moved, we say that the word did",
    ),
    (
        "Tables/35 Table cell extend",
        "`be` went from one cell into the next: it marks the blanks around the word, we mark the word",
    ),
];

#[test]
fn words_are_added_and_removed_as_in_daisydiff() {
    let Some(folder) = folder() else { return };
    let limits = Limits::default();
    let (mut same, mut fewer, mut otherwise) = (0, Vec::new(), Vec::new());
    for case in testkit::vectors::jsonl(folder.join("daisydiff.jsonl")) {
        let text = |side: &str| Page::read(case["input"][side].as_str().unwrap(), &limits).text();
        let (old, new) = (text("a"), text("b"));
        let spans = words(&old, &new, &limits);
        let ours =
            |kind: Kind| bag(spans.spans().iter().filter(|span| span.kind == kind).map(|span| span.text));
        let found = (ours(Kind::Removed), ours(Kind::Added));
        let marked = Document::page(case["expect"].as_str().unwrap(), &limits);
        let theirs = |class: &str| {
            let set = RuleSet {
                only: vec![format!("xpath://span[@class='diff-html-{class}']")],
                ..RuleSet::default()
            };
            bag(Rules::new(&set, &limits).unwrap().text(&marked).unwrap().lines())
        };
        let expect = (theirs("removed"), theirs("added"));
        let size = |(removed, added): &(Bag, Bag)| removed.values().chain(added.values()).sum::<usize>();
        let name = case["name"].as_str().unwrap().to_owned();
        if found == expect {
            same += 1;
        } else if size(&found) < size(&expect) {
            fewer.push(name);
        } else {
            otherwise.push((name, format!("{found:?} and not {expect:?}")));
        }
    }
    println!("{same} the same, with fewer words: {fewer:?}, otherwise: {otherwise:?}");
    otherwise.retain(|(name, _)| !OTHERWISE.iter().any(|(known, _)| known == name));
    assert!(otherwise.is_empty(), "{otherwise:?}");
}

type Bag = BTreeMap<String, usize>;

fn bag<'a>(texts: impl Iterator<Item = &'a str>) -> Bag {
    let mut bag = Bag::new();
    for text in texts {
        for word in text.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty()) {
            *bag.entry(word.to_owned()).or_default() += 1;
        }
    }
    bag
}
