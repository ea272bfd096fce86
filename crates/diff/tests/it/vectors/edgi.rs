//! Pairs of pages that analysts have labelled, and small pairs whose number of changes is known.

use diff::{Document, Habits, Limits, Rules, compare, words};

use super::folder;

fn read(path: std::path::PathBuf) -> String {
    String::from_utf8_lossy(
        &std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())),
    )
    .into_owned()
}

/// Whether a change from one to the other is worth telling.
fn judged(old: &Document, new: &Document) -> bool {
    compare(old, new, &Rules::none(&Limits::default()), &Habits::default()).unwrap().is_meaningful()
}

#[test]
fn labelled_pairs_are_judged_right() {
    let Some(folder) = folder() else { return };
    let limits = Limits::default();
    let (mut right, mut wrong) = (0, Vec::new());
    let pairs = folder.join("edgi-labelled-pairs");
    for case in testkit::vectors::jsonl(pairs.join("index.jsonl")) {
        let name = case["pair"].as_str().unwrap();
        let page = |side: &str| Document::page(&read(pairs.join(name).join(side)), &limits);
        if Some(judged(&page("a.html"), &page("b.html"))) == case["meaningful_change"].as_bool() {
            right += 1;
        } else {
            wrong.push(name.to_owned());
        }
    }
    // Texts that a changedetection.io test takes for changed.
    let texts = folder.join("changedetection-before-after");
    for after in ["after.txt", "after-2.txt"].into_iter().filter(|name| texts.join(name).exists()) {
        let text = |name: &str| Document::text(&read(texts.join(name)));
        if judged(&text("before.txt"), &text(after)) && !judged(&text(after), &text(after)) {
            right += 1;
        } else {
            wrong.push(after.to_owned());
        }
    }
    println!("{right} right, wrong: {wrong:?}");
    assert!(right * 10 >= (right + wrong.len()) * 9, "{wrong:?}");
}

#[test]
fn versions_of_one_page_are_told_apart() {
    let Some(folder) = folder() else { return };
    let limits = Limits::default();
    for entry in std::fs::read_dir(folder.join("edgi-page-versions")).unwrap() {
        let dir = entry.unwrap().path();
        let (old, new) = (
            Document::page(&read(dir.join("a.html")), &limits),
            Document::page(&read(dir.join("b.html")), &limits),
        );
        assert!(judged(&old, &new), "{}", dir.display());
        assert!(!judged(&old, &old), "{}", dir.display());
    }
}

#[test]
fn session_ids_and_prefixes_of_archives_are_no_change() {
    let Some(folder) = folder() else { return };
    let limits = Limits::default();
    for case in testkit::vectors::jsonl(folder.join("edgi-html-diff-properties.jsonl")) {
        let page = |side: usize| Document::page(case["input"][side].as_str().unwrap(), &limits);
        let outcome = compare(&page(0), &page(1), &Rules::none(&limits), &Habits::default()).unwrap();
        let is_changed = case["expect"]["change_count"].as_u64().unwrap() > 0;
        assert_eq!(outcome.is_meaningful(), is_changed, "{}", case["name"]);
    }
}

#[test]
fn texts_of_pages_and_bytes_are_compared() {
    let Some(folder) = folder() else { return };
    let limits = Limits::default();
    for case in testkit::vectors::jsonl(folder.join("edgi-basic-diffs.jsonl")) {
        let side = |side: usize| case["input"][side].as_str().unwrap();
        match case["op"].as_str().unwrap() {
            "text_diff_sides" => {
                let text = |html: &str| diff::Page::read(html, &limits).text().trim_end().to_owned();
                let (old, new) = (text(side(0)), text(side(1)));
                assert_eq!(
                    (old.as_str(), new.as_str()),
                    (case["expect"]["a"].as_str().unwrap(), case["expect"]["b"].as_str().unwrap())
                );
                assert!(!words(&old, &new, &limits).is_empty());
            }
            "identical_bytes" => {
                let same = diff::lines(side(0), side(1), &limits).is_empty();
                assert_eq!(Some(same), case["expect"].as_bool(), "{case}");
            }
            // A length is `len()`, and nothing of ours.
            "compare_length" | "length" => {}
            other => panic!("no such operation: {other}"),
        }
    }
}
