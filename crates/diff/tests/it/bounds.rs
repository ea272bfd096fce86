//! Whatever is compared, the work is bounded; an answer that is coarser for it says so.
//!
//! Here the inputs are smaller than ten megabytes, and so are the bounds: `cargo xtask bench diff` has the full size and
//! the clock.

use diff::{Difference, Kind, Limits, chars, lines, words};

/// Lines of a few kinds in no order, which is the worst for whoever looks for the least difference.
fn few_kinds(count: usize, mut state: u32) -> String {
    let mut text = String::new();
    for _ in 0..count {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        text.push(char::from(b'a' + (state >> 29) as u8));
        text.push('\n');
    }
    text
}

fn check(difference: &Difference<'_>, old: &str, new: &str) {
    let spans = difference.spans();
    let text = |without: Kind| -> String {
        spans.iter().filter(|span| span.kind != without).map(|span| span.text).collect()
    };
    assert!(text(Kind::Added) == old);
    assert!(text(Kind::Removed) == new);
}

#[test]
fn what_would_take_too_long_is_answered_coarsely_and_says_so() {
    let (old, new) = (few_kinds(50_000, 1), few_kinds(50_000, 2));
    let limits = Limits { tokens_max: 5000, ..Limits::default() };
    for difference in [lines(&old, &new, &limits), words(&old, &new, &limits), chars(&old, &new, &limits)] {
        assert!(difference.is_coarse());
        check(&difference, &old, &new);
    }
}

#[test]
fn a_small_change_in_a_long_text_is_found_exactly() {
    let old = few_kinds(200_000, 1);
    let mut new = old.clone();
    new.replace_range(100_000..100_002, "one line\nand another\n");
    new.replace_range(300_000..300_006, "");
    let difference = lines(&old, &new, &Limits::default());
    assert!(!difference.is_coarse());
    assert!(difference.counts().0 <= 4 && difference.counts().1 == 2, "{:?}", difference.counts());
    check(&difference, &old, &new);
}

#[test]
fn a_text_beyond_the_limit_is_the_same_or_not() {
    let limits = Limits { text_bytes_max: 10, ..Limits::default() };
    let difference = lines("a long text", "a long test", &limits);
    assert!(difference.is_coarse() && difference.hunks().len() == 1);
    check(&difference, "a long text", "a long test");
    assert!(lines("a long text", "a long text", &limits).is_empty());
}

#[test]
fn changes_of_a_page_are_listed_up_to_a_bound() {
    let limits = Limits { changes_max: 10, ..Limits::default() };
    let page = |word: &str| {
        let paragraphs: String = (0..100).map(|number| format!("<p>{word} {number}")).collect();
        diff::Page::read(&paragraphs, &limits)
    };
    let changes = diff::compare_pages(&page("cod"), &page("eel"), &limits);
    assert!(changes.coarse && changes.changes.len() == 10);
    assert!(!diff::compare_pages(&page("cod"), &page("cod"), &limits).coarse);
}

#[test]
fn a_text_of_a_hundred_thousand_lines_with_many_changes_is_compared_in_full() {
    let old: Vec<String> = (0..100_000).map(|number| format!("line {}\n", number * 7919 % 99_991)).collect();
    let mut new = old.clone();
    new.iter_mut().step_by(20).for_each(|line| line.push_str("more\n"));
    let (old, new) = (old.concat(), new.concat());
    let difference = lines(&old, &new, &Limits::default());
    assert!(!difference.is_coarse());
    assert_eq!(difference.counts(), (0, 5000));
}
