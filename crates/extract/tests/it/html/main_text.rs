//! The page's own text, measured against what Mozilla's Readability makes of the same pages.

use std::collections::HashMap;
use std::fs;

use super::read;

/// What is reached, minus a little: a change that makes it worse is seen.
const MEAN_F1_MIN: f64 = 0.95;

#[test]
fn navigation_and_footers_are_left_out() {
    let paragraph =
        "A sentence that is long enough to count, with commas, and with words that say something. ".repeat(4);
    let html = format!(
        "<header><h1>Site</h1></header><nav><ul><li><a href=/>Home</a><li><a href=/b>About</a></ul></nav>\
         <div class=content><h2>Title</h2><p>{paragraph}</p><p>{paragraph}</p><div class=share><a href=x>Share</a></div></div>\
         <div class=sidebar><p>{paragraph}</p></div><footer>Copyright, all rights reserved, and so on, and so on</footer>"
    );
    let page = read(&html);
    let trimmed = paragraph.trim();
    assert_eq!(page.main_text, format!("Title\n{trimmed}\n{trimmed}"));
    assert!(page.text.contains("Copyright") && page.text.contains("Home"));
}

#[test]
fn a_page_with_nothing_but_a_line_keeps_it() {
    assert_eq!(read("<p>Hello").main_text, "Hello");
    assert_eq!(read("").main_text, "");
}

#[test]
fn main_text_is_what_readability_finds() {
    let Some(dir) = testkit::vectors::dir() else { return };
    let mut scores = Vec::new();
    for entry in fs::read_dir(dir.join("08-text-change/readability")).unwrap() {
        let folder = entry.unwrap().path();
        let file = |name: &str| String::from_utf8_lossy(&fs::read(folder.join(name)).unwrap()).into_owned();
        let expected = read(&file("expected.html")).text;
        let found = read(&file("source.html")).main_text;
        scores.push((f1(&expected, &found), folder.file_name().unwrap().to_string_lossy().into_owned()));
    }
    scores.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (score, name) in &scores {
        eprintln!("{score:.3} {name}");
    }
    let mean = scores.iter().map(|(score, _)| score).sum::<f64>() / scores.len() as f64;
    eprintln!("mean F1 of words over {} pages: {mean:.4}", scores.len());
    assert!(mean >= MEAN_F1_MIN, "{mean}");
}

/// The harmonic mean of how much was found and how much of it is right, in words.
fn f1(expected: &str, found: &str) -> f64 {
    let words = |text: &str| {
        let mut counts = HashMap::new();
        for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
            *counts.entry(word.to_lowercase()).or_insert(0usize) += 1;
        }
        counts
    };
    let (expected, found) = (words(expected), words(found));
    let both: usize = expected.iter().map(|(word, count)| *count.min(found.get(word).unwrap_or(&0))).sum();
    let (expected, found) = (expected.values().sum::<usize>(), found.values().sum::<usize>());
    if expected + found == 0 { 1.0 } else { 2.0 * both as f64 / (expected + found) as f64 }
}
