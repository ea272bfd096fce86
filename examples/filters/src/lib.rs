//! A filter module: keeps pages with one of certain words in their titles, and everything that is no page.
//!
//! The words are its settings, one to a line. The part that any module needs is in `interface.rs`; this is the rest.

mod interface;

use std::cell::RefCell;

use serde_json::Value;

thread_local! {
    /// The words, in lower case.
    static WORDS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Reads the settings. An error stops the crawl before it begins, and its text is shown to whoever started it.
fn configure(settings: &str) -> Result<(), String> {
    let lines = settings.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let words: Vec<String> = lines.map(str::to_lowercase).collect();
    if words.is_empty() {
        return Err("there is no word in them".to_owned());
    }
    interface::log(interface::DEBUG, &format!("{} words", words.len()));
    WORDS.set(words);
    Ok(())
}

/// Judges a document by its facts: `Ok` keeps it, an error drops it and says why.
fn filter(facts: &Value) -> Result<(), String> {
    if facts["mime"] != "text/html" {
        return Ok(());
    }
    let title = facts["title"].as_str().unwrap_or_default();
    let lower = title.to_lowercase();
    WORDS.with_borrow(|words| {
        if words.iter().any(|word| lower.contains(word)) {
            return Ok(());
        }
        Err(format!("none of {} words stands in the title `{title}`", words.len()))
    })
}
