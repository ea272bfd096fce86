//! The links of CSS.

use crate::Links;

/// Adds the links of `css` to `links`.
pub fn links(css: &str, links: &mut Links) {
    let _ = (css, links);
}
