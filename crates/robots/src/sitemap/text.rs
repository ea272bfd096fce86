//! A list of URLs, one a line.

use std::io::{BufRead as _, Read as _};

use super::build::Builder;
use super::source::Source;
use super::{Entry, EntryKind, Format};
use crate::Limits;

/// Reads every line. A file in which no line is a URL is no sitemap.
pub(super) fn read(
    source: &mut Source<'_>,
    limits: &Limits,
    builder: &mut Builder<impl FnMut(Entry)>,
) -> Format {
    let token = source.token();
    let mut line = Vec::new();
    while !builder.is_full() {
        line.clear();
        token.set(0);
        // One more than the limit shows that there is more, and the rest of such a line is nothing either.
        let limit = limits.url_bytes as u64 + 1;
        let Ok(count @ 1..) = source.by_ref().take(limit).read_until(b'\n', &mut line) else { break };
        if count as u64 == limit && !line.ends_with(b"\n") && source.skip_until(b'\n').is_err() {
            break;
        }
        let text = String::from_utf8_lossy(&line);
        if !text.trim().is_empty() {
            builder.entry(EntryKind::Page, text.trim());
        }
    }
    if builder.count() == 0 {
        builder.no_sitemap("");
        return Format::Unknown;
    }
    Format::Text
}
