//! Any bytes as two pages.
//!
//! A page compared with itself has no changes; two pages have the same number of changes each way, but for what moved; the tree
//! obeys its limits.

use diff::{Document, Habits, Limits, Page, Rules, compare, compare_pages};

/// Tries the bytes, and their halves.
pub(crate) fn attack(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let limits = Limits { nodes_max: 20_000, depth_max: 64, tokens_max: 5000, ..Limits::default() };
    let page = Page::read(&text, &limits);
    assert!(compare_pages(&page, &page, &limits).changes.is_empty());
    let xml = Page::read_xml(&text, &limits);
    assert!(compare_pages(&xml, &xml, &limits).changes.is_empty());

    let mut middle = text.len() / 2;
    while !text.is_char_boundary(middle) {
        middle -= 1;
    }
    let (old, new) = text.split_at(middle);
    let (old, new) = (Document::page(old, &limits), Document::page(new, &limits));
    let rules = Rules::none(&limits);
    let mut habits = Habits::default();
    for _ in 0..4 {
        let there = compare(&old, &new, &rules, &habits).unwrap();
        assert!(!there.is_meaningful() || there.findings().next().is_some());
        assert!((0.0..=1.0).contains(&there.share));
        assert!(there.html(500).len() <= 500 && there.text(500).len() <= 500);
        assert!(there.summary().chars().count() <= 120 && !there.summary().contains(char::is_control));
        habits.learn(there.all(), &limits);
    }
    // By now all of it is a habit.
    assert!(!compare(&old, &new, &rules, &habits).unwrap().is_meaningful());
    if let Ok(document) = Document::json(&text, &limits) {
        assert!(!compare(&document, &document, &rules, &Habits::default()).unwrap().is_meaningful());
    }
}
