//! Any bytes as XML, as a DASH manifest, and as a sitemap.

use extract::{dash, sitemap, xml};

use super::bounds;

pub(crate) fn attack(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    bounds::read(|links, limits| {
        let said = xml::links(&text, limits, links);
        assert!(said.title.is_none_or(|title| title.len() <= limits.phrase_bytes_max));
    });
    bounds::read(|links, _| dash::links(&text, links));
    bounds::read(|links, limits| sitemap::links(bytes, limits, links));
    // An element before it is read, whatever comes.
    let more = format!("<varve href='http://varve.example/'/>{text}");
    let links = bounds::read(|links, limits| drop(xml::links(&more, limits, links)));
    assert!(links.first().is_some_and(|link| link.reference == "http://varve.example/"));
}
