//! Opens the pages in a browser that is signed in by that.
//!
//! The browser is given a small page from a file with mode 0600, and that page leads to the address with the token: every user of the
//! machine sees the arguments of a program.

mod token_file;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, anyhow};
use url::Url;

pub(crate) use token_file::{Running, TokenFile, path};

/// Opens the browser that the system prefers.
pub(crate) fn open_browser(archive: &Path, running: &Running) -> anyhow::Result<()> {
    let path = page_path(&token_file::path(archive));
    let shown = || format!("cannot write `{}`", path.display());
    private::replace(&path, page(&running.sign_in()).as_bytes()).with_context(shown)?;
    let full = std::fs::canonicalize(&path).with_context(shown)?;
    let url = Url::from_file_path(&full).map_err(|()| anyhow!("`{}` has no address", full.display()))?;
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let begun = Command::new(program)
        .arg(url.as_str())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    begun.map(drop).with_context(|| format!("cannot run `{program}`"))
}

/// The file beside the one with the token.
pub(super) fn page_path(token_file: &Path) -> PathBuf {
    token_file.with_file_name("sign-in.html")
}

/// The address holds nothing that HTML would take for something else: an origin of ours and hexadecimal digits.
fn page(address: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
         <meta http-equiv=\"refresh\" content=\"0; url={address}\">\n<title>varve</title>\n\
         <p><a href=\"{address}\">Open the archive</a></p>\n</html>\n"
    )
}
