//! Any bytes as a style sheet.

use extract::{Limits, Links, css};

use super::bounds;

pub(crate) fn attack(bytes: &[u8]) {
    let sheet = String::from_utf8_lossy(bytes);
    let links = bounds::read(|links, _| css::links(&sheet, links));
    for link in &links {
        assert!(!link.reference.starts_with('#') && !link.reference.trim_start().starts_with("data:"));
        written_again(&link.reference);
    }
    // Whatever it is, in a comment it is nothing.
    if !sheet.contains("*/") {
        assert!(bounds::read(|links, _| css::links(&format!("/*{sheet}*/"), links)).is_empty());
    }
    // A block behind it that is sound is read, unless something open swallows it.
    let closed = format!("{sheet}\n\"'*/\n}}a{{b:url(varve.png)}}");
    if !sheet.contains(['\\', '"', '\'', '(', '/', '@']) {
        let found = bounds::read(|links, _| css::links(&closed, links));
        assert!(
            found.iter().any(|link| link.reference == "varve.png")
                || found.len() >= Limits::default().links_max
        );
    }
}

/// A reference that was found is found again where it is written with every character escaped.
fn written_again(reference: &str) {
    let escaped: String = reference.chars().map(|char| format!("\\{:x} ", u32::from(char))).collect();
    let mut links = Links::new(&Limits::default());
    css::links(&format!("a{{b:url({escaped})}}"), &mut links);
    let again: Vec<&str> = links.as_slice().iter().map(|link| link.reference.as_str()).collect();
    // Quotes around it are taken for those of the sheet, and blanks for none.
    if !reference.contains(['"', '\'', '\0']) && reference.trim() == reference {
        assert_eq!(again, [reference]);
    }
}
