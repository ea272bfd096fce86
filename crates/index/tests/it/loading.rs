//! Sorted files become an index; what makes no sense in them does not stop it.

use std::io::{BufReader, Cursor};

use index::{BadLines, Error, Index, Input, Limits, Loaded, Settings};

use super::sample::{all, commit, open};

fn input(name: &str, text: &str) -> Input {
    Input {
        name: name.to_owned(),
        lines: Box::new(BufReader::with_capacity(64, Cursor::new(text.to_owned().into_bytes()))),
    }
}

fn load(index: &Index, texts: &[&str]) -> Result<Loaded, Error> {
    let inputs = texts.iter().enumerate().map(|(at, text)| input(&format!("file{at}"), text)).collect();
    index.load(None, inputs, BadLines::Skip)
}

const CDX11: &str = " CDX N b a m s k r M S V g\n\
    com,a)/ 20140101000000 http://a.com/ text/html 200 OSSAPWJ23L56IYVRW3GFEAR4MCJMGPTB - - 100 5 a.warc.gz\n\
    org,a)/ 20140101000000 http://a.org/ text/html 200 AAAAPWJ23L56IYVRW3GFEAR4MCJMGPTB http://b.org/ - 100 7 a.warc.gz\n";
const CDXJ: &str = "!meta {}\n\
    com,a)/ 20150101000000 {\"url\": \"http://a.com/\", \"offset\": 9, \"filename\": \"b\", \"more\": {\"x\": [1]}}\n\
    net,a)/ 20150101000000 {\"url\": \"http://a.net/\"}\n";

#[test]
fn files_of_several_formats_become_one() {
    let folder = tempfile::tempdir().unwrap();
    let index = open(folder.path());
    // Columns of another order, and none for the key.
    let other = "CDX b a V g\n20130101000000 http://a.com/ 3 c\n20130101000000 http://z.org/ 4 c\n";
    let loaded = load(&index, &[CDX11, CDXJ, other]).unwrap();
    assert_eq!((loaded.rows, loaded.bad), (6, 0), "{loaded:?}");
    assert_eq!(
        all(&index),
        [
            r#"com,a)/ 20130101000000 {"url": "http://a.com/", "offset": "3", "filename": "c"}"#,
            r#"com,a)/ 20140101000000 {"url": "http://a.com/", "mime": "text/html", "status": "200", "digest": "OSSAPWJ23L56IYVRW3GFEAR4MCJMGPTB", "length": "100", "offset": "5", "filename": "a.warc.gz"}"#,
            r#"com,a)/ 20150101000000 {"url": "http://a.com/", "offset": "9", "filename": "b", "more": {"x": [1]}}"#,
            r#"net,a)/ 20150101000000 {"url": "http://a.net/"}"#,
            r#"org,a)/ 20140101000000 {"url": "http://a.org/", "mime": "text/html", "status": "200", "digest": "AAAAPWJ23L56IYVRW3GFEAR4MCJMGPTB", "length": "100", "offset": "7", "filename": "a.warc.gz", "redirect": "http://b.org/"}"#,
            r#"org,z)/ 20130101000000 {"url": "http://z.org/", "offset": "4", "filename": "c"}"#,
        ]
    );
    let snapshot = index.snapshot().unwrap();
    assert!(snapshot.by_digest("OSSAPWJ23L56IYVRW3GFEAR4MCJMGPTB").unwrap().is_some());
    assert_eq!(snapshot.latest("http://a.com/").unwrap().unwrap().offset, Some(9));
}

#[test]
fn a_file_that_is_loaded_again_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let index = open(folder.path());
    for _ in 0..5 {
        assert_eq!(load(&index, &[CDX11]).unwrap().rows, 2);
        assert_eq!(all(&index).len(), 2);
    }
}

#[test]
fn a_file_may_be_loaded_as_a_commit() {
    let folder = tempfile::tempdir().unwrap();
    let index = open(folder.path());
    for text in [CDX11, CDXJ] {
        index.load(Some(&commit("import")), vec![input("x", text)], BadLines::Refuse).unwrap();
    }
    assert_eq!(index.snapshot().unwrap().commits(), [commit("import")]);
    assert_eq!(all(&index).len(), 2);
    index.withdraw("import").unwrap();
    assert!(all(&index).is_empty());
}

#[test]
fn dirty_lines_are_left_out_counted_and_told() {
    let folder = tempfile::tempdir().unwrap();
    let index = open(folder.path());
    let long = "x".repeat(2 << 20);
    let dirty = format!(
        "{CDX11}### what is this\n\n\u{1}org,b)/ 20140101000000 http://b.org/ - - - - - - - -\n{long}\n\
        org,c)/ 2014 http://c.org/ text/html 200 D - - 100 7 a.warc.gz\n\
        org,d)/ 20140101000000 http://d.org/ text/html 20x D - - 100 7 a.warc.gz\n\
        - 20140101000000 http://d.org/ text/html 200 D - - 100 7 a.warc.gz\n\
        org,e)/ 20140101000000 http://e.org/ text/html 200 D - - 100 7 a.warc.gz\n"
    );
    let loaded = load(&index, &[&dirty, "neither CDX nor anything\n"]).unwrap();
    assert_eq!((loaded.rows, loaded.bad), (4, 6), "{:#?}", loaded.told);
    let told: Vec<String> = loaded.told.iter().map(ToString::to_string).collect();
    assert!(
        told.iter().any(|line| line.starts_with("file0: line 8: ") && line.contains("`2014`")),
        "{told:#?}"
    );
    assert_eq!(all(&index).len(), 4, "the line without a key got one from its URL");

    let refused = open(&folder.path().join("refused"));
    let error = refused.load(None, vec![input("x", &dirty)], BadLines::Refuse).unwrap_err();
    assert!(error.to_string().starts_with("5 lines make no sense, and nothing was loaded"), "{error}");
    assert!(all(&refused).is_empty());
}

#[test]
fn a_file_of_nothing_but_dirt_ends() {
    let folder = tempfile::tempdir().unwrap();
    let index = open(folder.path());
    let dirt = "dirt\n".repeat(100_000);
    let loaded = load(&index, &[&dirt, &dirt]).unwrap();
    assert_eq!((loaded.rows, loaded.bad, loaded.told.len()), (0, 200_000, 20));
    assert!(index.snapshot().unwrap().files() == 0);
    assert_eq!(load(&index, &["", "\n", "!meta\n"]).unwrap(), Loaded::default());
}

/// However many lines make no sense, the one behind them is held against the last that does.
#[test]
fn dirt_does_not_hide_that_a_file_is_not_sorted() {
    let folder = tempfile::tempdir().unwrap();
    let index = open(folder.path());
    let row = |key: &str| format!("{key} 20150101000000 {{}}\n");
    let dirt = "dirt\n".repeat(40_000);
    let loaded = load(&index, &[&format!("{}{dirt}{}", row("a)/"), row("z)/"))]).unwrap();
    assert_eq!((loaded.rows, loaded.bad), (2, 40_000));
    let error = load(&index, &[&format!("{}{dirt}{}", row("z)/"), row("a)/"))]).unwrap_err();
    assert!(error.to_string().starts_with("file0 is not sorted: line 40002, `a)/ "), "{error}");
}

#[test]
fn a_source_that_breaks_off_is_told_by_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let index = open(folder.path());
    let broken = std::io::Read::chain("a)/ 20150101000000 {}\n".as_bytes(), Broken);
    let lines = Box::new(std::io::BufReader::new(broken));
    let error = index
        .load(None, vec![Input { name: "broken.cdxj.gz".to_owned(), lines }], BadLines::Skip)
        .unwrap_err();
    assert_eq!(error.to_string(), "cannot read broken.cdxj.gz, and nothing was loaded");
    assert!(all(&index).is_empty());
}

/// Fails as an incomplete gzip file does.
struct Broken;

impl std::io::Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
        Err(std::io::Error::new(std::io::ErrorKind::UnexpectedEof, "incomplete"))
    }
}

/// Two lines of one capture in one file: the second counts, however it is asked for.
#[test]
fn of_two_lines_of_one_capture_the_last_counts_for_everybody() {
    let folder = tempfile::tempdir().unwrap();
    let index = open(folder.path());
    let row =
        |status: u16| format!("a)/ 20150101000000 http://a/ text/html {status} D - - 100 7 a.warc.gz\n");
    let header = " CDX N b a m s k r M S V g\n";
    load(&index, &[&(header.to_owned() + &row(200) + &row(404))]).unwrap();
    let snapshot = index.snapshot().unwrap();
    let at = "2015-01-01T00:00:00Z".parse().unwrap();
    assert_eq!(snapshot.nearest("a)/", at).unwrap().unwrap().status, Some(404));
    assert_eq!(snapshot.latest("http://a/").unwrap().unwrap().status, Some(404));
    assert_eq!(snapshot.by_digest("D").unwrap().unwrap().status, Some(404));
    assert_eq!(all(&index).len(), 1);
}

#[test]
fn a_file_that_is_not_sorted_is_refused_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let index = open(folder.path());
    let row = |key: &str| format!("{key} 20150101000000 {{}}\n");
    let error = load(&index, &[CDX11, &(row("a)/") + &row("c)/") + &row("b)/"))]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "file1 is not sorted: line 3, `b)/ 20150101000000`, sorts before the line above it"
    );
    assert!(all(&index).is_empty());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "the manifest and the lock");
}

/// More than one piece, and more than one thread: every line comes out, in order.
#[test]
fn many_lines_from_many_files_keep_their_order() {
    let folder = tempfile::tempdir().unwrap();
    let index = open(folder.path());
    let lines = |file: usize| -> String {
        let row = |page: usize| {
            format!(
                "org,a)/{page:05} 2026010100{:04} {{\"url\": \"http://a.org/{page:05}\", \"offset\": \"{file}\"}}\n",
                page % 60
            )
        };
        (0..20_000).filter(|page| page % 3 == file).map(row).collect()
    };
    let texts: Vec<String> = (0..3).map(lines).collect();
    let loaded = load(&index, &texts.iter().map(String::as_str).collect::<Vec<_>>()).unwrap();
    assert_eq!((loaded.rows, loaded.bad), (20_000, 0));
    let found = all(&index);
    assert!(found.is_sorted() && found.len() == 20_000);
}

/// What a line is taken for is only sure when one has made sense.
#[test]
fn dirt_in_front_does_not_decide_what_a_file_is() {
    for dirt in ["}{ garbage", "a b c d e f g h i j k", "{\"url\": ", "x y", "a)/ x {}", "-"] {
        let folder = tempfile::tempdir().unwrap();
        let index = open(folder.path());
        let text = format!("{dirt}\n{dirt}\n{CDXJ}");
        let loaded = load(&index, &[&text]).unwrap();
        assert_eq!((loaded.rows, loaded.bad), (2, 2), "{dirt}: {loaded:?}");
    }
}

/// Who reads them must hold all of them in memory.
#[test]
fn more_rows_of_one_second_than_memory_should_hold_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let limits = Limits { rows_at_once: 100, ..Limits::default() };
    let index = Index::open_with(folder.path(), Settings { limits, ..Settings::default() }).unwrap();
    let row = |key: &str, number: u64| {
        format!("{key} 20150101000000 {{\"offset\": {number}, \"filename\": \"b\"}}\n")
    };
    let text: String = (0..300).map(|number| row("com,a)/", number)).chain([row("com,b)/", 1)]).collect();
    let loaded = load(&index, &[&text]).unwrap();
    assert_eq!((loaded.rows, loaded.bad), (101, 200));
    assert_eq!(
        loaded.told[0].to_string(),
        "file0: line 101: more than 100 captures of one URL in one second"
    );
    assert_eq!(all(&index).len(), 101);
}
