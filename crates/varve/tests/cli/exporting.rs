//! `varve export` as a person meets it, and py-wacz's verdict on what it writes.

use std::process::Command;

use insta::assert_snapshot;

use crate::held::Archive;
use crate::importing::{timeless, warc};
use crate::run::varve;

/// An archive with two pages.
fn archive() -> Archive {
    let archive = Archive::new();
    let pages = [
        ("a", "http://example.org/", "<title>Herring</title><p>It is here."),
        ("b", "http://example.com/", "<title>Cod</title>"),
    ];
    for (name, url, body) in pages {
        std::fs::write(archive.folder().join(format!("{name}.warc")), warc(url, body)).unwrap();
    }
    archive.text(&["import", "a.warc", "b.warc"]);
    archive
}

#[test]
fn help_of_export() {
    let help: String = [&["export"][..], &["export", "wacz"], &["export", "warc"], &["export", "cdxj"]]
        .iter()
        .map(|words| varve(words.iter().chain(&["--help"])).shown())
        .collect();
    assert_snapshot!(help);
}

#[test]
fn what_is_chosen_is_written() {
    let archive = archive();
    let told = archive.text(&["export", "warc", "-o", "out.warc", "--url", "*.org"]);
    assert!(told.starts_with("1 capture;") && told.ends_with("written to out.warc\n"), "{told}");
    assert_eq!(archive.varve(&["warc", "check", "out.warc"]).output().status.code(), Some(0));
    let rows = archive.rows(&["export", "cdxj", "-o", "out.cdxj"]);
    assert_eq!(rows[0]["captures"], 2);
    let lines = archive.text(&["export", "cdxj", "-o", "-"]);
    assert_eq!(lines, std::fs::read_to_string(archive.folder().join("out.cdxj")).unwrap());
    assert_eq!(lines.lines().count(), 2);
}

#[test]
fn what_not_everybody_may_see_is_left_out_and_told() {
    let archive = archive();
    std::fs::write(archive.folder().join("a/access.rules"), "com,example, staff\n").unwrap();
    let run = archive.varve(&["export", "warc", "-o", "out.warc"]).shown();
    assert!(run.contains("1 capture;") && run.contains("1 capture left out"), "{run}");
    assert!(run.contains("hint: `--all`"), "{run}");
    assert_eq!(archive.text(&["export", "cdxj", "-o", "-"]).lines().count(), 1);
    let run = archive.varve(&["export", "wacz", "-o", "x.wacz", "--url", "http://example.com/"]).shown();
    assert!(run.contains("nothing was written") && run.contains("--all"), "{run}");
    let rows = archive.rows(&["export", "warc", "-o", "all.warc", "--all"]);
    assert_eq!((&rows[0]["captures"], &rows[0]["withheld"]), (&2.into(), &0.into()));
}

#[test]
fn nothing_chosen_writes_nothing_and_what_is_there_stays() {
    let archive = archive();
    assert_snapshot!(
        archive.varve(&["export", "wacz", "-o", "out.wacz", "--url", "http://nowhere.test/"]).shown()
    );
    assert!(!archive.folder().join("out.wacz").exists());
    std::fs::write(archive.folder().join("out.wacz"), "mine").unwrap();
    assert_eq!(archive.varve(&["export", "wacz", "-o", "out.wacz"]).output().status.code(), Some(1));
    assert_eq!(std::fs::read_to_string(archive.folder().join("out.wacz")).unwrap(), "mine");
    assert_eq!(
        archive.varve(&["export", "wacz", "-o", "x.wacz", "--from", "soon"]).output().status.code(),
        Some(2)
    );
}

#[test]
fn a_package_passes_wacz_validate_and_comes_back() {
    let archive = archive();
    for (name, index) in [("zipnum.wacz", "zipnum"), ("cdxj.wacz", "cdxj")] {
        let rows = archive.rows(&["export", "wacz", "-o", name, "--title", "Fish", "--index", index]);
        assert_eq!((&rows[0]["captures"], &rows[0]["pages"]), (&2.into(), &2.into()));
        let other = Archive::new();
        let path = archive.folder().join(name);
        other.text(&["import", path.to_str().unwrap()]);
        assert_eq!(other.text(&["get", "http://example.com/"]), "<title>Cod</title>");
        let Some(program) = testkit::peers::program("wacz") else { continue };
        let output = Command::new(program).arg("validate").arg("-f").arg(&path).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("Validation succeeded"), "{name}: {said}");
    }
}

#[test]
fn a_warc_file_goes_to_standard_output_and_a_package_does_not() {
    let archive = archive();
    let piped = archive.varve(&["export", "warc", "--output", "-"]).output();
    assert_eq!(piped.status.code(), Some(0), "{}", String::from_utf8_lossy(&piped.stderr));
    assert!(!archive.folder().join("-").exists());
    let checked = archive.varve(&["warc", "check", "-"]).stdin(piped.stdout).output();
    assert_eq!(checked.status.code(), Some(0), "{}", String::from_utf8_lossy(&checked.stdout));
    assert_snapshot!("package_in_a_pipe", archive.varve(&["export", "wacz", "-o", "-"]).shown());
    assert_snapshot!("name_of_a_package", archive.varve(&["export", "warc", "-o", "out.wacz"]).shown());
}

#[test]
fn what_cannot_be_read_is_told_as_that() {
    let archive = Archive::new();
    std::fs::write(archive.folder().join("a.warc"), warc("http://example.org/", "here")).unwrap();
    archive.text(&["import", "a.warc", "--reference"]);
    std::fs::remove_file(archive.folder().join("a.warc")).unwrap();
    for kind in ["warc", "wacz"] {
        assert_snapshot!(
            format!("gone_{kind}"),
            timeless(&archive.varve(&["export", kind, "-o", &format!("out.{kind}")]).shown())
        );
    }
}
