//! Any bytes as a seed list, a list of traps, sheets and URLs to ask about.
//!
//! The first line that is `%` ends the seeds, the next the traps, the next the sheets (a line each: prefixes, then `;` and
//! traps); what follows are URLs. Nothing may panic; every seed is in its own scope; whoever asks why is told of the rule that
//! decided; the longest prefix is the one that a plain search finds.

use scope::{
    Candidate, Error, Limits, Patterns, Plan, Preset, RuleName, Scope, Seeds, Shapes, Sheet, Sheets, Word,
};
use url::Url;

/// Small, so that no try takes long.
fn limits() -> Limits {
    Limits {
        patterns_max: 50,
        pattern_bytes_max: 500,
        pattern_compiled_bytes_max: 100_000,
        patterns_compiled_bytes_max: 1_000_000,
        sheets_max: 50,
        sheet_prefixes_max: 200,
        seeds_max: 200,
        ..Limits::default()
    }
}

/// Lays the bytes out and asks everything.
pub(crate) fn attack(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut parts = text.split("\n%\n");
    let mut next = || parts.next().unwrap_or_default();
    let (seeds, traps, sheets, urls) = (next(), next(), next(), next());
    let limits = limits();
    let seeds = named_line(Seeds::parse_within(seeds, &limits), seeds).unwrap_or_default();
    let traps = named_line(Patterns::parse_within("traps", traps, &limits), traps).unwrap_or_default();
    let sheets: Vec<Sheet> = sheets.lines().map(sheet).collect();
    let sheets = Sheets::new_within(&sheets, &limits).unwrap_or_default();
    let shapes = Shapes::default();
    for preset in ["page", "prefix", "host", "domain", "multi", "indexpage", "list"] {
        let preset: Preset = preset.parse().unwrap();
        let plan = Plan {
            preset,
            seeds: seeds.clone(),
            traps: traps.clone(),
            sheets: sheets.clone(),
            depth: Some(3),
            limits,
            ..Plan::default().in_year(2026)
        };
        let scope = Scope::new(&plan).unwrap();
        for seed in seeds.urls() {
            ask(&scope, seed, "", None);
            assert!(scope.sheets().for_url(seed).sheets.len() <= 200);
        }
        for url in urls.lines().take(50).filter_map(|line| Url::parse(line.trim()).ok()) {
            ["L", "LLE", "LX", "RRR", "LLLLL"]
                .into_iter()
                .for_each(|hops| ask(&scope, &url, hops, seeds.urls().first()));
            shapes.note(&url);
        }
    }
    seeds.starts().iter().for_each(|start| assert!(start.has_host(), "{start}"));
}

/// A fault names a line that there is.
fn named_line<T>(result: Result<T, Error>, text: &str) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(Error::Seed { line, .. } | Error::Pattern { line, .. }) => {
            assert!(line >= 1 && line <= text.lines().count(), "{line}");
            None
        }
        Err(Error::TooMany { .. }) => None,
        Err(other) => panic!("{other}"),
    }
}

fn sheet(line: &str) -> Sheet {
    let (prefixes, traps) = line.split_once(';').unwrap_or((line, ""));
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
    Sheet { prefixes: words(prefixes), traps: words(traps), skip: Some(traps.is_empty()), ..Sheet::default() }
}

fn ask(scope: &Scope, url: &Url, hops: &str, seed: Option<&Url>) {
    let candidate = Candidate { url, via: seed, hops, root: Some("http://(org,example,)/") };
    let verdict = scope.decide(&candidate);
    let steps = scope.explain(&candidate);
    let last = steps.iter().rev().find(|step| step.word != Word::Passes).unwrap();
    assert_eq!((last.rule, last.word == Word::Accepts), (verdict.rule, verdict.is_in), "{url}");
    assert!(steps.iter().all(|step| !step.why.is_empty()), "{url}: {steps:#?}");
    if hops.is_empty() && !verdict.is_in {
        let said = [RuleName::Exclude, RuleName::Trap, RuleName::Sheet, RuleName::Scheme];
        assert!(said.contains(&verdict.rule), "the seed {url} is out by {}", verdict.rule);
    }
    if let Some(root) = scope.root(&candidate) {
        assert!(!root.is_empty());
    }
    if let Some(seed) = seed {
        scope.follow_seed(seed, url);
    }
}
