//! How long the catalogue of many files takes to answer: `million FOLDER [FILES]`. The last line has, in seconds, how things stand and
//! which files are to be audited next, each the best of several.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::disallowed_methods)]

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use catalogue::{Catalogue, Kind, Moved, State};
use jiff::Timestamp;
use store::replica::{Checksums, Folders};
use vault::{Place, Vault};

/// Files that are noted in one step.
const STEP: u64 = 10_000;
const ROUNDS: u32 = 7;

fn main() {
    let mut words = std::env::args().skip(1);
    let folder = words.next().unwrap();
    let folder = Path::new(&folder);
    let files: u64 = words.next().map_or(1_000_000, |word| word.parse().unwrap());
    let places = vec![
        Place {
            name: "store".to_owned(),
            kind: Kind::Folder,
            replica: Arc::new(Folders::open([folder.join("store")], 0).unwrap()),
        },
        Place {
            name: "notary".to_owned(),
            kind: Kind::Checksums,
            replica: Arc::new(Checksums::open(&folder.join("notary")).unwrap()),
        },
    ];
    let catalogue = Catalogue::open(&folder.join("catalogue.db")).unwrap();
    let vault = Vault::open(catalogue, places, Arc::new(Timestamp::now)).unwrap();
    let started = Instant::now();
    for step in 0..files / STEP {
        fill(&vault, step * STEP);
    }
    println!("{files} files noted in {:.1} s", started.elapsed().as_secs_f64());

    let status = best(|| {
        let status = vault.status().unwrap();
        assert_eq!((status.sums.files, status.sums.accepted), (files, files));
    });
    let now = Timestamp::now();
    let next = best(|| assert_eq!(vault.catalogue().to_audit("store", now, 100).unwrap().len(), 100));
    println!("{status} {next}");
}

/// Notes files that every replica has.
fn fill(vault: &Vault, from: u64) {
    let at =
        |number: u64| Timestamp::from_second(1_700_000_000 + (number * 7919 % 30_000_000) as i64).unwrap();
    vault
        .catalogue()
        .change(|change| {
            for number in from..from + STEP {
                let name = format!("job-{:05}/job-{:05}-{number:08}.warc.gz", number / 500, number / 500);
                let file = change.add_file(&name, 1_000_000_000, &format!("{number:064x}"), at(number))?;
                for replica in ["store", "notary"] {
                    let moved = Moved::new(State::Wanted, State::Verified, at(number));
                    change.move_copy(&file, replica, &moved)?;
                }
                change.accept(&file, at(number))?;
            }
            Ok::<(), catalogue::Error>(())
        })
        .unwrap();
}

fn best(mut ask: impl FnMut()) -> f64 {
    let mut best = f64::MAX;
    for _ in 0..ROUNDS {
        let started = Instant::now();
        ask();
        best = best.min(started.elapsed().as_secs_f64());
    }
    best
}
