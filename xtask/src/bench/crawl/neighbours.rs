//! A thousand hosts, each with its pause; and a site that behaves beside one that does not.
//!
//! The servers of both, and their judges, are examples of `testkit`. Each runs the crawl itself and ends with a line of its
//! figures.

use std::path::Path;

/// Lines for the page, and what is wrong.
pub(super) fn run(_folder: &Path) -> anyhow::Result<(String, Vec<String>)> {
    Ok((String::new(), Vec::new()))
}
