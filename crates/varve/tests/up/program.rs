//! `varve up`, mostly with `--demo`, in a folder of its own, at ports that are free.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;
use testkit::chromium::Page;

use crate::http;

/// The program, running as long as this value lives.
pub(crate) struct Up {
    child: Child,
    /// Where the pages are, such as `http://127.0.0.1:8470`.
    pub(crate) pages: String,
    /// The address that signs a browser in.
    sign_in: String,
    /// Where archived pages are shown, such as `http://localhost:8471`.
    pub(crate) replay: String,
    /// Where the archive lies.
    pub(crate) archive: PathBuf,
    /// How long it took until it said where to look.
    pub(crate) took: Duration,
    // Removed last.
    folder: Option<TempDir>,
}

impl Up {
    /// Starts it and waits until the sample site is harvested.
    pub(crate) fn start() -> Up {
        Up::start_in(tempfile::tempdir().unwrap(), &["--demo"])
    }

    /// Starts it in a folder with these words, and waits until it says where it is.
    pub(crate) fn start_in(folder: TempDir, words: &[&str]) -> Up {
        let started = Instant::now();
        let mut child = Command::new(env!("CARGO_BIN_EXE_varve"))
            .args(["up", "--port", "0", "--replay-port", "0", "--no-open", "--json"])
            .args(words)
            .current_dir(folder.path())
            .env_remove("VARVE_ARCHIVE")
            .env_remove("VARVE_CONFIG")
            .env("LANG", "C.UTF-8")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let took = started.elapsed();
        let row: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"));
        let origin = |name: &str| row[name].as_str().unwrap().trim_end_matches('/').to_owned();
        let archive = folder.path().join(row["archive"].as_str().unwrap());
        let (pages, sign_in) = (origin("pages"), row["sign_in"].as_str().unwrap().to_owned());
        http::sign_in(&pages, sign_in.split_once("token=").unwrap().1);
        Up { pages, sign_in, replay: origin("replay"), archive, child, took, folder: Some(folder) }
    }

    /// Kills it, and starts it again in the same folder, at other ports.
    pub(crate) fn again(mut self, words: &[&str]) -> Up {
        let folder = self.folder.take().unwrap();
        drop(self);
        Up::start_in(folder, words)
    }

    /// Signs a browser in, and leads it to a page that follows no events and so comes to rest.
    pub(crate) fn sign_in(&self, page: &Page) {
        page.go(&format!("{}&next=/watches", self.sign_in));
    }

    /// The address of an archived page.
    pub(crate) fn archived(&self, timestamp: &str, path: &str) -> String {
        format!("{}/web/{timestamp}/http://{}{path}", self.replay, demo::HOST)
    }

    /// Whether a request for this address stays inside: it is for us, or never leaves the browser.
    pub(crate) fn is_ours(&self, url: &str) -> bool {
        let is_at = |origin: &str| url.strip_prefix(origin).is_some_and(|rest| rest.starts_with('/'));
        // The browser's own surface is made of pages as well.
        let inner = ["data:", "blob:", "about:", "chrome:"];
        is_at(&self.pages) || is_at(&self.replay) || inner.iter().any(|scheme| url.starts_with(scheme))
    }
}

impl Drop for Up {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// When an edition came out, as fourteen digits.
pub(crate) fn timestamp(edition: u8) -> String {
    let edition = demo::EDITIONS.iter().find(|known| known.number == edition).unwrap();
    edition.published.chars().filter(char::is_ascii_digit).collect()
}
