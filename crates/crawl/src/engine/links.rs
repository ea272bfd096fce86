//! Where a document leads: its links, sifted by the scope, as wishes for the frontier.

use std::collections::HashSet;

use extract::{Document, Hop, Link};
use fetch::Exchange;
use frontier::Wish;
use scope::Candidate;
use url::Url;

use super::address::{canonical, gate_host};
use super::locks::lock;
use super::running::Running;
use crate::settings::RobotsRule;

/// What a page needs to be shown comes before where it leads, and what was only guessed last.
pub(super) mod precedence {
    /// Where the crawl begins.
    pub(in crate::engine) const SEED: u8 = 0;
    /// What redirects and pages need.
    pub(in crate::engine) const NEEDED: u8 = 1;
    /// Links.
    pub(in crate::engine) const LINK: u8 = 2;
    /// What may be no URL at all.
    pub(in crate::engine) const GUESS: u8 = 3;
    /// What the archive has and nothing led to.
    pub(in crate::engine) const RECHECK: u8 = 4;
}

/// What a wish carries along: that it is only asked for because the archive has it.
const RECHECK_TAG: &[u8] = b"k";

/// Or the part of the web that its links must stay in, which follows this letter.
const ROOT_TAG: u8 = b'r';

pub(super) fn is_recheck(wish: &Wish) -> bool {
    wish.tag == RECHECK_TAG
}

pub(super) fn recheck_tag() -> Vec<u8> {
    RECHECK_TAG.to_vec()
}

/// What [`scope::Scope::root`] said of a page that was taken in.
fn root_of(wish: &Wish) -> Option<&str> {
    let (&ROOT_TAG, root) = wish.tag.split_first()? else { return None };
    std::str::from_utf8(root).ok()
}

fn root_tag(root: Option<String>) -> Vec<u8> {
    root.map(|root| [&[ROOT_TAG], root.as_bytes()].concat()).unwrap_or_default()
}

/// The wishes of a document.
pub(super) fn of(
    shared: &Running,
    wish: &Wish,
    is_queued: bool,
    exchange: &Exchange,
    document: &Document,
) -> Vec<Wish> {
    // Of robots.txt only its sitemaps are of interest, if at all; where it redirects to was asked for.
    if !is_queued && (!shared.settings.sitemaps || exchange.redirect.is_some()) {
        return Vec::new();
    }
    follow_seed(shared, wish, exchange);
    let is_closed = shared.robots_rule(&exchange.url) == RobotsRule::Obey && document.robots.nofollow;
    let mut found: Vec<Wish> = Vec::new();
    let mut met: HashSet<Url, foldhash::fast::RandomState> = HashSet::default();
    let mut refused: Vec<(&'static str, u64)> = Vec::new();
    let mut plain = String::new();
    for link in document.links.as_slice() {
        // What is only asked for because the archive has it leads nowhere, but it is to be whole if it has changed.
        let is_wanted = match is_queued {
            true => !is_recheck(wish) || matches!(link.hop, Hop::Redirect | Hop::Embed),
            false => link.hop == Hop::Manifest,
        };
        if !is_wanted || (is_closed && link.hop != Hop::Redirect) {
            continue;
        }
        if document.resolve_plain(link, &mut plain) && shared.frontier.has_seen_lately(&plain) {
            continue;
        }
        let Some(url) = document.resolve(link).and_then(canonical) else { continue };
        if shared.frontier.has_seen_lately(url.as_str()) || !met.insert(url.clone()) {
            continue;
        }
        match wish_for(shared, wish, exchange, link, &url) {
            Ok(wish) => found.push(wish),
            Err(rule) => match refused.iter_mut().find(|(name, _)| *name == rule) {
                Some((_, count)) => *count += 1,
                None => refused.push((rule, 1)),
            },
        }
    }
    if !refused.is_empty() {
        let mut remarks = lock(&shared.counters.remarks);
        for (rule, count) in refused {
            match remarks.refused.get_mut(rule) {
                Some(known) => *known += count,
                None => {
                    remarks.refused.insert(rule.to_owned(), count);
                }
            }
        }
    }
    found
}

/// Tells the scope where a seed redirects to; before its target is asked for, and again when that has answered, because a kill
/// in between makes the scope forget it.
fn follow_seed(shared: &Running, wish: &Wish, exchange: &Exchange) {
    if !wish.hops.chars().all(|hop| hop == 'R') {
        return;
    }
    if let Some(via) = wish.via.as_deref().and_then(|via| Url::parse(via).ok()) {
        shared.scope.follow_seed(&via, &exchange.url);
    }
    if let Some(target) = &exchange.redirect {
        shared.scope.follow_seed(&exchange.url, target);
    }
}

/// The wish for one link, or the rule of the scope that refuses it.
fn wish_for(
    shared: &Running,
    from: &Wish,
    exchange: &Exchange,
    link: &Link,
    url: &Url,
) -> Result<Wish, &'static str> {
    let mut hops = String::with_capacity(from.hops.len() + 1);
    hops.push_str(&from.hops);
    hops.push(link.hop.letter());
    let candidate = Candidate { url, via: Some(&exchange.url), hops: &hops, root: root_of(from) };
    let verdict = shared.scope.decide(&candidate);
    if !verdict.is_in {
        return Err(verdict.rule.name());
    }
    let tag = root_tag(shared.scope.root(&candidate));
    if shared.hosts.traps.shapes.note(url).is_some() {
        return Err("too-many-alike");
    }
    if url.host_str().is_some_and(|host| shared.hosts.traps.hosts.note(host).is_some()) {
        return Err("too-many-hosts");
    }
    let precedence = match link.hop {
        Hop::Embed | Hop::Redirect => precedence::NEEDED,
        Hop::Navigation | Hop::Manifest => precedence::LINK,
        Hop::Speculative => precedence::GUESS,
    };
    Ok(Wish {
        host: gate_host(url),
        url: url.as_str().to_owned(),
        via: Some(from.url.clone()),
        hops,
        precedence,
        tries: 0,
        tag,
    })
}
