//! `work/up.json`: where a running `varve up` is, and the token that lets programs and browsers in. Only the user who runs it can read the
//! file, which has mode 0600 and lies in a folder with mode 0700.
//!
//! ```text
//! {"format": 1, "pid": 4711, "pages": "http://127.0.0.1:8470", "replay": "http://localhost:8471", "token": "64 digits"}
//! ```
//! Its writer holds a lock on the file for as long as it runs, so that a file which a killed process has left is told from a running one.

use std::fs::{self, File, TryLockError};
use std::io::{Read as _, Seek as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use api::Secret;
use serde::{Deserialize, Serialize};

use crate::hint::WithHint as _;
use crate::watching::Links;

/// The version of the file.
const FORMAT: u32 = 1;

/// Nobody writes a longer one.
const BYTES_MAX: u64 = 64 << 10;

/// What the file says.
#[derive(Serialize, Deserialize)]
struct Written {
    format: u32,
    pid: u32,
    pages: String,
    replay: String,
    token: String,
}

/// The file of a running `varve up`; removed when it is dropped.
pub(crate) struct TokenFile {
    path: PathBuf,
    token: String,
    _lock: File,
}

/// A server that runs, and what lets its user in.
pub(crate) struct Running {
    /// Where its pages are, such as `http://127.0.0.1:8470`.
    pub(crate) pages: String,
    pub(crate) token: String,
}

impl TokenFile {
    /// Writes the file in one step.
    pub(crate) fn write(archive: &Path, links: &Links, token: &Secret) -> anyhow::Result<TokenFile> {
        let path = path(archive);
        let written = Written {
            format: FORMAT,
            pid: std::process::id(),
            pages: links.pages.clone(),
            replay: links.replay.clone(),
            token: token.reveal().to_owned(),
        };
        let write = || {
            let file = private::replace(&path, &serde_json::to_vec_pretty(&written)?)?;
            file.lock()?;
            anyhow::Ok(file)
        };
        let lock = write().with_context(|| format!("cannot write `{}`", path.display()))?;
        Ok(TokenFile { path, token: written.token, _lock: lock })
    }
}

impl Drop for TokenFile {
    fn drop(&mut self) {
        // Another `varve up` may have begun since, and have replaced it.
        let is_ours = read(&self.path).is_ok_and(|(_, found)| found.token == self.token);
        if is_ours {
            let _ = fs::remove_file(&self.path);
            let _ = fs::remove_file(super::page_path(&self.path));
        }
    }
}

impl Running {
    /// The `varve up` that runs on an archive.
    pub(crate) fn find(archive: &Path) -> anyhow::Result<Running> {
        let path = path(archive);
        let shown = archive.display();
        let absent = || {
            Err(anyhow!("no `varve up` runs on the archive in `{shown}`"))
                .hint(format!("`varve up --archive {shown}` starts it"))
        };
        let (file, written) = match read(&path) {
            Ok(read) => read,
            Err(error) if error.is_not_found() => return absent(),
            Err(error) => return Err(error.0).with_context(|| format!("cannot read `{}`", path.display())),
        };
        match file.try_lock_shared() {
            // Its writer was killed.
            Ok(()) => absent(),
            Err(TryLockError::WouldBlock) => Ok(Running { pages: written.pages, token: written.token }),
            Err(TryLockError::Error(error)) => {
                Err(error).with_context(|| format!("cannot lock `{}`", path.display()))
            }
        }
    }

    /// The address that signs a browser in.
    pub(crate) fn sign_in(&self) -> String {
        format!("{}/sign-in?token={}", self.pages, self.token)
    }
}

/// Where the file of an archive lies.
pub(crate) fn path(archive: &Path) -> PathBuf {
    archive.join(api::TOKEN_FILE)
}

struct Unreadable(anyhow::Error);

impl Unreadable {
    fn is_not_found(&self) -> bool {
        let cause = self.0.downcast_ref::<std::io::Error>();
        cause.is_some_and(|error| error.kind() == std::io::ErrorKind::NotFound)
    }
}

fn read(path: &Path) -> Result<(File, Written), Unreadable> {
    let read = || {
        let mut file = private::read(path)?;
        let mut text = String::new();
        (&mut file).take(BYTES_MAX).read_to_string(&mut text)?;
        file.rewind()?;
        let written: Written = serde_json::from_str(&text)?;
        anyhow::ensure!(written.format <= FORMAT, "a later version of this program wrote it");
        anyhow::Ok((file, written))
    };
    read().map_err(Unreadable)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt as _;

    use super::*;

    fn links() -> Links {
        Links { pages: "http://127.0.0.1:8470".to_owned(), replay: "http://localhost:8471".to_owned() }
    }

    #[test]
    fn only_a_running_server_is_found_and_its_file_is_for_its_user_alone() {
        let archive = tempfile::tempdir().unwrap();
        fs::create_dir(archive.path().join("work")).unwrap();
        assert!(Running::find(archive.path()).err().unwrap().to_string().contains("no `varve up` runs"));
        let token = Secret::random().unwrap();
        let file = TokenFile::write(archive.path(), &links(), &token).unwrap();
        assert_eq!(file.path.metadata().unwrap().mode() & 0o7777, 0o600);
        let found = Running::find(archive.path()).unwrap();
        assert_eq!(found.sign_in(), format!("http://127.0.0.1:8470/sign-in?token={}", token.reveal()));
        let left = archive.path().join("left");
        fs::hard_link(&file.path, &left).unwrap();
        drop(file);
        assert!(!path(archive.path()).exists());
        // As a killed process leaves it.
        fs::rename(&left, path(archive.path())).unwrap();
        assert!(Running::find(archive.path()).is_err());
    }

    #[test]
    fn the_file_of_a_later_server_stays() {
        let archive = tempfile::tempdir().unwrap();
        fs::create_dir(archive.path().join("work")).unwrap();
        let first = TokenFile::write(archive.path(), &links(), &Secret::random().unwrap()).unwrap();
        let token = Secret::random().unwrap();
        let _second = TokenFile::write(archive.path(), &links(), &token).unwrap();
        drop(first);
        assert_eq!(Running::find(archive.path()).unwrap().token, token.reveal());
    }
}
