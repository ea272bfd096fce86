//! Which capture is shown.
//!
//! The nearest to the time that was asked for. An error, a redirect to itself, a record that is damaged are passed over for the
//! nearest good one, unless they were asked for to the second; what was passed over, and why, is told.

use archive::Found;
use cdx::Timestamp;
use policy::Decision;

use crate::asker::Asker;
use crate::error::Error;
use crate::ranges;
use crate::replay::Replay;
use crate::versions::{Row, Versions};

/// What came of looking for a capture.
#[derive(Debug)]
pub(crate) enum Choice {
    /// This one.
    Taken(Box<Taken>),
    /// There is none, or none that this one may know of.
    Missing,
    /// There is one that this one may not see.
    Refused(Decision),
    /// What there is cannot be read, or leads nowhere.
    Useless(PassedOver),
}

/// The capture that is shown.
#[derive(Debug)]
pub(crate) struct Taken {
    pub(crate) found: Found,
    pub(crate) at: Timestamp,
    /// Whether it is of the very second that was asked for.
    pub(crate) is_exact: bool,
    /// The nearer one that is not shown.
    pub(crate) passed_over: Option<PassedOver>,
}

/// A capture that was nearer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PassedOver {
    pub(crate) at: Timestamp,
    pub(crate) url: String,
    pub(crate) why: Why,
}

/// Why a capture is not shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Why {
    /// The server answered with an error.
    Status(u16),
    /// The server said "as before", and what it was before is not to be had.
    NotModified,
    /// It leads to itself.
    Circle,
    /// The record is damaged, or its payload nowhere.
    Damaged(String),
    /// It may not be seen by this one.
    Withheld,
}

/// What is looked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted<'a> {
    pub(crate) at: Timestamp,
    pub(crate) url: &'a str,
    /// Whether all fourteen digits were given, so that a capture of that second is the one that is meant.
    pub(crate) is_precise: bool,
    /// Whether a capture that cannot be shown may silently be another.
    pub(crate) is_embedded: bool,
    /// Whether it is wanted as it was captured: then, to the second and under its own URL, it is shown whatever it is.
    pub(crate) is_raw: bool,
    /// Whether a script of a page wants it, and what it can use.
    pub(crate) is_script: bool,
    /// A capture that turned out to be damaged while it was read.
    pub(crate) but: Option<Timestamp>,
}

/// What the rows looked at so far have come to.
#[derive(Debug, Default)]
struct Search {
    passed_over: Option<PassedOver>,
    /// An error that is shown if nothing better comes.
    error: Option<(Found, Timestamp)>,
    refused: Option<Decision>,
}

/// Looks for the capture to show.
pub(crate) fn choose(
    replay: &Replay,
    asker: &Asker,
    versions: &Versions,
    wanted: Wanted<'_>,
) -> Result<Choice, Error> {
    let limits = replay.limits();
    let mut search = Search::default();
    let mut candidates = 0;
    for row in versions.around(wanted.at, wanted.url).take(limits.passed_by) {
        let row = row?;
        let decision = asker.decide_row(replay, &row);
        if decision == Decision::Excluded {
            continue;
        }
        candidates += 1;
        if candidates > limits.candidates {
            break;
        }
        let Some(at) = row.timestamp.filter(|at| Some(*at) != wanted.but) else { continue };
        let distance = at.seconds().abs_diff(wanted.at.seconds());
        // Beyond the window an error that is near says more than a page that is far.
        let is_far = distance > limits.good_within.as_secs();
        if is_far && (search.error.is_some() || search.refused.is_some()) {
            break;
        }
        let is_exact = wanted.is_precise && at == wanted.at;
        let is_own = row.url.as_deref() == Some(wanted.url);
        let is_itself = is_exact && is_own && wanted.is_raw && !wanted.is_script;
        if decision != Decision::Allow {
            search.refused.get_or_insert(decision);
            search.pass_over(&row, at, Why::Withheld);
            if is_exact && !wanted.is_embedded {
                break;
            }
            continue;
        }
        match search.look(replay, versions, &row, at, (is_exact, is_itself))? {
            Looked::Take(found) => {
                let passed_over = search.passed_over;
                return Ok(Choice::Taken(Box::new(Taken { found: *found, at, is_exact, passed_over })));
            }
            Looked::Stop if !wanted.is_embedded => break,
            Looked::Stop | Looked::On => {}
        }
    }
    Ok(search.end(wanted))
}

/// What a row has come to.
enum Looked {
    Take(Box<Found>),
    On,
    /// It was asked for to the second: nothing else is.
    Stop,
}

impl Search {
    fn look(
        &mut self,
        replay: &Replay,
        versions: &Versions,
        row: &Row,
        at: Timestamp,
        (is_exact, is_itself): (bool, bool),
    ) -> Result<Looked, Error> {
        // A plain answer "as before" is nothing to show, and the record need not be opened.
        if row.status == Some(304) && !row.is_revisit() && !is_itself {
            self.pass_over(row, at, Why::NotModified);
            return Ok(Looked::On);
        }
        let status = row.status.filter(|status| *status >= 400);
        if let (Some(status), false, Some(_)) = (status, is_exact, &self.error) {
            self.pass_over(row, at, Why::Status(status));
            return Ok(Looked::On);
        }
        let found = match replay.settings().archive.found(row, &versions.snapshot) {
            Ok(Some(found)) => found,
            Ok(None) => {
                let why = "it says that it is as before, and what it was before is not in the archive";
                self.pass_over(row, at, Why::Damaged(why.to_owned()));
                return Ok(if is_exact { Looked::Stop } else { Looked::On });
            }
            Err(error) => {
                tracing::warn!("a capture of {} cannot be read: {error}", versions.key);
                self.pass_over(row, at, Why::Damaged(error.to_string()));
                return Ok(if is_exact { Looked::Stop } else { Looked::On });
            }
        };
        match found.status() {
            _ if is_itself => Ok(Looked::Take(Box::new(found))),
            Some(304) => {
                self.pass_over(row, at, Why::NotModified);
                Ok(Looked::On)
            }
            Some(300..=399) if leads_to_itself(&found, versions) => {
                self.pass_over(row, at, Why::Circle);
                Ok(Looked::On)
            }
            Some(status) if !is_exact && (status >= 400 || ranges::is_part(&found)) => {
                self.pass_over(row, at, Why::Status(status));
                self.error.get_or_insert((found, at));
                Ok(Looked::On)
            }
            _ => Ok(Looked::Take(Box::new(found))),
        }
    }

    /// The first that is passed over is the nearest, and the one to be told of.
    fn pass_over(&mut self, row: &Row, at: Timestamp, why: Why) {
        if self.passed_over.is_none() {
            let url = row.url.as_deref().unwrap_or_default().to_owned();
            self.passed_over = Some(PassedOver { at, url, why });
        }
    }

    /// Nothing good was there.
    fn end(self, wanted: Wanted<'_>) -> Choice {
        if let Some((found, at)) = self.error {
            let is_exact = wanted.is_precise && at == wanted.at;
            // Of itself nothing needs to be told.
            let passed_over = self.passed_over.filter(|passed_over| passed_over.at != at);
            return Choice::Taken(Box::new(Taken { found, at, is_exact, passed_over }));
        }
        match (self.refused, self.passed_over) {
            (Some(refused), _) => Choice::Refused(refused),
            (None, Some(passed_over)) => Choice::Useless(passed_over),
            (None, None) => Choice::Missing,
        }
    }
}

/// Whether a redirect leads to what has the same key, as from `http` to `https` or from an alias: followed, it would come back to
/// itself.
fn leads_to_itself(found: &Found, versions: &Versions) -> bool {
    let location = found.head.as_ref().and_then(|head| head.text("location"));
    let Some(location) = location else { return false };
    let target = url::Url::parse(&found.url).and_then(|base| base.join(location.trim()));
    target.is_ok_and(|target| versions.snapshot.resolve_alias(&urlkey::key(target.as_str())) == versions.key)
}
