//! A small web of pages and their links, walked as a crawler would walk it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use scope::{Candidate, Scope};
use url::Url;

/// Pages with their links, each with the letter of its hop.
pub(crate) struct Graph {
    links: BTreeMap<&'static str, Vec<(char, &'static str)>>,
}

impl Graph {
    /// Of lines `page: L target, E target`.
    pub(crate) fn new(lines: &'static str) -> Graph {
        let mut links: BTreeMap<&str, Vec<(char, &str)>> = BTreeMap::new();
        for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (page, targets) = line.split_once(": ").unwrap();
            let targets = targets.split(", ").map(|target| {
                let (hop, url) = target.split_once(' ').unwrap();
                (hop.chars().next().unwrap(), url)
            });
            links.entry(page).or_default().extend(targets);
        }
        Graph { links }
    }

    /// Every URL that a crawl of this scope fetches, breadth first, redirects of seeds followed.
    pub(crate) fn walk(&self, scope: &Scope, seeds: &[&str]) -> BTreeSet<String> {
        let mut seen: BTreeSet<String> = BTreeSet::new();
        let mut waiting: VecDeque<(Url, String, Option<String>)> = VecDeque::new();
        for seed in seeds {
            let url = Url::parse(seed).unwrap();
            assert!(scope.decide(&Candidate::seed(&url)).is_in, "{seed}");
            seen.insert(url.to_string());
            waiting.push_back((url, String::new(), None));
        }
        while let Some((page, hops, root)) = waiting.pop_front() {
            for (hop, target) in self.links.get(page.as_str()).into_iter().flatten() {
                let url = Url::parse(target).unwrap();
                if *hop == 'R' && hops.chars().all(|hop| hop == 'R') {
                    scope.follow_seed(&page, &url);
                }
                let hops = format!("{hops}{hop}");
                let candidate = Candidate { url: &url, via: Some(&page), hops: &hops, root: root.as_deref() };
                if scope.decide(&candidate).is_in && seen.insert(url.to_string()) {
                    let root = scope.root(&candidate);
                    waiting.push_back((url, hops, root));
                }
            }
        }
        seen
    }
}

/// Fails unless a crawl fetches exactly these URLs.
#[track_caller]
pub(crate) fn check(graph: &Graph, scope: &Scope, seeds: &[&str], expect: &[&str]) {
    let expect: BTreeSet<String> = expect.iter().map(|url| (*url).to_owned()).collect();
    assert_eq!(graph.walk(scope, seeds), expect);
}
