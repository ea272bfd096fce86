//! Which words DaisyDiff takes for added and removed. Its markup is its own; where two alignments are equally short, so is the choice.

use std::collections::BTreeMap;

use diff::{Document, Kind, Limits, Page, RuleSet, Rules, words};

use super::folder;

#[test]
fn words_are_added_and_removed_as_in_daisydiff() {
    let Some(folder) = folder() else { return };
    let limits = Limits::default();
    let (mut same, mut fewer, mut more) = (0, 0, Vec::new());
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
        if found == expect {
            same += 1;
        } else if size(&found) < size(&expect) {
            fewer += 1;
        } else {
            more.push(format!("{}: {found:?} and not {expect:?}", case["name"]));
        }
    }
    println!(
        "{same} the same, {fewer} with fewer words, {} with other words:\n{}",
        more.len(),
        more.join("\n")
    );
    let all = same + fewer + more.len();
    assert!((same + fewer) * 10 >= all * 9, "{}", more.join("\n"));
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
