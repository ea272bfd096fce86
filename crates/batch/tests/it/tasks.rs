//! The tasks that are built in.

use batch::Error;
use batch::tasks::{Cdx, Checksum, Count, Form, Grep, List, Mime, Validate};
use serde_json::Value;

use super::{World, page, warc};

fn world() -> World {
    let first = [
        ("http://example.org/", "text/html; charset=utf-8", "<title>Herring</title><p>The herring is here."),
        ("http://example.org/a.css", "text/css", "a { color: red }"),
    ];
    let second = [
        (
            "http://example.org/b",
            "text/html",
            "<!DOCTYPE html><p>caf\u{e9}\n<p>No herring,\n<p>herring again",
        ),
        ("http://example.org/c.gif", "text/plain", "GIF89a\0\0"),
    ];
    World::with(&[("a.warc.gz", &warc(&first)), ("b.warc.gz", &warc(&second))])
}

fn rows(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn checksums_are_those_of_sha256sum() {
    let world = world();
    let ran = world.run(&Checksum).sound();
    let files = world.files();
    let expect: String = files.iter().map(|file| format!("{}  {}\n", file.sha256, file.name)).collect();
    assert_eq!(ran.text(), expect);
    assert_eq!(ran.report.bytes, files.iter().map(|file| file.bytes).sum::<u64>());
    // As `sha256sum` has it, beside the files.
    std::fs::write(world.folder().join("sums"), &ran.result).unwrap();
    let mut sha256sum = std::process::Command::new("sha256sum");
    let status = sha256sum.args(["--check", "--quiet", "../sums"]).current_dir(world.folder().join("store"));
    assert!(status.status().unwrap().success());
}

#[test]
fn a_list_is_what_is_known() {
    let world = world();
    let ran = world.run(&List::default()).sound();
    let file = &world.files()[0];
    assert_eq!(ran.text().lines().next().unwrap(), format!("{}\t{}\t{}", file.name, file.bytes, file.sha256));
    assert_eq!(ran.report.bytes, 0);
    let json = rows(world.run(&List { form: Form::Json }).sound().text());
    assert_eq!(json[1]["file"], "job/b.warc.gz");
    assert_eq!(json[0]["bytes"], file.bytes);
}

/// Deposits are files of any kind; what calls itself an archive file and is none is damaged all the same.
#[test]
fn files_that_are_no_archive_files_are_passed_over_and_counted() {
    let pdf: &[u8] = b"%PDF-1.4\n\x80\x81\n1 0 obj\n";
    let record = b"WARC/1.1\r\nWARC-Type: resource\r\nContent-Length: 5\r\n\r\nvarve\r\n\r\n";
    let world = World::with(&[
        ("a.warc", record),
        ("bad.warc", b"no record"),
        ("empty.txt", b""),
        ("paper.pdf", pdf),
        ("unnamed.bin", record),
    ]);
    let tasks: [&dyn batch::Task; 5] =
        [&Count::default(), &Cdx::default(), &Mime::default(), &Validate::default(), &batch::tasks::Wet];
    for task in tasks {
        let ran = world.run(task);
        assert_eq!((ran.report.files, ran.report.others), (5, 2));
        let failed: Vec<&str> = ran.failed.iter().map(|failed| failed.file.as_str()).collect();
        assert!(
            failed.contains(&"job/bad.warc") && !failed.iter().any(|name| name.contains(".pdf")),
            "{failed:?}"
        );
    }
    let ran = world.run(&Count::default());
    assert!(ran.failed[0].why.to_string().ends_with("; 1 further fault"), "{}", ran.failed[0].why);
    assert!(!ran.text().contains("paper.pdf") && ran.text().contains("total of 3\t2\t"), "{}", ran.text());
    assert_eq!(world.run(&Checksum).sound().report.others, 0);
}

#[test]
fn records_are_counted_by_file_and_together() {
    let world = world();
    let text = world.run(&Count::default()).sound();
    let lines: Vec<Vec<&str>> = text.text().lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(lines[0][..3], ["job/a.warc.gz", "3", "2"]);
    assert_eq!(lines[2][..3], ["total of 2", "6", "4"]);
    assert_eq!(lines[2][5], "response=4,warcinfo=2");
    let json = rows(world.run(&Count { form: Form::Json }).sound().text());
    assert_eq!(json.len(), 3);
    assert_eq!((&json[2]["files"], &json[2]["records"]), (&2.into(), &6.into()));
    let total = json[0]["block_bytes"].as_u64().unwrap() + json[1]["block_bytes"].as_u64().unwrap();
    assert_eq!(json[2]["block_bytes"], total);
}

#[test]
fn index_lines_name_files_as_they_are_wanted() {
    let world = world();
    let ran = world.run(&Cdx::default()).sound();
    let lines: Vec<&str> = ran.text().lines().collect();
    assert_eq!(lines.len(), 4);
    assert!(
        lines[0].starts_with("org,example)/ 20261118030000 {\"url\": \"http://example.org/\""),
        "{}",
        lines[0]
    );
    assert!(lines[0].ends_with("\"filename\": \"a.warc.gz\"}"), "{}", lines[0]);
    let ran = world.run(&Cdx { with_job: true, ..Cdx::default() }).sound();
    assert!(ran.text().lines().all(|line| line.contains("\"filename\": \"job/")));
}

#[test]
fn grep_finds_lines_with_their_place() {
    let world = world();
    let search = |pattern: &str, form| world.run(&Grep::new(pattern, false, form).unwrap()).sound();
    let found = rows(search("herring", Form::Json).text());
    let told: Vec<(&str, u64)> =
        found.iter().map(|row| (row["url"].as_str().unwrap(), row["line"].as_u64().unwrap())).collect();
    assert_eq!(told, [("http://example.org/", 1), ("http://example.org/b", 2), ("http://example.org/b", 3)]);
    assert_eq!(found[1]["text"], "<p>No herring,");
    assert_eq!(found[0]["time"], "2026-11-18T03:00:00Z");
    let line = search("No h", Form::Text).text().to_owned();
    let columns: Vec<&str> = line.trim_end().split('\t').collect();
    assert_eq!((columns[0], columns[5]), ("job/b.warc.gz", "<p>No herring,"));
    assert_eq!(search("caf\u{e9}", Form::Text).text().lines().count(), 1);
    // A picture is not text, whatever its server says.
    assert_eq!(search("GIF", Form::Text).text(), "");
    assert_eq!(world.run(&Grep::new("HERRING", true, Form::Text).unwrap()).text().lines().count(), 3);
    let mut few = Grep::new("herring", false, Form::Text).unwrap();
    few.lines_max = 1;
    assert_eq!(world.run(&few).text().lines().count(), 2);
    assert!(matches!(Grep::new("(", false, Form::Text), Err(Error::Pattern { .. })));
}

#[test]
fn grep_takes_lines_without_end_in_pieces_and_charsets_as_they_are() {
    let long = format!("{}needle{}", "x".repeat(300_000), "y".repeat(300_000));
    let world = World::with(&[("a.warc.gz", &warc(&[("http://example.org/", "text/plain", &long)]))]);
    let ran = world.run(&Grep::new("needle", false, Form::Text).unwrap()).sound();
    assert!(ran.text().contains("needle") && ran.text().len() < 500, "{}", ran.text().len());
    let mut block = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=iso-8859-2\r\n\r\n".to_vec();
    block.extend_from_slice(b"\xe8e\xb9tina");
    let mut writer = warc::Writer::new(Vec::new(), &warc::Encoding::Plain).unwrap();
    let draft = warc::Draft::new(
        warc::Version::Warc1_1,
        &warc::RecordType::Response,
        "urn:x:1",
        "2026-11-18T03:00:00Z".parse().unwrap(),
    );
    let draft = draft.target_uri("http://example.org/").content_type("application/http; msgtype=response");
    writer.write(&draft, &block).unwrap();
    let world = World::with(&[("a.warc", &writer.into_inner())]);
    let ran = world.run(&Grep::new("čeština", false, Form::Text).unwrap()).sound();
    assert_eq!(ran.text().lines().count(), 1);
}

#[test]
fn types_are_counted_as_declared_and_as_found() {
    let ran = world().run(&Mime::default()).sound();
    let lines: Vec<&str> = ran.text().lines().collect();
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(lines[0].starts_with("2\t") && lines[0].ends_with("\ttext/html\ttext/html"), "{lines:?}");
    assert!(lines.contains(&"1\t16\ttext/css\ttext/css"), "{lines:?}");
    assert!(lines.contains(&"1\t8\timage/gif\ttext/plain"));
    let json = rows(world().run(&Mime { form: Form::Json }).sound().text());
    assert_eq!((&json[0]["records"], &json[0]["declared"]), (&2.into(), &"text/html".into()));
}

#[test]
fn damage_is_told_and_the_rest_is_taken() {
    let pages: Vec<(String, String)> = (0..20)
        .map(|number| (format!("http://example.org/{number}"), format!("<p>{number} herring")))
        .collect();
    let pages: Vec<(&str, &str, &str)> =
        pages.iter().map(|(url, body)| (url.as_str(), "text/html", body.as_str())).collect();
    let mut bytes = warc(&pages);
    let middle = bytes.len() / 2;
    bytes[middle..middle + 8].fill(0xff);
    let world =
        World::with(&[("a.warc.gz", &page("sound")), ("b.warc.gz", &bytes), ("c.warc.gz", b"no archive")]);
    let ran = world.run(&Count { form: Form::Json });
    let told = ran.told();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].starts_with("job/b.warc.gz damaged: at byte "), "{told:?}");
    let rows = rows(ran.text());
    assert!(rows[1]["records"].as_u64().unwrap() >= 18, "{}", rows[1]);
    assert_eq!(rows[1]["failed"], "damaged");
    assert_eq!(rows[2]["records"], 0);
    let ran = world.run(&Cdx::default());
    assert_eq!(ran.told().len(), 2);
    assert!(ran.text().lines().count() >= 18, "{}", ran.text().lines().count());
    let ran = world.run(&Grep::new("herring", false, Form::Text).unwrap());
    assert!(ran.text().lines().count() >= 17 && ran.failed.len() == 2);
}

#[test]
fn what_a_header_promises_is_not_counted() {
    let lying = "WARC/1.1\r\nWARC-Type: resource\r\nContent-Length: 9000000000000000000\r\n\r\nvarve";
    let world = World::with(&[("a.warc", lying.as_bytes())]);
    let ran = world.run(&Count { form: Form::Json });
    assert_eq!(rows(ran.text())[0]["block_bytes"], 5);
    assert_eq!(ran.failed.len(), 1);
}

#[test]
fn verdicts_are_those_of_the_check() {
    let mut wrong = page("sound");
    wrong.extend_from_slice(b"garbage");
    let world = World::with(&[("a.warc.gz", &page("sound")), ("b.warc.gz", &wrong), ("c.warc", b"")]);
    let ran = world.run(&Validate { form: Form::Json });
    let rows = rows(ran.text());
    assert_eq!((&rows[0]["ok"], &rows[0]["records"]), (&true.into(), &2.into()));
    assert_eq!((&rows[1]["ok"], &rows[1]["records"]), (&false.into(), &2.into()));
    assert_eq!(rows[1]["faults"][0]["severity"], "damage");
    assert_eq!(rows[2]["faults"][0]["kind"], "unknown-format");
    assert_eq!(ran.failed.len(), 2);
    let text = world.run(&Validate::default());
    assert!(
        text.text().starts_with("ok\tjob/a.warc.gz\t2\t\nbad\tjob/b.warc.gz\t2\t2 faults (2 garbage)\n"),
        "{}",
        text.text()
    );
}
