//! Everything that a validator says, each with its place.

use std::io::{Cursor, Write as _};

use wacz::{Kind, Limits, Place, Report};

use crate::raw::{Raw, deflated, package, parts, stored};

fn validate(bytes: &[u8]) -> Report {
    wacz::validate(Cursor::new(bytes), &Limits::default()).unwrap()
}

/// There is one problem that is more than advice, of this kind and place.
#[track_caller]
fn check(bytes: &[u8], kind: Kind, place: Place) {
    let report = validate(bytes);
    let bad: Vec<_> = report.problems.iter().filter(|problem| !problem.kind.is_advice()).collect();
    assert_eq!(bad.len(), 1, "{:?}", report.problems);
    assert_eq!((bad[0].kind, &bad[0].place), (kind, &place), "{}", bad[0]);
    assert!(!report.is_valid() && !bad[0].to_string().is_empty());
}

fn file(name: &str) -> Place {
    Place::File(name.to_owned())
}

#[test]
fn a_sound_package_has_no_problems() {
    let report = validate(&package(&parts(), |_| {}));
    assert_eq!(report.problems, []);
    assert_eq!((report.captures, report.pages, report.is_signed), (1, 1, false));
}

#[test]
fn what_every_package_has() {
    let without = |name: &str| -> Vec<Raw> {
        parts().into_iter().filter(|part| !part.name.starts_with(name.as_bytes())).collect()
    };
    check(&package(&without("pages"), |_| {}), Kind::Missing, file("pages/pages.jsonl"));
    check(&package(&without("indexes"), |_| {}), Kind::Missing, file("indexes"));
    let report = validate(&crate::raw::zip(&parts()));
    assert!(report.problems.iter().any(|problem| problem.place == file("datapackage.json")));
}

#[test]
fn resources_that_are_not_as_the_manifest_says() {
    let change = |change: fn(&mut serde_json::Value)| {
        package(&parts(), |manifest| change(&mut manifest["resources"][0]))
    };
    let warc = || file("archive/data.warc");
    check(&change(|resource| resource["bytes"] = 7.into()), Kind::WrongSize, warc());
    let zeros = format!("sha256:{}", "0".repeat(64));
    check(
        &package(&parts(), |manifest| manifest["resources"][0]["hash"] = zeros.into()),
        Kind::WrongDigest,
        warc(),
    );
    check(&change(|resource| resource["hash"] = "md5:00".into()), Kind::UnknownDigest, warc());
    check(
        &change(|resource| drop(resource.as_object_mut().unwrap().remove("bytes"))),
        Kind::Manifest,
        warc(),
    );
    let unlisted =
        package(&parts(), |manifest| drop(manifest["resources"].as_array_mut().unwrap().remove(0)));
    check(&unlisted, Kind::Unlisted, warc());
    let absent = package(&parts(), |manifest| {
        let hash = format!("sha256:{}", "0".repeat(64));
        let more = serde_json::json!({ "name": "x", "path": "logs/x", "hash": hash, "bytes": 1 });
        manifest["resources"].as_array_mut().unwrap().push(more);
    });
    check(&absent, Kind::Absent, file("logs/x"));
}

#[test]
fn manifests_that_lack_something() {
    let place = || file("datapackage.json");
    for (name, kind) in [("profile", Kind::Manifest), ("wacz_version", Kind::Manifest)] {
        let bytes = package(&parts(), |manifest| drop(manifest.as_object_mut().unwrap().remove(name)));
        check(&bytes, kind, place());
    }
    check(&package(&parts(), |manifest| manifest["profile"] = "tabular".into()), Kind::Manifest, place());
    check(&package(&parts(), |manifest| manifest["created"] = "yesterday".into()), Kind::Manifest, place());
    let report =
        validate(&package(&parts(), |manifest| drop(manifest.as_object_mut().unwrap().remove("title"))));
    assert!(report.is_valid());
    assert_eq!(report.problems[0].kind, Kind::Recommended);
}

#[test]
fn a_digest_file_that_does_not_vouch() {
    let place = || file("datapackage-digest.json");
    let with = |text: String| {
        let mut bytes = parts();
        let manifest = serde_json::json!({
            "profile": "wacz", "title": "a", "software": "b", "created": "2026-11-16T08:00:00Z",
            "resources": [],
        });
        bytes.clear();
        bytes.push(deflated("datapackage.json", manifest.to_string()));
        bytes.push(stored("datapackage-digest.json", text));
        validate(&crate::raw::zip(&bytes))
    };
    let has = |report: &Report, kind| {
        report.problems.iter().any(|problem| problem.kind == kind && problem.place == place())
    };
    let zeros = "0".repeat(64);
    assert!(has(
        &with(format!(r#"{{"path":"datapackage.json","hash":"sha256:{zeros}"}}"#)),
        Kind::WrongDigest
    ));
    assert!(has(&with(format!(r#"{{"path":"other","hash":"sha256:{zeros}"}}"#)), Kind::Manifest));
    assert!(has(&with("nonsense".to_owned()), Kind::Manifest));
    assert!(has(&with(r#"{"path":"datapackage.json","hash":"md5:1"}"#.to_owned()), Kind::UnknownDigest));
    let signed =
        with(format!(r#"{{"path":"datapackage.json","hash":"sha256:{zeros}","signedData":{{"hash":"x"}}}}"#));
    assert!(signed.is_signed && has(&signed, Kind::Unchecked));
}

#[test]
fn files_that_are_packed_or_named_wrongly() {
    let mut packed = parts();
    packed[0] = deflated("archive/data.warc", crate::raw::WARC);
    check(&package(&packed, |_| {}), Kind::Packed, file("archive/data.warc"));
    let mut odd = parts();
    odd.push(stored("archive/notes.txt", "x"));
    check(&package(&odd, |_| {}), Kind::Misnamed, file("archive/notes.txt"));
    for (name, start) in [("archive/b.warc", &[0x1f, 0x8b, 8, 0]), ("archive/b.warc.gz", b"WARC")] {
        let mut files = parts();
        files.push(stored(name, start));
        let report = validate(&package(&files, |_| {}));
        assert!(report.is_valid());
        assert_eq!((report.problems[0].kind, &report.problems[0].place), (Kind::Ending, &file(name)));
    }
}

#[test]
fn lines_that_point_nowhere() {
    let line = |number| Place::Line("indexes/index.cdxj".to_owned(), number);
    let with = |text: &str| {
        let mut files = parts();
        files[1] = stored("indexes/index.cdxj", text);
        package(&files, |_| {})
    };
    let good = crate::raw::LINE;
    check(&with(&format!("{good}\nnonsense\n")), Kind::Index, line(2));
    check(
        &with(&format!("{good}\n{}\n", good.replace("\"offset\":0", "\"offset\":99"))),
        Kind::Index,
        line(2),
    );
    check(&with(&good.replace("data.warc", "other.warc")), Kind::Index, line(1));
    check(&with(&format!("{good}\n{}\n", good.replace("org,example", "com,example"))), Kind::Index, line(2));
    check(&with("org,example)/ 20261116080000 {\"url\":\"http://example.org/\"}"), Kind::Index, line(1));
}

#[test]
fn an_index_over_blocks_that_are_not_there() {
    let with = |idx: &str| {
        let mut files = parts();
        files.push(stored("indexes/index.idx", idx));
        package(&files, |_| {})
    };
    let place = |number| Place::Line("indexes/index.idx".to_owned(), number);
    let entry = r#"org,example)/ 20261116080000 {"offset":0,"length":5}"#;
    let head = |file: &str| format!("!meta 0 {{\"format\":\"cdxj-gzip-1.0\",\"filename\":\"{file}\"}}\n");
    check(&with(&format!("{}{entry}\n", head("gone.cdx.gz"))), Kind::Index, place(2));
    check(&with(&format!("{}{}\n", head("index.cdxj"), entry.replace('5', "5000"))), Kind::Index, place(2));
    check(&with("nonsense\n"), Kind::Index, place(1));
    assert!(validate(&with(&format!("{}{entry}\n", head("index.cdxj")))).is_valid());
}

#[test]
fn pages_without_url_or_time() {
    let with = |text: &str| {
        let mut files = parts();
        files[2] = stored("pages/pages.jsonl", text);
        package(&files, |_| {})
    };
    let place = |number| Place::Line("pages/pages.jsonl".to_owned(), number);
    let head = "{\"format\":\"json-pages-1.0\",\"id\":\"pages\"}\n";
    check(&with(&format!("{head}{{\"ts\":\"2026-11-16T08:00:00Z\"}}\n")), Kind::Page, place(2));
    check(&with(&format!("{head}{{\"url\":\"http://a/\",\"ts\":\"noon\"}}\n")), Kind::Page, place(2));
    check(&with("{\"format\":\"other\",\"id\":\"pages\"}\n"), Kind::Page, place(1));
    assert!(validate(&with(head)).is_valid());
}

#[test]
fn a_thousand_problems_are_counted() {
    let mut files = parts();
    files[1] = stored("indexes/index.cdxj", "nonsense\n".repeat(5000));
    let report = validate(&package(&files, |_| {}));
    assert_eq!(report.bad, 5000);
    assert_eq!(report.problems.len() as u64 + report.unlisted, 5000);
}

#[test]
fn what_is_not_to_be_trusted_is_told_behind_any_number_of_problems() {
    let mut files = parts();
    files.extend((0..1200).map(|number| stored(&format!("indexes/{number}"), "")));
    files.push(stored("archive/z.warc", "changed"));
    let report = validate(&package(&files, |manifest| {
        let last = manifest["resources"].as_array_mut().unwrap().last_mut().unwrap();
        last["hash"] = wacz::Checksum::of(wacz::Algorithm::Sha256, b"as it was").to_string().into();
    }));
    let is_of_file = |problem: &&wacz::Problem| problem.place == file("archive/z.warc");
    assert_eq!(report.problems.iter().filter(is_of_file).count(), 0, "it is behind what is listed");
    assert!(report.distrusted["archive/z.warc"].contains("checksum"), "{:?}", report.distrusted);
}

/// Issue 20, point 14: with a lookup through the whole manifest for each entry, four times the entries took fourteen times as long.
#[test]
fn a_package_of_60_000_entries_is_validated_in_linear_time() {
    let Some(_) = processor_time() else {
        return eprintln!(
            "wacz: no /proc/thread-self/schedstat; skipping the test that measures processor time"
        );
    };
    let time = |entries: usize| {
        let mut writer = wacz::Writer::new(Cursor::new(Vec::new()), "2026-11-18T08:00:00Z".parse().unwrap());
        for number in 0..entries {
            writer.begin_archive(&format!("{number:06}.warc")).unwrap();
            writer.write_all(b"layer").unwrap();
        }
        let bytes = writer.finish(&wacz::About::default()).unwrap().into_inner();
        let start = processor_time().unwrap();
        let report = validate(&bytes);
        assert_eq!(report.manifest.unwrap().resources.len(), entries);
        assert!(report.distrusted.is_empty(), "{:?}", report.distrusted);
        processor_time().unwrap() - start
    };
    let (few, many) = (time(15_000), time(60_000));
    assert!(
        many < few * 8,
        "15,000 entries took {} ms, 60,000 took {} ms",
        few / 1_000_000,
        many / 1_000_000
    );
}

/// Nanoseconds that this thread has been on a processor, however many others share the machine.
fn processor_time() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok()
}
