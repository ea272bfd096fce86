//! `varve up`: the whole system in one process, asked as browsers and programs ask it, and ended by Ctrl-C.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use insta::assert_snapshot;
use serde_json::{Value, json};
use testkit::chromium::{Chromium, Page};
use testkit::server::{Place, Server, reply};

use crate::held::{Archive, Held, PATIENCE, limited};
use crate::run::varve;

/// A server in a process of its own.
pub(crate) struct Up {
    child: Child,
    told: Value,
}

impl Up {
    /// Starts it on free ports, and waits until it says where it is.
    pub(crate) fn start(folder: &Path, words: &[&str]) -> Up {
        Up::run(Command::new(env!("CARGO_BIN_EXE_varve")), folder, words)
    }

    /// The same in a process with this many file descriptors.
    pub(crate) fn start_limited(folder: &Path, words: &[&str], descriptors: u32) -> Up {
        Up::run(limited(descriptors), folder, words)
    }

    fn run(mut command: Command, folder: &Path, words: &[&str]) -> Up {
        command.args(["up", "--json", "--port", "0", "--replay-port", "0", "--no-open"]).args(words);
        for name in ["VARVE_ARCHIVE", "VARVE_CONFIG", "VARVE_LOG"] {
            command.env_remove(name);
        }
        command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        match serde_json::from_str(&line) {
            Ok(told) => Up { child, told },
            Err(_) => {
                let mut said = String::new();
                child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
                panic!("{line}{said}");
            }
        }
    }

    pub(crate) fn at(&self, server: &str) -> String {
        let url = self.told[server].as_str().unwrap();
        url.trim_start_matches("http://").trim_end_matches('/').to_owned()
    }

    /// Asks the pages or the API, with the token.
    pub(crate) fn ask(&self, request: &str, body: &str) -> Answer {
        ask(&self.at("pages"), &self.signed_in(request), body)
    }

    /// The same where the answer goes on.
    pub(crate) fn follow(&self, request: &str) -> BufReader<TcpStream> {
        BufReader::new(connect(&self.at("pages"), &self.signed_in(request), ""))
    }

    fn signed_in(&self, request: &str) -> String {
        format!("{request}\r\nAuthorization: Bearer {}", self.token())
    }

    fn token(&self) -> &str {
        self.told["sign_in"].as_str().unwrap().split_once("token=").unwrap().1
    }

    #[track_caller]
    fn page(&self, path: &str) -> String {
        let answer = self.ask(&format!("GET {path} HTTP/1.1"), "");
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        answer.body
    }

    #[track_caller]
    pub(crate) fn json(&self, path: &str) -> Value {
        serde_json::from_str(&self.page(path)).unwrap()
    }

    #[track_caller]
    pub(crate) fn begin(&self, wish: &Value) -> String {
        let answer =
            self.ask("POST /api/v1/jobs HTTP/1.1\r\nContent-Type: application/json", &wish.to_string());
        assert_eq!(answer.status, 201, "{}", answer.body);
        let begun: Value = serde_json::from_str(&answer.body).unwrap();
        begun["jobs"][0].as_str().unwrap().to_owned()
    }

    /// How many file descriptors it has.
    pub(crate) fn descriptors(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/fd", self.child.id())).unwrap().count()
    }

    /// Presses Ctrl-C, and waits: exit code, and what it said.
    pub(crate) fn end(mut self) -> (Option<i32>, String) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
        let mut said = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        (self.child.wait().unwrap().code(), said)
    }
}

impl Drop for Up {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) struct Answer {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: String,
}

fn connect(at: &str, request: &str, body: &str) -> TcpStream {
    // By the name it goes by, at the address where it surely listens.
    let mut stream = TcpStream::connect(at.replace("localhost", "127.0.0.1")).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let host = if request.contains("\r\nHost:") { String::new() } else { format!("Host: {at}\r\n") };
    let length = if body.is_empty() { String::new() } else { format!("Content-Length: {}\r\n", body.len()) };
    write!(stream, "{request}\r\n{host}{length}Connection: close\r\n\r\n{body}").unwrap();
    stream
}

pub(crate) fn ask(at: &str, request: &str, body: &str) -> Answer {
    let mut bytes = Vec::new();
    connect(at, request, body).read_to_end(&mut bytes).unwrap();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Answer { status, head: head.to_ascii_lowercase(), body: body.to_owned() }
}

/// An archive whose harvests find `a.test` here.
pub(crate) fn archive() -> Archive {
    let archive = Archive::new();
    let settings = "[harvest]\nresolve = ['a.test:127.0.0.1', 'b.test:127.0.0.1']\ndelay = '0s'\nper_host = 1\nretries = 0\n";
    std::fs::write(archive.folder().join("a/varve.toml"), settings).unwrap();
    archive
}

/// Reads a stream of events until one of this name comes; says what it is about.
pub(crate) fn until(stream: &mut impl std::io::BufRead, event: &str) -> Value {
    let mut is_it = false;
    let mut line = String::new();
    loop {
        line.clear();
        assert!(stream.read_line(&mut line).unwrap() > 0, "the stream ends before `{event}`");
        match line.trim_end().split_once(": ") {
            Some(("event", name)) => is_it = name == event,
            Some(("data", data)) if is_it => return serde_json::from_str(data).unwrap(),
            _ => {}
        }
    }
}

#[test]
fn help_of_up() {
    assert_snapshot!(varve(["up", "--help"]).shown());
}

#[test]
fn an_archive_is_made_where_there_is_none_and_opened_the_next_time() {
    let folder = tempfile::tempdir().unwrap();
    let up = Up::start(folder.path(), &[]);
    assert_eq!(up.told["archive"], "varve-archive");
    assert!(up.page("/").contains("An archive that is still empty"));
    assert_eq!(up.json("/api/v1/archive")["captures"], 0);
    let replay = ask(&up.at("replay"), "GET /web/2026/http://a.test/ HTTP/1.1", "");
    assert_eq!(replay.status, 404, "{}", replay.body);
    let (code, said) = up.end();
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("made a new archive in `varve-archive`"), "{said}");
    let (code, said) = Up::start(folder.path(), &[]).end();
    assert_eq!(code, Some(0), "{said}");
    assert!(!said.contains("made a new archive"), "{said}");
}

#[test]
fn a_port_that_is_taken_is_told_with_a_way_out_before_anything_is_made() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let mut run = varve(["up", "--port", &port, "--replay-port", "0"]);
    let shown = run.shown().replace(&port, "[PORT]");
    assert!(std::fs::read_dir(run.folder()).unwrap().next().is_none());
    assert_snapshot!(shown);
}

#[test]
fn a_folder_with_other_things_in_it_is_no_archive() {
    let shown =
        varve(["up", "--archive", ".", "--port", "0", "--replay-port", "0"]).file("letter.txt", "").shown();
    assert!(shown.starts_with("exit: 1") && shown.contains("hint: `varve init --force .`"), "{shown}");
}

#[test]
fn a_harvest_is_begun_followed_paused_and_committed() {
    let (held, archive) = (Held::start(3), archive());
    let up = Up::start(archive.folder(), &["--archive", "a"]);
    let job = up.begin(&json!({ "urls": [held.url("a.test")], "scope": "host" }));
    held.wait_for(1);
    let request = format!("GET /api/v1/jobs/{job}/events HTTP/1.1");
    let mut events = up.follow(&request);
    assert_eq!(until(&mut events, "progress")["state"], "running");
    let page = up.page(&format!("/jobs/{job}"));
    assert!(page.contains("state-running") && page.contains("data-events"), "{page}");
    assert!(up.page("/").contains("At work now"));

    let paused = up.ask(&format!("POST /api/v1/jobs/{job}/pause HTTP/1.1"), "");
    assert_eq!((paused.status, paused.body.contains("\"paused\"")), (200, true), "{}", paused.body);
    while until(&mut events, "progress")["state"] != "paused" {}
    let resumed = up.ask(&format!("POST /api/v1/jobs/{job}/resume HTTP/1.1"), "");
    assert_eq!(resumed.status, 200, "{}", resumed.body);
    held.open();
    let ended = until(&mut events, "ended");
    assert_eq!((&ended["state"], &ended["documents"]), (&"committed".into(), &5.into()));

    let shown = up.json(&format!("/api/v1/jobs/{job}"));
    assert_eq!((&shown["state"], &shown["novel"]), (&"committed".into(), &5.into()));
    assert_eq!(shown["seeds"][0]["status"], 200);
    let log = up.json(&format!("/api/v1/jobs/{job}/log?filter=a.test&limit=2"));
    assert_eq!((log["lines"].as_array().unwrap().len(), &log["next"]), (2, &3.into()));
    let hosts = up.json("/api/v1/hosts?contains=a.te");
    assert_eq!(hosts["hosts"].as_array().unwrap().len(), 1, "{hosts}");
    // What was committed can be seen at once.
    let mut seen = ask(&up.at("replay"), &format!("GET /web/2026id_/{} HTTP/1.1", held.url("a.test")), "");
    if let Some((_, place)) = seen.head.clone().split_once("location: ") {
        let place = place.lines().next().unwrap();
        let path = place.find("/web/").map(|at| &place[at..]).unwrap();
        assert!(path.ends_with(&format!("id_/{}", held.url("a.test"))), "{place}");
        seen = ask(&up.at("replay"), &format!("GET {path} HTTP/1.1"), "");
    }
    assert_eq!(seen.status, 200, "{}", seen.head);
    assert!(seen.body.contains("<title>a.test/"), "{}", seen.body);
    assert_eq!(up.end().0, Some(0));
}

#[test]
fn a_harvest_of_another_process_is_seen_and_steered() {
    let (held, archive) = (Held::start(3), archive());
    let up = Up::start(archive.folder(), &["--archive", "a"]);
    let harvest = archive.harvest(&[&held.url("a.test")]);
    held.wait_for(1);
    let jobs = up.json("/api/v1/jobs");
    let job = jobs["jobs"][0]["job"].as_str().unwrap().to_owned();
    assert_eq!((&jobs["jobs"][0]["state"], &jobs["total"]), (&"running".into(), &1.into()));
    let stopped = up.ask(&format!("POST /api/v1/jobs/{job}/stop HTTP/1.1"), "");
    assert_eq!(stopped.status, 200, "{}", stopped.body);
    held.open();
    let (code, said) = harvest.end();
    assert_eq!(code, Some(1), "{said}");
    // Somebody else's job is gone on with here.
    let resumed = up.ask(&format!("POST /api/v1/jobs/{job}/resume HTTP/1.1"), "");
    assert_eq!(resumed.status, 200, "{}", resumed.body);
    let request = format!("GET /api/v1/jobs/{job}/events HTTP/1.1");
    let ended = until(&mut up.follow(&request), "ended");
    assert_eq!(ended["state"], "committed");
    assert_eq!(up.end().0, Some(0));
}

#[test]
fn harvests_under_way_are_left_so_that_they_can_be_resumed() {
    let (held, archive) = (Held::start(3), archive());
    let up = Up::start(archive.folder(), &["--archive", "a"]);
    let job = up.begin(&json!({ "urls": [held.url("a.test")] }));
    held.wait_for(1);
    // One on the same domain waits for it.
    let waits = up.begin(&json!({ "urls": [held.url("a.test")], "label": "second" }));
    assert_eq!(up.json(&format!("/api/v1/jobs/{waits}"))["state"], "waiting");
    held.let_through(1);
    held.wait_for(2);
    let pid = up.child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let mut up = up;
    let mut stderr = BufReader::new(up.child.stderr.take().unwrap());
    let mut said = String::new();
    // Once it has said so, no answer that comes can let the harvest come to its end.
    while !said.contains("ending") {
        assert_ne!(stderr.read_line(&mut said).unwrap(), 0, "{said}");
    }
    held.open();
    stderr.read_to_string(&mut said).unwrap();
    assert_eq!(up.child.wait().unwrap().code(), Some(0), "{said}");
    for job in [&job, &waits] {
        assert!(said.contains(&format!("{job}: stopped; `varve harvest --resume {job}`")), "{said}");
        let (code, said) = archive.harvest(&["--resume", job]).end();
        assert_eq!(code, Some(0), "{said}");
    }
}

#[test]
fn why_nothing_came_is_shown() {
    let archive = archive();
    let up = Up::start(archive.folder(), &["--archive", "a"]);
    // Nobody listens there.
    let job = up.begin(&json!({ "urls": ["http://a.test:9/"] }));
    let request = format!("GET /api/v1/jobs/{job}/events HTTP/1.1");
    let ended = until(&mut up.follow(&request), "ended");
    assert_eq!(ended["state"], "failed");
    let why = ended["why"].as_str().unwrap();
    assert!(why.contains("http://a.test:9/") && why.contains("nothing is kept"), "{why}");
    let page = up.page(&format!("/jobs/{job}"));
    assert!(page.contains("state-failed") && page.contains("Nothing came"), "{page}");
    assert!(up.page("/").contains("state-failed"));
}

#[test]
fn wrong_wishes_are_refused_with_a_way_out() {
    let archive = archive();
    let up = Up::start(archive.folder(), &["--archive", "a"]);
    let wish = |wish: Value| {
        up.ask("POST /api/v1/jobs HTTP/1.1\r\nContent-Type: application/json", &wish.to_string())
    };
    for (given, status, part) in [
        (json!({ "urls": [] }), 422, "there is no URL to begin with"),
        (json!({ "urls": ["ftp://a.test/"] }), 422, "are not fetched"),
        (json!({ "urls": ["http://a.test/"], "scope": "hots" }), 422, "host"),
        (json!({ "urls": ["http://a.test/"], "profile": "selectiv" }), 422, "selective"),
        (json!({ "urls": ["http://a.test/"], "seeds": "/etc/passwd" }), 400, "unknown field"),
    ] {
        let answer = wish(given.clone());
        assert_eq!(answer.status, status, "{given}: {}", answer.body);
        assert!(answer.body.contains(part), "{given}: {}", answer.body);
        assert!(answer.head.contains("application/problem+json"), "{}", answer.head);
    }
    assert!(archive.jobs().is_empty());
}

#[test]
fn strangers_can_neither_begin_nor_read_anything() {
    let archive = archive();
    let up = Up::start(archive.folder(), &["--archive", "a"]);
    let body = json!({ "urls": ["http://a.test/"] }).to_string();
    let json = "\r\nContent-Type: application/json";
    for from in [
        "Origin: http://evil.example".to_owned(),
        format!("Origin: {}", up.told["replay"].as_str().unwrap().trim_end_matches('/')),
        "Origin: null".to_owned(),
        "Sec-Fetch-Site: cross-site".to_owned(),
    ] {
        let answer = up.ask(&format!("POST /api/v1/jobs HTTP/1.1{json}\r\n{from}"), &body);
        assert_eq!(answer.status, 403, "{from}");
        let answer = up.ask(
            &format!("POST /harvests HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\n{from}"),
            "urls=a.test",
        );
        assert_eq!(answer.status, 403, "{from}");
    }
    // A form that has no token, and JSON that says it is something else.
    let form = "POST /harvests HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded";
    assert_eq!(up.ask(form, "urls=a.test").status, 403);
    assert_eq!(up.ask("POST /api/v1/jobs HTTP/1.1\r\nContent-Type: text/plain", &body).status, 400);
    // A name that somebody else has led to this machine.
    for server in ["pages", "replay"] {
        let answer = ask(&up.at(server), "GET / HTTP/1.1\r\nHost: evil.example", "");
        assert_eq!(answer.status, 403, "{server}");
        // Requests that can be read in two ways.
        let own = up.at(server);
        for head in [
            format!("GET / HTTP/1.1\r\nHost: {own}\r\nHost: {own}"),
            format!("GET http://evil.example/ HTTP/1.1\r\nHost: {own}"),
        ] {
            assert_eq!(ask(&own, &head, "").status, 400, "{server}: {head}");
        }
    }
    assert!(archive.jobs().is_empty());
}

#[test]
fn the_sample_site_is_harvested_three_times_and_not_again() {
    let folder = tempfile::tempdir().unwrap();
    let up = Up::start(folder.path(), &["--demo"]);
    assert_eq!(up.told["archive"], "varve-demo");
    let jobs = up.json("/api/v1/jobs");
    let started: Vec<&str> =
        jobs["jobs"].as_array().unwrap().iter().map(|job| job["started"].as_str().unwrap()).collect();
    assert_eq!(started, ["2026-11-09T06:00:00Z", "2026-10-12T06:00:00Z", "2026-09-14T06:00:00Z"]);
    let cdx = ask(
        &up.at("pages"),
        "GET /cdx?url=http://www.siltmere.example/&fl=timestamp&output=text HTTP/1.1",
        "",
    );
    let times: Vec<&str> = cdx.body.lines().filter(|line| line.starts_with("2026")).collect();
    assert_eq!(times.len(), 3, "{}", cdx.body);
    let calendar = ask(&up.at("replay"), "GET /web/*/http://www.siltmere.example/ HTTP/1.1", "");
    assert_eq!(calendar.status, 200, "{}", calendar.body);
    let search = up.ask("GET /search?q=siltmere.example HTTP/1.1", "");
    let place = format!("location: {}web/*/siltmere.example", up.told["replay"].as_str().unwrap());
    assert!(search.status == 303 && search.head.contains(&place), "{}", search.head);
    // Whoever harvests it again finds it.
    let job = up.begin(&json!({ "urls": ["http://www.siltmere.example/"], "scope": "list", "delay": "0s" }));
    let request = format!("GET /api/v1/jobs/{job}/events HTTP/1.1");
    let ended = until(&mut up.follow(&request), "ended");
    assert_eq!(ended["state"], "committed", "{ended}");
    assert_eq!(up.end().0, Some(0));
    let up = Up::start(folder.path(), &["--demo"]);
    assert_eq!(up.json("/api/v1/jobs")["total"], 4);
    assert_eq!(up.end().0, Some(0));
}

/// The rights of a file.
fn mode(path: &Path) -> u32 {
    path.metadata().unwrap().permissions().mode() & 0o7777
}

/// Issue 20, point 6: whoever can read the token file may do everything, and everybody else may read replay, Memento and CDX.
#[test]
fn only_the_user_who_started_it_uses_the_pages_and_the_api() {
    let folder = tempfile::tempdir().unwrap();
    let up = Up::start(folder.path(), &[]);
    let (archive, pages) = (folder.path().join("varve-archive"), up.at("pages"));
    for path in ["/", "/jobs", "/api/v1/archive", "/api/v1/jobs", "/api/v1/watches", "/preservation"] {
        assert_eq!(ask(&pages, &format!("GET {path} HTTP/1.1"), "").status, 401, "{path}");
    }
    let begin = "POST /api/v1/jobs HTTP/1.1\r\nContent-Type: application/json";
    assert_eq!(ask(&pages, begin, r#"{"urls": ["http://a.test/"]}"#).status, 401);
    assert_eq!(ask(&pages, "GET /cdx?url=a.test HTTP/1.1", "").status, 200);
    assert_eq!(ask(&up.at("replay"), "GET / HTTP/1.1", "").status, 200);
    for (name, expected) in [
        ("work", 0o700),
        ("work/up.json", 0o600),
        ("feeds.key", 0o600),
        ("watch", 0o700),
        ("watch.db", 0o600),
        ("catalogue.db", 0o600),
    ] {
        assert_eq!(mode(&archive.join(name)), expected, "{name}");
    }
    // The program finds the token by itself.
    let open = |option: &str| {
        let output = varve(["open", option, "--archive", archive.to_str().unwrap()]).output();
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    };
    assert_eq!(open("--print"), format!("{}\n", up.told["sign_in"].as_str().unwrap()));
    assert_eq!(open("--header"), format!("Authorization: Bearer {}\n", up.token()));
    let before = up.token().to_owned();
    let (code, said) = up.end();
    assert!(code == Some(0) && !said.contains(&before), "{said}");
    assert!(!archive.join("work/up.json").exists() && open("--print").contains("no `varve up` runs"));
    // Every start has a token of its own, and one that was killed leaves none that is worth anything.
    let up = Up::start(folder.path(), &[]);
    let old = format!("GET /api/v1/jobs HTTP/1.1\r\nAuthorization: Bearer {before}");
    assert_eq!(
        (ask(&up.at("pages"), &old, "").status, up.json("/api/v1/jobs")["total"].clone()),
        (401, json!(0))
    );
    drop(up);
    assert!(archive.join("work/up.json").exists() && open("--print").contains("no `varve up` runs"));
}

/// The browser is started with a file that only its user can read: everybody sees the arguments of programs.
#[test]
fn the_browser_is_opened_without_the_token_among_its_arguments() {
    let folder = tempfile::tempdir().unwrap();
    let up = Up::start(folder.path(), &[]);
    let archive = folder.path().join("varve-archive");
    let told = folder.path().join("told");
    let browser = folder.path().join("xdg-open");
    std::fs::write(
        &browser,
        format!("#!/bin/sh\nprintf %s \"$1\" > '{}.part' && mv '{0}.part' '{0}'\n", told.display()),
    )
    .unwrap();
    std::fs::set_permissions(&browser, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:/usr/bin:/bin", folder.path().display());
    let shown = varve(["open", "--archive", archive.to_str().unwrap()]).env("PATH", &path).shown();
    assert!(shown.starts_with("exit: 0\n") && !shown.contains(up.token()), "{shown}");
    testkit::until("the browser is started", || told.exists());
    let address = std::fs::read_to_string(&told).unwrap();
    assert!(address.starts_with("file:///") && !address.contains(up.token()), "{address}");
    let page = archive.join("work/sign-in.html");
    assert_eq!(mode(&page), 0o600);
    let sign_in = up.told["sign_in"].as_str().unwrap();
    assert!(std::fs::read_to_string(&page).unwrap().contains(&format!("url={sign_in}\"")));
    if let Some(chromium) = Chromium::start() {
        let shown = chromium.page();
        shown.call("Page.navigate", json!({ "url": address }));
        let pages = up.told["pages"].as_str().unwrap();
        let there = format!("location.href === '{pages}' && document.querySelector('#urls') !== null");
        assert!(
            shown.holds(&there, PATIENCE),
            "{}",
            shown.evaluate("location.href + document.body.outerHTML")
        );
    }
}

/// The address of what a page asked for is below this one.
#[track_caller]
fn stays_at(page: &Page, origin: &str) {
    // The browser has pages of its own to begin with.
    for request in page.requests().iter().filter(|request| request.url.starts_with("http")) {
        assert!(request.url.starts_with(origin), "{} is not at {origin}", request.url);
    }
    assert_eq!(page.console(), Vec::<String>::new());
}

/// The form, its events and the box in a real browser, which sends the `Origin` that it likes and obeys the policy.
#[test]
fn a_person_harvests_a_site_looks_on_and_finds_it() {
    let Some(chromium) = Chromium::start() else { return };
    let (held, archive) = (Held::start(3), archive());
    let up = Up::start(archive.folder(), &["--archive", "a"]);
    let pages = up.told["pages"].as_str().unwrap();
    let page = chromium.page();
    let holds = |expression: &str| {
        let state = || page.evaluate("location.href + document.documentElement.outerHTML");
        assert!(page.holds(expression, PATIENCE), "{expression}\n{}", state());
    };
    page.call("Page.navigate", json!({ "url": up.told["sign_in"].as_str().unwrap() }));
    // The token does not stay in the address.
    holds(&format!("location.href === '{pages}' && document.querySelector('#urls') !== null"));
    page.evaluate(&format!(
        "document.querySelector('#urls').value = '{}'; document.querySelector('#new form').requestSubmit(); 0",
        held.url("a.test")
    ));
    holds("location.pathname.startsWith('/jobs/') && document.querySelector('.state-running') !== null");
    // It is the same page to the end: what changes is changed within it.
    page.evaluate("window.sameAsBefore = true");
    held.wait_for(1);
    held.let_through(2);
    holds("document.querySelector('[data-field=documents]').textContent === '3'");
    page.evaluate("document.querySelector('form[action$=pause]').requestSubmit(); 0");
    holds("document.querySelector('.state-paused') !== null");
    page.evaluate(
        "window.sameAsBefore = true; document.querySelector('form[action$=resume]').requestSubmit(); 0",
    );
    holds("document.querySelector('.state-running') !== null && !window.sameAsBefore");
    page.evaluate("window.sameAsBefore = true");
    held.open();
    holds("document.querySelector('.state-committed') !== null && window.sameAsBefore");
    holds("document.querySelectorAll('.bars rect').length > 0");
    stays_at(&page, pages);
    page.call("Page.navigate", json!({ "url": pages }));
    holds(
        "document.querySelector('.hero input') !== null && document.querySelector('#recent .state-committed') !== null",
    );
    page.evaluate("document.querySelector('.hero input').value = 'a.test'; document.querySelector('.hero form').requestSubmit(); 0");
    holds(&format!("location.href.startsWith('{}web/*/a.test')", up.told["replay"].as_str().unwrap()));
}

/// Where there is less room than is to be kept free, a harvest pauses, everybody who looks sees why, and those are told who are to be.
#[test]
fn a_disk_without_room_is_told_and_seen() {
    let hook = Server::answering(&Place::default(), |wire, _| {
        wire.send(&reply("200 OK", &[], b""))?;
        Ok(false)
    });
    let (held, archive) = (Held::start(1), archive());
    held.open();
    let settings = std::fs::read_to_string(archive.folder().join("a/varve.toml")).unwrap();
    let notify = format!(
        "[notify]\nallow_private = true\nwebhook = 'http://{}/hook'\ngroup_for = '0s'\n",
        hook.address()
    );
    std::fs::write(
        archive.folder().join("a/varve.toml"),
        format!("{settings}{notify}[disk]\nstop = '100%'\n"),
    )
    .unwrap();
    let up = Up::start(&archive.folder().join("a"), &[]);
    testkit::until("the webhook is called", || !hook.seen().is_empty());
    let request = String::from_utf8(hook.last("/hook").request).unwrap();
    let event: Value = serde_json::from_str(request.split_once("\r\n\r\n").unwrap().1).unwrap();
    assert_eq!((&event["type"], &event["data"]["severity"]), (&"varve.notice.disk".into(), &"alarm".into()));
    let subject = event["data"]["subject"].as_str().unwrap();
    assert!(subject.starts_with("nothing more is written to the disk of `"), "{subject}");

    let job = up.begin(&json!({"urls": [held.url("a.test")]}));
    let why = "the disk is full but for what is kept free";
    testkit::until("the job says why it is paused", || {
        let job = up.json(&format!("/api/v1/jobs/{job}"));
        let is_told = job["why"].as_str().is_some_and(|told| told.starts_with(why));
        assert!(!is_told || job["state"] == "paused", "{job}");
        is_told
    });
    let listed = archive.text(&["jobs", "ls"]);
    assert!(listed.contains(" paused ") && listed.contains(&format!("\n  {why} (")), "{listed}");
    let (code, said) = up.end();
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("error: disk: nothing more is written to the disk of"), "{said}");
    // Once, and not again at the end.
    assert_eq!(hook.seen().len(), 1);
}
