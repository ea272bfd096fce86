//! Whole harvests with the program itself: what comes, what comes again, what is gone, and several at once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;
use testkit::dns::{Kind, NameServer, Zone};
use testkit::server::{Place, Server, reply};
use testkit::site::{HOSTS, PAGES, Site};

use crate::held::{Archive, Event, Held};

const RESOLVE: [&str; 6] = [
    "--resolve",
    "www.varve.test:127.0.0.1",
    "--resolve",
    "static.varve.test:127.0.0.1",
    "--resolve",
    "other.varve.test:127.0.0.1",
];

/// Everything of a site, or of all its domain.
fn captures(archive: &Archive, url: &str) -> Vec<Value> {
    archive.rows(&["cdx", url, "--match", "domain"])
}

/// Harvests; says what was told for programs.
#[track_caller]
fn harvest(archive: &Archive, words: &[&str]) -> Value {
    let (code, said) = archive.harvest(&[words, &["--json"]].concat()).end();
    assert_eq!(code, Some(0), "{said}");
    serde_json::from_str(said.lines().find(|line| line.starts_with('{')).unwrap()).unwrap()
}

/// Acceptance 1 of issue 4.
#[test]
fn a_harvest_that_would_never_end_is_refused() {
    let archive = Archive::new();
    let shown = archive.varve(&["harvest", "http://a.test/", "--every", "0s"]).shown();
    assert!(shown.starts_with("exit: 2") && shown.contains("shorter than a second"), "{shown}");
}

#[test]
fn a1_every_reachable_document_comes_once_and_a_second_time_as_a_revisit() {
    let (site, archive) = (Site::start(), Archive::new());
    let front = site.url("/");
    let words = [&[front.as_str()], &RESOLVE[..]].concat();
    let first = harvest(&archive, &words);
    assert_eq!(
        (&first["committed"], &first["complete"], &first["failed"]),
        (&true.into(), &true.into(), &0.into())
    );

    let mut asked: BTreeMap<String, usize> = BTreeMap::new();
    for seen in site.seen() {
        *asked.entry(format!("http://{}{}", seen.fields("host").concat(), seen.target())).or_default() += 1;
    }
    let twice: Vec<_> = asked.iter().filter(|(_, times)| **times > 1).collect();
    assert!(twice.is_empty(), "{twice:?}");
    let rows = captures(&archive, &site.url("/"));
    let got: BTreeMap<&str, &Value> = rows.iter().map(|row| (row["url"].as_str().unwrap(), row)).collect();
    for page in PAGES.iter().filter(|page| page.is_linked) {
        let row =
            got.get(site.url(page.path).as_str()).unwrap_or_else(|| panic!("{} did not come", page.path));
        assert_eq!(row["status"], page.status, "{}", page.path);
    }
    let urls: BTreeSet<&str> = got.keys().copied().filter(|url| url.starts_with("http")).collect();
    assert_eq!(
        urls,
        asked.keys().map(String::as_str).collect(),
        "what was answered was kept, and nothing else"
    );
    assert_eq!(
        urls.len(),
        rows.iter().filter(|row| row["url"].as_str().unwrap().starts_with("http")).count()
    );

    let second = harvest(&archive, &words);
    // An empty document has nothing that could be left out.
    assert_eq!((&second["novel"], &second["documents"]), (&1.into(), &first["documents"]), "{second}");
    assert!(second["not_modified"].as_u64() >= Some(1), "/about has an ETag: {second}");
    for page in PAGES.iter().filter(|page| page.is_linked) {
        let rows = archive.rows(&["versions", &site.url(page.path)]);
        let states: Vec<Option<&str>> = rows.iter().map(|row| row["state"].as_str()).collect();
        // An empty document has no digest, either.
        let again = Some("same").filter(|_| page.path != "/empty");
        assert_eq!(states, [Some("first"), again], "{}", page.path);
    }
    assert_eq!(HOSTS.len() * 2, RESOLVE.len(), "every host of the site is found here");
}

#[test]
fn a8_what_changed_has_changed_what_did_not_is_the_same_and_what_vanished_is_gone() {
    let is_later = Arc::new(AtomicBool::new(false));
    let later = is_later.clone();
    let server = Server::answering(&Place::default(), move |wire, request| {
        let is_later = later.load(Ordering::SeqCst);
        let html = [("Content-Type", "text/html")];
        let bytes = match (request.path(), is_later) {
            ("/", false) => {
                reply("200 OK", &html, b"<a href=/stays></a><a href=/changes></a><a href=/vanishes></a>")
            }
            ("/", true) => reply("200 OK", &html, b"<a href=/stays></a><a href=/changes></a>"),
            ("/stays", _) => reply("200 OK", &html, b"as ever"),
            ("/changes", _) => reply("200 OK", &html, if is_later { b"after" } else { b"before" }),
            ("/vanishes", false) => reply("200 OK", &html, b"here"),
            _ => reply("404 Not Found", &html, b"not here"),
        };
        wire.send(&bytes)?;
        Ok(true)
    });
    let archive = Archive::new();
    let url = |path: &str| format!("http://a.test:{}{path}", server.address().port());
    let words = [&url("/"), "--resolve", "a.test:127.0.0.1"];
    harvest(&archive, &words);
    is_later.store(true, Ordering::SeqCst);
    let second = harvest(&archive, &words);
    assert_eq!(second["gone"], 1, "{second}");
    for (path, expected) in [
        ("/", ["first", "changed"]),
        ("/stays", ["first", "same"]),
        ("/changes", ["first", "changed"]),
        ("/vanishes", ["first", "gone"]),
    ] {
        let rows = archive.rows(&["versions", &url(path)]);
        let states: Vec<&str> = rows.iter().map(|row| row["state"].as_str().unwrap()).collect();
        assert_eq!(states, expected, "{path}");
    }
    let shown = archive.text(&["versions", &url("/vanishes")]);
    assert!(shown.lines().last().unwrap().contains(" gone "), "{shown}");
    // What was there can still be had.
    assert_eq!(archive.text(&["get", &url("/vanishes"), "--at", "2000"]), "here");
}

#[test]
fn what_was_cut_off_is_told_by_whoever_shows_it() {
    let (held, archive) = (Held::start(1), Archive::new());
    held.open();
    let url = held.url("a.test");
    let words = [&url, "--resolve", "a.test:127.0.0.1", "--scope", "page", "--max-document", "10"];
    assert_eq!(archive.harvest(&words).end().0, Some(0));
    let row = &archive.rows(&["versions", &url])[0];
    assert_eq!((&row["state"], &row["truncated"]), (&"cut".into(), &"length".into()));
    let shown = archive.varve(&["get", &url]).shown();
    assert!(shown.contains("warning: this is only the beginning of the document: it was longer"), "{shown}");
}

#[test]
fn a4_a_harvest_comes_again_until_it_is_stopped() {
    let (held, archive) = (Held::start(2), Archive::new());
    // Two turns of three pages each; the third turn is held up.
    held.let_through(6);
    let mut harvest =
        archive.harvest(&[&held.url("a.test"), "--resolve", "a.test:127.0.0.1", "--every", "1s"]);
    held.wait_for(7);
    harvest.interrupt();
    harvest.until("Ctrl-C again ends at once");
    held.open();
    let (code, said) = harvest.end();
    assert_eq!(code, Some(1), "a crawl was cut short: {said}");
    assert!(!said.contains("nothing was under way"), "{said}");
    assert_eq!(
        said.matches("a.test: next turn at 20").count(),
        2,
        "whoever stops it is told of no further turn: {said}"
    );
    let committed = archive.jobs().into_iter().filter(|(_, state)| state == "committed");
    assert_eq!(committed.count(), 2, "{said}");
}

#[test]
fn a4_between_two_turns_the_next_is_told_and_ctrl_c_is_a_clean_end() {
    let (held, archive) = (Held::start(1), Archive::new());
    held.open();
    let words = [&held.url("a.test"), "--resolve", "a.test:127.0.0.1", "--every", "6h"];
    let mut harvest = archive.harvest(&words);
    let line = harvest.until("next turn at");
    assert!(line.starts_with("a.test: next turn at 20") && line.contains(" UTC (in "), "{line}");
    assert!(line.contains("(in 6 h 00 min)") || line.contains("(in 5 h 59 min)"), "{line}");
    harvest.interrupt();
    let (code, said) = harvest.end();
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("\nstopped between two turns; nothing was under way\n"), "{said}");
}

#[test]
fn a4_a_turn_that_failed_shows_in_the_exit_code_also_between_two_turns() {
    let archive = Archive::new();
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let url = format!("http://a.test:{}/", nobody.port());
    let words = [&url, "--resolve", "a.test:127.0.0.1", "--set", "backoff_first=0s", "--every", "6h"];
    let words = [&words[..], &["--retries", "0"]].concat();
    let mut harvest = archive.harvest(&words);
    harvest.until("next turn at");
    harvest.interrupt();
    let (code, said) = harvest.end();
    assert_eq!(code, Some(1), "{said}");
}

#[test]
fn a4_several_domains_are_jobs_of_their_own_so_many_at_once() {
    let (held, archive) = (Held::start(3), Archive::new());
    let urls = ["a.test", "b.test", "c.test"].map(|host| held.url(host));
    let words = ["--max-crawls", "2", "--resolve", "a.test:127.0.0.1", "--resolve", "b.test:127.0.0.1"];
    let more = ["--resolve", "c.test:127.0.0.1", "--per-host", "1"];
    let harvest = archive.harvest(&[&urls.each_ref().map(String::as_str)[..], &words, &more].concat());
    held.wait_for(2);
    held.open();
    let (code, said) = harvest.end();
    assert_eq!(code, Some(0), "{said}");
    let mut jobs = archive.jobs();
    jobs.sort();
    assert!(jobs.iter().all(|(_, state)| state == "committed"), "{jobs:?}");
    let names: Vec<&str> = jobs.iter().map(|(name, _)| name.split('-').next().unwrap()).collect();
    assert_eq!(names, ["a.test", "b.test", "c.test"]);

    // Between its first and its last request a domain is being crawled: of two at most, and of each by one.
    let log = held.log();
    let domain = |place: &str| place.split('/').next().unwrap().to_owned();
    let mut left: BTreeMap<String, usize> = BTreeMap::new();
    log.iter().for_each(|(_, place)| *left.entry(domain(place)).or_default() += 1);
    assert_eq!(
        left.values().copied().collect::<Vec<_>>(),
        [8, 8, 8],
        "four pages each, asked for and answered"
    );
    let (mut begun, mut under_way) = (BTreeSet::new(), BTreeMap::new());
    for (event, place) in &log {
        let domain = domain(place);
        begun.insert(domain.clone());
        let count: &mut usize = under_way.entry(domain.clone()).or_default();
        *count = if *event == Event::Asked { *count + 1 } else { *count - 1 };
        assert!(*count <= 1, "two requests at once to {domain}");
        assert!(begun.len() <= 2, "three domains at once");
        *left.get_mut(&domain).unwrap() -= 1;
        if left[&domain] == 0 {
            begun.remove(&domain);
        }
    }
}

/// Harvests in vain: what is said even to those who want quiet, and that nothing is left of it.
#[track_caller]
fn in_vain(words: &[&str]) -> String {
    let archive = Archive::new();
    let (code, said) = archive.harvest(&[words, &["--quiet"]].concat()).end();
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("nothing came, nothing is kept; 0 documents"), "{said}");
    assert!(archive.jobs().is_empty(), "{said}");
    said
}

#[test]
fn a_host_that_is_not_found_is_said() {
    let names = NameServer::start(Zone::new());
    let urls = ["http://nosuch.invalid/", "http://nosuch.example.org/"];
    let said = in_vain(&[&urls[..], &["--name-server", &names.address().to_string()]].concat());
    for url in urls {
        assert!(said.contains(&format!("error: start URL {url}: its host was not found")), "{said}");
    }
    assert!(names.asked("nosuch.example.org", Kind::A) > 0);
    assert_eq!(names.asked("nosuch.invalid", Kind::A), 0, "that name is nobody's, and nobody need be asked");
}

#[test]
fn hosts_that_refuse_are_said() {
    // The port was free a moment ago, so nobody listens there.
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let urls = ["a.test", "b.test"].map(|host| format!("http://{host}:{}/", nobody.port()));
    let words = ["--resolve", "a.test:127.0.0.1", "--resolve", "b.test:127.0.0.1", "--retries", "0"];
    let said = in_vain(&[&[urls[0].as_str(), &urls[1]], &words[..]].concat());
    for url in &urls {
        assert!(said.contains(&format!("error: start URL {url}: nobody answers there")), "{said}");
    }
    let again = ["--resolve", "a.test:127.0.0.1", "--set", "retry_delay=0s", "--set", "backoff_first=0s"];
    let said = in_vain(&[&[urls[0].as_str()], &again[..]].concat());
    assert!(said.contains("nobody answers there"), "{said}");
}

#[test]
fn of_many_start_urls_that_do_not_come_some_are_named_and_the_rest_counted() {
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let urls: Vec<String> = (1..=13).map(|page| format!("http://a.test:{}/{page}", nobody.port())).collect();
    let mut words: Vec<&str> = urls.iter().map(String::as_str).collect();
    words.extend(["--resolve", "a.test:127.0.0.1", "--retries", "0", "--set", "backoff_first=0s"]);
    let said = in_vain(&words);
    assert_eq!(said.matches("error: start URL").count(), 10, "{said}");
    assert!(said.contains("error: 3 more start URLs did not come\n"), "{said}");
}

/// With one that comes the harvest has done its work, and the others are worth a warning.
#[test]
fn a_start_url_that_does_not_come_is_a_warning_beside_one_that_does() {
    let (held, archive) = (Held::start(1), Archive::new());
    held.open();
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let bad = format!("http://b.test:{}/", nobody.port());
    let words = [&held.url("a.test"), &bad, "--resolve", "a.test:127.0.0.1", "--resolve", "b.test:127.0.0.1"];
    for (quiet, times) in [(&[][..], 1), (&["--quiet"], 0)] {
        let (code, said) = archive
            .harvest(&[&words[..], &["--retries", "0", "--set", "backoff_first=0s"], quiet].concat())
            .end();
        assert_eq!(code, Some(0), "{said}");
        let warning = format!("warning: start URL {bad}: nobody answers there");
        assert_eq!(said.matches(&warning).count(), times, "{said}");
    }
}

#[test]
fn an_archive_that_cannot_be_written_is_said() {
    let archive = Archive::new();
    // A file in the place of the folder: also whoever may write everywhere cannot write there.
    let _ = std::fs::remove_dir_all(archive.folder().join("a/work"));
    std::fs::write(archive.folder().join("a/work"), "no folder").unwrap();
    let (code, said) = archive.harvest(&["http://a.test/", "--resolve", "a.test:127.0.0.1"]).end();
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("error: cannot write ") && said.contains("a/work"), "{said}");
}

#[test]
fn a_committed_job_is_not_resumed() {
    let (held, archive) = (Held::start(1), Archive::new());
    held.open();
    harvest(&archive, &[&held.url("a.test"), "--resolve", "a.test:127.0.0.1"]);
    let (name, _) = archive.jobs().remove(0);
    let before = held.log().len();
    for word in [name.as_str(), "last"] {
        let (code, said) = archive.harvest(&["--resume", word]).end();
        assert_eq!(code, Some(0), "{said}");
        assert!(
            said.starts_with(&format!("{name}: committed already, there is nothing to go on with\nhint: ")),
            "{said}"
        );
    }
    assert_eq!(held.log().len(), before, "nobody was asked for anything");
    let shown = archive.varve(&["jobs", "discard", &name]).shown();
    assert!(shown.contains(&format!("error: job `{name}` is committed")), "{shown}");
}

#[test]
fn a11_a_domain_that_another_process_crawls_is_waited_for() {
    let (held, archive) = (Held::start(1), Archive::new());
    let url = held.url("a.test");
    let words = [&url, "--resolve", "a.test:127.0.0.1"];
    let first = archive.harvest(&words);
    held.wait_for(1);
    // Another host of the domain is no way around it.
    let other = held.url("www.a.test");
    let mut second = archive.harvest(&[&other, "--resolve", "www.a.test:127.0.0.1"]);
    let line = second.until("is crawling it; waiting");
    assert_eq!(archive.jobs().len(), 1, "nothing is left of what could not begin");
    let (name, _) = archive.jobs().remove(0);
    assert_eq!(
        line,
        format!("a.test: job {name} is crawling it; waiting. `varve jobs show {name}` looks at that job")
    );
    let shown = archive.varve(&["harvest", "--resume", &name]).shown();
    assert!(shown.contains(&format!("error: job `{name}` is being run by another process")), "{shown}");
    held.open();
    assert_eq!(first.end().0, Some(0));
    second.interrupt();
    let (code, said) = second.end();
    assert_eq!(code, Some(1), "{said}");
    assert!(said.ends_with("stopped before it could begin: a.test\n"), "{said}");
    assert!(held.log().iter().all(|(_, place)| !place.starts_with("www.")), "it was never asked");
}
