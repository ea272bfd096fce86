//! HTML: our own pages first, then the world's.

mod about;
mod addresses;
mod linear;
mod links;
mod main_text;
mod splitting;
mod text;
mod tokens;
mod vectors;

use extract::html::{Page, Reader, Wanted};
use extract::{Limits, Link};

/// All that a page says, under the usual limits.
pub(crate) fn read(html: &str) -> Page {
    read_within(html, &Limits::default())
}

pub(crate) fn read_within(html: &str, limits: &Limits) -> Page {
    let mut reader = Reader::new(Wanted::ALL, limits);
    reader.write(html);
    reader.finish()
}

/// A link on one line: hop, rule, reference, and text in brackets if there is one.
pub(crate) fn line(link: &Link) -> String {
    let text = if link.text.is_empty() { String::new() } else { format!(" [{}]", link.text) };
    format!("{} {} {}{text}", link.hop.letter(), link.rule, link.reference)
}
