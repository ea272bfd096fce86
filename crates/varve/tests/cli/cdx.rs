//! `varve cdx …` on small files of our own making; on the shared ones in `cdx/vectors.rs` and `cdx/peers.rs`.

mod peers;
mod vectors;

use std::process::{Command, Stdio};

use insta::assert_snapshot;
use warc::{Draft, Encoding, RecordType, Version, Writer};

use crate::run::{Run, varve};

const RESPONSE: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<h1>varves</h1>\n";
const REQUEST: &[u8] =
    b"POST /b HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\n\r\nq=1";

/// A WARC file: /b twice, with requests, then /a.
fn archive(encoding: &Encoding) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), encoding).unwrap();
    let id = |number: u32| format!("urn:uuid:00000000-0000-4000-8000-{number:012}");
    let draft = |kind: &RecordType, number: u32, uri: &str| {
        let date = format!("2026-11-15T10:11:{number:02}Z").parse().unwrap();
        Draft::new(Version::Warc1_1, kind, &id(number), date).target_uri(uri)
    };
    for number in [1, 3] {
        let response = draft(&RecordType::Response, number, "http://www.example.org/b");
        writer.write(&response.content_type("application/http; msgtype=response"), RESPONSE).unwrap();
        let request =
            draft(&RecordType::Request, number + 1, "http://www.example.org/b").concurrent_to(&id(number));
        writer.write(&request.content_type("application/http; msgtype=request"), REQUEST).unwrap();
    }
    let resource =
        draft(&RecordType::Resource, 5, "http://example.org/a \u{202e}").content_type("text/plain");
    writer.write(&resource, b"plain\n").unwrap();
    writer.into_inner()
}

fn with_archive(words: &[&str]) -> Run {
    varve(words).file("a.warc.gz", archive(&Encoding::Gzip(6)))
}

/// Lines of a small sorted index.
const INDEX: &str = "com,example)/ 20130101000000 {\"url\": \"http://example.com/\", \"status\": \"200\"}\n\
    org,example)/a 20140101000000 {\"url\": \"http://example.org/a\", \"status\": \"200\"}\n\
    org,example)/a 20150101000000 {\"url\": \"http://example.org/a\", \"status\": \"404\"}\n\
    org,example)/ab 20150101000000 {\"url\": \"http://example.org/ab\", \"status\": \"200\"}\n\
    org,example,blog)/ 20160101000000 {\"url\": \"http://blog.example.org/\", \"status\": \"200\"}\n";

fn stdout(run: &mut Run) -> String {
    String::from_utf8(run.output().stdout).unwrap()
}

fn code(run: &mut Run) -> Option<i32> {
    run.output().status.code()
}

#[test]
fn help_of_each_verb() {
    for verb in ["make", "sort", "zipnum", "lookup"] {
        assert_snapshot!(format!("help_of_{verb}"), varve(["cdx", verb, "--help"]).shown());
    }
}

#[test]
fn make_writes_cdxj() {
    assert_snapshot!(with_archive(&["cdx", "make", "a.warc.gz"]).shown());
}

#[test]
fn make_writes_columns_with_their_header_first_also_when_sorted() {
    assert_snapshot!(with_archive(&["cdx", "make", "--format", "cdx11", "--sort", "a.warc.gz"]).shown());
    let nine = stdout(&mut with_archive(&["cdx", "make", "-f", "cdx9", "a.warc.gz"]));
    assert!(nine.starts_with(" CDX N b a m s k r V g\norg,example)/b "), "{nine}");
}

#[test]
fn make_appends_what_was_posted_and_adds_fields() {
    let words =
        ["cdx", "make", "-p", "--fields", "warc-type", "--records", "response", "--json", "a.warc.gz"];
    assert_snapshot!(with_archive(&words).shown());
}

#[test]
fn make_names_files_as_asked() {
    let name = |words: &[&str]| {
        let mut line = vec!["cdx", "make", "--replace-fields", "filename", "--records", "resource"];
        line.extend_from_slice(words);
        let line = stdout(&mut with_archive(&line).stdin(archive(&Encoding::Gzip(6))));
        line.split('"').nth(3).unwrap().to_owned()
    };
    assert_eq!(name(&["./a.warc.gz"]), "a.warc.gz");
    assert_eq!(name(&["-"]), "-");
    assert_eq!(name(&["-", "--name", "b.warc.gz"]), "b.warc.gz");
    assert_eq!(name(&["a.warc.gz", "--dir-root", "x/y"]), "../../a.warc.gz");
}

#[test]
fn make_gives_the_same_lines_whatever_the_jobs_and_the_compression() {
    let lines = |words: &[&str], encoding: &Encoding| {
        let mut run = varve(["cdx", "make", "--fields", "warc-record-id"].iter().chain(words));
        run = run.file("a.warc", archive(encoding)).file("b.warc", archive(encoding));
        stdout(&mut run)
    };
    let one = lines(&["-j", "1", "a.warc", "b.warc"], &Encoding::Plain);
    assert_eq!(one.lines().count(), 6);
    assert_eq!(one, lines(&["-j", "4", "a.warc", "b.warc"], &Encoding::Plain));
    let without_place = |lines: String| -> Vec<String> {
        lines.lines().map(|line| line.replace(char::is_numeric, "")).collect()
    };
    let packed = lines(&["-j", "4", "a.warc", "b.warc"], &Encoding::Gzip(6));
    assert_eq!(without_place(one), without_place(packed));
}

#[test]
fn make_stops_at_damage_unless_lenient() {
    let mut damaged = archive(&Encoding::Gzip(6));
    let middle = damaged.len() / 2;
    damaged[middle..middle + 20].fill(0);
    let run = |words: &[&str]| varve(words).file("a.warc.gz", &damaged);
    assert_snapshot!(run(&["cdx", "make", "a.warc.gz"]).shown());
    assert_snapshot!(run(&["cdx", "make", "--lenient", "a.warc.gz"]).shown());
    let mut into_file = run(&["cdx", "make", "a.warc.gz", "-o", "index"]);
    assert_snapshot!(into_file.shown());
    assert!(!into_file.folder().join("index").exists() && !into_file.folder().join("index.part").exists());
    let mut lenient = run(&["cdx", "make", "--lenient", "a.warc.gz", "-o", "index"]);
    assert_eq!(code(&mut lenient), Some(1));
    assert!(lenient.folder().join("index").exists());
}

#[test]
fn make_replaces_no_file_unasked() {
    assert_snapshot!(with_archive(&["cdx", "make", "a.warc.gz", "-o", "a.warc.gz", "--force"]).shown());
    assert_snapshot!(with_archive(&["cdx", "make", "a.warc.gz", "-o", "old"]).file("old", "x").shown());
    let mut forced = with_archive(&["cdx", "make", "a.warc.gz", "-o", "old", "--force"]).file("old", "x");
    assert_eq!(code(&mut forced), Some(0));
    assert!(std::fs::read_to_string(forced.folder().join("old")).unwrap().starts_with("org,example)/b "));
}

#[test]
fn make_refuses_what_contradicts_itself() {
    for words in [
        &["-f", "cdx11", "--fields", "method", "a.warc.gz"][..],
        &["-d", "-"],
        &["--name", "x", "a.warc.gz", "a.warc.gz"],
        &["--minimal", "-p", "a.warc.gz"],
        &["--force", "a.warc.gz"],
        &[],
    ] {
        let mut line = vec!["cdx", "make"];
        line.extend_from_slice(words);
        assert_eq!(code(&mut with_archive(&line)), Some(2), "{words:?}");
    }
    assert_snapshot!(with_archive(&["cdx", "make", "-f", "cdx9", "-d", "a.warc.gz"]).shown());
}

#[test]
fn sort_merges_sorts_and_keeps_one_header() {
    let run = |words: &[&str]| {
        varve(words).file("a", " CDX N b a\nb 2 x\na 1 x\n").file("b", " CDX N b a\r\nb 2 x\r\n\r\nc 3 x")
    };
    assert_eq!(stdout(&mut run(&["cdx", "sort", "a", "b"])), " CDX N b a\na 1 x\nb 2 x\nb 2 x\nc 3 x\n");
    assert_eq!(stdout(&mut run(&["cdx", "sort", "-u", "b", "a"])), " CDX N b a\na 1 x\nb 2 x\nc 3 x\n");
    let mut in_place = run(&["cdx", "sort", "a", "-o", "a", "--force"]);
    assert_eq!(code(&mut in_place), Some(0));
    assert_eq!(std::fs::read_to_string(in_place.folder().join("a")).unwrap(), " CDX N b a\na 1 x\nb 2 x\n");
    assert_snapshot!(run(&["cdx", "sort", "a", "c"]).file("c", " CDX b N a\n").shown());
}

#[test]
fn zipnum_refuses_what_is_not_sorted_and_leaves_nothing_behind() {
    let mut run =
        varve(["cdx", "zipnum", "a", "b", "--output", "x"]).file("a", "a 1\n").file("b", "b 1\na 1\n");
    assert_snapshot!(run.shown());
    assert_eq!(std::fs::read_dir(run.folder()).unwrap().count(), 2);
}

#[test]
fn what_is_packed_is_found_and_unpacked_again() {
    let mut run = varve(["cdx", "zipnum", "-", "--output", ".", "--lines", "2", "--json"]).stdin(INDEX);
    assert_snapshot!(run.shown());
    let index = run.folder().join("index.idx").display().to_string();
    let found = stdout(&mut varve(["cdx", "lookup", &index, "http://www.example.org/a"]));
    assert_eq!(found, INDEX.lines().skip(1).take(2).map(|line| format!("{line}\n")).collect::<String>());
    let packed = run.folder().join("index.cdx.gz").display().to_string();
    assert_eq!(stdout(&mut varve(["cdx", "sort", &packed])), INDEX);
    assert_eq!(code(&mut varve(["cdx", "lookup", &packed, "http://example.org/a"])), Some(1));
}

#[track_caller]
fn check_lookup(words: &[&str], urls: &[&str]) {
    let mut line = vec!["cdx", "lookup", "index.cdxj"];
    line.extend_from_slice(words);
    let mut run = varve(&line).file("index.cdxj", INDEX);
    let found = stdout(&mut run);
    let expect: Vec<&str> =
        INDEX.lines().filter(|line| urls.iter().any(|url| line.starts_with(url))).collect();
    let mut found: Vec<&str> = found.lines().collect();
    found.sort_unstable();
    assert_eq!(found, expect, "{words:?}");
    assert_eq!(code(&mut run), Some(i32::from(urls.is_empty())));
}

#[test]
fn lookup_finds_what_is_meant() {
    check_lookup(&["example.org/a"], &["org,example)/a "]);
    check_lookup(&["example.org/a*"], &["org,example)/a"]);
    check_lookup(&["example.org/a", "--match", "prefix"], &["org,example)/a"]);
    check_lookup(&["example.org", "--match", "host"], &["org,example)/"]);
    check_lookup(&["*.example.org"], &["org,example"]);
    check_lookup(&["example.net"], &[]);
    check_lookup(&["example.org/a", "--from", "2015"], &["org,example)/a 2015"]);
    check_lookup(&["example.org/a", "--to", "2014"], &["org,example)/a 2014"]);
    check_lookup(&["example.org/a", "--limit", "1"], &["org,example)/a 2014"]);
    check_lookup(&["example.org/a", "--limit", "1", "--closest", "2016"], &["org,example)/a 2015"]);
    check_lookup(&["*.example.org", "--filter", "=status:404"], &["org,example)/a 2015"]);
}

#[test]
fn lookup_says_what_cannot_be_done() {
    let run = |words: &[&str]| varve(words).file("index.cdxj", INDEX);
    assert_snapshot!("lookup_in_a_pipe", run(&["cdx", "lookup", "-", "example.org"]).shown());
    assert_snapshot!(
        "lookup_at_no_time",
        run(&["cdx", "lookup", "index.cdxj", "a", "--from", "noon"]).shown()
    );
    assert_snapshot!(
        "lookup_as_json",
        run(&["cdx", "lookup", "index.cdxj", "example.com", "--json"]).shown()
    );
}

#[test]
fn no_verb_minds_strange_bytes() {
    let strange: &[u8] = b"\x00\xff\x1f\x8b \t\t\t\t\n{\"\n CDX \n!meta {\n";
    for words in [
        &["make", "x"][..],
        &["make", "--lenient", "-p", "x"],
        &["sort", "x"],
        &["zipnum", "x", "--output", "y"],
        &["lookup", "x", "\u{0}\u{1}\u{202e}", "--match", "prefix"],
        &["lookup", "x", "*"],
    ] {
        for bytes in [strange, b"", b"\t\t\t\t\n", b"\x1f\x8b", b" CDX N b a\n\xff\xff\xff"] {
            let words = words.iter().filter(|word| !word.contains('\0'));
            let output = varve(["cdx"].iter().chain(words)).file("x", bytes).output();
            assert!(output.status.code().is_some_and(|code| code < 3), "{bytes:?}");
            assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"));
        }
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut run = with_archive(&["cdx", "make", "a.warc.gz", "-o", "index"]);
    run.output();
    for words in [&["make", "a.warc.gz"][..], &["make", "-s", "a.warc.gz"], &["sort", "index"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_varve"))
            .arg("cdx")
            .args(words)
            .current_dir(run.folder())
            .stdin(Stdio::null())
            .stdout(writer.try_clone().unwrap())
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        assert_eq!(output.status.code(), Some(0), "{words:?}");
    }
}

#[test]
fn lookup_says_when_there_is_nothing_and_what_else_could_be_asked() {
    let index = "org,example)/ 2024 {\"url\": \"http://example.org/\"}\n";
    let shown = varve(["cdx", "lookup", "index.cdxj", "example.com"]).file("index.cdxj", index).shown();
    assert_snapshot!(shown);
}

/// Binary search in an unsorted file finds nothing; that must not look like an answer.
#[test]
fn lookup_refuses_what_is_not_sorted() {
    let lines = "org,b)/ 20200101000000 {\"url\": \"http://b.org/\"}\norg,a)/ 20200101000000 {\"url\": \"http://a.org/\"}\n";
    let output = varve(["cdx", "lookup", "i.cdxj", "http://a.org/"]).file("i.cdxj", lines).output();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(said.contains("not sorted") && said.contains("varve cdx sort"), "{said}");
}

/// Lines that all point at one place would lead a replay to the wrong record.
#[test]
fn make_fails_where_records_share_a_member() {
    let record = "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a.org/\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n\
         WARC-Record-ID: <urn:x:1>\r\nContent-Type: text/plain\r\nContent-Length: 1\r\n\r\nx\r\n\r\n";
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut encoder, record.repeat(3).as_bytes()).unwrap();
    let output = varve(["cdx", "make", "a.warc.gz"]).file("a.warc.gz", encoder.finish().unwrap()).output();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().contains("varve warc convert a.warc.gz"));
}
