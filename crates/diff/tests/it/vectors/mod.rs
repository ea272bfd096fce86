//! The shared vectors on text and change, section 08: other people's cases, read in place.
//!
//! A case that cannot pass is named with its reason, in the file that reads it; one that fails without a reason fails the test.

mod changedetection;
mod daisydiff;
mod edgi;
mod urlwatch;

use std::path::PathBuf;

fn folder() -> Option<PathBuf> {
    testkit::vectors::dir().map(|dir| dir.join("08-text-change"))
}

/// What a text says, without how it is laid out: no blanks at all.
fn squeezed(text: &str) -> String {
    text.chars().filter(|char| !char.is_whitespace()).collect()
}
