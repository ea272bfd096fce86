//! The links of JavaScript.

use crate::Links;

/// Adds the links of `script` to `links`.
pub fn links(script: &str, links: &mut Links) {
    let _ = (script, links);
}
