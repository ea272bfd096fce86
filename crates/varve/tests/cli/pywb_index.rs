//! pywb, as it comes from PyPI, with our server for its index: it finds every page of a harvest by asking `/outbackcdx`, and shows it as
//! the live site has it. (Issue 5, acceptance 3.)

use std::io::{BufRead as _, BufReader};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;
use testkit::site::Site;

use crate::pywb::{HOST, NOT_FOR_PYWB, ask, harvest};
use crate::run::varve;

/// A program that is ended when this is dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// `varve up`, and where it answers.
fn up(archive: &str) -> (Running, SocketAddr) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_varve"))
        .args(["up", "--json", "--port", "0", "--replay-port", "0", "--no-open", "--archive", archive])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let told: Value = serde_json::from_str(&line).unwrap();
    let pages = told["pages"].as_str().unwrap().trim_start_matches("http://").trim_end_matches('/');
    (Running(child), pages.parse().unwrap())
}

/// pywb with our server for an index and the archive's store for its files; `None` where the peers were not made.
fn pywb(folder: &Path, archive: &str, index: SocketAddr) -> Option<(Running, SocketAddr)> {
    let wayback = testkit::peers::program("wayback")?;
    let config = format!(
        "collections:\n  site:\n    index:\n      type: cdx\n      api_url: 'http://{index}/outbackcdx/web?url={{url}}&closest={{closest}}&sort=closest'\n      replay_url: ''\n    archive_paths: '{archive}/store/'\n"
    );
    std::fs::create_dir(folder).unwrap();
    std::fs::write(folder.join("config.yaml"), config).unwrap();
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut child = Command::new(wayback)
        .args(["--bind", "127.0.0.1", "--port", &address.port().to_string()])
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    testkit::until("pywb listens", || {
        assert!(child.try_wait().unwrap().is_none(), "pywb has ended by itself");
        TcpStream::connect(address).is_ok()
    });
    Some((Running(child), address))
}

#[test]
fn pywb_replays_by_our_index() {
    let site = Site::start();
    let front = site.url_on(HOST, "/");
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("archive").to_string_lossy().into_owned();
    assert!(varve(["init", &archive]).output().status.success());
    harvest(&archive, &front);
    let output = varve(["cdx", &front, "--match", "host", "--json", "--archive", &archive]).output();
    let text = String::from_utf8(output.stdout).unwrap();
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(rows.len() > 20, "{text}");

    let (_up, index) = up(&archive);
    let Some((_pywb, address)) = pywb(&folder.path().join("pywb"), &archive, index) else { return };
    for row in &rows {
        let (url, timestamp) = (row["url"].as_str().unwrap(), row["timestamp"].as_str().unwrap());
        let path = url.strip_prefix(front.trim_end_matches('/')).unwrap();
        let live = ask(site.address(), &format!("{HOST}:{}", site.address().port()), path);
        let replayed = ask(address, &address.to_string(), &format!("/site/{timestamp}id_/{url}"));
        assert_eq!(replayed.status, live.status, "{url} {timestamp}");
        if path == NOT_FOR_PYWB {
            continue;
        }
        assert!(replayed.body == live.body, "{url} {timestamp}: {}", replayed.body.escape_ascii());
    }
    // A page that is not there is not found, and no error of the index.
    let missing = format!("/site/2026id_/http://{HOST}/nothing-of-this-name");
    assert_eq!(ask(address, &address.to_string(), &missing).status, 404);
}
