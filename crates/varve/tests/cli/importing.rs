//! `varve import` as a person meets it.

use insta::assert_snapshot;
use serde_json::Value;

use crate::held::Archive;
use crate::run::varve;

/// A record of this page, as a WARC file.
pub(crate) fn warc(url: &str, body: &str) -> Vec<u8> {
    let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{body}");
    format!(
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{:012x}>\r\n\
         WARC-Date: 2026-11-16T08:00:00Z\r\nWARC-Target-URI: {url}\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
        url.len() * 1000 + body.len(),
        block.len()
    )
    .into_bytes()
}

/// Without the time in the name of the job.
pub(crate) fn timeless(shown: &str) -> String {
    // Of two imports within a second the later has a number behind its time.
    let time = regex::Regex::new(r"import-\d{14}(-\d+)?").unwrap();
    time.replace_all(shown, "import-[TIME]").into_owned()
}

#[test]
fn help_of_import() {
    assert_snapshot!(varve(["import", "--help"]).shown());
}

#[test]
fn files_are_imported_told_and_known_the_second_time() {
    let archive = Archive::new();
    let folder = archive.folder().join("old");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("good.warc"), warc("http://example.org/", "<title>Herring</title>")).unwrap();
    let cut = warc("http://example.org/cut", "half");
    std::fs::write(folder.join("cut.warc"), &cut[..cut.len() - 8]).unwrap();
    assert_snapshot!("first", timeless(&archive.varve(&["import", "old", "gone.warc"]).shown()));
    assert_snapshot!("second", timeless(&archive.varve(&["import", "old/good.warc"]).shown()));
    assert_snapshot!("salvaged", timeless(&archive.varve(&["import", "old", "--salvage"]).shown()));
    assert_eq!(archive.text(&["get", "http://example.org/"]), "<title>Herring</title>");
    // Its record breaks off behind the head of the answer.
    assert_eq!(archive.text(&["get", "http://example.org/cut"]), "");
}

#[test]
fn programs_get_objects() {
    let archive = Archive::new();
    std::fs::write(archive.folder().join("a.warc"), warc("http://example.org/", "x")).unwrap();
    std::fs::write(archive.folder().join("b.wacz"), "no package").unwrap();
    let output = archive.varve(&["import", "a.warc", "b.wacz", "--json", "--reference"]).output();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 3, "{text}");
    assert_eq!((&rows[0]["package"], &rows[0]["valid"]), (&"b.wacz".into(), &false.into()));
    assert_eq!((&rows[1]["file"], &rows[1]["outcome"]), (&"a.warc".into(), &"referenced".into()));
    assert_eq!((&rows[2]["captures"], &rows[2]["referenced"]), (&1.into(), &1.into()));
    std::fs::remove_file(archive.folder().join("a.warc")).unwrap();
    let told = archive.varve(&["get", "http://example.org/"]).shown();
    assert!(told.contains("a.warc") && told.contains("is not there any more"), "{told}");
    assert!(told.contains("hint: bring the file back"), "{told}");
}

#[test]
fn what_is_not_there_is_not_damaged() {
    let archive = Archive::new();
    let told = archive.varve(&["import", "gone.warc"]).shown();
    assert!(told.contains("1 failed") && !told.contains("--salvage"), "{told}");
    std::fs::write(archive.folder().join("cut.wacz"), "PK\x03\x04").unwrap();
    let told = archive.varve(&["import", "cut.wacz"]).shown();
    assert!(told.contains("refused") && told.contains("--salvage"), "{told}");
}

#[test]
fn a_name_that_is_none_is_wrong_usage() {
    let archive = Archive::new();
    let output = archive.varve(&["import", "x", "--collection", "../x"]).output();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn what_was_imported_is_found_with_its_time_in_its_collection() {
    let archive = Archive::new();
    std::fs::write(archive.folder().join("a.warc"), warc("http://example.org/", "<title>Herring</title>"))
        .unwrap();
    archive.text(&["import", "a.warc", "-c", "old"]);
    let url = "http://example.org/";
    let row = &archive.rows(&["versions", url, "-c", "old"])[0];
    assert_eq!((&row["time"], &row["state"]), (&"2026-11-16T08:00:00Z".into(), &"first".into()), "{row}");
    assert!(archive.text(&["versions", url, "-c", "old"]).starts_with("2026-11-16 08:00:00  200"));
    assert_eq!(archive.text(&["get", url, "--collection", "old"]), "<title>Herring</title>");
    assert_eq!(archive.rows(&["cdx", "-c", "old", url])[0]["timestamp"], "20261116080000");
    assert_snapshot!("elsewhere", archive.varve(&["get", url]).shown());
    assert_snapshot!("no_collection", archive.varve(&["versions", url, "-c", "young"]).shown());
    assert_snapshot!(
        "not_in_the_collection",
        archive.varve(&["cdx", "http://example.com/", "-c", "old"]).shown()
    );
}

#[test]
fn an_import_is_a_job_of_its_kind_wherever_it_went() {
    let archive = Archive::new();
    std::fs::write(archive.folder().join("a.warc"), warc("http://example.org/", "x")).unwrap();
    std::fs::write(archive.folder().join("b.warc"), "no archive file").unwrap();
    archive.varve(&["import", "a.warc", "b.warc", "-c", "old"]).output();
    let row = &archive.rows(&["jobs", "ls"])[0];
    assert_eq!(
        (&row["kind"], &row["collection"], &row["documents"]),
        (&"import".into(), &"old".into(), &1.into())
    );
    let shown = &archive.rows(&["jobs", "show"])[0];
    assert_eq!((&shown["import"]["files"], &shown["import"]["imported"]), (&2.into(), &1.into()), "{shown}");
    let shown = archive.varve(&["jobs", "show"]).shown();
    let began = regex::Regex::new("began [0-9: -]+ UTC").unwrap();
    assert_snapshot!("job", timeless(&began.replace(&shown, "began [TIME] UTC")));
    assert_eq!(archive.rows(&["jobs", "log"]).len(), 2);
}

#[test]
fn the_invented_newspaper_goes_into_no_real_archive() {
    let archive = Archive::new();
    std::fs::write(archive.folder().join("a.warc"), warc("http://example.org/", "x")).unwrap();
    archive.text(&["import", "a.warc"]);
    let words = ["up", "--demo", "--archive", "a", "--port", "0", "--replay-port", "0", "--no-open"];
    assert_snapshot!("no_demo", archive.varve(&words).shown());
}

#[test]
fn a_folder_without_archive_files_is_told_as_that() {
    let archive = Archive::new();
    std::fs::create_dir(archive.folder().join("letters")).unwrap();
    std::fs::write(archive.folder().join("letters/a.txt"), "Dear all").unwrap();
    assert_snapshot!("no_archive_file", archive.varve(&["import", "letters"]).shown());
    std::fs::write(archive.folder().join("b.wacz"), "no package").unwrap();
    assert_snapshot!("no_package", archive.varve(&["import", "b.wacz"]).shown());
}

#[test]
fn where_there_is_too_little_room_nothing_is_imported() {
    let archive = Archive::new();
    std::fs::write(archive.folder().join("a.warc"), warc("http://example.org/", "x")).unwrap();
    std::fs::write(archive.folder().join("a/varve.toml"), "[disk]\nstop = '100%'\n").unwrap();
    let shown = archive.varve(&["import", "a.warc"]).shown();
    let free = regex::Regex::new(r"\(\d+ [MG]B, \d+ %\)").unwrap();
    assert_snapshot!("no_room", free.replace(&shown, "([FREE])"));
    std::fs::write(archive.folder().join("a/varve.toml"), "[disk]\nstop = '0%'\n").unwrap();
    archive.text(&["import", "a.warc"]);
}
