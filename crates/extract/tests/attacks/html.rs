//! Any bytes as a page.

use extract::html::{Page, Reader, Wanted};
use extract::{Limits, srcset};

use super::html_tokens;

pub(crate) fn attack(bytes: &[u8]) {
    let html = String::from_utf8_lossy(bytes);
    let piece_bytes = bytes.iter().fold(0usize, |sum, byte| sum + usize::from(*byte)) % 37 + 1;
    for limits in [Limits::default(), narrow()] {
        let whole = read(&html, html.len(), &limits);
        assert_eq!(read(&html, piece_bytes, &limits), whole, "in pieces of {piece_bytes} bytes");
        check_bounds(&whole, &limits);
    }
    let links = |wanted: Wanted, piece_bytes: usize| {
        let page = read_for(wanted, &html, piece_bytes, &Limits::default());
        let links = page.links.into_vec().into_iter();
        (links.map(|link| (link.reference, link.hop, link.rule)).collect::<Vec<_>>(), page.base, page.robots)
    };
    // Who wants addresses alone passes over much, and finds the same.
    assert_eq!(links(Wanted::ADDRESSES, piece_bytes), links(Wanted::LINKS, html.len()));
    assert_eq!(links(Wanted::ADDRESSES, html.len()), links(Wanted::LINKS, html.len()));
    // A number of more digits is text to us, because something has to give.
    if !html.split(['&', ';']).any(|part| part.starts_with('#') && part.len() > 40) {
        html_tokens::compare(&html, piece_bytes);
    }
    for reference in srcset::references(&html) {
        assert!(!reference.is_empty() && !reference.ends_with(',') && html.contains(reference));
    }
}

/// Limits so small that most pages pass them.
fn narrow() -> Limits {
    let mut limits = Limits::default();
    (limits.links_max, limits.tag_bytes_max, limits.attributes_max) = (5, 64, 3);
    (limits.depth_max, limits.text_bytes_max, limits.phrase_bytes_max) = (4, 100, 10);
    (limits.headings_max, limits.metas_max, limits.script_bytes_max) = (2, 2, 30);
    limits
}

fn read(html: &str, piece_bytes: usize, limits: &Limits) -> Page {
    read_for(Wanted::ALL, html, piece_bytes, limits)
}

fn read_for(wanted: Wanted, html: &str, piece_bytes: usize, limits: &Limits) -> Page {
    let mut reader = Reader::new(wanted, limits);
    let mut rest = html;
    while !rest.is_empty() {
        let (piece, behind) = rest.split_at(rest.ceil_char_boundary(piece_bytes));
        reader.write(piece);
        rest = behind;
    }
    reader.finish()
}

fn check_bounds(page: &Page, limits: &Limits) {
    assert!(page.links.as_slice().len() <= limits.links_max);
    assert!(page.text.len() <= limits.text_bytes_max);
    assert!(page.main_text.len() <= page.text.len());
    assert!(page.headings.len() <= limits.headings_max);
    assert!(page.metas.len() <= limits.metas_max && page.robots.len() <= limits.metas_max);
    assert!(page.dates.len() <= limits.metas_max);
    for link in page.links.as_slice() {
        assert!(link.text.len() <= limits.phrase_bytes_max && link.rel.len() <= limits.phrase_bytes_max);
    }
    // Every line of the main text is one of the text.
    for line in page.main_text.lines() {
        assert!(page.text.contains(line), "{line:?}");
    }
    assert!(page.title.as_ref().is_none_or(|title| title.len() <= limits.phrase_bytes_max));
}
