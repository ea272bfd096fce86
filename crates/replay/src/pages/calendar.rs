//! When something was captured: years, the days of one, the times of a day.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use axum::http::{StatusCode, header};
use axum::response::Response;
use cdx::Timestamp;
use rewrite::Span;

use super::dates::{self, days_in, month_name, weekday_of_first};
use super::days::{self, Change, Day, Entry};
use super::html::{Page, shortened, text};
use super::missing::missing;
use crate::error::Error;
use crate::memento::{insert, of_original};
use crate::timeline::{Timeline, grouped};
use crate::versions::Versions;
use crate::visit::Visit;

/// The calendar of a URL, for a year, month or day; of several the last.
pub(crate) fn calendar(visit: &Visit, within: &Span, url: &str) -> Result<Response, Error> {
    let within = if within.to.is_empty() { &within.from } else { &within.to };
    let key = visit.key(url);
    let versions = Versions::read(&visit.snapshot, &key, visit.replay.limits().captures_at_once)?;
    let timeline = Timeline::of(visit, &versions)?;
    let years = timeline.years();
    let Some((last, _)) = years.last_key_value() else { return nothing(visit, &versions, url) };
    let number =
        |start: usize, end: usize| within.get(start..end).and_then(|digits| digits.parse::<u64>().ok());
    let year = number(0, 4).unwrap_or(*last);
    let (month, day) = (number(4, 6), number(6, 8));
    let mut main = heading(visit, &versions, url, &timeline)?;
    main += &year_bars(visit, url, &years, year);
    let days = days::of_year(visit, &versions, year)?;
    main += &months(visit, url, year, month.zip(day), &days);
    main += &table(visit, &versions, year, month, day, &days)?;
    let title = format!("Captures of {}", shortened(url, 80));
    let (replay, collection) = (&visit.replay, visit.collection.name());
    let mut response = Page { replay, status: StatusCode::OK, title: &title, collection, url, main }.answer();
    insert(response.headers_mut(), header::LINK, &of_original(visit, url));
    Ok(response)
}

/// Nothing that may be seen: because there is nothing, or because of the rules.
fn nothing(visit: &Visit, versions: &Versions, url: &str) -> Result<Response, Error> {
    for row in versions.all().take(visit.replay.limits().candidates) {
        let decision = visit.asker.decide_row(&visit.replay, &row?);
        if decision != policy::Decision::Excluded {
            return super::refused(visit, url, decision);
        }
    }
    missing(visit, url)
}

fn heading(visit: &Visit, versions: &Versions, url: &str, timeline: &Timeline) -> Result<String, Error> {
    let first = visit.first_seen(versions.all())?;
    let last = visit.first_seen(versions.all_backwards())?;
    let link = |row: &Option<crate::versions::Row>| {
        let row = row.as_ref()?;
        Some(format!("<a href=\"{}\">{}</a>", text(&visit.row_path(row, "")), dates::day(row.timestamp?)))
    };
    let between = match (link(&first), link(&last)) {
        (Some(first), Some(last)) if timeline.total > 1 => format!(" between {first} and {last}"),
        (Some(first), _) => format!(" on {first}"),
        _ => String::new(),
    };
    let shown = first.as_ref().and_then(|row| row.url.as_deref()).unwrap_or(url);
    Ok(format!(
        "<section class=about><p class=kicker>Captured in <strong>{}</strong></p><h1 class=url>{}</h1><p class=lead><strong>{}</strong>{between}. \
         <span class=aside>TimeMap: <a href=\"{}\">link</a>, <a href=\"{}\">json</a>, <a href=\"{}\">cdxj</a></span></p></section>",
        text(visit.collection.name()),
        text(&shortened(shown, 200)),
        timeline.total_words(),
        text(&visit.map("link", url)),
        text(&visit.map("json", url)),
        text(&visit.map("cdxj", url)),
    ))
}

/// A bar for each year, with a link.
fn year_bars(visit: &Visit, url: &str, years: &BTreeMap<u64, u64>, shown: u64) -> String {
    let (Some(first), Some(last)) = (years.keys().next(), years.keys().next_back()) else {
        return String::new();
    };
    let most = years.values().max().copied().unwrap_or(1).max(1);
    let mut items = String::new();
    // A line with a broken date would stretch this over millennia.
    let first = (*first).max(last.saturating_sub(60));
    for year in first..=*last {
        let count = years.get(&year).copied().unwrap_or_default();
        let height = if count == 0 { 0 } else { 3 + count * 45 / most };
        let current = if year == shown { " aria-current=true" } else { "" };
        let bar = format!(
            "<svg class=bar viewBox=\"0 0 20 48\" preserveAspectRatio=none aria-hidden=true><rect x=0 y={} width=20 height={height} rx=2 /></svg>",
            48 - height
        );
        let captures = if count == 1 { "capture" } else { "captures" };
        let _ = match count {
            0 => write!(items, "<li class=none>{bar}<span>{year}</span></li>"),
            _ => write!(
                items,
                "<li><a href=\"{}\"{current} title=\"{year}: {} {captures}\">{bar}<span>{year}</span><span class=unseen>, {} {captures}</span></a></li>",
                text(&visit.calendar(&year.to_string(), url)),
                grouped(count),
                grouped(count),
            ),
        };
    }
    format!("<nav class=years aria-label=Years><ol>{items}</ol></nav>")
}

/// The months from the first capture of the year to the last, a dot for each day with captures. What lies before and behind would
/// only push them off the screen.
fn months(
    visit: &Visit,
    url: &str,
    year: u64,
    chosen: Option<(u64, u64)>,
    days: &BTreeMap<(u64, u64), Day>,
) -> String {
    let mut out = format!("<section class=months aria-label=\"Days of {year}\">");
    let first = days.keys().next().map_or(1, |(month, _)| *month);
    let last = days.keys().next_back().map_or(12, |(month, _)| *month);
    for month in first..=last {
        let _ = write!(out, "<table><caption>{}</caption><thead><tr>", month_name(month));
        for (letter, name) in [
            ("M", "Monday"),
            ("T", "Tuesday"),
            ("W", "Wednesday"),
            ("T", "Thursday"),
            ("F", "Friday"),
            ("S", "Saturday"),
            ("S", "Sunday"),
        ] {
            let _ = write!(out, "<th scope=col><abbr title={name}>{letter}</abbr></th>");
        }
        out += "</tr></thead><tbody><tr>";
        let shift = weekday_of_first(year, month);
        for _ in 0..shift {
            out += "<td></td>";
        }
        for day in 1..=days_in(year, month) {
            if day > 1 && (shift + day - 1).is_multiple_of(7) {
                out += "</tr><tr>";
            }
            match days.get(&(month, day)) {
                Some(known) => {
                    out += &cell(visit, url, year, (month, day), known, chosen == Some((month, day)))
                }
                None => {
                    let _ = write!(out, "<td>{day}</td>");
                }
            }
        }
        out += "</tr></tbody></table>";
    }
    out + "</section><p class=legend><span class=key-new></span> first, or changed since the capture before <span class=key-same></span> unchanged; \
           a larger dot stands for more captures. Times are UTC.</p>"
}

/// A day with captures: leads to the only one, or to their list.
fn cell(
    visit: &Visit,
    url: &str,
    year: u64,
    (month, day): (u64, u64),
    known: &Day,
    is_chosen: bool,
) -> String {
    let size = match known.count {
        1 => 1,
        2..=4 => 2,
        5..=19 => 3,
        _ => 4,
    };
    let list = || format!("{}#times", visit.calendar(&format!("{year:04}{month:02}{day:02}"), url));
    let address = if known.count == 1 { known.path.clone() } else { list() };
    let more = if known.is_more { "at least " } else { "" };
    let captures = if known.count == 1 { "capture" } else { "captures" };
    let change = if known.is_new { ", new" } else { "" };
    let class =
        format!("{}{}", if known.is_new { "new" } else { "same" }, if is_chosen { " chosen" } else { "" });
    format!(
        "<td class=\"has {class}\"><a class=size{size} href=\"{}\" title=\"{day} {} {year}: {more}{} {captures}{change}\">{day}</a></td>",
        text(&address),
        month_name(month),
        known.count,
    )
}

/// The captures of the chosen day or month; of the year, if they are few.
fn table(
    visit: &Visit,
    versions: &Versions,
    year: u64,
    month: Option<u64>,
    day: Option<u64>,
    days: &BTreeMap<(u64, u64), Day>,
) -> Result<String, Error> {
    let limits = visit.replay.limits();
    let in_year: usize = days.values().map(|day| day.count).sum();
    let (heading, start, end) = match (month, day) {
        (Some(month), Some(day)) => (
            format!("{day} {} {year}", month_name(month)),
            days::time(year, month, day),
            days::time(year, month, day + 1),
        ),
        (Some(month), None) => (
            format!("{} {year}", month_name(month)),
            days::time(year, month, 0),
            days::time(year, month + 1, 0),
        ),
        (None, _) if in_year <= limits.captures_at_once => {
            (format!("All of {year}"), days::time(year, 0, 0), days::time(year + 1, 0, 0))
        }
        (None, _) => return Ok(String::new()),
    };
    let (Some(start), Some(end)) = (start, end) else { return Ok(String::new()) };
    let (entries, is_more) = days::entries(visit, versions, start, end, limits.listed)?;
    if entries.is_empty() {
        return Ok(format!(
            "<section id=times><h2>{heading}</h2><p>Nothing was captured then.</p></section>"
        ));
    }
    let rows: Vec<String> = entries.iter().map(|entry| row(visit, entry)).collect();
    let more = if is_more { "<p>There are more; the TimeMap has all of them.</p>" } else { "" };
    Ok(format!(
        "<section id=times><h2>{heading}</h2><div class=scroll><table class=list><thead><tr><th scope=col>Captured</th><th scope=col>Content</th><th scope=col>Status</th><th scope=col>Type</th>\
         <th scope=col>Address</th></tr></thead><tbody>{}</tbody></table></div>{more}</section>",
        rows.concat()
    ))
}

fn row(visit: &Visit, Entry { row, change }: &Entry) -> String {
    let at = row.timestamp.map_or_else(String::new, |at: Timestamp| {
        format!(
            "<time datetime=\"{}\">{} <strong>{}</strong></time>",
            dates::machine(at),
            dates::day(at),
            dates::clock(at)
        )
    });
    let change = match change {
        Change::First => "<span class=\"mark new\">first</span>",
        Change::Changed => "<span class=\"mark new\">changed</span>",
        Change::Same => "<span class=\"mark same\">same</span>",
        Change::Unknown => "<span class=mark>–</span>",
    };
    let status = row.status.map_or_else(|| "–".to_owned(), |status| status.to_string());
    let mime = match row.is_revisit() {
        true => "as before",
        false => row.mime.as_deref().unwrap_or("–"),
    };
    let class = if row.status.is_some_and(|status| status >= 400) { " class=bad" } else { "" };
    format!(
        "<tr{class}><td><a href=\"{}\">{at}</a></td><td>{change}</td><td>{status}</td><td>{}</td><td class=url>{}</td></tr>",
        text(&visit.row_path(row, "")),
        text(mime),
        text(&shortened(row.url.as_deref().unwrap_or_default(), 90)),
    )
}
