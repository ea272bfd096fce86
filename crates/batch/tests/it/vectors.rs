//! Other people's files, sound and odd, through every task that is built in.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use batch::tasks::{Cdx, Checksum, Count, Form, Grep, List, Mime, Validate, Wat, Wet};
use batch::{Task, Why};
use warc::{Options, Reader};

use super::World;

/// All WARC and ARC files below a folder.
fn archives(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            archives(&path, found);
        } else if [".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz"].iter().any(|end| name.ends_with(end))
        {
            found.push(path);
        }
    }
}

#[test]
fn every_task_goes_through_other_peoples_files() {
    let Some(dir) = testkit::vectors::dir() else { return };
    let mut found = Vec::new();
    archives(&dir.join("01-warc-arc"), &mut found);
    let world = World::new();
    for (number, path) in found.iter().enumerate() {
        world.seal(&format!("{number:04}.warc"), &std::fs::read(path).unwrap());
    }
    let files = world.files().len() as u64;
    assert!(files > 100, "{files}");
    let grep = Grep::new("archive", true, Form::Json).unwrap();
    let tasks: [(&str, &dyn Task); 9] = [
        ("checksum", &Checksum),
        ("list", &List::default()),
        ("count", &Count { form: Form::Json }),
        ("cdx", &Cdx::default()),
        ("grep", &grep),
        ("mime", &Mime::default()),
        ("validate", &Validate { form: Form::Json }),
        ("wet", &Wet),
        ("wat", &Wat),
    ];
    let mut damaged: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (name, task) in tasks {
        let ran = world.run(task);
        assert_eq!(ran.report.files, files, "{name}");
        // Damage is what they may have; nothing may be wrong with us.
        for failed in &ran.failed {
            let path = &found[failed.file[4..8].parse::<usize>().unwrap()];
            assert!(matches!(failed.why, Why::Damaged(_)), "{name} {}: {}", path.display(), failed.why);
            damaged.entry(name).or_default().insert(failed.file.clone());
        }
        if matches!(name, "checksum" | "list") {
            assert_eq!(ran.report.failed, 0);
        } else {
            assert!(ran.report.failed > 0, "{name}");
        }
        if matches!(name, "wet" | "wat") {
            let options = Options { verify: true, ..Options::default() };
            let mut reader = Reader::new(&ran.result[..], options).unwrap();
            let mut records = 0;
            while let Some(record) = reader.next_record().unwrap() {
                let (head, offset) = (record.head().clone(), record.offset());
                let bad: Vec<_> = warc::rules::faults(&head, offset)
                    .into_iter()
                    .filter(|fault| fault.kind.severity() != warc::Severity::Advice)
                    .collect();
                assert_eq!(bad, [], "{name} {}", String::from_utf8_lossy(head.raw()));
                assert_eq!(record.finish_with_faults().unwrap().1, []);
                records += 1;
            }
            assert!(records > 400, "{name}: {records}");
        }
    } // All see the same damage; to index files whose records share a member, and to check them by the standards, is to see more.
    let seen = &damaged["count"];
    for name in ["grep", "mime", "wet", "wat"] {
        assert_eq!(&damaged[name], seen, "{name}");
    }
    assert!(damaged["cdx"].is_superset(seen) && damaged["validate"].is_superset(&damaged["cdx"]));
}
