//! What there is to tell of watches, in the rows of the API; the command line's `--json` prints the same.

use api::watches::{CheckRow, DayRow, DifferenceRow, NOBODY, NewsRow, VersionRow, WatchRow, WatchWish};
use diff::RuleSet;
use jiff::Timestamp;
use notify::To;
use settings::Every;
use watch::{Change, Check, Comparison, Day, News, Outcome, Pace, State, Untold, Version, Watch};

use super::usual::Usual;

pub(crate) fn check_row(check: &Check) -> CheckRow {
    CheckRow {
        id: check.id,
        url: check.url.clone(),
        time: check.at.to_string(),
        outcome: check.outcome.code(),
        available: check.is_available(),
        changed: matches!(check.outcome, Outcome::Changed | Outcome::TooLarge { has_changed: true }),
        status: check.status,
        final_url: check.final_url.clone(),
        redirects: check.redirects,
        version: check.version,
        sha256: check.digest.map(|digest| digest.to_string()),
        length: check.length,
        took_ms: u64::try_from(check.took.as_millis()).unwrap_or(u64::MAX),
        why: check.why.clone(),
        faults: check.faults.iter().map(|fault| fault.code()).collect(),
        repeated: check.is_repeated,
    }
}

pub(crate) fn version_row(version: &Version) -> VersionRow {
    VersionRow {
        number: version.number,
        time: version.at.to_string(),
        timestamp: urlkey::time::to_14(version.at),
        sha256: version.digest.to_string(),
        length: version.length,
        media_type: version.media_type.clone(),
        url: version.url.clone(),
    }
}

/// What lies between two versions. Whoever asks for the first time has nothing to compare with.
pub(super) fn difference_row(
    url: &str,
    change: &Change,
    compared: &Comparison,
    rules: &RuleSet,
    patch_bytes: Option<u64>,
) -> DifferenceRow {
    let outcome = compared.outcome.as_ref();
    DifferenceRow {
        url: url.to_owned(),
        before: version_row(&change.before),
        after: version_row(&change.after),
        changed: (!change.is_first).then(|| !change.is_empty()),
        empty: change.is_empty(),
        meaningful: !change.is_empty() && compared.is_meaningful(rules),
        text: outcome.is_some(),
        coarse: outcome.is_some_and(|outcome| outcome.coarse),
        words: outcome.map_or(0, |outcome| outcome.words),
        share: outcome.map_or(0.0, |outcome| outcome.share),
        findings: outcome.map(|outcome| outcome.findings().cloned().collect()).unwrap_or_default(),
        left_out: outcome.map(|outcome| outcome.left_out().cloned().collect()).unwrap_or_default(),
        fired: outcome
            .and_then(|outcome| outcome.fired.as_ref())
            .map(|fired| fired.iter().map(|fired| fired.what.clone()).collect())
            .unwrap_or_default(),
        patch_bytes,
    }
}

pub(super) fn day_row(day: &Day) -> DayRow {
    DayRow { day: day.date.to_string(), checks: day.checks, available: day.available, changed: day.changed }
}

pub(crate) fn news_row(news: &News) -> NewsRow {
    let timestamp = |version: Option<(u32, Timestamp)>| version.map(|(_, at)| urlkey::time::to_14(at));
    NewsRow {
        id: news.id,
        watch: news.watch,
        owner: news.owner.clone(),
        url: news.url.clone(),
        title: news.title.clone(),
        kind: news.kind.code(),
        time: news.at.to_string(),
        before: news.before.map(|(number, _)| number),
        after: news.after.map(|(number, _)| number),
        summary: news.summary.clone(),
        text: news.text.clone(),
        html: news.html.clone(),
        timestamps: (timestamp(news.before), timestamp(news.after)),
    }
}

pub(super) fn watch_row(watch: &Watch, state: &State, usual: &Usual) -> WatchRow {
    WatchRow {
        id: watch.id,
        wish: wish_row(watch, usual),
        added: watch.added_at.to_string(),
        due: watch.due_at.to_string(),
        pause: watchlist::Pace::Every(watch.wish.pace.pause()).to_string(),
        version: state.newest,
        last: state.last.as_ref().map(check_row),
        last_news: state.last_news.map(|at| at.to_string()),
        news: state.news,
        recent: state.recent.iter().map(|outcome| outcome.code().to_owned()).collect(),
        untold: state.untold.iter().map(untold).collect(),
    }
}

/// What is wanted of a watch, such that wanting it again changes nothing.
pub(super) fn wish_row(watch: &Watch, usual: &Usual) -> WatchWish {
    let wish = &watch.wish;
    let telling = &wish.telling;
    // Where the settings say something, "nothing" has to be said.
    let nothing = |is_usual: bool| if is_usual { String::new() } else { NOBODY.to_owned() };
    let notify = match telling.to.is_empty() && !usual.to.is_empty() {
        true => vec![NOBODY.to_owned()],
        false => telling.to.clone(),
    };
    let digest = match telling.digest.is_zero() {
        true => nothing(usual.digest.is_zero()),
        false => watchlist::Pace::Every(telling.digest).to_string(),
    };
    WatchWish {
        url: watch.url.clone(),
        owner: watch.owner.clone(),
        title: wish.title.clone(),
        tags: wish.tags.clone(),
        notes: wish.notes.clone(),
        every: every(wish.pace),
        head_first: wish.how.head_first,
        force: wish.how.force,
        paused: wish.is_paused,
        rules: wish.rules.clone(),
        notify,
        quiet: telling.quiet.as_ref().map_or_else(|| nothing(usual.quiet.is_none()), ToString::to_string),
        digest,
        gone_after: Some(telling.gone_after),
    }
}

fn every(pace: Pace) -> String {
    Every(pace).to_string()
}

/// A message that somebody has not got; of a webhook only the host is told.
fn untold(untold: &Untold) -> String {
    let to = untold.to.parse::<To>().map_or_else(|_| notify::discreet(&untold.to), |to| to.to_string());
    match (&untold.why, untold.is_given_up) {
        (Some(why), true) => format!("{to}: given up: {why}"),
        (Some(why), false) => format!("{to}: {why}; tried again {:.0}", untold.due_at),
        (None, _) => format!("{to}: waits until {:.0}", untold.due_at),
    }
}
