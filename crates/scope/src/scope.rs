//! The scope of a crawl: made once of a [`Plan`], asked for every link.

use std::collections::{BTreeSet, HashSet};
use std::ops::Bound;
use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, Ordering};

use foldhash::fast::FixedState;
use url::Url;
use urlkey::Decision;

use crate::extension::Kinds;
use crate::hops::Trail;
use crate::prefixes::Prefixes;
use crate::preset::domain_prefix;
use crate::rules::{self, Look};
use crate::seeds::any_prefix;
use crate::{Candidate, Error, Limits, Patterns, Plan, Preset, RuleName, Sheets, Step, Verdict, Word, surt};

/// Says of any URL whether it belongs to the crawl. Shared by all threads.
#[derive(Debug)]
pub struct Scope {
    pub(crate) preset: Preset,
    /// Every SURT prefix, whoever named it.
    pub(crate) prefixes: Prefixes<Said>,
    /// Domains that `indexpage` keeps to; none means anywhere.
    pub(crate) index_domains: Vec<String>,
    pub(crate) seeds: HashSet<Box<str>, FixedState>,
    pub(crate) include: Patterns,
    pub(crate) exclude: Patterns,
    pub(crate) traps: Patterns,
    pub(crate) only: Kinds,
    pub(crate) not: Kinds,
    pub(crate) schemes: Vec<String>,
    pub(crate) depth: Option<u32>,
    pub(crate) transclusion_hops: u32,
    pub(crate) speculative_hops: u32,
    pub(crate) path_depth: u32,
    pub(crate) repeats: u32,
    pub(crate) query_fields: u32,
    pub(crate) redirects: u32,
    pub(crate) url_bytes_max: usize,
    pub(crate) years: Option<(u16, u16)>,
    pub(crate) sheets: Sheets,
    limits: Limits,
    has_followed: AtomicBool,
    followed: RwLock<Followed>,
}

/// What a prefix says, and on whose behalf.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Said {
    /// The preset takes it in.
    Preset,
    /// A list takes it in.
    Include,
    /// A list leaves it out.
    Exclude,
}

/// What became of a redirect of a seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Follow {
    /// The target counts as a seed, and what lies around it is in scope as it is around a seed.
    Widened,
    /// The target counts as a seed, but it lies on another domain, so it widens nothing: a parked name or a page that asks
    /// for consent would take all of its host in.
    PageOnly,
    /// It was a seed before.
    Known,
    /// The redirect does not come from a seed.
    NoSeed,
    /// So many were followed that no more are remembered.
    Full,
}

#[derive(Debug, Default)]
struct Followed {
    /// From, to, in the order in which they came.
    redirects: Vec<(String, String)>,
    targets: HashSet<Box<str>, FixedState>,
    /// None of them begins with another, so the greatest that is not after a SURT is the only one it can begin with.
    prefixes: BTreeSet<String>,
}

impl Followed {
    fn covers(&self, surt: &str) -> bool {
        self.prefixes
            .range::<str, _>((Bound::Unbounded, Bound::Included(surt)))
            .next_back()
            .is_some_and(|prefix| surt.starts_with(prefix.as_str()))
    }

    fn add(&mut self, prefix: String) {
        if self.covers(&prefix) {
            return;
        }
        while let Some(below) = self
            .prefixes
            .range::<str, _>((Bound::Included(prefix.as_str()), Bound::Unbounded))
            .next()
            .cloned()
        {
            if !below.starts_with(&prefix) {
                break;
            }
            self.prefixes.remove(&below);
        }
        self.prefixes.insert(prefix);
    }
}

impl Scope {
    /// Makes a scope of a plan.
    ///
    /// # Errors
    /// [`Error`] names what in the plan makes no sense.
    pub fn new(plan: &Plan) -> Result<Scope, Error> {
        let index_domains = match &plan.preset {
            Preset::IndexPage { domains } => {
                domains.iter().map(|name| domain_prefix(name)).collect::<Result<_, _>>()?
            }
            _ => Vec::new(),
        };
        let seeds = plan.seeds.urls().iter().map(|url| Box::from(surt::fetched(url))).collect();
        Ok(Scope {
            preset: plan.preset.clone(),
            prefixes: prefixes_of(plan)?,
            index_domains,
            seeds,
            include: plan.include.clone(),
            exclude: plan.exclude.clone(),
            traps: plan.traps.clone(),
            only: Kinds::new(&plan.extensions)?,
            not: Kinds::new(&plan.not_extensions)?,
            schemes: plan.schemes.iter().map(|scheme| scheme.to_ascii_lowercase()).collect(),
            depth: plan.depth,
            transclusion_hops: plan.transclusion_hops,
            speculative_hops: plan.speculative_hops,
            path_depth: plan.path_depth,
            repeats: plan.repeats,
            query_fields: plan.query_fields,
            redirects: plan.redirects,
            url_bytes_max: plan.url_bytes_max,
            years: plan.years,
            sheets: plan.sheets.clone(),
            limits: plan.limits,
            has_followed: AtomicBool::new(false),
            followed: RwLock::default(),
        })
    }

    /// Whether a URL belongs to the crawl, and which rule says so.
    #[must_use]
    pub fn decide(&self, candidate: &Candidate<'_>) -> Verdict {
        let look = Look::new(self, candidate);
        // The last rule with a word decides, so they are asked from the end.
        for rule in RuleName::ALL.into_iter().rev() {
            match rules::word(self, rule, &look) {
                Word::Accepts => return Verdict { is_in: true, rule },
                Word::Rejects => return Verdict { is_in: false, rule },
                Word::Passes => {}
            }
        }
        Verdict { is_in: false, rule: RuleName::Default }
    }

    /// What every rule says, in their order. The last that does not pass is the one that decides.
    #[must_use]
    pub fn explain(&self, candidate: &Candidate<'_>) -> Vec<Step> {
        let look = Look::new(self, candidate);
        let step = |rule| {
            let word = rules::word(self, rule, &look);
            Step { rule, word, why: rules::why(self, rule, word, &look) }
        };
        RuleName::ALL.into_iter().map(step).collect()
    }

    /// Why a URL is in or out, in one sentence.
    #[must_use]
    pub fn why(&self, candidate: &Candidate<'_>) -> String {
        let steps = self.explain(candidate);
        let last = steps.iter().rev().find(|step| step.word != Word::Passes);
        last.map_or_else(String::new, |step| format!("{} {}: {}", step.rule, step.word, step.why))
    }

    /// What has to be carried along with a URL that was accepted, and handed in again as [`Candidate::root`] of every link
    /// found on it. `None`, and for no cost, unless the preset is `indexpage`.
    #[must_use]
    pub fn root(&self, candidate: &Candidate<'_>) -> Option<String> {
        if !matches!(self.preset, Preset::IndexPage { .. }) {
            return None;
        }
        let trail = Trail::new(candidate.hops);
        match (trail.distance, trail.embeds, trail.ends_in_guess) {
            (0, ..) => None,
            (1, 0, false) => Some(surt::folder(candidate.url)),
            _ => candidate.root.map(str::to_owned),
        }
    }

    /// Tells that a seed redirects. Its target counts as a seed from now on, and on the same domain it widens the scope as a
    /// seed does: a seed `http://example.org/` that leads to `https://www.example.org/` brings the new host in.
    pub fn follow_seed(&self, from: &Url, to: &Url) -> Follow {
        if !self.is_seed(surt::fetched(from)) {
            return Follow::NoSeed;
        }
        let target = surt::fetched(to);
        if self.is_seed(target) {
            return Follow::Known;
        }
        // A thread that died while it held the lock left whole values behind.
        let mut followed = self.followed.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        if followed.redirects.len() >= self.limits.followed_max {
            return Follow::Full;
        }
        followed.redirects.push((surt::fetched(from).to_owned(), target.to_owned()));
        followed.targets.insert(Box::from(target));
        self.has_followed.store(true, Ordering::Release);
        if surt::domain(from) != surt::domain(to) && from.host_str() != to.host_str() {
            return Follow::PageOnly;
        }
        let is_said = |prefix: &String| matches!(self.prefixes.longest(prefix), Some((_, Said::Preset)));
        if let Some(prefix) = self.preset.prefix_of(to).filter(|prefix| !is_said(prefix)) {
            followed.add(prefix);
        }
        Follow::Widened
    }

    /// The redirects that were followed, from and to, in their order. Told again to a new scope of the same plan, they make
    /// it decide as this one does: that is how a job goes on after a crash.
    #[must_use]
    pub fn followed(&self) -> Vec<(String, String)> {
        self.followed.read().unwrap_or_else(std::sync::PoisonError::into_inner).redirects.clone()
    }

    /// The sheets of the plan, for whoever wants to know how fast, how much and as whom.
    #[must_use]
    pub fn sheets(&self) -> &Sheets {
        &self.sheets
    }

    pub(crate) fn is_seed(&self, url: &str) -> bool {
        self.seeds.contains(url) || self.ask_followed(|followed| followed.targets.contains(url))
    }

    /// Whether a followed seed takes this in.
    pub(crate) fn is_around_followed(&self, surt: &str) -> bool {
        self.ask_followed(|followed| followed.covers(surt))
    }

    fn ask_followed(&self, ask: impl Fn(&Followed) -> bool) -> bool {
        // Most crawls follow none, and a lock that every thread takes for every link would be felt.
        self.has_followed.load(Ordering::Acquire)
            && ask(&self.followed.read().unwrap_or_else(std::sync::PoisonError::into_inner))
    }
}

/// All prefixes that anybody named. Of equal ones exclusion wins, then the user's word over the preset's.
fn prefixes_of(plan: &Plan) -> Result<Prefixes<Said>, Error> {
    let mut list: Vec<(String, Said)> = Vec::new();
    list.extend(plan.preset.prefixes()?.into_iter().map(|prefix| (prefix, Said::Preset)));
    let of_seeds = plan.seeds.urls().iter().filter_map(|seed| plan.preset.prefix_of(seed));
    list.extend(of_seeds.map(|prefix| (prefix, Said::Preset)));
    let said = |decision| match decision {
        Decision::Accept => Said::Include,
        Decision::Reject => Said::Exclude,
    };
    for (prefix, decision) in plan.seeds.prefixes() {
        list.push((prefix.clone(), said(*decision)));
    }
    for (number, (prefix, decision)) in plan.prefixes.iter().enumerate() {
        let normal = any_prefix(prefix);
        let fault = |why| Error::Seed {
            line: number + 1,
            text: crate::error::excerpt(&urlkey::hide_login(prefix)),
            why,
        };
        list.push((normal.map_err(fault)?, said(*decision)));
    }
    for name in &plan.domains {
        list.push((domain_prefix(name)?, Said::Include));
    }
    for name in &plan.not_domains {
        list.push((domain_prefix(name)?, Said::Exclude));
    }
    let weight = |said: &Said| match said {
        Said::Preset => 0,
        Said::Include => 1,
        Said::Exclude => 2,
    };
    Ok(Prefixes::new(list, |one, other| if weight(&other) > weight(&one) { other } else { one }))
}
