//! Hostile bytes against the crate: each file has an `attack`, which says what must hold of any bytes at all.
//!
//! Here the attacks run over the stored seeds; `fuzz/fuzz_targets` takes in the same files by their path. `fuzz/README.md`
//! has the rest.
#![allow(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)]

mod bounds;
mod css;
mod html;
mod html_tokens;
mod identify;
mod pdf;
mod script;
mod xml;

use testkit::seeds;

#[test]
fn html_seeds_hold() {
    seeds::each("html", html::attack);
}

#[test]
fn css_seeds_hold() {
    seeds::each("css", css::attack);
}

#[test]
fn js_seeds_hold() {
    seeds::each("js", script::attack);
}

#[test]
fn identify_seeds_hold() {
    seeds::each("identify", identify::attack);
}

#[test]
fn pdf_seeds_hold() {
    seeds::each("pdf", pdf::attack);
}

#[test]
fn xml_seeds_hold() {
    seeds::each("xml", xml::attack);
}
