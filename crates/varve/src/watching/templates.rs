//! Texts of one's own for mails: files in a folder, each of which may be missing.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use anyhow::{Context as _, anyhow};
use notify::Templates;

use crate::hint::with_hint;

/// The files, and what holds where one is missing.
const FILES: [(&str, &str); 3] =
    [("subject.txt", Templates::SUBJECT), ("letter.txt", Templates::TEXT), ("letter.html", Templates::HTML)];

/// No template is longer.
const BYTES_MAX: u64 = 1 << 20;

/// The templates of a folder. An empty `letter.html` means letters of text alone.
pub(super) fn read(folder: &Path) -> anyhow::Result<Templates> {
    if !folder.is_dir() {
        let error = anyhow!("there is no folder `{}`, which `templates` names", folder.display());
        return Err(with_hint(error, "make it, or take `templates` out of `[watch]` in varve.toml"));
    }
    let [subject, text, html] = FILES.map(|(name, usual)| {
        let path = folder.join(name);
        let failed = || format!("cannot read `{}`", path.display());
        let file = match File::open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(usual.to_owned()),
            file => file.with_context(failed)?,
        };
        let mut text = String::new();
        file.take(BYTES_MAX + 1).read_to_string(&mut text).with_context(failed)?;
        match text.len() as u64 > BYTES_MAX {
            true => Err(anyhow!("`{}` is too long", path.display())),
            false => Ok(text),
        }
    });
    Templates::new(&subject?, &text?, &html?).map_err(|error| anyhow!("`{}`: {error}", folder.display()))
}
