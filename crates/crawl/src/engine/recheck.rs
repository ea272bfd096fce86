//! What the archive has of a site and no link led to this time: it is asked for, so that it is known what is gone (A8).

use std::collections::{BTreeMap, HashSet};

use frontier::Wish;
use job::tally::domain_of;
use scope::Candidate;
use url::Url;
use urlkey::Match;

use super::address::gate_host;
use super::links::{precedence, recheck_tag};
use super::running::Running;
use crate::error::Error;

/// Wishes that are offered at once.
const AT_ONCE: usize = 1_000;

/// Offers what the archive knows of the seeds' domains; how many of them are new to this crawl.
pub(super) fn offer(shared: &Running) -> Result<u64, Error> {
    let snapshot = shared.archive.snapshot()?;
    let mut new = 0;
    let mut wishes = Vec::new();
    for (place, kind) in places(shared) {
        let Ok(range) = urlkey::key_range(&format!("http://{place}/"), kind) else { continue };
        // Captures with one key stand together, the newest last; but several URLs may have the same key.
        let mut key = String::new();
        let mut known: BTreeMap<String, Known> = BTreeMap::new();
        for capture in snapshot.range(&range) {
            let capture = capture?;
            let Some((url, next)) = Known::of(&capture) else { continue };
            if capture.key.as_deref() != Some(key.as_str()) {
                key = capture.key.as_deref().unwrap_or_default().to_owned();
                new += offer_key(shared, &mut known, &mut wishes)?;
            }
            known.insert(url, next);
        }
        new += offer_key(shared, &mut known, &mut wishes)?;
    }
    Ok(new + flush(shared, &mut wishes)?)
}

/// Where to look: the domains of the seeds, and their hosts, because a host with a port of its own lies apart in the index.
fn places(shared: &Running) -> HashSet<(String, Match)> {
    let hosts = shared.settings.scope.seeds.starts();
    let hosts: Vec<String> = hosts.iter().map(gate_host).collect();
    let domains = hosts.iter().map(|host| domain_of(host));
    let domains = domains.filter(|name| urlkey::registrable_domain(name).is_some());
    let domains: Vec<(String, Match)> = domains.map(|name| (name.to_owned(), Match::Domain)).collect();
    hosts.into_iter().map(|host| (host, Match::Host)).chain(domains).collect()
}

/// The newest capture of a URL, as far as it matters.
struct Known {
    is_there: bool,
    hops: String,
}

impl Known {
    fn of(capture: &cdx::Capture<'_>) -> Option<(String, Known)> {
        let url = capture.url.as_deref()?.to_owned();
        let is_there = match capture.status {
            Some(status) => status < 400,
            None => capture.is_revisit(),
        };
        let hops = capture.extra("hops").map(|hops| hops.as_str().to_owned()).unwrap_or_default();
        Some((url, Known { is_there, hops }))
    }
}

/// Offers the URLs of one key once there are enough of them.
fn offer_key(
    shared: &Running,
    known: &mut BTreeMap<String, Known>,
    wishes: &mut Vec<Wish>,
) -> Result<u64, Error> {
    for (url, known) in std::mem::take(known) {
        wishes.extend(wish(shared, url, known)?);
    }
    if wishes.len() < AT_ONCE { Ok(0) } else { flush(shared, wishes) }
}

fn wish(shared: &Running, url: String, known: Known) -> Result<Option<Wish>, Error> {
    let Known { is_there, hops } = known;
    // robots.txt is asked for before everything else.
    if !is_there || hops.starts_with('P') || shared.frontier.has_seen(&url)? {
        return Ok(None);
    }
    let Ok(parsed) = Url::parse(&url) else { return Ok(None) };
    if !matches!(parsed.scheme(), "http" | "https") {
        return Ok(None);
    }
    // What another crawl began with is no start of this one: it belongs only where a link to it would.
    let hops = if hops.chars().all(|hop| hop == 'R') { format!("L{hops}") } else { hops };
    // And so does what a page of another crawl needed to be shown: whether one of this crawl needs it, that page says.
    let as_links: String = hops.chars().map(|hop| if hop == 'R' { 'R' } else { 'L' }).collect();
    if !shared.scope.decide(&Candidate { url: &parsed, via: None, hops: &as_links, root: None }).is_in {
        return Ok(None);
    }
    let (host, precedence) = (gate_host(&parsed), precedence::RECHECK);
    Ok(Some(Wish { url, host, via: None, hops, precedence, tries: 0, tag: recheck_tag() }))
}

fn flush(shared: &Running, wishes: &mut Vec<Wish>) -> Result<u64, Error> {
    if wishes.is_empty() {
        return Ok(0);
    }
    let offered = shared.frontier.offer(std::mem::take(wishes))?;
    shared.want_offered(&offered);
    Ok(offered.new)
}
