//! Heritrix and NetarchiveSuite: what they fetched with their scopes is in ours, and their traps are read.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use scope::{Candidate, Patterns, Plan, Scope, Seeds};
use testkit::vectors;
use url::Url;

use super::plan;

/// Each line of a log with a URL that was fetched: URL, hops, via.
fn lines(log: &Path) -> Vec<(Url, String, Option<Url>)> {
    let text = String::from_utf8_lossy(&fs::read(log).unwrap()).into_owned();
    let fields = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    fields
        .filter_map(|fields| {
            let url = Url::parse(fields.get(3)?).ok().filter(|url| url.scheme().starts_with("http"))?;
            let hops =
                fields.get(4).filter(|hops| **hops != "-").map(|hops| (*hops).to_owned()).unwrap_or_default();
            Some((url, hops, fields.get(5).and_then(|via| Url::parse(via).ok())))
        })
        .collect()
}

/// What a log has and our scope does not take, as `hops url`.
fn left_out(scope: &Scope, log: &Path) -> (usize, BTreeSet<String>) {
    let lines = lines(log);
    for (url, hops, via) in &lines {
        if let Some(via) = via.as_ref().filter(|_| !hops.is_empty() && hops.bytes().all(|hop| hop == b'R')) {
            scope.follow_seed(via, url);
        }
    }
    let out = lines.iter().filter(|(url, hops, via)| {
        !scope.decide(&Candidate { url, via: via.as_ref(), hops, root: None }).is_in
    });
    (lines.len(), out.map(|(url, hops, _)| format!("{hops} {url}")).collect())
}

const FILE: &str =
    "Heritrix 1 also took linked pictures and documents from anywhere; we take what a page embeds";
const GUESS: &str = "a guess that lies out of scope and looks like no picture, script or the like";

#[track_caller]
fn check(plan: &Plan, log: &str, least: usize, differences: &[(&str, &str)]) {
    let Some(folder) = vectors::dir() else { return };
    let (count, out) = left_out(&Scope::new(plan).unwrap(), &folder.join("09-heritrix-nas").join(log));
    assert!(count >= least, "{count}");
    let listed: BTreeSet<String> = differences.iter().map(|(line, _)| (*line).to_owned()).collect();
    assert_eq!(out, listed);
}

#[test]
fn what_netarchivesuite_fetched_of_domains_is_in() {
    let Some(folder) = vectors::dir() else { return };
    let job = "netarchivesuite+netarchivesuite/5_1140687204304";
    let seeds = fs::read_to_string(folder.join("09-heritrix-nas").join(job).join("seeds.txt")).unwrap();
    let plan = Plan { depth: Some(25), transclusion_hops: 5, ..plan("domain", &seeds) };
    let guesses: Vec<String> = (2..=9)
        .map(|number| {
            format!("LLEX http://www.douglasadams.com/creations/document.Narchlayout_{number:02}_02")
        })
        .collect();
    let picture = "LL http://www.baldurs-archery.dk/images/Camot%F8j/b%F8llehat.jpg";
    let differences: Vec<(&str, &str)> =
        guesses.iter().map(|line| (line.as_str(), GUESS)).chain([(picture, FILE)]).collect();
    check(&plan, &format!("{job}/logs/crawl.log"), 600, &differences);
}

#[test]
fn what_the_web_curator_tool_fetched_of_a_host_is_in() {
    let Some(folder) = vectors::dir() else { return };
    let job = "WebCuratorTool+webcurator/WctFiles";
    let seeds = fs::read_to_string(folder.join("09-heritrix-nas").join(job).join("seeds.txt")).unwrap();
    let differences = [
        ("LL http://www.iioa.org/pdf/Intermediate-2006/Full%20paper_Lennox.pdf", FILE),
        ("LL http://www.iioa.org/pdf/Intermediate-2006/Full%20paper_McDonald.pdf", FILE),
        ("LL http://www.mwpress.co.nz/store/downloads/LCRSciSeries24_Tourism_4web.pdf", FILE),
    ];
    check(&plan("host", &seeds), &format!("{job}/crawl.log"), 300, &differences);
}

#[test]
fn b10_seed_lists_of_other_tools_are_read() {
    let Some(folder) = vectors::dir() else { return };
    for (file, urls) in [
        ("netarchivesuite+netarchivesuite/LegacyHarvestReportTester/idna-seeds.txt", 7),
        ("netarchivesuite+netarchivesuite/seeds.txt", 1),
        ("internetarchive+heritrix3/CheckpointSelfTest/profile/seeds.txt", 10),
    ] {
        let text = fs::read_to_string(folder.join("09-heritrix-nas").join(file)).unwrap();
        assert_eq!(Seeds::parse(&text).unwrap().urls().len(), urls, "{file}");
    }
}

#[test]
fn b9_every_trap_of_netarchivesuites_templates_is_read() {
    let Some(folder) = vectors::dir() else { return };
    let mut traps = BTreeSet::new();
    for entry in fs::read_dir(folder.join("09-heritrix-nas/netarchivesuite+netarchivesuite")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "xml" || extension == "cxml") {
            let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
            traps.extend(text.lines().filter_map(|line| trap_of(line.trim())));
        }
    }
    assert!(traps.len() >= 50, "{}", traps.len());
    // Look-around and backreferences need a search that may take for ever on a URL made for it.
    let beyond: Vec<String> =
        traps.extract_if(.., |trap| trap.contains("(?=") || trap.contains(r"\1")).collect();
    assert!(!beyond.is_empty());
    for trap in beyond {
        let error = Patterns::new("traps", [trap.as_str()]).unwrap_err().to_string();
        assert!(error.ends_with("; repeating folders are noticed without a pattern"), "{error}");
    }
    // Java reads `_-[` as a hyphen and a class within the class; everybody else as a range that goes backwards.
    let odd: Vec<String> = traps.extract_if(.., |trap| trap.contains("_-[")).collect();
    assert_eq!(odd.len(), 1);
    assert!(Patterns::new("traps", odd.iter().map(String::as_str)).is_err());
    let list: String = traps.iter().map(|trap| format!("{trap}\n")).collect();
    let traps = Patterns::parse("traps", &list).unwrap();
    for (url, expect) in [
        ("http://www.webbyen.dk/x/kontakt.asp?id=1", true),
        ("http://wiki.example.dk/w/index.php?title=Special:Recentchanges&from=1", true),
        ("http://www.example.dk/index.html", false),
    ] {
        assert_eq!(traps.is_match(url), expect, "{url}");
    }
}

/// The pattern in a line of a template, `<value>.*x.*</value>`.
fn trap_of(line: &str) -> Option<String> {
    let (_, rest) = line.split_once('>')?;
    let (pattern, _) = rest.split_once("</")?;
    let plain = pattern.replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">");
    (plain.starts_with(".*") && plain.len() > 4).then_some(plain)
}
