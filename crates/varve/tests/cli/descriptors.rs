//! What happens when clients, or a harvest itself, use up the file descriptors of a process (B17).

use std::io::Write as _;
use std::net::{IpAddr, Ipv4Addr, TcpStream};
use std::time::{Duration, Instant};

use serde_json::json;
use testkit::server::Place;

use crate::held::{Archive, Held};
use crate::up::{Up, archive, ask, until};

/// Half-sent requests, half of them to each listener.
const HALF_SENT: usize = 1100;
/// The descriptors of the process that is flooded.
const DESCRIPTORS: u32 = 1024;
/// A second, and time for a machine that builds something beside.
const PROMPT: Duration = Duration::from_secs(5);

#[test]
fn half_sent_requests_neither_freeze_the_server_nor_end_a_harvest() {
    crawl::raise_file_limit();
    let (held, archive) = (Held::start(20), archive());
    let up = Up::start_limited(archive.folder(), &["--archive", "a"], DESCRIPTORS);
    let job = up.begin(&json!({ "urls": [held.url("a.test")], "scope": "host" }));
    held.wait_for(1);
    let listeners = [up.at("pages"), up.at("replay")].map(|at| at.replace("localhost", "127.0.0.1"));
    let half_sent: Vec<TcpStream> = (0..HALF_SENT)
        .map(|number| {
            let mut stream = TcpStream::connect(&listeners[number % 2]).unwrap();
            // The server may close it at any time: that is what it is for.
            let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: ");
            stream
        })
        .collect();
    for (server, status) in [("pages", 200), ("replay", 200)] {
        let begun = Instant::now();
        let answer = match server {
            "pages" => up.ask("GET / HTTP/1.1", ""),
            server => ask(&up.at(server), "GET / HTTP/1.1", ""),
        };
        assert_eq!(answer.status, status, "{server}: {}", answer.body);
        assert!(begun.elapsed() < PROMPT, "{server} took {:?}", begun.elapsed());
    }
    held.open();
    let request = format!("GET /api/v1/jobs/{job}/events HTTP/1.1");
    let ended = until(&mut up.follow(&request), "ended");
    assert_eq!((&ended["state"], &ended["documents"]), (&"committed".into(), &22.into()), "{ended}");
    drop(half_sent);
    assert_eq!(up.end().0, Some(0));
}

#[test]
fn a_harvest_without_descriptors_pauses_and_resumes_and_blames_no_server() {
    const HOSTS: u8 = 120;
    let held = Held::start_at(&Place { ip: IpAddr::V4(Ipv4Addr::UNSPECIFIED), ..Place::default() }, 0);
    let archive = Archive::new();
    let names: Vec<String> = (1..=HOSTS).map(|number| format!("h{number}.a.test")).collect();
    let addresses: Vec<String> =
        (1..=HOSTS).map(|number| format!("'h{number}.a.test:127.0.0.{number}'")).collect();
    let settings = format!("[harvest]\nresolve = [{}]\nretries = 0\nscope = 'page'\n", addresses.join(", "));
    std::fs::write(archive.folder().join("a/varve.toml"), settings).unwrap();
    let urls: Vec<String> = names.iter().map(|name| held.url(name)).collect();
    let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
    let mut harvest = archive.harvest_limited(&urls, 72);
    harvest.until("this process has no file descriptors left");
    held.open();
    let (code, said) = harvest.end();
    assert_eq!(code, Some(0), "{said}");
    for name in &names {
        assert_eq!(held.asked_for(&format!("{name}/")), 1, "{name}: {said}");
    }
    let job = &archive.rows(&["jobs", "ls"])[0];
    // A page and a robots.txt of each.
    assert_eq!(
        (&job["state"], &job["documents"]),
        (&"committed".into(), &(2 * u64::from(HOSTS)).into()),
        "{job}"
    );
}

#[test]
fn harvests_that_wait_hold_no_descriptor_and_are_limited() {
    let (held, archive) = (Held::start(1), archive());
    let settings = archive.folder().join("a/varve.toml");
    let text = std::fs::read_to_string(&settings).unwrap();
    // A harvest of several domains becomes one of each.
    std::fs::write(&settings, format!("{text}max_crawls = 2\n")).unwrap();
    let up = Up::start(archive.folder(), &["--archive", "a"]);
    let first = up.begin(&json!({ "urls": [held.url("a.test")] }));
    held.wait_for(1);
    up.begin(&json!({ "urls": [held.url("a.test")] }));
    let before = up.descriptors();
    let waiting: Vec<String> = (0..40).map(|_| up.begin(&json!({ "urls": [held.url("a.test")] }))).collect();
    let after = up.descriptors();
    // Connections of this test may still be open on the other side.
    assert!(after < before + 20, "{before} descriptors became {after}");
    for job in &waiting {
        assert_eq!(up.json(&format!("/api/v1/jobs/{job}"))["state"], "waiting");
    }
    // Nobody else may start one of them.
    let resumed = archive.varve(&["harvest", "--resume", &waiting[7]]).shown();
    assert!(resumed.contains("is being run by another process"), "{resumed}");
    let urls: Vec<String> = (0..1001).map(|number| format!("http://a{number}.test/")).collect();
    let json = "POST /api/v1/jobs HTTP/1.1\r\nContent-Type: application/json";
    let refused = up.ask(json, &json!({ "urls": urls }).to_string());
    assert_eq!(refused.status, 429, "{}", refused.body);
    assert!(refused.body.contains("at most 1000 harvests may wait") && refused.body.contains("\"hint\""));
    assert_eq!(archive.jobs().len(), 42);
    held.open();
    let request = format!("GET /api/v1/jobs/{first}/events HTTP/1.1");
    let ended = until(&mut up.follow(&request), "ended");
    assert_eq!(ended["state"], "committed", "{ended}");
    assert_eq!(up.end().0, Some(0));
}
