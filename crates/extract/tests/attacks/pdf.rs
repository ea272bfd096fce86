//! Any bytes as a PDF.

use extract::{Hop, pdf};

use super::bounds;

pub(crate) fn attack(bytes: &[u8]) {
    let links = bounds::read(|links, limits| {
        let said = pdf::links(bytes, limits, links);
        assert!(said.title.as_ref().is_none_or(|title| title.len() <= limits.phrase_bytes_max));
        assert!(!said.encrypted || links.as_slice().is_empty() && said.title.is_none());
    });
    assert!(links.iter().all(|link| matches!(link.hop, Hop::Navigation | Hop::Speculative)));
    // A sound object behind it is read, if nothing is left open: neither a comment, a string nor a stream.
    if !bytes.iter().any(|byte| b"%(<sE".contains(byte)) {
        let mut more = bytes.to_vec();
        more.extend(b"\nendobj 1 0 obj <</S/URI/URI(http://varve.example/)>> endobj");
        let links = bounds::read(|links, limits| drop(pdf::links(&more, limits, links)));
        assert!(links.iter().any(|link| link.reference == "http://varve.example/"));
    }
}
