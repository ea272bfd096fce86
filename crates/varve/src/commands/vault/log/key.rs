//! The key that signs checkpoints, in the archive's folder, for its owner's eyes alone.
//!
//! ```text
//! varve-key 1
//! varve/<name>
//! <PKCS #8, base64>
//! ```

use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use anyhow::{Context as _, anyhow};
use data_encoding::BASE64;
use vault::Key;

use crate::commands::vault::small;
use crate::hint::WithHint as _;

/// The file in an archive.
pub(crate) const FILE: &str = "vault.key";
/// What its first line says.
const FORMAT: &str = "varve-key 1";
/// No key is longer.
const BYTES_MAX: u64 = 4096;

/// The archive's key, if there is one.
pub(crate) fn find(archive: &Path) -> anyhow::Result<Option<Key>> {
    let path = archive.join(FILE);
    if !path.exists() {
        return Ok(None);
    }
    if let Ok(file) = File::open(&path) {
        private::tighten(&file, &path);
    }
    let text = small::read(&path, BYTES_MAX)?;
    let mut lines = text.lines();
    let key = match (lines.next(), lines.next(), lines.next()) {
        (Some(FORMAT), Some(name), Some(secret)) => {
            BASE64.decode(secret.as_bytes()).ok().and_then(|secret| Key::read(name, &secret).ok())
        }
        _ => None,
    };
    key.map(Some)
        .ok_or_else(|| anyhow!("`{}` is no key of ours", path.display()))
        .hint("put the right one back; a new one would not prove what was signed before")
}

/// The archive's key; a new one if there is none.
pub(crate) fn find_or_make(archive: &Path) -> anyhow::Result<Key> {
    if let Some(key) = find(archive)? {
        return Ok(key);
    }
    let folder = fs::canonicalize(archive).unwrap_or_else(|_| archive.to_owned());
    let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_') { c } else { '_' };
    let name: String = folder.file_name().unwrap_or_default().to_string_lossy().chars().map(plain).collect();
    let (key, secret) = Key::generate(&format!("varve/{name}"))?;
    let path = archive.join(FILE);
    let write = || {
        let mut file = File::options().write(true).create_new(true).mode(0o600).open(&path)?;
        write!(file, "{FORMAT}\n{}\n{}\n", key.name(), BASE64.encode(&secret))?;
        file.sync_all()?;
        File::open(archive)?.sync_all()
    };
    write().with_context(|| format!("cannot write `{}`", path.display()))?;
    Ok(key)
}
