//! The attributes of drawings.

use crate::{Hop, Link, Links, Rule, css, likely};

/// Adds what an attribute of an element of a drawing points at.
pub(super) fn attribute(element: &str, name: &str, value: &str, links: &mut Links) {
    match name {
        "href" | "xlink:href" | "src" => {
            if value.is_empty() || value.starts_with('#') || likely::is_data(value) {
                return;
            }
            let hop = if element == "a" { Hop::Navigation } else { Hop::Embed };
            let element = super::shortened(element);
            links.add(Link::new(value, hop, Rule::named(element, name.to_owned())));
        }
        // Colours, filters, masks, markers and cursors are written as in style sheets.
        _ if value.len() >= 5 && value.contains("url(") => css::links(value, links),
        "style" => css::links(value, links),
        _ => {}
    }
}
