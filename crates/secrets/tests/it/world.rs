//! A folder with secrets in it.

use std::fs;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use secrets::{Entry, EntryState, Secrets};
use urlkey::Login;

pub(crate) struct World {
    folder: tempfile::TempDir,
}

impl World {
    pub(crate) fn new() -> World {
        World { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn secrets(&self) -> Secrets {
        secrets_in(self.folder.path())
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Stores some.
    pub(crate) fn set(&self, logins: &[Login]) {
        self.secrets().set(logins, at(1_800_000_000_000)).unwrap();
    }

    /// The logins that can be read.
    pub(crate) fn readable(&self) -> Vec<Login> {
        self.secrets().list().unwrap().into_iter().filter_map(readable).collect()
    }

    pub(crate) fn key(&self) -> String {
        fs::read_to_string(self.path("secrets.key")).unwrap()
    }
}

pub(crate) fn secrets_in(folder: &Path) -> Secrets {
    Secrets::new(&folder.join("secrets.db"), &folder.join("secrets.key"))
}

pub(crate) fn at(millisecond: i64) -> Timestamp {
    Timestamp::from_millisecond(millisecond).unwrap()
}

pub(crate) fn login(host: &str, user: &str, password: &str) -> Login {
    Login {
        origin: format!("https://{host}"),
        user: user.as_bytes().to_vec(),
        password: password.as_bytes().to_vec(),
    }
}

fn readable(entry: Entry) -> Option<Login> {
    match entry.state {
        EntryState::Readable(login) => Some(login),
        _ => None,
    }
}
