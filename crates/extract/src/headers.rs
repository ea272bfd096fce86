//! Links in HTTP headers: `Link`, `Location`, `Content-Location`, `Refresh`.

use crate::Links;

/// Adds the links of HTTP headers, given as names and values in their order.
pub fn links<'a>(headers: impl IntoIterator<Item = (&'a str, &'a str)>, links: &mut Links) {
    let _ = (headers.into_iter().count(), links);
}
