//! Other people's packages: entries, checksums and verdicts are as the facts beside them say.

use std::fs::File;
use std::io::{BufReader, Read as _};

use wacz::{Algorithm, Checksum, Kind, Limits, Method, Wacz};

#[test]
fn samples_are_as_their_facts_say() {
    let Some(dir) = testkit::vectors::dir() else { return };
    let dir = dir.join("10-wacz-memento-oai");
    let facts = testkit::vectors::jsonl(dir.join("wacz").join("facts.jsonl"));
    assert!(!facts.is_empty());
    for fact in &facts {
        let name = fact["file"].as_str().unwrap();
        let open = || BufReader::new(File::open(dir.join(name)).unwrap());
        let mut wacz = Wacz::open(open(), Limits::default()).unwrap();
        let entries = wacz.entries().to_vec();
        let expected = fact["entries"].as_array().unwrap();
        assert_eq!(entries.len(), expected.len(), "{name}");
        for (entry, expected) in entries.iter().zip(expected) {
            assert_eq!(entry.name(), expected["name"].as_str().unwrap(), "{name}");
            assert_eq!(entry.bytes(), expected["size"].as_u64().unwrap(), "{name}");
            assert_eq!(entry.method() == Method::Stored, expected["stored"].as_bool().unwrap(), "{name}");
            let mut bytes = Vec::new();
            wacz.content(entry).unwrap().read_to_end(&mut bytes).unwrap();
            let sha256 = format!("sha256:{}", expected["sha256"].as_str().unwrap());
            assert_eq!(
                Checksum::of(Algorithm::Sha256, &bytes).to_string(),
                sha256,
                "{name}: {}",
                entry.name()
            );
        }
        let report = wacz::validate(open(), &Limits::default()).unwrap();
        // Where nobody has said, a package of a program that everybody uses is taken for valid.
        let is_valid = fact["valid"].as_bool().unwrap_or(true);
        assert_eq!(report.is_valid(), is_valid, "{name}: {:?}", report.problems);
        assert_eq!(report.is_signed, wacz.digest_file().unwrap().is_some_and(|file| file.signed.is_some()));
        let manifest = report.manifest.unwrap();
        assert_eq!(manifest.version.as_deref(), fact["wacz_version"].as_str(), "{name}");
        assert_eq!(manifest.profile.as_str(), fact["profile"].as_str().unwrap(), "{name}");
        for problem in fact["resource_problems"].as_array().unwrap() {
            let (path, what) = (problem[0].as_str().unwrap(), problem[1].as_str().unwrap());
            assert_eq!(what, "missing", "{name}");
            let is_told =
                |problem: &wacz::Problem| problem.kind == Kind::Absent && problem.place.to_string() == path;
            assert!(report.problems.iter().any(is_told), "{name}: {path}");
        }
    }
    println!("wacz: {} samples are as their facts say", facts.len());
}
