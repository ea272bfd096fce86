//! Every link leads somewhere, and a crawler that starts at the front page finds everything.

use std::collections::{BTreeMap, BTreeSet};

use extract::html::Wanted;
use extract::{Hop, Limits, Source, read};

use crate::numbers;

/// The paths that a document links to; those that are guesses are told apart.
fn links(edition: u8, path: &str) -> Vec<(bool, String)> {
    let answer = demo::answer(edition, path);
    let mut headers = vec![("Content-Type", answer.content_type)];
    headers.extend(answer.fields.iter().map(|(name, value)| (*name, value.as_ref())));
    let url = format!("http://{}{path}", demo::HOST);
    let source = Source { url: &url, headers: &headers, ..Source::default() };
    let document = read(&answer.body, &source, Wanted::ALL, &Limits::default());
    let inside = |link: &extract::Link| {
        let url = document.resolve(link)?;
        assert!(url.host_str() == Some(demo::HOST) || is_name(url.as_str()), "{path} leads to {url}");
        let query = url.query().map_or_else(String::new, |query| format!("?{query}"));
        let is_ours = url.host_str() == Some(demo::HOST);
        is_ours.then(|| (link.hop == Hop::Speculative, format!("{}{query}", url.path())))
    };
    document.links.as_slice().iter().filter_map(inside).collect()
}

/// Names of formats look like addresses and are not.
fn is_name(url: &str) -> bool {
    url.starts_with("http://www.w3.org/") || url.starts_with("http://www.sitemaps.org/")
}

/// What a crawler that starts at the front page sees, and who led it there.
fn crawl(edition: u8) -> BTreeMap<String, String> {
    let mut seen = BTreeMap::from([("/".to_owned(), "start".to_owned())]);
    let mut queue = vec!["/".to_owned()];
    while let Some(path) = queue.pop() {
        for (is_guess, target) in links(edition, &path) {
            let is_there = demo::answer(edition, &target).status != 404;
            assert!(is_guess || is_there, "edition {edition}: {path} leads to {target}, which is not there");
            if is_there && !seen.contains_key(&target) {
                seen.insert(target.clone(), path.clone());
                queue.push(target);
            }
        }
    }
    seen
}

/// What nobody links to: the crawler asks for it by itself.
const UNLINKED: [&str; 1] = ["/robots.txt"];

#[test]
fn every_link_leads_somewhere_and_everything_is_found() {
    for edition in numbers() {
        let seen = crawl(edition);
        let here = demo::paths().into_iter().filter(|path| demo::answer(edition, path).status == 200);
        let here = here.filter(|path| !UNLINKED.contains(&path.as_str()));
        // Pictures of later stories lie on the server already.
        let is_early = |path: &str| path.starts_with("/pictures/") && edition < 3;
        let missing: Vec<String> = here.filter(|path| !seen.contains_key(path) && !is_early(path)).collect();
        assert!(missing.is_empty(), "edition {edition}: {missing:?}");
    }
}

#[test]
fn over_the_years_every_path_is_found() {
    let seen: BTreeSet<String> = numbers().flat_map(|edition| crawl(edition).into_keys()).collect();
    let paths: BTreeSet<String> = demo::paths().into_iter().collect();
    let missing: Vec<&String> =
        paths.difference(&seen).filter(|path| !UNLINKED.contains(&path.as_str())).collect();
    assert!(missing.is_empty(), "{missing:?}");
    // And nothing is found that `paths` does not know.
    let unknown: Vec<&String> = seen.difference(&paths).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}
