//! From a harvested site back to its documents: `varve get`, `varve versions`, `varve cdx URL`.

use std::path::Path;

use insta::assert_snapshot;
use serde_json::Value;
use testkit::server::{Place, Server, reply};
use testkit::site::Site;

use crate::held::Archive;
use crate::run::{Run, varve};

/// An archive of a few pages of the test site, harvested so many times.
struct Harvested {
    site: Site,
    run: Run,
}

impl Harvested {
    fn times(times: usize) -> Harvested {
        let site = Site::start();
        let run = varve(["init", "a"]);
        let mut harvested = Harvested { site, run };
        assert_eq!(harvested.run.output().status.code(), Some(0));
        for _ in 0..times {
            let (about, missing) = (harvested.site.url("/about"), harvested.site.url("/missing"));
            let resolve = ["--resolve", "www.varve.test:127.0.0.1"];
            let words = ["harvest", &about, &missing, "--scope", "list", "--delay", "0", "--quiet"];
            let output = harvested.varve(words.iter().chain(&resolve)).output();
            assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        }
        harvested
    }

    fn folder(&self) -> &Path {
        self.run.folder()
    }

    fn varve<'a>(&self, words: impl IntoIterator<Item = &'a &'a str>) -> Run {
        varve(words).env("VARVE_ARCHIVE", "a").inside(self.folder())
    }

    /// The rows that `--json` prints.
    #[track_caller]
    fn rows(&self, words: &[&str]) -> Vec<Value> {
        let output = self.varve(words.iter().chain(&["--json"])).output();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

#[test]
fn help_of_get() {
    assert_snapshot!(varve(["get", "--help"]).shown());
}

#[test]
fn help_of_versions() {
    assert_snapshot!(varve(["versions", "--help"]).shown());
}

#[test]
fn help_of_cdx() {
    assert_snapshot!(varve(["cdx", "--help"]).shown());
}

#[test]
fn a_document_comes_back_as_it_was() {
    let archive = Harvested::times(2);
    let about = archive.site.url("/about");
    let live = varve(["fetch", "--body", "--allow-private", "--resolve", "www.varve.test:127.0.0.1", &about])
        .output()
        .stdout;
    assert!(!live.is_empty());
    // The newest is "the same as before", and the document is the one it refers to.
    assert_eq!(archive.varve(&["get", &about]).output().stdout, live);
    assert_eq!(archive.varve(&["get", &about, "--at", "1999"]).output().stdout, live);
    let mut to_file = archive.varve(&["get", &about, "-o", "about.html", "--json"]);
    let row: Value = serde_json::from_slice(&to_file.output().stdout).unwrap();
    assert_eq!(
        (&row["status"], &row["mime"], &row["bytes"]),
        (&200.into(), &"text/html".into(), &live.len().into())
    );
    assert_eq!(std::fs::read(archive.folder().join("about.html")).unwrap(), live);
    let again = archive.varve(&["get", &about, "-o", "about.html"]).shown();
    assert!(again.contains("is there already") && again.contains("--force"), "{again}");
    let head = String::from_utf8(archive.varve(&["get", &about, "--head"]).output().stdout).unwrap();
    assert!(head.starts_with("HTTP/1.1 200 OK\n"), "{head}");
    assert_eq!(archive.varve(&["get", &about, "--head", "-o", "head"]).output().status.code(), Some(0));
    let head = std::fs::read(archive.folder().join("head")).unwrap();
    assert!(head.starts_with(b"HTTP/1.1 ") && head.windows(2).any(|two| two == b"\r\n"), "as it was sent");
}

#[test]
fn a_document_on_a_terminal_does_not_steer_it() {
    if !Path::new("/usr/bin/script").exists() {
        println!("`script` is not here, and a terminal cannot be had");
        return;
    }
    let server = Server::answering(&Place::default(), |wire, _| {
        wire.send(&reply("200 OK", &[("Content-Type", "text/html")], b"<p>one\n\x1b]0;owned\x07\ttwo\n"))?;
        Ok(true)
    });
    let archive = Archive::new();
    let url = format!("http://a.test:{}/", server.address().port());
    let words = [&url, "--resolve", "a.test:127.0.0.1", "--scope", "list"];
    assert_eq!(archive.harvest(&words).end().0, Some(0));
    let program = env!("CARGO_BIN_EXE_varve");
    for (line, expected) in [
        (format!("{program} get {url}"), "<p>one\n\\x1b]0;owned\\x07\ttwo\n"),
        (format!("{program} jobs log last seeds.txt"), &*format!("{url}\n")),
    ] {
        let mut command = std::process::Command::new("/usr/bin/script");
        command.args(["-qec", &line, "/dev/null"]).env("VARVE_ARCHIVE", "a").current_dir(archive.folder());
        let output = command.stdin(std::process::Stdio::null()).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout).replace("\r\n", "\n"), expected, "{line}");
    }
}

#[test]
fn what_is_not_there_is_said_with_a_way_to_what_is() {
    let archive = Harvested::times(1);
    for verb in ["get", "versions"] {
        let shown = archive.varve(&[verb, "http://www.varve.test/no"]).shown();
        assert_snapshot!(format!("nothing_to_{verb}"), shown);
    }
    for (name, words) in [
        ("exact", &[][..]),
        ("prefix", &["--match", "prefix"]),
        ("host", &["--match", "host"]),
        ("domain", &["--match", "domain"]),
        ("narrow", &["--match", "host", "--from", "2100"]),
    ] {
        let shown = archive.varve([&["cdx", "http://no.varve.test/no"], words].concat().iter()).shown();
        assert_snapshot!(format!("nothing_to_cdx_{name}"), shown);
    }
    let bad_time = archive.varve(&["get", "http://www.varve.test/", "--at", "yesterday"]).shown();
    assert_snapshot!("get_at_no_time", bad_time);
}

#[test]
fn versions_are_the_first_or_the_same() {
    let archive = Harvested::times(2);
    let about = archive.site.url("/about");
    let rows = archive.rows(&["versions", &about]);
    let states: Vec<&str> = rows.iter().map(|row| row["state"].as_str().unwrap()).collect();
    assert_eq!(states, ["first", "same"]);
    assert_eq!(rows[0]["digest"], rows[1]["digest"]);
    assert!(rows[1]["job"].as_str().unwrap().starts_with("varve.test-"), "{}", rows[1]);
    let text = String::from_utf8(archive.varve(&["versions", &about]).output().stdout).unwrap();
    let words: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(
        (words[0][2], words[0][3], words[0][6], words[0][8], words[0][9]),
        ("200", "text/html", "stored", "first", about.as_str())
    );
    assert_eq!(words[1][8], "same");
    // It is the record's size that is told, and it is called so.
    let record = archive.rows(&["cdx", &about]).remove(0);
    assert!(rows[0]["stored_bytes"].is_u64() && rows[0]["stored_bytes"] == record["length"], "{}", rows[0]);
}

#[test]
fn captures_are_listed_with_their_place() {
    let archive = Harvested::times(1);
    let about = archive.site.url("/about");
    let row = archive.rows(&["cdx", &about]).remove(0);
    let keys: Vec<&str> = row.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["url", "timestamp", "status", "mime", "digest", "length", "file", "offset"]);
    assert_eq!(
        (&row["url"], &row["status"], &row["mime"]),
        (&about.clone().into(), &200.into(), &"text/html".into())
    );
    // The place is where the record lies.
    let file = archive.folder().join("a/store").join(row["file"].as_str().unwrap());
    let offset = row["offset"].to_string();
    let record = varve(["warc", "cat", file.to_str().unwrap(), "--offset", &offset]).output();
    assert!(String::from_utf8_lossy(&record.stdout).contains(&about), "{record:?}");
    // The same in columns.
    let line = String::from_utf8(archive.varve(&["cdx", &about]).output().stdout).unwrap();
    let columns: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(
        (columns.len(), columns[0], columns[2], columns[7]),
        (8, about.as_str(), "200", offset.as_str())
    );
}

#[test]
fn captures_are_found_by_prefix_host_and_domain() {
    let archive = Harvested::times(1);
    let about = archive.site.url("/about");
    let count = |words: &[&str]| archive.rows(&[&["cdx"], words].concat()).len();
    let (about, all) = (about.as_str(), archive.site.url("/"));
    assert_eq!(count(&[about, "--match", "exact"]), 1);
    assert_eq!(count(&[&about[..about.len() - 2], "--match", "prefix"]), 1);
    assert_eq!(count(&[&all, "--match", "host", "--filter", "=status:404"]), 1);
    assert!(count(&[&all, "--match", "host"]) >= 2);
    assert!(count(&[&all, "--match", "domain"]) >= 2);
    assert_eq!(count(&[&all, "--match", "domain", "--limit", "1"]), 1);
}
