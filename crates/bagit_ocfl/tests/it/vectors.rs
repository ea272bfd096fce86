//! Other people's packages: the bags of the Library of Congress and the fixtures of OCFL give the verdicts that are listed.

use bagit_ocfl::{Limits, Report, Verdict, bagit, ocfl};
use testkit::differences::Tally;

use crate::folder::Folder;

/// What the lists of the vectors call our verdicts.
fn verdict(expect: &str) -> Verdict {
    match expect {
        "valid" | "good" => Verdict::Valid,
        "warning" | "warn" => Verdict::Warned,
        // Bags that lead out on one system alone. They are refused on every one: bags travel.
        "invalid" | "bad" | "linux-only" | "windows-only" => Verdict::Invalid,
        other => panic!("the verdict `{other}` is not known"),
    }
}

fn told(report: &Report) -> String {
    let problems = report.problems.iter().map(|problem| format!("{}: {problem}", problem.kind.name()));
    problems.collect::<Vec<_>>().join("\n")
}

#[test]
fn bags_have_the_listed_verdicts() {
    let Some(dir) = testkit::vectors::dir() else { return };
    let dir = dir.join("12-bit-preservation").join("bagit");
    let rows = testkit::vectors::jsonl(dir.join("index.jsonl"));
    let mut tally = Tally::against(include_str!("differences.txt"));
    for row in &rows {
        let name = row["bag"].as_str().unwrap();
        let report = bagit::check(&Folder(dir.join(name)), &Limits::default()).unwrap();
        let expect = verdict(row["expect"].as_str().unwrap());
        if report.verdict() != expect {
            println!("{name}:\n{}", told(&report));
        }
        tally.note(name, report.verdict().name(), expect.name());
        if report.verdict() == Verdict::Valid {
            let version = row["bagit_version"].as_str().unwrap().trim_start_matches('v');
            assert_eq!(report.format.as_deref(), Some(format!("BagIt {version}").as_str()), "{name}");
        }
    }
    tally.settle();
    println!("package: {} bags have the listed verdicts", rows.len());
}

#[test]
fn objects_have_the_listed_verdicts_and_codes() {
    let Some(dir) = testkit::vectors::dir() else { return };
    let dir = dir.join("12-bit-preservation").join("ocfl");
    let rows = testkit::vectors::jsonl(dir.join("index.jsonl"));
    let mut tally = Tally::against(include_str!("differences.txt"));
    for row in &rows {
        let name = row["object"].as_str().unwrap();
        let report = ocfl::check(&Folder(dir.join(name)), &Limits::default()).unwrap();
        let expect = verdict(row["expect"].as_str().unwrap());
        if report.verdict() != expect {
            println!("{name}:\n{}", told(&report));
        }
        tally.note(name, report.verdict().name(), expect.name());
        if expect == Verdict::Valid {
            continue;
        }
        // A name such as `E092_E093_content_path_does_not_exist` says what must be told.
        let folder = name.rsplit('/').next().unwrap();
        let codes = folder.split('_').take_while(|part| {
            part.len() == 4
                && part.starts_with(['E', 'W'])
                && part[1..].bytes().all(|byte| byte.is_ascii_digit())
        });
        for code in codes {
            let is_told = report.problems.iter().any(|problem| problem.kind.name() == code);
            tally.note(&format!("{name} {code}"), if is_told { "told" } else { "not told" }, "told");
        }
    }
    tally.settle();
    println!("package: {} objects have the listed verdicts", rows.len());
}
