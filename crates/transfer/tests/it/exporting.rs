//! Captures on their way out: what is chosen, what comes along, and that others can read it.

use std::collections::BTreeMap;
use std::io::Cursor;

use archive::Form;
use cdx::query::TimeRange;
use transfer::export::{self, Exported, Selection, Settings};
use transfer::import;
use urlkey::Match;
use warc::Encoding;

use crate::imports::{Imports, warc as warc_file};
use crate::world::{World, about, at, page, text};

fn settings(world: &World) -> Settings {
    Settings { title: Some("Fish".to_owned()), ..Settings::new(world.folder.path().to_owned()) }
}

fn of_url(url: &str, matching: Match) -> Selection {
    Selection { range: Some(urlkey::key_range(url, matching).unwrap()), ..Selection::default() }
}

/// Two harvests: the page is the same in both, something else is new in the second.
fn harvested() -> World {
    let world = World::new();
    let body = "<title>Herring</title><p>The herring is here.";
    world.job(
        "one",
        &about(0),
        &[page("http://example.org/", 0, body), page("http://example.org/eel", 1, "eel")],
    );
    world.job(
        "two",
        &about(100),
        &[page("http://example.org/", 100, body), page("http://example.com/", 101, "cod")],
    );
    world
}

#[track_caller]
fn warc(world: &World, selection: &Selection, settings: &Settings) -> (Vec<u8>, Exported) {
    let mut out = Vec::new();
    let name = ("out.warc.gz", &Encoding::Gzip(6));
    let exported =
        export::write_warc(&world.archive, &mut out, name, selection, settings, &about(200), &|_| {})
            .unwrap();
    (out, exported)
}

/// The types of records of a file, counted; every one of them is sound.
#[track_caller]
fn records(file: &[u8]) -> BTreeMap<String, usize> {
    let options = warc::Options { verify: true, ..warc::Options::default() };
    let mut reader = warc::Reader::new(file, options).unwrap();
    let mut counts = BTreeMap::new();
    while let Some(record) = reader.next_record().unwrap() {
        assert_eq!(warc::rules::faults(record.head(), record.offset()), []);
        *counts.entry(record.head().record_type().name().to_owned()).or_default() += 1;
        record.finish().unwrap();
    }
    assert_eq!(reader.take_faults(), []);
    counts
}

fn counts(pairs: &[(&str, usize)]) -> BTreeMap<String, usize> {
    pairs.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
}

#[test]
fn everything_leaves_with_its_requests() {
    let world = harvested();
    let (file, exported) = warc(&world, &Selection::default(), &settings(&world));
    assert_eq!(records(&file), counts(&[("request", 4), ("response", 3), ("revisit", 1), ("warcinfo", 1)]));
    assert_eq!((exported.captures, exported.records, exported.originals), (4, 9, 0));
}

#[test]
fn captures_are_chosen_by_url_time_and_job() {
    let world = harvested();
    let count = |selection: &Selection| {
        let mut out = Vec::new();
        let exported = export::write_cdxj(&world.archive, &mut out, selection).unwrap();
        assert_eq!(out.iter().filter(|byte| **byte == b'\n').count() as u64, exported.captures);
        exported.captures
    };
    assert_eq!(count(&Selection::default()), 4);
    assert_eq!(count(&of_url("http://example.org/", Match::Exact)), 2);
    assert_eq!(count(&of_url("http://example.org/", Match::Host)), 3);
    assert_eq!(count(&of_url("http://example.org/e", Match::Prefix)), 1);
    assert_eq!(count(&Selection { job: Some("two".to_owned()), ..Selection::default() }), 2);
    assert_eq!(count(&Selection { job: Some("none".to_owned()), ..Selection::default() }), 0);
    let from = urlkey::time::to_14(at(50));
    let time = TimeRange::parse(Some(&from), None).unwrap();
    assert_eq!(count(&Selection { time, ..Selection::default() }), 2);
    let gone = Selection { collection: "none".to_owned(), ..Selection::default() };
    assert!(export::write_cdxj(&world.archive, Vec::new(), &gone).is_err());
}

#[test]
fn the_original_of_a_revisit_comes_along() {
    let world = harvested();
    let second = Selection { job: Some("two".to_owned()), ..Selection::default() };
    let (file, exported) = warc(&world, &second, &settings(&world));
    assert_eq!(records(&file), counts(&[("request", 3), ("response", 2), ("revisit", 1), ("warcinfo", 1)]));
    assert_eq!((exported.captures, exported.originals, exported.resolved), (2, 1, 0));
}

#[test]
fn a_revisit_becomes_the_whole_answer_on_request() {
    let world = harvested();
    let second = Selection { job: Some("two".to_owned()), ..Selection::default() };
    let settings = Settings { resolve: true, ..settings(&world) };
    let (file, exported) = warc(&world, &second, &settings);
    assert_eq!(records(&file), counts(&[("request", 2), ("response", 2), ("warcinfo", 1)]));
    assert_eq!((exported.originals, exported.resolved), (0, 1));
    // Imported elsewhere it is what it was.
    let other = Imports::new();
    let path = other.file("out.warc.gz", &file);
    other.import("job", &[&path], &import::Settings::default());
    let found = other.archive().get("http://example.org/", None).unwrap().unwrap();
    assert!(!found.is_revisit());
    assert_eq!(text(&found, Form::Decoded), "<title>Herring</title><p>The herring is here.");
    assert_eq!(found.at, world.get("http://example.org/", 100).at);
}

#[test]
fn a_package_is_valid_and_comes_back_as_it_was() {
    let world = harvested();
    let mut out = Cursor::new(Vec::new());
    let selection = of_url("http://example.org/", Match::Host);
    let exported =
        export::write_wacz(&world.archive, &mut out, &selection, &settings(&world), &about(200), &|_| {})
            .unwrap();
    assert_eq!((exported.captures, exported.pages), (3, 2 + 1));
    let report = wacz::validate(Cursor::new(out.get_ref()), &wacz::Limits::default()).unwrap();
    assert_eq!(report.problems, []);
    assert_eq!((report.captures, report.pages), (3, 3));
    let manifest = report.manifest.unwrap();
    assert_eq!(manifest.title.as_deref(), Some("Fish"));
    assert_eq!(manifest.main_page.unwrap().url, "http://example.org/");
    let mut package = wacz::Wacz::open(Cursor::new(out.get_ref()), wacz::Limits::default()).unwrap();
    let list = package.page_lists().next().cloned().unwrap();
    let pages: Vec<_> = package.pages(&list).unwrap().map(Result::unwrap).collect();
    assert_eq!(pages[0].title.as_deref(), Some("Herring"));
    assert_eq!(pages[0].text.as_deref(), Some("The herring is here."));

    let other = Imports::new();
    let path = other.file("fish.wacz", out.get_ref());
    let report = other.import("job", &[&path], &import::Settings::default());
    assert!(report.is_sound(), "{report:?}");
    for seconds in [0, 100] {
        let found = other.world.get("http://example.org/", seconds);
        let original = world.get("http://example.org/", seconds);
        assert_eq!((found.at, found.is_revisit()), (original.at, original.is_revisit()));
        assert_eq!(text(&found, Form::Sent), text(&original, Form::Sent));
    }
}

#[test]
fn requests_that_lie_before_their_answers_come_along() {
    let imports = Imports::new();
    let pages = [("http://example.org/a", "a"), ("http://example.org/b", "b"), ("http://example.org/c", "c")];
    let path = imports.file("in.warc.gz", warc_file(&pages, &Encoding::Gzip(6)));
    imports.import("job", &[&path], &import::Settings::default());
    for url in ["http://example.org/a", "http://example.org/b", "http://example.org/c"] {
        let selection = of_url(url, Match::Exact);
        let (file, _) = warc(&imports.world, &selection, &settings(&imports.world));
        assert_eq!(records(&file), counts(&[("request", 1), ("response", 1), ("warcinfo", 1)]), "{url}");
    }
}

#[test]
fn what_lies_in_arc_files_leaves_as_warc() {
    let imports = Imports::new();
    let block = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nold news";
    let version = "1 0 Test\nURL IP-address Archive-date Content-type Archive-length\n";
    let arc = format!(
        "filedesc://old.arc 0.0.0.0 20010101000000 text/plain {}\n{version}\nhttp://example.org/old 192.0.2.1 20010102030405 text/plain {}\n{block}\n",
        version.len(),
        block.len()
    );
    let path = imports.file("old.arc", arc);
    let report = imports.import("job", &[&path], &import::Settings::default());
    assert!(report.is_sound(), "{report:?}");
    assert_eq!(imports.archive().store().files_of("job").unwrap()[1].name, "job/old.arc");
    let (file, exported) = warc(&imports.world, &Selection::default(), &settings(&imports.world));
    assert_eq!(records(&file), counts(&[("response", 1), ("warcinfo", 1)]));
    assert_eq!(exported.captures, 1);
}

#[test]
fn what_cannot_be_read_is_left_out_and_told() {
    let imports = Imports::new();
    let path = imports.file("in.warc.gz", warc_file(&[("http://example.org/a", "a")], &Encoding::Gzip(6)));
    let by_reference = import::Settings { reference: true, ..import::Settings::default() };
    imports.import("job", &[&path], &by_reference);
    std::fs::remove_file(&path).unwrap();
    let (file, exported) = warc(&imports.world, &Selection::default(), &settings(&imports.world));
    assert_eq!(records(&file), counts(&[("warcinfo", 1)]));
    assert_eq!((exported.captures, exported.unreadable_count), (0, 1));
    assert!(exported.unreadable[0].1.contains("not there any more"), "{exported:?}");
}

/// A document in chunks, then a revisit of it that was sent with a length: their digests are of the document alone, as some programs have them.
fn framed_otherwise() -> Imports {
    let (url, body) = ("http://example.org/", "<title>Herring</title>");
    let digest = warc::Digest::of(warc::Algorithm::Sha1, body.as_bytes());
    let ids = crate::world::ids();
    let mut writer = warc::Writer::new(Vec::new(), &Encoding::Gzip(6)).unwrap();
    let draft = |kind: &warc::RecordType, seconds| {
        warc::Draft::new(warc::Version::Warc1_1, kind, &ids(), at(seconds))
            .target_uri(url)
            .content_type("application/http; msgtype=response")
            .payload_digest(&digest)
    };
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";
    let chunks = format!("{head}Transfer-Encoding: chunked\r\n\r\n{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
    writer.write(&draft(&warc::RecordType::Response, 0), chunks.as_bytes()).unwrap();
    let revisit = draft(&warc::RecordType::Revisit, 60)
        .with(warc::Name::Profile, "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest")
        .with(warc::Name::RefersToTargetUri, url)
        .with(warc::Name::RefersToDate, &at(0).to_string());
    writer.write(&revisit, format!("{head}Content-Length: {}\r\n\r\n", body.len()).as_bytes()).unwrap();
    let imports = Imports::new();
    let file = imports.file("a.warc.gz", writer.into_inner());
    let report = imports.import("job", &[&file], &import::Settings::default());
    assert!(report.is_sound(), "{report:?}");
    imports
}

#[test]
fn a_revisit_that_was_framed_otherwise_is_given_out_right() {
    let imports = framed_otherwise();
    for seconds in [0, 60] {
        let found = imports.world.get("http://example.org/", seconds);
        assert_eq!(found.is_revisit(), seconds == 60);
        for form in [Form::Unchunked, Form::Decoded] {
            assert_eq!(text(&found, form), "<title>Herring</title>");
        }
    }
    let time = TimeRange::parse(Some(&urlkey::time::to_14(at(60))), None).unwrap();
    let selection = Selection { time, ..Selection::default() };
    let resolve = Settings { resolve: true, ..settings(&imports.world) };
    let (file, exported) = warc(&imports.world, &selection, &resolve);
    assert_eq!((exported.captures, exported.resolved), (1, 1));
    assert_eq!(records(&file), counts(&[("warcinfo", 1), ("response", 1)]));
    let other = Imports::new();
    let file = other.file("out.warc.gz", file);
    other.import("job", &[&file], &import::Settings::default());
    assert_eq!(text(&other.world.get("http://example.org/", 60), Form::Decoded), "<title>Herring</title>");
}

#[test]
fn captures_of_posts_are_found_in_packages() {
    let imports = Imports::new();
    let ids = crate::world::ids();
    let mut writer = warc::Writer::new(Vec::new(), &Encoding::Gzip(6)).unwrap();
    let (response, request) = (ids(), ids());
    let draft = |kind: &warc::RecordType, id: &str, other: &str, what: &str| {
        warc::Draft::new(warc::Version::Warc1_1, kind, id, at(0))
            .target_uri("http://example.org/find")
            .concurrent_to(other)
            .content_type(&format!("application/http; msgtype={what}"))
    };
    let answer = draft(&warc::RecordType::Response, &response, &request, "response");
    writer.write(&answer, b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nherring").unwrap();
    let asked = "POST /find HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 6\r\n\r\nfish=1";
    writer
        .write(&draft(&warc::RecordType::Request, &request, &response, "request"), asked.as_bytes())
        .unwrap();
    let file = imports.file("a.warc.gz", writer.into_inner());
    imports.import("job", &[&file], &import::Settings::default());
    let mut out = Cursor::new(Vec::new());
    let settings = settings(&imports.world);
    export::write_wacz(imports.archive(), &mut out, &Selection::default(), &settings, &about(9), &|_| {})
        .unwrap();
    let mut wacz = wacz::Wacz::open(out, wacz::Limits::default()).unwrap();
    let index = wacz.entry("indexes/index.cdx.gz").cloned().unwrap();
    let line = wacz.index(&index).unwrap().next_capture().unwrap().unwrap().into_owned();
    assert!(line.key.as_deref().unwrap().contains("__wb_method=post"), "{line:?}");
    let said = |name: &str| line.extra(name).map(|value| value.as_str().to_owned());
    assert_eq!((said("method").as_deref(), said("requestBody").as_deref()), (Some("POST"), Some("fish=1")));
    assert_eq!(said("commit"), None, "that is of no use to others");
}

#[test]
fn what_not_everybody_may_see_stays() {
    let world = harvested();
    let rules = policy::RuleSet::parse("com,example, staff\n").unwrap();
    let public = export::Public { rules: std::sync::Arc::new(rules), now: at(1000) };
    let selection = Selection { public: Some(public), ..Selection::default() };
    let (_, exported) = warc(&world, &selection, &settings(&world));
    assert_eq!((exported.captures, exported.withheld), (3, 1));
    let mut lines = Vec::new();
    let exported = export::write_cdxj(&world.archive, &mut lines, &selection).unwrap();
    assert_eq!((exported.captures, exported.withheld), (3, 1));
    assert!(!String::from_utf8(lines).unwrap().contains("com,example"));
    assert_eq!(warc(&world, &Selection::default(), &settings(&world)).1.withheld, 0);
}

/// The first capture may not be seen, and a later one of another address says "as before".
#[test]
fn a_document_that_comes_along_is_not_under_an_address_that_may_not_be_seen() {
    let world = World::new();
    world.job("one", &about(0), &[page("http://hidden.example/", 0, "the same")]);
    world.job("two", &about(100), &[page("http://example.org/", 100, "the same")]);
    let rules = policy::RuleSet::parse("example,hidden, exclude\n").unwrap();
    let public = export::Public { rules: std::sync::Arc::new(rules), now: at(1000) };
    let selection = Selection { public: Some(public), ..Selection::default() };
    let (file, exported) = warc(&world, &selection, &settings(&world));
    assert_eq!((exported.captures, exported.originals, exported.resolved, exported.withheld), (1, 0, 1, 1));
    let other = Imports::new();
    let file = other.file("out.warc.gz", file);
    other.import("job", &[&file], &import::Settings::default());
    assert!(other.archive().get("http://hidden.example/", None).unwrap().is_none());
    assert_eq!(text(&other.world.get("http://example.org/", 100), Form::Decoded), "the same");
}

#[test]
fn who_is_stopped_writes_no_more() {
    let world = harvested();
    let settings = Settings { stop: archive::Stop::when(|| true), ..settings(&world) };
    let name = ("out.warc.gz", &Encoding::Gzip(6));
    let selection = Selection::default();
    let stopped =
        export::write_warc(&world.archive, Vec::new(), name, &selection, &settings, &about(200), &|_| {});
    assert!(matches!(stopped, Err(transfer::Error::Archive(archive::Error::Stopped))));
}
