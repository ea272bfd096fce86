//! The banner over an archived page.
//!
//! It is a shadow tree that is declared, not made by a script; its style cannot be touched by the page, nor the page by it. It lies over
//! the page at its lower edge and never moves anything. All of it is ASCII, because it is put into pages of any charset.

use std::fmt::Write as _;

use cdx::Timestamp;

use crate::choose::{PassedOver, Why};
use crate::error::Error;
use crate::memento::Neighbours;
use crate::pages::{ascii, clock, day, full, machine, shortened, text};
use crate::timeline::Timeline;
use crate::versions::{Row, Versions};
use crate::visit::Visit;

const STYLE: &str = include_str!("../assets/banner.css");

/// What a banner says.
pub(crate) struct Facts<'a> {
    pub(crate) title: Option<&'a str>,
    pub(crate) url: &'a str,
    pub(crate) at: Timestamp,
    pub(crate) around: &'a Neighbours,
    pub(crate) passed_over: Option<&'a PassedOver>,
}

/// The banner, as it is put at the end of a page.
pub(crate) fn html(visit: &Visit, versions: &Versions, facts: &Facts<'_>) -> Result<Vec<u8>, Error> {
    let timeline = Timeline::of(visit, versions)?;
    let calendar =
        text(&visit.calendar(&facts.at.to_string().chars().take(4).collect::<String>(), facts.url));
    let title = facts.title.unwrap_or(facts.url);
    let bar = format!(
        "<details open><summary aria-label=\"Hide or show the archive's banner\"><span class=open>&times;</span><span class=shut>Archive</span></summary>\
         <div class=bar role=region aria-label=\"Archive\"><a class=name href=\"/{collection}/\" title=\"Collection {collection}\"><b>Archive</b> {collection}</a>\
         <span class=title title=\"{url}\">{title}</span>\
         <span class=go>{previous}<a class=date href=\"{calendar}\" title=\"{date}\"><time datetime=\"{machine}\"><b>{day}</b> {clock}</time></a>{next}</span>\
         <a class=line href=\"{calendar}\" title=\"{total}\">{spark}<span class=unseen>{total}</span></a>{changed}</div>{note}</details>",
        collection = text(visit.collection.name()),
        url = text(&shortened(facts.url, 200)),
        title = text(&shortened(title, 90)),
        note = facts.passed_over.map(note).unwrap_or_default(),
        previous = step(visit, &facts.around.previous, "Previous capture", "&lsaquo;"),
        next = step(visit, &facts.around.next, "Next capture", "&rsaquo;"),
        date = text(&full(facts.at)),
        machine = machine(facts.at),
        day = day(facts.at),
        clock = clock(facts.at),
        total = timeline.total_words(),
        spark = sparkline(&timeline, facts.at),
        changed = changed(visit, facts),
    );
    let banner = format!(
        "<varve-banner><template shadowrootmode=\"closed\"><style>{STYLE}</style>{bar}</template></varve-banner>"
    );
    Ok(ascii(&banner).into_bytes())
}

/// A way to the capture before or behind this one.
fn step(visit: &Visit, row: &Option<Row>, label: &str, sign: &str) -> String {
    let place = row.as_ref().and_then(|row| Some((visit.row_path(row, ""), row.timestamp?)));
    match place {
        Some((path, at)) => format!(
            "<a class=step href=\"{}\" title=\"{label}: {when}\" aria-label=\"{label}: {when}\">{sign}</a>",
            text(&path),
            when = full(at),
        ),
        None => format!("<span class=\"step off\" aria-hidden=true>{sign}</span>"),
    }
}

/// Why it is not the nearest capture that is shown. It has a line of its own above the bar, where it may be as long as it is.
fn note(passed_over: &PassedOver) -> String {
    let when = day(passed_over.at);
    let what = match &passed_over.why {
        Why::Status(status) => format!("A nearer capture, of {when}, is an error ({status})"),
        Why::NotModified => format!("A nearer capture, of {when}, only says \u{201c}as before\u{201d}"),
        Why::Circle => format!("A nearer capture, of {when}, only leads to itself"),
        Why::Damaged(_) => format!("A nearer capture, of {when}, is damaged"),
        Why::Withheld => format!("A nearer capture, of {when}, may not be shown"),
    };
    format!("<p class=note role=note>{}</p>", text(&what))
}

/// To what has changed since the capture before.
fn changed(visit: &Visit, facts: &Facts<'_>) -> String {
    let Some(before) = facts.around.previous.as_ref().and_then(|row| row.timestamp) else {
        return String::new();
    };
    let within: String = facts.at.to_string().chars().take(6).collect();
    let address = format!("{}#times", visit.calendar(&within, facts.url));
    format!(
        "<a class=changed href=\"{}\" title=\"{} and {}\">What changed</a>",
        text(&address),
        full(before),
        full(facts.at)
    )
}

/// Captures over time as bars, the time of this one marked.
fn sparkline(timeline: &Timeline, at: Timestamp) -> String {
    const WIDTH: u64 = 160;
    const HEIGHT: u64 = 20;
    let month_number = |month: u64| (month / 100) * 12 + (month % 100).clamp(1, 12) - 1;
    let here = month_number(at.as_number() / 100_000_000);
    let first = timeline.months.keys().next().map_or(here, |month| month_number(*month)).min(here);
    let last = timeline.months.keys().next_back().map_or(here, |month| month_number(*month)).max(here);
    // At least a year, or a single month would be as wide as all.
    let span = (last - first + 1).max(12);
    let slots = span.min(54);
    let slot = |month: u64| (month.saturating_sub(first)) * slots / span;
    let mut counts = std::collections::BTreeMap::<u64, u64>::new();
    for (month, count) in &timeline.months {
        *counts.entry(slot(month_number(*month))).or_default() += count;
    }
    let most = counts.values().max().copied().unwrap_or(1).max(1);
    let width = WIDTH * 10 / slots;
    let mut svg = format!(
        "<svg width={WIDTH} height={HEIGHT} viewBox=\"0 0 {WIDTH} {HEIGHT}\" aria-hidden=true focusable=false>"
    );
    let _ = write!(svg, "<path class=base d=\"M0 {0}H{WIDTH}\"/>", HEIGHT - 1);
    for (slot, count) in &counts {
        let height = 3 + count * (HEIGHT - 5) / most;
        bar(&mut svg, "", slot * width, width, height, HEIGHT);
    }
    bar(&mut svg, " class=here", slot(here) * width, width, HEIGHT, HEIGHT);
    svg + "</svg>"
}

/// A bar whose place and width are in tenths.
fn bar(svg: &mut String, class: &str, x: u64, width: u64, height: u64, below: u64) {
    let width = width.saturating_sub(8).max(8);
    let _ = write!(
        svg,
        "<rect{class} x={}.{} y={} width={}.{} height={height} rx=.6 />",
        x / 10,
        x % 10,
        below - height,
        width / 10,
        width % 10
    );
}
