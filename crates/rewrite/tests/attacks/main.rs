//! Hostile bytes: the attacks of the fuzz targets, over their stored seeds.

// Tests fail by panicking.
#![allow(clippy::unwrap_used, clippy::panic)]

mod css;
mod html;
mod script;
mod through;

use testkit::seeds;

#[test]
fn seeds_of_pages_harm_nothing() {
    seeds::each("rewrite_html", html::attack);
}

#[test]
fn seeds_of_scripts_harm_nothing() {
    seeds::each("rewrite_script", script::attack);
}

#[test]
fn seeds_of_style_sheets_harm_nothing() {
    seeds::each("rewrite_css", css::attack);
}
