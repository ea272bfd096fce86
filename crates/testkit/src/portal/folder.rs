//! The site as files, for a web server that serves files.

// The note is one line that we wrote ourselves.
#![allow(clippy::disallowed_methods)]

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

use super::{Portal, What};

/// Changed whenever the contents change, so that a folder of an older kind is made anew.
const EDITION: u32 = 2;

impl Portal {
    /// Writes all files below `folder`, unless they are there already. Whatever else is in the folder goes.
    ///
    /// A note beside the folder, written last, says what it holds: one that was left half written is made anew.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        let note = folder.with_extension("note");
        let says = format!("portal edition {EDITION}, {} pages, seed {}\n", self.pages, self.seed);
        if fs::read_to_string(&note).is_ok_and(|text| text == says) {
            return Ok(());
        }
        for gone in [fs::remove_file(&note), fs::remove_dir_all(folder)] {
            gone.or_else(|error| if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) })?;
        }
        fs::create_dir_all(folder)?;
        fs::write(folder.join("robots.txt"), "User-agent: *\nDisallow:\n")?;
        for what in self.everything() {
            // A query is no part of a file's name: the server leaves it aside.
            if let (false, Some(body)) = (matches!(what, What::Query(_)), self.body(what)) {
                let path = self.path(what);
                let path = if path == "/" { "index.html" } else { path.trim_start_matches('/') };
                let file = folder.join(path);
                file.parent().map_or(Ok(()), fs::create_dir_all)?;
                fs::write(file, body)?;
            }
        }
        fs::write(note, says)
    }

    /// The redirects, as nginx wants them within a `server`.
    pub fn nginx_redirects(&self) -> String {
        let mut text = String::new();
        for what in self.everything() {
            if let Some(target) = self.target(what) {
                let _ = writeln!(text, "location = {} {{ return 301 {target}; }}", self.path(what));
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_written_once_and_anew_when_it_holds_something_else() {
        let parent = std::env::temp_dir().join(format!("testkit-portal-{}", std::process::id()));
        let folder = parent.join("site");
        Portal::new(12).write(&folder).unwrap();
        let front = fs::read(folder.join("index.html")).unwrap();
        assert_eq!(Some(front), Portal::new(12).body(What::Page(0)));
        fs::write(folder.join("index.html"), "mine").unwrap();
        Portal::new(12).write(&folder).unwrap();
        assert_eq!(fs::read(folder.join("index.html")).unwrap(), b"mine");
        Portal::new(13).write(&folder).unwrap();
        assert_ne!(fs::read(folder.join("index.html")).unwrap(), b"mine");
        fs::remove_dir_all(parent).unwrap();
    }

    #[test]
    fn a_redirect_is_a_location() {
        let text = Portal::new(10).nginx_redirects();
        assert!(text.starts_with("location = /go/5 { return 301 /"), "{text}");
    }
}
