//! WET and WAT: files that are made of others.

use std::process::Command;

use batch::tasks::{Wat, Wet};
use serde_json::Value;
use warc::{Limits, Options, Reader};

use super::{World, page, warc};

/// The records of a WARC file: type, URL, what it refers to, block. Whatever is wrong with them fails the test.
#[track_caller]
fn records(bytes: &[u8]) -> Vec<(String, String, String, String)> {
    let options = Options { lenient: false, verify: true, limits: Limits::default() };
    let mut reader = Reader::new(bytes, options).unwrap();
    let mut records = Vec::new();
    while let Some(mut record) = reader.next_record().unwrap() {
        let head = record.head();
        let offset = record.offset();
        assert_eq!(warc::rules::faults(head, offset), []);
        let kind = head.record_type().name().to_owned();
        let url = head.target_uri().unwrap_or_default().into_owned();
        let refers = head.refers_to().unwrap_or_default().into_owned();
        let mut block = String::new();
        std::io::Read::read_to_string(&mut record, &mut block).unwrap();
        let (_, faults) = record.finish_with_faults().unwrap();
        assert_eq!(faults, []);
        records.push((kind, url, refers, block));
    }
    records
}

const PAGE: &str = "<html><head><title>Herring &amp; eel</title><meta name=keywords content=fish>\
    <base href=/fish/></head><body><p>The <a href=eel.html rel=next>eel</a> is not here.</p><img src=h.jpg></body></html>";

fn world() -> World {
    let pages = [
        ("http://example.org/", "text/html; charset=utf-8", PAGE),
        ("http://example.org/a.txt", "text/plain; charset=utf-8", "plain caf\u{e9}"),
        ("http://example.org/a.bin", "application/octet-stream", "\u{1}\u{2}\u{3}"),
    ];
    World::with(&[("a.warc.gz", &warc(&pages)), ("b.warc.gz", &page("<p>second"))])
}

#[test]
fn wet_has_the_text_of_pages() {
    let ran = world().run(&Wet).sound();
    let records = records(&ran.result);
    let kinds: Vec<&str> = records.iter().map(|record| record.0.as_str()).collect();
    assert_eq!(kinds, ["warcinfo", "conversion", "conversion", "warcinfo", "conversion"]);
    let (_, url, refers, block) = &records[1];
    assert_eq!(url, "http://example.org/");
    assert_eq!(refers, "urn:uuid:00000000-0000-4000-8000-000000000001");
    assert_eq!(block, "Herring & eel\nThe eel is not here.\n");
    assert_eq!(records[2].3, "plain café\n");
    assert!(records[3].3.contains("description: WET made of job/b.warc.gz"), "{}", records[3].3);
    // The same files give the same bytes.
    assert_eq!(world().run(&Wet).result, ran.result);
}

#[test]
fn wat_has_what_records_are_and_pages_link_to() {
    let ran = world().run(&Wat).sound();
    let records = records(&ran.result);
    let kinds: Vec<&str> = records.iter().map(|record| record.0.as_str()).collect();
    assert_eq!(kinds.iter().filter(|kind| **kind == "metadata").count(), 6, "{kinds:?}");
    let json: Value = serde_json::from_str(&records[2].3).unwrap();
    assert_eq!(json["Container"]["Filename"], "a.warc.gz");
    let envelope = &json["Envelope"];
    assert_eq!(envelope["WARC-Header-Metadata"]["WARC-Target-URI"], "http://example.org/");
    let http = &envelope["Payload-Metadata"]["HTTP-Response-Metadata"];
    assert_eq!(http["Response-Message"]["Status"], "200");
    assert_eq!(http["Response-Message"]["Reason"], "OK");
    assert_eq!(http["Headers"]["Content-Type"], "text/html; charset=utf-8");
    let html = &http["HTML-Metadata"];
    assert_eq!(html["Head"]["Title"], "Herring & eel");
    assert_eq!(html["Head"]["Base"], "http://example.org/fish/");
    assert_eq!(html["Head"]["Metas"][0]["name"], "keywords");
    let link = &html["Links"][0];
    assert_eq!((&link["path"], &link["url"]), (&"A@/href".into(), &"eel.html".into()));
    assert_eq!(
        (&link["resolved"], &link["text"]),
        (&"http://example.org/fish/eel.html".into(), &"eel".into())
    );
    assert_eq!(html["Links"][1]["path"], "IMG@/src");
    assert_eq!(world().run(&Wat).result, ran.result);
}

#[test]
fn warcio_reads_what_we_write() {
    let Some(warcio) = testkit::peers::program("warcio") else { return };
    let world = world();
    for (name, result) in [("x.wet.gz", world.run(&Wet).result), ("x.wat.gz", world.run(&Wat).result)] {
        let path = world.folder().join(name);
        std::fs::write(&path, &result).unwrap();
        let output = Command::new(&warcio).arg("check").arg("-v").arg(&path).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{said}");
        assert!(!said.contains("fail"), "{said}");
        let output = Command::new(&warcio)
            .args(["index", "-f", "warc-type,warc-target-uri"])
            .arg(&path)
            .output()
            .unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), records(&result).len());
    }
}
