//! What a harvest leaves replays in pywb: every page of it has the payload that the live site has. (Issue 4, acceptance 3.)

use std::collections::BTreeSet;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;
use testkit::site::{PAGES, Site};

use crate::run::varve;

/// A name that means this machine.
pub(crate) const HOST: &str = "site.localhost";
/// pywb knows neither chunk extensions nor trailers and shows the last chunk as text.
pub(crate) const NOT_FOR_PYWB: &str = "/chunked";

/// An HTTP answer with the transfer framing taken off and the content coding left on.
#[derive(Debug, PartialEq)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    coding: Option<String>,
    location: Option<String>,
    pub(crate) body: Vec<u8>,
}

pub(crate) fn ask(address: SocketAddr, host: &str, target: &str) -> Answer {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(
        stream,
        "GET {target} HTTP/1.1\r\nHost: {host}\r\nAccept-Encoding: gzip, deflate, br, zstd\r\nConnection: close\r\n\r\n"
    )
    .unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let field = |name: &str| {
        let lines = head.lines().skip(1).filter_map(|line| line.split_once(':'));
        let mut found = lines.filter(|(given, _)| given.eq_ignore_ascii_case(name));
        found.next().map(|(_, value)| value.trim().to_owned())
    };
    let body = &bytes[end + 4..];
    let body = if field("transfer-encoding").is_some() { unchunked(body) } else { body.to_vec() };
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Answer { status, coding: field("content-encoding"), location: field("location"), body }
}

fn unchunked(mut bytes: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    loop {
        let end = bytes.windows(2).position(|two| two == b"\r\n").unwrap();
        let line = std::str::from_utf8(&bytes[..end]).unwrap();
        let size = usize::from_str_radix(line.split(';').next().unwrap().trim(), 16).unwrap();
        if size == 0 {
            return body;
        }
        body.extend_from_slice(&bytes[end + 2..][..size]);
        bytes = &bytes[end + 2 + size + 2..];
    }
}

/// pywb with one collection of these files, stopped when dropped.
struct Pywb {
    process: Child,
    address: SocketAddr,
}

impl Pywb {
    /// `None` where the peers were not made.
    fn start(folder: &Path, files: &[PathBuf]) -> Option<Pywb> {
        let (manager, wayback) =
            (testkit::peers::program("wb-manager")?, testkit::peers::program("wayback")?);
        let manage = |words: &[&str], files: &[PathBuf]| {
            let output = Command::new(&manager).args(words).args(files).current_dir(folder).output().unwrap();
            assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        };
        manage(&["init", "site"], &[]);
        manage(&["add", "site"], files);
        // It wants to be told a port; one that is free now will hardly be taken in the next seconds.
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let process = Command::new(wayback)
            .args(["--bind", "127.0.0.1", "--port", &address.port().to_string()])
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut pywb = Pywb { process, address };
        testkit::until("pywb listens", || {
            assert!(pywb.process.try_wait().unwrap().is_none(), "pywb has ended by itself");
            TcpStream::connect(address).is_ok()
        });
        Some(pywb)
    }

    /// A capture as it was stored, nothing rewritten (`id_`).
    fn replay(&self, url: &str, timestamp: &str) -> Answer {
        ask(self.address, &self.address.to_string(), &format!("/site/{timestamp}id_/{url}"))
    }
}

impl Drop for Pywb {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

/// The WARC files of an archive.
fn files(archive: &Path) -> Vec<PathBuf> {
    let list = |folder: &Path| -> Vec<PathBuf> {
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
    };
    let jobs = list(&archive.join("store")).into_iter().filter(|path| path.is_dir());
    let files = jobs.flat_map(|job| list(&job));
    files.filter(|file| file.to_string_lossy().contains(".warc")).collect()
}

pub(crate) fn harvest(archive: &str, url: &str) {
    let words = ["harvest", url, "--archive", archive, "--scope", "host", "--delay", "0", "--allow-private"];
    let output = varve(words.into_iter().chain(["--quiet"])).output();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn what_was_harvested_replays_in_pywb() {
    let site = Site::start();
    let front = site.url_on(HOST, "/");
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("archive").to_string_lossy().into_owned();
    assert!(varve(["init", &archive]).output().status.success());
    // The second harvest finds what it knows and writes revisits, which lead pywb to the first.
    harvest(&archive, &front);
    harvest(&archive, &front);
    let output = varve(["cdx", &front, "--match", "host", "--json", "--archive", &archive]).output();
    let text = String::from_utf8(output.stdout).unwrap();
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let wanted = PAGES.iter().filter(|page| page.is_linked).map(|page| site.url_on(HOST, page.path));
    let urls: BTreeSet<&str> = rows.iter().map(|row| row["url"].as_str().unwrap()).collect();
    let missing: Vec<String> = wanted.filter(|url| !urls.contains(url.as_str())).collect();
    assert!(missing.is_empty(), "{missing:?} of {urls:?}");
    assert!(rows.len() >= 2 * PAGES.iter().filter(|page| page.is_linked).count(), "{text}");

    let place = folder.path().join("pywb");
    std::fs::create_dir(&place).unwrap();
    let Some(pywb) = Pywb::start(&place, &files(Path::new(&archive))) else { return };
    for row in &rows {
        let (url, timestamp) = (row["url"].as_str().unwrap(), row["timestamp"].as_str().unwrap());
        let path = url.strip_prefix(front.trim_end_matches('/')).unwrap();
        let live = ask(site.address(), &format!("{HOST}:{}", site.address().port()), path);
        let replayed = pywb.replay(url, timestamp);
        if path == NOT_FOR_PYWB {
            assert!(replayed.body.starts_with(&live.body) && replayed.body != live.body, "{url}");
            continue;
        }
        // Where a server said that nothing had changed pywb shows just that, and not the payload that the record refers to. But of
        // two captures within one second it shows the first.
        let is_first = |other: &&Value| other["url"] == row["url"] && other["timestamp"] == row["timestamp"];
        if rows.iter().find(is_first).is_some_and(|first| first["status"] == 304) {
            assert_eq!((replayed.status, replayed.body.len()), (304, 0), "{url} {timestamp}");
            continue;
        }
        assert_eq!((replayed.status, &replayed.coding), (live.status, &live.coding), "{url} {timestamp}");
        assert!(replayed.body == live.body, "{url} {timestamp}: {}", replayed.body.escape_ascii());
        assert_eq!(replayed.location.is_some(), live.location.is_some(), "{url} {timestamp}");
    }
}
