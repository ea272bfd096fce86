//! `cargo xtask bench crawl`: a generated site, from a local nginx into a committed archive, against other crawlers.
//!
//! All of them fetch the same site of 20,000 pages, one after another, and each starts with empty folders. Speed is told in
//! time for ten thousand pages and so is processor time, so that a crawler that leaves something out gains nothing by it.
//! nginx's log says what was asked for: whatever wget fetched must be in ours, and everything in ours once.
//!
//! Then come politeness towards a thousand hosts and a good neighbour of a hostile site: see [`neighbours`].

mod crawler;
mod neighbours;
mod tally;

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use testkit::portal::Portal;

use super::contest::Outcome;
use super::{judge, page};
use crate::nginx::{Nginx, Site};
use crate::step::Step;
use crate::{debian, places};
use crawler::Crawler;
use tally::Tally;

const PAGES: u64 = 20_000;
const ROUNDS: u32 = 3;

pub(crate) fn run() -> anyhow::Result<()> {
    debian::install(&debian::FOR_BENCH_CRAWL)?;
    Step::cargo("build", "build --profile dist --package varve").run()?;
    Step::cargo("build", "build --release --package testkit --features servers --examples").run()?;
    let folder = places::target().join("bench").join("crawl");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make `{}`", folder.display()))?;

    let (outcomes, mut table, complaints) = contest(&folder)?;
    let (lines, further) = neighbours::run(&folder)?;
    table.push_str(&lines);
    println!("\n{table}");
    page::put("crawl", &table)?;
    let complaints: Vec<String> = complaints.into_iter().chain(further).collect();
    ensure!(complaints.is_empty(), "{}", complaints.join("; "));
    judge(&outcomes)
}

/// All crawlers in turn, so that whatever else the machine does meets all of them; the best of each counts. Returns the
/// outcomes, the tables, and what is wrong beside speed.
fn contest(folder: &Path) -> anyhow::Result<(Vec<Outcome>, String, Vec<String>)> {
    let portal = Portal::new(PAGES);
    let site = folder.join("site");
    portal.write(&site).with_context(|| format!("cannot write `{}`", site.display()))?;
    // Whoever comes first would otherwise wait for the disk, and only he.
    read_all(&site).with_context(|| format!("cannot read `{}`", site.display()))?;
    let redirects = portal.nginx_redirects();
    let nginx =
        Nginx::start(&Site { name: "crawl-nginx", root: &site, locations: &redirects, is_logging: true })?;

    let mut best: Vec<Option<Tally>> = Crawler::ALL.iter().map(|_| None).collect();
    for round in 1..=ROUNDS {
        for (crawler, best) in Crawler::ALL.iter().zip(&mut best) {
            let tally = crawler.measure(&nginx, &folder.join("work"))?;
            println!("{round} of {ROUNDS}: {tally}");
            let is_better = best.as_ref().is_none_or(|best| tally.time < best.time);
            if is_better {
                *best = Some(tally);
            }
        }
    }
    let best: Vec<Tally> = best.into_iter().flatten().collect();
    let [ours, wget, httrack] = best.as_slice() else { unreachable!("each crawler has run") };
    let outcomes = outcomes(ours, wget, httrack);
    let table = page::table(&outcomes) + &tally::table(&best);
    Ok((outcomes, table, ours.complaints_beside(wget)))
}

/// Reads all files of a folder, so that they are in memory.
fn read_all(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            read_all(&path)?;
        } else {
            io::copy(&mut File::open(&path)?, &mut io::sink())?;
        }
    }
    Ok(())
}

fn outcomes(ours: &Tally, wget: &Tally, httrack: &Tally) -> Vec<Outcome> {
    let compare =
        |what: &str, of: fn(&Tally) -> Duration, peer: &Tally, must: f64, aim: Option<f64>| Outcome {
            what: what.to_owned(),
            ours: (ours.name.to_owned(), ours.for_ten_thousand(of(ours))),
            peer: (peer.name.to_owned(), peer.for_ten_thousand(of(peer))),
            must,
            aim,
        };
    vec![
        compare("time for 10,000 pages", |tally| tally.time, wget, 10.0, Some(20.0)),
        compare("time for 10,000 pages", |tally| tally.time, httrack, 8.0, None),
        compare("processor time for 10,000 pages", |tally| tally.processor, wget, 6.0, None),
    ]
}
