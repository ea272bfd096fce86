//! What lets requests in: a token that is new at each start, and the key of feeds, which stays.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use anyhow::{Context as _, anyhow};
use api::{Keys, Secret};

use crate::hint::WithHint as _;

/// Has the key of feeds, in the archive's folder.
const FEEDS: &str = "feeds.key";

/// Nobody writes a longer one.
const BYTES_MAX: u64 = 1 << 10;

/// The keys of the server at this port.
pub(super) fn keys(archive: &Path, port: u16) -> anyhow::Result<Keys> {
    let fresh = Keys::random(port).context("cannot make a token")?;
    let path = archive.join(FEEDS);
    match File::open(&path) {
        Ok(file) => {
            private::tighten(&file, &path);
            let mut text = String::new();
            let read = file.take(BYTES_MAX).read_to_string(&mut text);
            read.with_context(|| format!("cannot read `{}`", path.display()))?;
            let feeds = Secret::parse(text.trim())
                .ok_or_else(|| anyhow!("`{}` holds no key of feeds", path.display()))
                .hint("delete it and a new one is made; feed readers then need the new addresses of their feeds")?;
            Ok(Keys { feeds, ..fresh })
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let line = format!("{}\n", fresh.feeds.reveal());
            private::replace(&path, line.as_bytes())
                .with_context(|| format!("cannot write `{}`", path.display()))?;
            Ok(fresh)
        }
        Err(error) => Err(error).with_context(|| format!("cannot read `{}`", path.display())),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt as _;

    use super::*;

    #[test]
    fn the_token_is_new_at_each_start_and_the_key_of_feeds_stays() {
        let archive = tempfile::tempdir().unwrap();
        let (first, second) = (keys(archive.path(), 1).unwrap(), keys(archive.path(), 1).unwrap());
        assert_ne!(first.token.reveal(), second.token.reveal());
        assert_eq!(first.feeds.reveal(), second.feeds.reveal());
        let path = archive.path().join(FEEDS);
        assert_eq!(path.metadata().unwrap().mode() & 0o7777, 0o600);
        std::fs::write(&path, "no key").unwrap();
        assert!(keys(archive.path(), 1).unwrap_err().to_string().contains("no key of feeds"));
    }
}
