//! What holds of any URL and any list.

use proptest::prelude::*;
use scope::{Candidate, Plan, Scope, Seeds, Sheet, Sheets, Trail, Word};
use urlkey::{Decision, PrefixSet};

use super::url;

/// URLs of a small web, so that prefixes meet.
fn small_url() -> impl Strategy<Value = String> {
    (
        "https?",
        "(www\\.|a\\.)?(example|exam|b)\\.(org|co\\.uk)",
        "(:8[01])?",
        "(/[abAB]{0,2}){0,5}",
        "(\\?[a-c]=[0-9])?",
    )
        .prop_map(|(scheme, host, port, path, query)| format!("{scheme}://{host}{port}{path}{query}"))
}

fn small_prefix() -> impl Strategy<Value = String> {
    ("[+-]", "(org|uk,co),", "(example,|exam|b,)?", "(www,)?", "(\\)(/[ab]{0,2}){0,3})?")
        .prop_map(|(sign, top, name, host, path)| format!("{sign}http://({top}{name}{host}{path}"))
}

fn hops() -> impl Strategy<Value = String> {
    "[LERXMP]{0,8}"
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// The quick search for the longest prefix finds what the plain one of `urlkey` finds.
    #[test]
    fn prefixes_decide_as_in_urlkey(found in small_url(), lines in prop::collection::vec(small_prefix(), 0..12)) {
        let text = lines.join("\n");
        // Of two equal prefixes we let `-` win, urlkey the later: told last, it is both.
        let mut sorted = lines.clone();
        sorted.sort_by_key(|line| line.starts_with('-'));
        let theirs = PrefixSet::parse(&sorted.join("\n")).decide(&found);
        let plan = Plan { seeds: Seeds::parse(&text).unwrap(), repeats: 100, ..Plan::default() };
        let scope = Scope::new(&plan).unwrap();
        let found = url(&found);
        let ours = scope.decide(&Candidate { url: &found, via: None, hops: "L", root: None });
        prop_assert_eq!(ours.is_in, theirs == Some(Decision::Accept), "{}", found);
    }

    /// Whoever asks why is told of the rule that decided.
    #[test]
    fn explaining_agrees_with_deciding(found in small_url(), hops in hops(), preset in "page|prefix|host|domain|multi|indexpage|list") {
        let plan = Plan {
            depth: Some(3),
            seeds: Seeds::parse("http://www.example.org/a/\n-http://(org,example,www,)/a/b").unwrap(),
            preset: preset.parse().unwrap(),
            ..Plan::default()
        };
        let scope = Scope::new(&plan).unwrap();
        let found = url(&found);
        let candidate = Candidate { url: &found, via: None, hops: &hops, root: Some("http://(org,b,)/") };
        let verdict = scope.decide(&candidate);
        let steps = scope.explain(&candidate);
        let last = steps.iter().rev().find(|step| step.word != Word::Passes).unwrap();
        prop_assert_eq!((last.rule, last.word == Word::Accepts), (verdict.rule, verdict.is_in));
    }

    /// A wider preset never leaves out what a narrower one takes in.
    #[test]
    fn presets_widen(found in small_url(), seed in small_url(), hops in hops()) {
        let found = url(&found);
        let mut before = false;
        for preset in ["page", "prefix", "host", "domain", "multi"] {
            let plan = Plan { seeds: Seeds::parse(&seed).unwrap(), preset: preset.parse().unwrap(), ..Plan::default() };
            let is_in = Scope::new(&plan).unwrap().decide(&Candidate { url: &found, via: None, hops: &hops, root: None }).is_in;
            prop_assert!(is_in || !before, "{preset} {found} {seed}");
            before = is_in;
        }
    }

    /// The settings of the longest prefix win, one by one, as laying every fitting sheet over the shorter ones gives them.
    #[test]
    fn sheets_are_laid_over_each_other(
        found in small_url(),
        list in prop::collection::vec((small_prefix(), prop::option::of(0..9_u32), prop::option::of(any::<bool>())), 0..8),
    ) {
        let sheets: Vec<Sheet> = list.iter().map(|(prefix, depth, skip)| Sheet {
            prefixes: vec![prefix.trim_start_matches(['+', '-']).to_owned()], depth: *depth, skip: *skip, ..Sheet::default()
        }).collect();
        let found = url(&found);
        let surt = urlkey::full_surt(found.as_str()).replacen("https://", "http://", 1);
        let mut fitting: Vec<&Sheet> = sheets.iter().filter(|sheet| surt.starts_with(&sheet.prefixes[0].to_lowercase())).collect();
        fitting.sort_by_key(|sheet| sheet.prefixes[0].len());
        let depth = fitting.iter().filter_map(|sheet| sheet.depth).next_back();
        let skip = fitting.iter().filter_map(|sheet| sheet.skip).next_back();
        let ours = Sheets::new(&sheets).unwrap();
        let ours = ours.for_url(&found);
        prop_assert_eq!((ours.depth, ours.skip), (depth, skip));
    }

    /// A step onwards is never a step back.
    #[test]
    fn distance_only_grows(hops in "[LERXMPa-z]{0,20}", hop in "[LERXM]") {
        let longer = Trail::new(&format!("{hops}{hop}"));
        prop_assert!(longer.distance >= Trail::new(&hops).distance);
        prop_assert!(longer.distance as usize <= hops.len() + 1);
    }
}
