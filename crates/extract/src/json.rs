//! The links of JSON.

use crate::Links;

/// Adds the links of `json` to `links`.
pub fn links(json: &str, links: &mut Links) {
    let _ = (json, links);
}
