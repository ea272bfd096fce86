//! `varve fetch`: from a URL to a line, a document, a WARC file.

use std::path::Path;
use std::process::Command;

use insta::assert_snapshot;
use serde_json::Value;
use testkit::dns::{NameServer, Zone};
use testkit::misbehave::Misbehave;
use testkit::site::Site;

use crate::run::{Run, varve};

/// `varve fetch` with the names of a site leading to it, and without waiting between its pages.
fn fetch(words: &[&str]) -> Run {
    let usual = ["fetch", "--delay", "0", "--resolve", "www.varve.test:127.0.0.1", "--resolve"];
    let names = ["other.varve.test:127.0.0.1"];
    varve(usual.iter().chain(&names).chain(words).copied())
}

fn stdout(run: &mut Run) -> String {
    String::from_utf8(run.output().stdout).unwrap()
}

/// The rows that `--json` prints.
fn rows(words: &[&str]) -> Vec<Value> {
    let words: Vec<&str> = words.iter().copied().chain(["--json"]).collect();
    stdout(&mut fetch(&words)).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[track_caller]
fn accepted(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{command:?}: {said}{}", String::from_utf8_lossy(&output.stderr));
    said
}

#[test]
fn help_of_fetch() {
    assert_snapshot!(varve(["fetch", "--help"]).shown());
}

#[test]
fn a_line_for_each_exchange() {
    let site = Site::start();
    let output = fetch(&[&site.url("/about"), &site.url("/missing"), "--jobs", "1"]).output();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let words: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(
        (words[0][0], words[0][5], words[0][6]),
        ("200", "text/html", site.url("/about").as_str()),
        "{text}"
    );
    assert_eq!((words[1][0], words[1][6]), ("404", site.url("/missing").as_str()), "{text}");
}

#[test]
fn json_tells_more() {
    let site = Site::start();
    let row = rows(&[&site.url("/about")]).remove(0);
    assert_eq!((&row["outcome"], &row["status"]), (&"complete".into(), &200.into()), "{row}");
    assert_eq!((&row["ip"], &row["protocol"]), (&"127.0.0.1".into(), &"http/1.1".into()), "{row}");
    assert!(row["digest"].as_str().unwrap().starts_with("sha1:"), "{row}");
    assert!(row.get("reason").is_none(), "{row}");
}

fn listed(file: &Path) -> Vec<Value> {
    let said = accepted(Command::new(env!("CARGO_BIN_EXE_varve")).args(["warc", "ls", "--json"]).arg(file));
    said.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_file_begins_with_warcinfo_and_has_request_and_response() {
    let site = Site::start();
    let mut run = fetch(&[&site.url("/about"), "-o", "a.warc"]);
    assert_eq!(run.output().status.code(), Some(0));
    let types: Vec<String> = listed(&run.folder().join("a.warc"))
        .iter()
        .map(|row| row["type"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(types, ["warcinfo", "request", "response"]);
    let text = std::fs::read_to_string(run.folder().join("a.warc")).unwrap();
    for field in
        ["WARC-IP-Address: 127.0.0.1\r\n", "WARC-Protocol: http/1.1\r\n", "WARC-Concurrent-To: <urn:uuid:"]
    {
        assert!(text.contains(field), "{field} is not in {text}");
    }
}

#[test]
fn a_lookup_is_a_record_of_its_own_and_written_once() {
    let site = Site::start();
    let names = NameServer::start(Zone::new().addresses("www.varve.test", 300, &["127.0.0.1"]));
    let (server, about, front) = (names.address().to_string(), site.url("/about"), site.url("/"));
    let words = ["--delay", "0", "--allow-private", "--name-server", &server, &about, &front, "-o", "a.warc"];
    let mut run = varve(["fetch"].iter().chain(&words));
    assert_eq!(run.output().status.code(), Some(0));
    let text = String::from_utf8_lossy(&std::fs::read(run.folder().join("a.warc")).unwrap()).into_owned();
    assert_eq!(text.matches("WARC-Target-URI: dns:www.varve.test\r\n").count(), 1, "{text}");
    assert!(text.contains("\nwww.varve.test.\t300\tIN\tA\t127.0.0.1\n"), "{text}");
    let check = ["warc", "check", "a.warc"];
    accepted(Command::new(env!("CARGO_BIN_EXE_varve")).args(check).current_dir(run.folder()));
}

#[test]
fn a_file_that_is_there_is_not_replaced_without_a_word() {
    let site = Site::start();
    let url = site.url("/about");
    let mut run = fetch(&[&url, "-o", "a.warc"]).file("a.warc", "precious");
    let output = run.output();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("is there already"));
    assert_eq!(std::fs::read(run.folder().join("a.warc")).unwrap(), b"precious");
    assert!(site.seen().is_empty(), "nothing is asked before the file is there");
    assert_eq!(
        fetch(&[&url, "-o", "a.warc", "--force"]).file("a.warc", "old").output().status.code(),
        Some(0)
    );
}

/// E5: from the outside in, as a server would.
#[test]
fn private_addresses_are_not_asked() {
    let server = Misbehave::start();
    let output = varve(["fetch", &server.url("no-reason-phrase")]).output();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("address-refused") && text.contains("loopback"), "{text}");
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.starts_with("hint: `--allow-private` ") && told.lines().count() == 1, "{told}");
    // To say again what was said already is no way out.
    let output = varve(["fetch", "--allow-private", "http://169.254.169.254/"]).output();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.starts_with("hint: `--allow 169.254.169.254` ") && !told.contains("private"), "{told}");
    assert_eq!(
        varve(["fetch", "--allow-private", &server.url("no-reason-phrase")]).output().status.code(),
        Some(0)
    );
    let allowed = varve(["fetch", "--allow", "127.0.0.0/8", &server.url("no-reason-phrase")]).output();
    assert_eq!(allowed.status.code(), Some(0));
}

#[test]
fn redirects_are_followed_when_asked_for() {
    let site = Site::start();
    let statuses = |words: &[&str]| -> Vec<u64> {
        rows(words).iter().map(|row| row["status"].as_u64().unwrap()).collect()
    };
    assert_eq!(statuses(&[&site.url("/redirect/3")]), [302]);
    assert_eq!(statuses(&[&site.url("/redirect/3"), "--follow"]), [302, 302, 302, 302, 200]);
    let mut run = fetch(&[&site.url("/redirect/3"), "-L", "--max-redirects", "1"]);
    let output = run.output();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("once too often"));
}

#[test]
fn cookies_are_kept_between_urls_when_asked_for() {
    let site = Site::start();
    let (set, show) = (site.url("/set-cookie"), site.url("/show-cookies"));
    let with = stdout(&mut fetch(&[&set, &show, "--body", "--cookies", "--jobs", "1"]));
    assert!(!with.trim().is_empty());
    assert_eq!(stdout(&mut fetch(&[&set, &show, "--body", "--jobs", "1"])).trim(), "");
}

#[test]
fn a_body_is_cut_where_the_user_says_and_the_record_tells_it() {
    let site = Site::start();
    let mut run = fetch(&[&site.url("/large"), "--at-most", "10k", "-o", "a.warc"]);
    let output = run.output();
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("10.0 kB") && text.contains("cut off: longer than the limit"), "{text}");
    let bytes = std::fs::read(run.folder().join("a.warc")).unwrap();
    assert!(String::from_utf8_lossy(&bytes).contains("WARC-Truncated: length\r\n"));
}

#[test]
fn the_document_can_be_printed() {
    let site = Site::start();
    let mut run = fetch(&[&site.url("/coded/gzip"), "--body"]);
    let output = run.output();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("<html") || text.contains("<!doctype"), "{text}");
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("200"));
}

#[test]
fn lists_are_read_and_what_is_no_url_is_told() {
    let site = Site::start();
    let list = format!("# two pages\n\n{}\r\nftp://example.org/\n{}", site.url("/about"), site.url("/"));
    for words in [&["-", "--jobs", "1"][..], &["-i", "list", "--jobs", "1"]] {
        let output = fetch(words).file("list", &list).stdin(list.as_str()).output();
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 2);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        let place = if words.contains(&"list") { "list" } else { "standard input" };
        let problem = "`ftp://example.org/`: URLs of the scheme `ftp` are not fetched";
        assert_eq!(told, format!("error: {place}, line 4: {problem}\n"));
    }
    let row = rows(&["mailto:a@example.org"]).remove(0);
    assert_eq!((&row["url"], &row["outcome"]), (&"mailto:a@example.org".into(), &"bad-url".into()), "{row}");
    assert!(row["reason"].as_str().unwrap().contains("`mailto`"), "{row}");
    assert_eq!(varve(["fetch"]).output().status.code(), Some(2));
}

#[test]
fn headers_method_and_data_are_sent_as_given() {
    let site = Site::start();
    let url = site.url("/about");
    let words = ["-H", "x-ODD: 1", "-A", "tester", "--data", "a=b", "--from", "me@example.org"];
    stdout(&mut fetch(&[&[url.as_str()][..], &words].concat()));
    let asked = String::from_utf8(site.last("/about").request.clone()).unwrap();
    assert!(asked.starts_with("POST /about HTTP/1.1\r\n"), "{asked}");
    for part in
        ["\r\nx-ODD: 1\r\n", "\r\nUser-Agent: tester\r\n", "\r\nFrom: me@example.org\r\n", "\r\n\r\na=b"]
    {
        assert!(asked.contains(part), "{part:?} is not in {asked}");
    }
    assert_eq!(fetch(&[&url, "-H", "no colon"]).output().status.code(), Some(2));
    let head = rows(&[&url, "--head"]).remove(0);
    assert_eq!((&head["method"], &head["body_bytes"]), (&"HEAD".into(), &0.into()), "{head}");
}

#[test]
fn what_goes_wrong_has_its_word_and_code() {
    let server = Misbehave::start();
    let code = |name: &str| {
        let row = rows(&["--allow-private", "--timeout", "0.3", &server.url(name)]).remove(0);
        (row["outcome"].as_str().unwrap().to_owned(), row["reason"].is_string())
    };
    assert_eq!(code("silence"), ("head-timeout".to_owned(), true));
    assert_eq!(code("empty-reply"), ("empty-reply".to_owned(), true));
    assert_eq!(code("silence-in-body"), ("truncated-time".to_owned(), true));
}

#[test]
fn a_damaged_document_is_told_and_the_rest_is_fetched_and_kept() {
    let (server, site) = (Misbehave::start(), Site::start());
    let (damaged, about) = (server.url("gzip-damaged"), site.url("/about"));
    let mut run =
        fetch(&["--allow-private", "--jobs", "1", "--body", "-o", "a.warc", damaged.as_str(), &about]);
    let output = run.output();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("gzip-damaged: cannot unpack the document: "), "{told}");
    assert!(String::from_utf8_lossy(&output.stdout).to_lowercase().contains("<!doctype"));
    assert_eq!(listed(&run.folder().join("a.warc")).len(), 5);
}

#[test]
fn a_list_that_is_missing_is_told_and_the_rest_is_fetched_and_kept() {
    let site = Site::start();
    let about = site.url("/about");
    let mut run = fetch(&[about.as_str(), "-i", "missing", "-i", "list", "-o", "a.warc", "--jobs", "1"])
        .file("list", site.url("/"));
    let output = run.output();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.starts_with("error: ") && told.contains("missing"), "{told}");
    assert_eq!(listed(&run.folder().join("a.warc")).len(), 5);
}

#[test]
fn a_reader_who_has_seen_enough_does_not_end_what_goes_to_a_file() {
    let site = Site::start();
    let urls = vec![site.url("/about"); 3];
    let run = |more: &[&str]| {
        let folder = tempfile::tempdir().unwrap();
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = Command::new(env!("CARGO_BIN_EXE_varve"))
            .args([
                "fetch",
                "--delay",
                "0",
                "--jobs",
                "1",
                "--resolve",
                "www.varve.test:127.0.0.1",
                "-o",
                "a.warc",
            ])
            .args(&urls)
            .args(more)
            .current_dir(&folder)
            .stdout(writer)
            .output()
            .unwrap();
        let records = listed(&folder.path().join("a.warc")).len();
        (output.status.code(), String::from_utf8(output.stderr).unwrap(), records)
    };
    for more in [&[][..], &["--json"]] {
        assert_eq!(run(more), (Some(0), String::new(), 7), "{more:?}");
    }
    let (code, told, records) = run(&["--body"]);
    assert_eq!((code, told.lines().count(), records), (Some(0), 3, 7), "{told}");
    // What could not be shown is not taken for success.
    let (code, told, records) = run(&["http://127.0.0.1:1/"]);
    assert_eq!((code, records), (Some(1), 7), "{told}");
    assert!(told.contains("not every URL was answered"), "{told}");
}

#[test]
fn without_an_answer_there_is_no_file_and_the_old_one_stays() {
    let nobody = ["fetch", "http://127.0.0.1:1/", "-o", "a.warc.gz"];
    let mut run = varve(nobody);
    let output = run.output();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1));
    assert!(told.contains("warning: there was no answer to keep: `a.warc.gz` is not written\n"), "{told}");
    assert_eq!(std::fs::read_dir(run.folder()).unwrap().count(), 0);
    let mut run = varve(nobody.iter().chain(&["--force"])).file("a.warc.gz", "precious");
    let told = String::from_utf8_lossy(&run.output().stderr).into_owned();
    assert!(told.contains("warning: there was no answer to keep: `a.warc.gz` stays as it was\n"), "{told}");
    assert_eq!(std::fs::read(run.folder().join("a.warc.gz")).unwrap(), b"precious");
    assert_eq!(std::fs::read_dir(run.folder()).unwrap().count(), 1);
}

#[test]
fn a_long_wait_is_told_to_whoever_wants_to_know_more() {
    use std::io::{BufRead as _, BufReader};
    let site = Site::start();
    let url = site.url("/too-many");
    let mut child = Command::new(env!("CARGO_BIN_EXE_varve"))
        .args([
            "fetch",
            "-v",
            "--delay",
            "0",
            "--jobs",
            "1",
            "--resolve",
            "www.varve.test:127.0.0.1",
            &url,
            &url,
        ])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let told = lines.find(|line| line.starts_with("waiting ")).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let expected = format!(" s for www.varve.test:{}", site.address().port());
    assert!(told.ends_with(&expected), "{told}");
}

#[test]
fn what_cannot_be_meant_is_wrong_usage() {
    for words in [["-o", "-"], ["-X", "GET /"], ["-X", ""]] {
        let output = fetch(&[&["http://example.org/"][..], &words].concat()).output();
        assert_eq!(output.status.code(), Some(2), "{words:?}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_it_and_what_was_fetched_is_kept() {
    use std::io::{BufRead as _, BufReader};
    let (server, site) = (Misbehave::start(), Site::start());
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_varve"))
        .args(["fetch", "--allow-private", "--delay", "0", "--jobs", "2", "-o", "a.warc"])
        .args(["--resolve", "www.varve.test:127.0.0.1", &site.url("/about"), &server.url("silence")])
        .current_dir(&folder)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("200"), "{line}");
    accepted(Command::new("kill").args(["-INT", &child.id().to_string()]));
    let output = child.wait_with_output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("interrupted"), "{told}");
    assert_eq!(listed(&folder.path().join("a.warc")).len(), 3);
}

#[cfg(unix)]
#[test]
fn what_was_said_to_be_fetched_survives_kill_9() {
    use std::io::{BufRead as _, BufReader};
    let (server, site) = (Misbehave::start(), Site::start());
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_varve"))
        .args(["fetch", "--allow-private", "--delay", "0", "--jobs", "2", "-o", "a.warc.gz"])
        .args(["--resolve", "www.varve.test:127.0.0.1", &site.url("/about"), &server.url("silence")])
        .current_dir(&folder)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("200"), "{line}");
    child.kill().unwrap();
    child.wait().unwrap();
    let parts: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(parts.len(), 1, "{parts:?}");
    assert_eq!(listed(&parts[0]).len(), 3);
}

#[test]
fn passwords_are_not_printed() {
    let site = Site::start();
    let url = site.url("/about").replace("http://", "http://me:secret@");
    for words in [&[url.as_str()][..], &[&url, "--json"]] {
        let text = stdout(&mut fetch(words));
        assert!(text.contains("200") && !text.contains("secret"), "{text}");
    }
    let told = fetch(&["ftp://me:secret@example.org/", "--json"]).shown();
    assert!(told.contains("bad-url") && !told.contains("secret"), "{told}");
}

#[test]
fn hosts_that_share_an_address_share_its_limit() {
    let server = testkit::server::Server::answering(&testkit::server::Place::default(), |wire, _| {
        wire.pause(std::time::Duration::from_millis(50))?;
        wire.send(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").map(|()| false)
    });
    let port = server.address().port();
    let hosts: Vec<String> = (0..8).map(|number| format!("http://h{number}.localhost:{port}/")).collect();
    let words: Vec<&str> =
        hosts.iter().map(String::as_str).chain(["--jobs", "8", "--allow-private"]).collect();
    let rows = rows(&words);
    assert_eq!(rows.len(), 8);
    // Four at a time: the second four begin when one of the first has come back.
    let mut starts: Vec<&str> = rows.iter().map(|row| row["start"].as_str().unwrap()).collect();
    starts.sort_unstable();
    let time = |text: &str| text.parse::<jiff::Timestamp>().unwrap();
    let later = time(starts[4]).duration_since(time(starts[0]));
    assert!(later.as_millis() >= 50, "{later:?}");
}
