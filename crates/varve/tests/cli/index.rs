//! `varve index …`: lines and archive files go in, are counted, and leave again.

use insta::assert_snapshot;
use serde_json::Value;
use warc::{Draft, Encoding, RecordType, Version, Writer};

use crate::run::varve;

const LINES: &str = " CDX N b a m s k r M S V g\n\
    com,example)/ 20130101000000 http://example.com/ text/html 200 OSSAPWJ23L56IYVRW3GFEAR4MCJMGPTB - - 100 5 a.warc.gz\n\
    org,example)/a 20140101000000 http://example.org/a text/html 200 AAAAPWJ23L56IYVRW3GFEAR4MCJMGPTB - - 100 7 a.warc.gz\n\
    org,example)/a 20150101000000 http://example.org/a warc/revisit - AAAAPWJ23L56IYVRW3GFEAR4MCJMGPTB - - 100 9 b.warc.gz\n";

/// An archive to run in.
struct World {
    folder: tempfile::TempDir,
}

impl World {
    fn new() -> World {
        let folder = tempfile::tempdir().unwrap();
        let made = varve(["init", "."]).inside(folder.path()).output();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        std::fs::write(folder.path().join("lines.cdx"), LINES).unwrap();
        World { folder }
    }

    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> &World {
        std::fs::write(self.folder.path().join(name), bytes).unwrap();
        self
    }

    /// Exit code, results, talk.
    fn run(&self, words: &[&str]) -> (Option<i32>, String, String) {
        let output = varve(words).inside(self.folder.path()).output();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    }

    #[track_caller]
    fn json(&self, words: &[&str]) -> Value {
        let (code, stdout, stderr) = self.run(&[words, &["--json"]].concat());
        assert_eq!(code, Some(0), "{stderr}");
        serde_json::from_str(&stdout).unwrap()
    }
}

#[test]
fn help_of_each_verb() {
    assert_snapshot!("help_of_index", varve(["index", "--help"]).shown());
    for verb in ["add", "rm", "stats", "export", "backup"] {
        assert_snapshot!(format!("help_of_index_{verb}"), varve(["index", verb, "--help"]).shown());
    }
}

#[test]
fn lines_go_in_and_leave_as_they_came() {
    let world = World::new();
    let (code, _, said) = world.run(&["index", "add", "lines.cdx"]);
    assert_eq!((code, said.as_str()), (Some(0), "web: 3 captures added\n"));
    assert_eq!(world.run(&["index", "export", "--format", "cdx11"]).1, LINES);
    assert!(
        world
            .run(&["index", "export", "--format", "cdx9"])
            .1
            .starts_with(" CDX N b a m s k r V g\ncom,example)/ ")
    );
    let cdxj = world.run(&["index", "export"]).1;
    assert_eq!(cdxj.lines().count(), 3);
    // A second time changes nothing; CDX and CDXJ of the same captures are the same captures, and count once.
    world.file("lines.cdxj", &cdxj);
    assert_eq!(world.json(&["index", "add", "lines.cdx", "lines.cdxj"])["rows"], 3);
    assert_eq!(world.run(&["index", "export"]).1, cdxj);
    let (code, out, _) = world.run(&["versions", "http://example.org/a"]);
    assert_eq!((code, out.lines().count()), (Some(0), 2));
}

#[test]
fn a_zipnum_index_comes_back() {
    let world = World::new();
    world.run(&["index", "add", "lines.cdx", "--collection", "one"]);
    let (code, _, said) = world.run(&["index", "export", "--format", "zipnum", "-o", "packed", "-c", "one"]);
    assert_eq!((code, said.as_str()), (Some(0), "3 captures: packed\n"));
    assert_eq!(world.run(&["cdx", "lookup", "packed.idx", "http://example.com/"]).1.lines().count(), 1);
    assert_eq!(world.json(&["index", "add", "packed.idx", "-c", "two"])["rows"], 3);
    assert_eq!(world.json(&["index", "add", "packed.cdx.gz", "-c", "three"])["rows"], 3);
    let lines = |collection: &str| world.run(&["index", "export", "-c", collection]).1;
    assert_eq!((lines("one"), lines("one")), (lines("two"), lines("three")));
    let (code, _, said) = world.run(&["index", "export", "--format", "zipnum"]);
    assert!(code == Some(2) && said.contains("hint: `--output PREFIX`"), "{said}");
}

#[test]
fn archive_files_are_indexed() {
    let world = World::new();
    let mut writer = Writer::new(Vec::new(), &Encoding::Gzip(6)).unwrap();
    for (number, path) in [(1, "b"), (2, "a")] {
        let date = format!("2026-11-15T10:11:{number:02}Z").parse().unwrap();
        let id = format!("urn:uuid:00000000-0000-4000-8000-{number:012}");
        let draft = Draft::new(Version::Warc1_1, &RecordType::Response, &id, date)
            .target_uri(&format!("http://www.example.org/{path}"))
            .content_type("application/http; msgtype=response");
        writer.write(&draft, b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<h1>varves</h1>\n").unwrap();
    }
    world.file("a.warc.gz", writer.into_inner());
    assert_eq!(world.json(&["index", "add", "a.warc.gz", "lines.cdx"])["rows"], 5);
    let lines = world.run(&["index", "export"]).1;
    let keys: Vec<&str> = lines.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(
        keys,
        ["com,example)/", "org,example)/a", "org,example)/a", "org,example)/a", "org,example)/b"]
    );
    assert!(lines.contains("\"filename\": \"a.warc.gz\""), "{lines}");
}

#[test]
fn dirty_and_unsorted_lines_have_a_way_out() {
    let world = World::new();
    let dirty = format!("{LINES}what is this\n");
    world.file("dirty.cdx", &dirty);
    let (code, _, said) = world.run(&["index", "add", "dirty.cdx"]);
    assert_eq!(code, Some(0));
    assert!(
        said.contains("warning: dirty.cdx: line 5: ")
            && said.contains("; 1 line made no sense and was left out"),
        "{said}"
    );
    let (code, _, said) = world.run(&["index", "add", "dirty.cdx", "--bad-lines", "refuse", "-c", "strict"]);
    assert!(code == Some(1) && said.contains("hint: `--bad-lines skip`"), "{said}");
    assert_eq!(world.json(&["index", "stats", "-c", "strict"])["rows"], 0);

    let mut lines: Vec<&str> = LINES.lines().collect();
    lines.swap(1, 2);
    world.file("unsorted.cdx", lines.join("\n"));
    let (code, _, said) = world.run(&["index", "add", "unsorted.cdx", "-c", "sorted"]);
    assert!(
        code == Some(1) && said.contains("not sorted: line 3") && said.contains("hint: `--sort`"),
        "{said}"
    );
    assert_eq!(world.json(&["index", "add", "unsorted.cdx", "--sort", "-c", "sorted"])["rows"], 3);
    assert_eq!(world.run(&["index", "export", "--format", "cdx11", "-c", "sorted"]).1, LINES);
    // Keys of another making.
    world.file("other.cdx", LINES.replace("com,example)/", "(com,example,)/"));
    assert_eq!(world.json(&["index", "add", "other.cdx", "--rekey", "-c", "rekeyed"])["rows"], 3);
    assert_eq!(world.run(&["index", "export", "--format", "cdx11", "-c", "rekeyed"]).1, LINES);
}

/// Issue 20, point 14.
#[test]
fn files_without_a_single_good_line_fail() {
    let world = World::new();
    world.file("garbage.txt", "what is this\nno capture\nat all\n").file("empty.cdx", "");
    for more in [&[][..], &["--sort"], &["--rekey"]] {
        let (code, _, said) = world.run(&[&["index", "add", "garbage.txt"], more].concat());
        assert_eq!(code, Some(1), "{more:?} {said}");
        assert!(said.contains("web: 0 captures added; 3 lines made no sense and were left out"), "{said}");
        assert!(said.contains("error: garbage.txt: no line describes a capture\nhint: "), "{said}");
    }
    // The captures of the others are added, and the one that is none is named.
    let (code, out, said) = world.run(&["index", "add", "lines.cdx", "garbage.txt", "empty.cdx", "--json"]);
    assert_eq!(code, Some(1), "{said}");
    let added: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&added["rows"], &added["bad_lines"]), (&3.into(), &3.into()));
    assert_eq!(added["senseless_files"], serde_json::json!(["garbage.txt"]));
    // Nothing at all is nothing wrong.
    assert_eq!(world.run(&["index", "add", "empty.cdx"]).0, Some(0));
}

#[test]
fn captures_are_taken_out() {
    let world = World::new();
    world.run(&["index", "add", "lines.cdx"]);
    assert_eq!(world.json(&["index", "rm", "--url", "http://example.org/a"])["rows"], 2);
    let one: Vec<&str> = LINES.lines().take(2).chain(["what is this"]).collect();
    world.file("one.cdx", one.join("\n"));
    let removed = world.json(&["index", "rm", "one.cdx"]);
    assert_eq!((&removed["rows"], &removed["bad_lines"]), (&1.into(), &1.into()));
    assert_eq!(world.json(&["index", "rm", "one.cdx"])["rows"], 0, "it is gone already");
    world.run(&["index", "add", "one.cdx", "-c", "one"]);
    let (_, _, said) = world.run(&["index", "rm", "--url", "http://example.com/", "-c", "one"]);
    assert!(said.starts_with("one: 1 capture removed"), "{said}");
    assert_eq!(world.run(&["index", "export"]).1, "");
    let (code, _, said) = world.run(&["index", "rm", "--job", "none"]);
    assert!(
        code == Some(1) && said.contains("the index has no job `none`") && said.contains("hint: "),
        "{said}"
    );
    assert_eq!(world.run(&["index", "rm"]).0, Some(2));
    let (code, _, said) = world.run(&["index", "stats", "-c", "nowhere"]);
    assert!(
        code == Some(1)
            && said.contains("there is no collection `nowhere`")
            && said.contains("hint: there are: web"),
        "{said}"
    );
}

#[test]
fn it_is_counted_and_backed_up() {
    let world = World::new();
    world.run(&["index", "add", "lines.cdx"]);
    let stats = world.json(&["index", "stats"]);
    assert_eq!((&stats["rows"], &stats["files"], &stats["jobs"]), (&3.into(), &1.into(), &0.into()));
    assert_eq!((&stats["first"], &stats["last"]), (&"com,example)/".into(), &"org,example)/a".into()));
    let (_, shown, _) = world.run(&["index", "stats"]);
    assert!(shown.contains("captures    3\n") && shown.contains("last key    org,example)/a\n"), "{shown}");
    let done = world.json(&["index", "backup", "copy"]);
    assert_eq!((&done["rows"], &done["linked"]), (&3.into(), &1.into()));
    assert_eq!(index::Index::open(&world.folder.path().join("copy")).unwrap().snapshot().unwrap().rows(), 3);
}

#[test]
fn columns_between_tabs_are_lines_of_captures() {
    let world = World::new();
    world.file("tabs.cdx", LINES.replace(" CDX", "CDX").replace(' ', "\t"));
    let (code, _, said) = world.run(&["index", "add", "tabs.cdx"]);
    assert_eq!((code, said.as_str()), (Some(0), "web: 3 captures added\n"));
}

#[test]
fn lines_of_a_zipnum_index_have_a_bound() {
    let world = World::new();
    world.file(
        "long.idx",
        format!("com,example)/ 20130101000000\tpart\t0\t1\n{}\tpart\t0\t1\n", "x".repeat(64 << 20)),
    );
    let (code, _, said) = world.run(&["index", "add", "long.idx"]);
    assert_eq!(code, Some(1));
    assert!(said.len() < 2000, "{} bytes", said.len());
}
