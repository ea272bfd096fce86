//! The rules one by one: what each says of a URL, and why.
//!
//! `word` is asked for every link of a crawl and allocates nothing; `why` is asked when a person wants to know.

use std::cell::OnceCell;

use crate::hops::Trail;
use crate::repeats::Repeat;
use crate::scope::Said;
use crate::sheets::Overrides;
use crate::{Candidate, Preset, RuleName, Scope, Word, calendar, extension, repeats, surt};

/// What several rules want to know of one URL, found out once.
pub(crate) struct Look<'a> {
    candidate: &'a Candidate<'a>,
    /// As it is fetched.
    text: &'a str,
    path: &'a str,
    query: Option<&'a str>,
    surt: String,
    trail: Trail,
    prefix: Option<(&'a str, Said)>,
    overrides: Option<&'a Overrides>,
    is_seed: OnceCell<bool>,
}

impl<'a> Look<'a> {
    pub(crate) fn new(scope: &'a Scope, candidate: &'a Candidate<'a>) -> Look<'a> {
        let surt = surt::surt(candidate.url);
        let prefix = scope.prefixes.longest(&surt).map(|(prefix, said)| (prefix, *said));
        let overrides = (!scope.sheets.is_empty()).then(|| scope.sheets.for_surt(&surt));
        Look {
            candidate,
            text: surt::fetched(candidate.url),
            path: candidate.url.path(),
            query: candidate.url.query(),
            surt,
            trail: Trail::new(candidate.hops),
            prefix,
            overrides,
            is_seed: OnceCell::new(),
        }
    }

    fn is_seed(&self, scope: &Scope) -> bool {
        *self.is_seed.get_or_init(|| self.candidate.hops.is_empty() || scope.is_seed(self.text))
    }

    fn depth_max(&self, scope: &Scope) -> Option<u32> {
        self.overrides.and_then(|overrides| overrides.depth).or(scope.depth)
    }

    fn folders(&self) -> usize {
        memchr::memchr_iter(b'/', self.path.as_bytes()).count()
    }

    fn fields(&self) -> usize {
        self.query.map_or(0, |query| memchr::memchr_iter(b'&', query.as_bytes()).count() + 1)
    }

    fn is_skipped(&self) -> bool {
        self.overrides.is_some_and(|overrides| overrides.skip == Some(true))
    }
}

/// What a rule says.
pub(crate) fn word(scope: &Scope, rule: RuleName, look: &Look<'_>) -> Word {
    let accepts = |yes: bool| if yes { Word::Accepts } else { Word::Passes };
    let rejects = |yes: bool| if yes { Word::Rejects } else { Word::Passes };
    match rule {
        RuleName::Default => Word::Rejects,
        RuleName::Preset => accepts(is_in_preset(scope, look)),
        RuleName::Include => {
            accepts(matches!(look.prefix, Some((_, Said::Include))) || scope.include.is_match(look.text))
        }
        RuleName::Depth => rejects(look.depth_max(scope).is_some_and(|most| look.trail.distance > most)),
        RuleName::Transclusion => accepts(is_transcluded(scope, look)),
        RuleName::UrlLength => rejects(look.text.len() > scope.url_bytes_max),
        RuleName::PathDepth => rejects(look.folders() > scope.path_depth as usize),
        RuleName::Repeats => rejects(repeats::find(look.path, look.query, scope.repeats).is_some()),
        RuleName::QueryFields => rejects(look.fields() > scope.query_fields as usize),
        RuleName::Calendar => rejects(far_year(scope, look).is_some()),
        RuleName::Redirects => rejects(look.trail.redirects > scope.redirects),
        RuleName::Extension => rejects(unwanted_extension(scope, look).is_some()),
        RuleName::Seed => accepts(look.is_seed(scope)),
        RuleName::Exclude => {
            rejects(matches!(look.prefix, Some((_, Said::Exclude))) || scope.exclude.is_match(look.text))
        }
        RuleName::Trap => rejects(is_trap(scope, look)),
        RuleName::Sheet => rejects(look.is_skipped()),
        RuleName::Prerequisite => accepts(look.trail.is_prerequisite),
        RuleName::Scheme => rejects(!scope.schemes.iter().any(|known| known == look.candidate.url.scheme())),
    }
}

fn is_in_preset(scope: &Scope, look: &Look<'_>) -> bool {
    if let Preset::IndexPage { .. } = scope.preset {
        return is_under_index(scope, look);
    }
    matches!(look.prefix, Some((_, Said::Preset))) || scope.is_around_followed(&look.surt)
}

/// Links of the start page are in wherever they lead; from there on only what is in the folder of such a link.
fn is_under_index(scope: &Scope, look: &Look<'_>) -> bool {
    let domains = &scope.index_domains;
    if !domains.is_empty() && !domains.iter().any(|domain| look.surt.starts_with(domain.as_str())) {
        return false;
    }
    let trail = look.trail;
    match (trail.distance, trail.embeds, trail.ends_in_guess) {
        (1, 0, false) => true,
        _ => look.candidate.root.is_some_and(|root| look.surt.starts_with(root)),
    }
}

fn is_transcluded(scope: &Scope, look: &Look<'_>) -> bool {
    let trail = look.trail;
    scope.preset != Preset::List
        && trail.embeds + trail.guesses > 0
        && trail.embeds <= scope.transclusion_hops
        && trail.guesses <= scope.speculative_hops
        && (!trail.ends_in_guess || extension::is_embeddable(look.path))
}

fn far_year(scope: &Scope, look: &Look<'_>) -> Option<u32> {
    let (first, last) = scope.years?;
    calendar::year(look.path, look.query).filter(|year| !(u32::from(first)..=u32::from(last)).contains(year))
}

/// The extension that is not wanted. Pages always pass `only`, because links are found on them.
fn unwanted_extension<'a>(scope: &Scope, look: &Look<'a>) -> Option<&'a str> {
    if scope.only.is_empty() && scope.not.is_empty() {
        return None;
    }
    let extension = extension::of_path(look.path)?;
    let is_page = || matches!(extension::mime(extension), None | Some("text/html" | "application/xhtml+xml"));
    let is_unwanted =
        scope.not.has(extension) || (!scope.only.is_empty() && !scope.only.has(extension) && !is_page());
    is_unwanted.then_some(extension)
}

fn is_trap(scope: &Scope, look: &Look<'_>) -> bool {
    scope.traps.is_match(look.text)
        || look
            .overrides
            .is_some_and(|overrides| overrides.traps.iter().any(|traps| traps.is_match(look.text)))
}

/// Why a rule says what it says.
pub(crate) fn why(scope: &Scope, rule: RuleName, word: Word, look: &Look<'_>) -> String {
    match word {
        Word::Passes => passes_because(rule),
        Word::Accepts => accepts_because(scope, rule, look),
        Word::Rejects => rejects_because(scope, rule, look),
    }
}

fn accepts_because(scope: &Scope, rule: RuleName, look: &Look<'_>) -> String {
    let trail = look.trail;
    match rule {
        RuleName::Preset => preset_because(scope, look),
        RuleName::Include => match look.prefix {
            Some((prefix, Said::Include)) => format!("it lies under `{prefix}`"),
            _ => match scope.include.first_match(look.text) {
                Some((line, pattern)) => format!("it matches `{pattern}` (line {line})"),
                None => String::new(),
            },
        },
        RuleName::Transclusion if trail.guesses > 0 => {
            format!(
                "a page may need it: {} and {}",
                count(trail.embeds, "embed"),
                count(trail.guesses, "guess")
            )
        }
        RuleName::Transclusion => {
            format!("a page needs it to show: {} in a row", count(trail.embeds, "embed"))
        }
        RuleName::Seed if look.candidate.hops.is_empty() => "it is a seed".to_owned(),
        RuleName::Seed => "it is a seed, or a seed redirects to it".to_owned(),
        RuleName::Prerequisite => "it is needed before anything else of its host".to_owned(),
        _ => String::new(),
    }
}

fn preset_because(scope: &Scope, look: &Look<'_>) -> String {
    match (&scope.preset, look.prefix, look.candidate.root) {
        (Preset::IndexPage { .. }, _, Some(root)) => format!("`{}`: it lies under `{root}`", scope.preset),
        (Preset::IndexPage { .. }, ..) => format!("`{}`: it is a link of the start page", scope.preset),
        (preset, Some((prefix, _)), _) if !prefix.is_empty() => {
            format!("`{preset}`: it lies under `{prefix}`")
        }
        (preset, Some(_), _) => format!("`{preset}`: everything is"),
        (preset, None, _) => format!("`{preset}`: it lies beside what a seed redirects to"),
    }
}

fn rejects_because(scope: &Scope, rule: RuleName, look: &Look<'_>) -> String {
    match rule {
        RuleName::Default => "nothing is in that no rule takes in".to_owned(),
        RuleName::Depth => {
            let most = look.depth_max(scope).unwrap_or_default();
            format!("it is {} away, and {most} is the most", count(look.trail.distance, "link"))
        }
        RuleName::UrlLength => {
            format!("it has {} bytes, and {} are the most", look.text.len(), scope.url_bytes_max)
        }
        RuleName::PathDepth => {
            format!("its path has {} folders, and {} are the most", look.folders(), scope.path_depth)
        }
        RuleName::Repeats => match repeats::find(look.path, look.query, scope.repeats) {
            Some(Repeat::Rounds(folder, round)) => {
                let round = u32::try_from(round).unwrap_or(u32::MAX);
                format!(
                    "its path goes round: {} that end in `{folder}`, again and again",
                    count(round, "folder")
                )
            }
            Some(Repeat::Folder(folder)) => {
                format!("`{folder}` stands in its path more than {} times", scope.repeats)
            }
            Some(Repeat::Field(field)) => {
                format!("`{field}` stands in its query more than {} times", scope.repeats)
            }
            None => String::new(),
        },
        RuleName::QueryFields => {
            format!("its query has {} fields, and {} are the most", look.fields(), scope.query_fields)
        }
        RuleName::Calendar => {
            let (first, last) = scope.years.unwrap_or_default();
            let year = far_year(scope, look).unwrap_or_default();
            format!("it is about the year {year}, and pages are about {first} to {last}")
        }
        RuleName::Redirects => {
            format!(
                "{} in a row led here, and {} are the most",
                count(look.trail.redirects, "redirect"),
                scope.redirects
            )
        }
        RuleName::Extension => {
            format!(
                "files that end in `.{}` are not wanted",
                unwanted_extension(scope, look).unwrap_or_default()
            )
        }
        RuleName::Exclude => match look.prefix {
            Some((prefix, Said::Exclude)) => format!("it lies under `{prefix}`"),
            _ => match scope.exclude.first_match(look.text) {
                Some((line, pattern)) => format!("it matches `{pattern}` (line {line})"),
                None => String::new(),
            },
        },
        RuleName::Trap => trap_because(scope, look),
        RuleName::Sheet => {
            let names = look.overrides.map(|overrides| overrides.sheets.join("`, `")).unwrap_or_default();
            format!("sheet `{names}` skips it")
        }
        RuleName::Scheme => {
            format!("`{}` is not fetched, only {}", look.candidate.url.scheme(), scope.schemes.join(", "))
        }
        _ => String::new(),
    }
}

fn trap_because(scope: &Scope, look: &Look<'_>) -> String {
    let of_sheets = look.overrides.iter().flat_map(|overrides| &overrides.traps);
    let lists = std::iter::once(&scope.traps).chain(of_sheets.map(|traps| &**traps));
    let found = lists.into_iter().find_map(|traps| traps.first_match(look.text));
    found.map_or_else(String::new, |(line, pattern)| format!("it matches the trap `{pattern}` (line {line})"))
}

fn passes_because(rule: RuleName) -> String {
    match rule {
        RuleName::Preset => "no seed or domain of the preset takes it in",
        RuleName::Include => "no `+` prefix, domain or pattern fits",
        RuleName::Depth => "it is near enough",
        RuleName::Transclusion => "it is no embed of a page, or too far from one",
        RuleName::UrlLength => "it is short enough",
        RuleName::PathDepth => "its path is short enough",
        RuleName::Repeats => "nothing stands in it too often",
        RuleName::QueryFields => "its query is short enough",
        RuleName::Calendar => "it is about no year that is far off",
        RuleName::Redirects => "few enough redirects led here",
        RuleName::Extension => "its kind of file is wanted, or not known",
        RuleName::Seed => "it is no seed",
        RuleName::Exclude => "no `-` prefix, domain or pattern fits",
        RuleName::Trap => "no trap matches",
        RuleName::Sheet => "no sheet skips it",
        RuleName::Prerequisite => "nothing waits for it",
        RuleName::Scheme | RuleName::Default => "its scheme is fetched",
    }
    .to_owned()
}

fn count(number: impl Into<u64> + Copy, what: &str) -> String {
    let number: u64 = number.into();
    let plural = if number == 1 {
        ""
    } else if what.ends_with('s') {
        "es"
    } else {
        "s"
    };
    format!("{number} {what}{plural}")
}
