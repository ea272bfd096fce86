//! Plain lists: a URL on a line, and words behind it, with commas between them, as changedetection.io imports them.
//!
//! ```text
//! # a remark
//! https://example.org/news
//! https://example.org/shop prices, example shop
//! ```

use crate::decode::check;
use crate::draft::Drafts;
use crate::{Entry, Error, Limits, List, Place};

/// Reads a list.
///
/// # Errors
/// If it is too large. Lines that are no URLs are left out and told.
pub fn read(text: &str, limits: &Limits) -> Result<List, Error> {
    let text = check(text, limits)?;
    let mut drafts = Drafts::new(limits);
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (url, tags) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let mut entry = Entry::new(url);
        plain_source(&mut entry);
        tags.split(',').for_each(|tag| entry.tag(tag));
        drafts.add(Place::line(number + 1), entry)?;
    }
    Ok(drafts.finish())
}

/// changedetection.io writes `source:` before a URL whose source is compared, not its text.
pub(crate) fn plain_source(entry: &mut Entry) {
    if let Some(url) = entry.url.trim().strip_prefix("source:") {
        entry.url = url.trim().to_owned();
        entry.tell("`source:` before the URL: its text is compared, not its source");
    }
}
