//! An archive with three replicas, and the program that looks after it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;
use tempfile::TempDir;
use testkit::s3::{ACCESS_KEY, BUCKET, S3, SECRET_KEY};

use crate::run::{Run, varve};

pub(crate) struct World {
    pub(crate) folder: TempDir,
    pub(crate) bucket: Option<S3>,
}

impl World {
    /// Its own store, a cellar of two folders, and a notary's checksums.
    pub(crate) fn new() -> World {
        World::with(
            None,
            "[[replicas]]\nname = 'cellar'\nfolders = ['../cellar/one', '../cellar/two']\nspare = 0\n",
        )
    }

    /// Its own store, a bucket, and a notary's checksums. `None` where there is no server.
    pub(crate) fn with_bucket() -> Option<World> {
        let server = S3::start()?;
        let endpoint = server.endpoint();
        let settings = format!(
            "[[replicas]]\nname = 'cloud'\nbucket = 's3://{BUCKET}/house'\nendpoint = '{endpoint}'\nregion = 'eu-north-1'\n"
        );
        Some(World::with(Some(server), &settings))
    }

    /// Its own store and no other replica.
    pub(crate) fn alone() -> World {
        let world = World { folder: tempfile::tempdir().unwrap(), bucket: None };
        let archive = world.at("archive").display().to_string();
        assert!(varve(["init", &archive]).output().status.success());
        world
    }

    fn with(bucket: Option<S3>, settings: &str) -> World {
        let world = World { bucket, ..World::alone() };
        let settings = format!(
            "format = 1\n[vault]\ncredential = '{SECRET_SHA256}'\n{settings}[[replicas]]\nname = 'notary'\nchecksums = '../notary'\n"
        );
        fs::write(world.at("archive/varve.toml"), settings).unwrap();
        world
    }

    pub(crate) fn at(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// Adds to the settings.
    pub(crate) fn say(&self, more: &str) {
        let path = self.at("archive/varve.toml");
        let said = fs::read_to_string(&path).unwrap();
        // Before the lists of tables, which take all that follows.
        fs::write(&path, said.replacen("format = 1\n", &format!("format = 1\n{more}"), 1)).unwrap();
    }

    /// `varve` with these words, in the archive's folder.
    pub(crate) fn run(&self, words: &[&str]) -> Run {
        varve(words.iter())
            .inside(&self.at("archive"))
            .env("AWS_ACCESS_KEY_ID", ACCESS_KEY)
            .env("AWS_SECRET_ACCESS_KEY", SECRET_KEY)
            .env("USER", "mona")
    }

    /// The same with the vault's password.
    pub(crate) fn trusted(&self, words: &[&str]) -> Run {
        self.run(words).env("VARVE_CREDENTIAL", "sediment")
    }

    /// What it prints; it must succeed.
    #[track_caller]
    pub(crate) fn ok(&self, words: &[&str]) -> String {
        let output = self.run(words).output();
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{words:?}: {told}{}", String::from_utf8_lossy(&output.stderr));
        told
    }

    /// The lines that it prints as JSON, and its exit code.
    pub(crate) fn rows(&self, words: &[&str]) -> (Vec<Value>, Option<i32>) {
        let output = self.run(&[words, &["--json"]].concat()).output();
        let rows = String::from_utf8(output.stdout).unwrap();
        (rows.lines().map(|line| serde_json::from_str(line).unwrap()).collect(), output.status.code())
    }

    /// Keeps a file in every replica.
    #[track_caller]
    pub(crate) fn put(&self, name: &str, bytes: &[u8]) -> String {
        fs::write(self.at(name), bytes).unwrap();
        self.ok(&["vault", "put", &format!("../{name}")]);
        format!("deposit/{name}")
    }

    /// Where a copy lies: in the store, or in the bucket or cellar.
    pub(crate) fn copy(&self, replica: &str, name: &str) -> PathBuf {
        match (replica, &self.bucket) {
            ("store", _) => self.at("archive/store").join(name),
            (_, Some(bucket)) => bucket.folder().join("house").join(name),
            (_, None) => {
                let places = ["cellar/one", "cellar/two"].map(|place| self.at(place).join(name));
                places.iter().find(|path| path.exists()).unwrap_or(&places[0]).clone()
            }
        }
    }
}

/// Of the password `sediment`.
pub(crate) const SECRET_SHA256: &str = "4eba3cb90f31abc3ad041ead970996501d799d45fbb52137c86e244716ad7de6";

/// Puts other bytes into the place of a file, whoever may not write to it.
pub(crate) fn overwrite(path: &Path, bytes: &[u8]) {
    fs::remove_file(path).unwrap();
    fs::write(path, bytes).unwrap();
}

pub(crate) fn told(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}
