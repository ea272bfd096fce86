//! Where the URLs come from: arguments, files, standard input, one after another and never all at once.
//!
//! Lists are opened before the first URL is handed out, so that one that is missing is told at once.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use url::Url;

use crate::input::Input;

/// A longer line is no URL that anybody could fetch.
const LINE_BYTES_MAX: u64 = 1 << 16;

/// One entry of a list.
pub(super) enum Entry {
    /// To be fetched.
    Url(Url),
    /// Not understood.
    NoUrl { text: String, reason: String },
    /// The list itself cannot be read.
    Unreadable(anyhow::Error),
}

/// All entries in their order: arguments first, then the lists.
pub(super) fn read(urls: Vec<String>, lists: Vec<PathBuf>) -> impl Iterator<Item = Entry> + Send {
    let arguments = urls.into_iter().map(|text| -> Box<dyn Iterator<Item = Entry> + Send> {
        if text == "-" { lines(Path::new("-")) } else { Box::new(std::iter::once(entry(&text))) }
    });
    let opened: Vec<_> = arguments.chain(lists.into_iter().map(|path| lines(&path))).collect();
    opened.into_iter().flatten()
}

fn lines(path: &Path) -> Box<dyn Iterator<Item = Entry> + Send> {
    let name = path.display().to_string();
    let input = match Input::open(path) {
        Ok(input) => input,
        Err(error) => return Box::new(std::iter::once(Entry::Unreadable(error))),
    };
    let mut input = BufReader::new(input);
    let mut is_over = false;
    Box::new(std::iter::from_fn(move || {
        while !is_over {
            let mut line = Vec::new();
            // One more than the limit shows that there is more.
            let taken = input.by_ref().take(LINE_BYTES_MAX + 1).read_until(b'\n', &mut line);
            let skipped = match taken {
                Ok(0) => return None,
                Ok(_) if line.len() as u64 > LINE_BYTES_MAX => input.skip_until(b'\n').map(|_| true),
                Ok(_) => Ok(false),
                Err(error) => Err(error),
            };
            let is_long = match skipped.with_context(|| format!("cannot read `{name}`")) {
                Ok(is_long) => is_long,
                Err(error) => {
                    is_over = true;
                    return Some(Entry::Unreadable(error));
                }
            };
            let text = String::from_utf8_lossy(&line);
            let text = text.trim();
            if is_long {
                let text = text.chars().take(80).collect();
                return Some(Entry::NoUrl { text, reason: format!("longer than {LINE_BYTES_MAX} bytes") });
            }
            if !text.is_empty() && !text.starts_with('#') {
                return Some(entry(text));
            }
        }
        None
    }))
}

/// What a person writes for a URL: the scheme may be left out.
fn entry(text: &str) -> Entry {
    let whole = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
    let refused = |reason: String| Entry::NoUrl { text: text.to_owned(), reason };
    match Url::parse(&whole) {
        Ok(url) if matches!(url.scheme(), "http" | "https") => Entry::Url(url),
        Ok(url) => refused(format!("URLs of the scheme `{}` are not fetched", url.scheme())),
        Err(error) => refused(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        let found = match entry(text) {
            Entry::Url(url) => Some(url.to_string()),
            _ => None,
        };
        assert_eq!(found.as_deref(), expected, "{text}");
    }

    #[test]
    fn the_scheme_may_be_left_out() {
        check("example.org", Some("http://example.org/"));
        check("localhost:8080/a", Some("http://localhost:8080/a"));
        check("HTTPS://Example.org", Some("https://example.org/"));
        check("ftp://example.org/", None);
        check("mailto:a@b", Some("http://mailto:a@b/"));
        check("http://", None);
    }
}
