//! Small files that somebody names: a password, a key, a checkpoint. What is longer is none of these.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, anyhow};

/// The text of a file, if it is no longer than that.
pub(super) fn read(path: &Path, bytes_max: u64) -> anyhow::Result<String> {
    let shown = path.display();
    let mut text = String::new();
    let file = File::open(path).with_context(|| format!("cannot read `{shown}`"))?;
    let length = file.take(bytes_max + 1).read_to_string(&mut text);
    length.with_context(|| format!("cannot read `{shown}`"))?;
    if text.len() as u64 > bytes_max {
        return Err(anyhow!("`{shown}` is far too long for what it should be"));
    }
    Ok(text)
}
