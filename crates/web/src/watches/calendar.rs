//! A year of reachability: a small square for each day, a week a column.

use std::fmt::Write as _;

use api::watches::DayRow;
use jiff::Span;
use jiff::civil::{Date, Weekday};

use crate::filters::number;

/// So many days are shown, the last of them today.
pub(super) const DAYS: i32 = 365;

const STEP: i32 = 13;
const SIDE: i32 = 11;
/// Room for the names of days and months.
const LEFT: i32 = 30;
const TOP: i32 = 18;

/// A year.
pub(super) struct Calendar {
    pub(super) svg: String,
    /// The same in a sentence.
    pub(super) sentence: String,
    /// Days on which it was not always there: which, and what is known of it.
    pub(super) away: Vec<(String, String)>,
}

/// The first day that is shown.
pub(super) fn first(today: Date) -> Date {
    today.saturating_sub(Span::new().days(DAYS - 1))
}

/// The picture of a year.
pub(super) fn calendar(days: &[DayRow], today: Date) -> Calendar {
    let first = first(today);
    let known = |day: Date| {
        let day = day.to_string();
        days.binary_search_by(|row| row.day.as_str().cmp(&day)).ok().and_then(|at| days.get(at))
    };
    // The first column begins on a Monday.
    let indent = i32::from(first.weekday().to_monday_zero_offset());
    let weeks = (DAYS + indent + 6) / 7;
    let (width, height) = (LEFT + weeks * STEP, TOP + 7 * STEP);
    let sentence = sentence(days);
    let mut svg = format!(
        "<svg class=\"calendar\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{sentence}\">"
    );
    for weekday in [Weekday::Monday, Weekday::Wednesday, Weekday::Friday, Weekday::Sunday] {
        let row = i32::from(weekday.to_monday_zero_offset());
        let name = match weekday {
            Weekday::Monday => "Mon",
            Weekday::Wednesday => "Wed",
            Weekday::Friday => "Fri",
            _ => "Sun",
        };
        let _ = write!(svg, "<text x=\"0\" y=\"{}\">{name}</text>", TOP + row * STEP + SIDE - 1);
    }
    let mut away = Vec::new();
    let mut labelled = -4;
    for (count, day) in first.series(Span::new().days(1)).take_while(|day| *day <= today).enumerate() {
        let place = i32::try_from(count).unwrap_or_default() + indent;
        let (column, row) = (place / 7, place % 7);
        let (x, y) = (LEFT + column * STEP, TOP + row * STEP);
        if day.day() == 1 && column - labelled >= 3 && weeks - column >= 2 {
            let _ = write!(svg, "<text x=\"{x}\" y=\"11\">{}</text>", day.strftime("%b"));
            labelled = column;
        }
        let said = day.strftime("%-d %b %Y").to_string();
        let (class, words) = judged(known(day));
        if matches!(class, "away" | "part") {
            away.push((said.clone(), words.clone()));
        }
        let has_changed = class == "there" && known(day).is_some_and(|row| row.changed > 0);
        square(&mut svg, (x, y), class, &format!("{said}: {words}"), has_changed);
    }
    svg.push_str("</svg>");
    away.reverse();
    Calendar { svg, sentence, away }
}

/// A day. Not by colour alone: lines through what was away, a dot where something changed.
fn square(svg: &mut String, (x, y): (i32, i32), class: &str, title: &str, has_changed: bool) {
    let (left, top, right, bottom) = (x + 3, y + 3, x + SIDE - 3, y + SIDE - 3);
    // Writing to a string cannot fail.
    let _ = write!(
        svg,
        "<g><title>{title}</title><rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\" rx=\"2\"/>"
    );
    let _ = match class {
        "away" => write!(
            svg,
            "<path class=\"cross\" d=\"M{left} {top}L{right} {bottom}M{right} {top}L{left} {bottom}\"/>"
        ),
        "part" => write!(svg, "<path class=\"cross\" d=\"M{left} {bottom}L{right} {top}\"/>"),
        _ if has_changed => {
            let (x, y) = (x + SIDE / 2, y + SIDE / 2);
            write!(svg, "<circle class=\"dot\" cx=\"{x}.5\" cy=\"{y}.5\" r=\"2.4\"/>")
        }
        _ => Ok(()),
    };
    svg.push_str("</g>");
}

/// How a day went: how it looks, and in words.
fn judged(day: Option<&DayRow>) -> (&'static str, String) {
    let Some(day) = day.filter(|day| day.checks > 0) else { return ("unknown", "not checked".to_owned()) };
    let changes = match day.changed {
        0 => String::new(),
        1 => ", a change".to_owned(),
        count => format!(", {count} changes"),
    };
    let checks = if day.checks == 1 { "1 check".to_owned() } else { format!("{} checks", day.checks) };
    match (day.available, day.checks) {
        (0, _) => ("away", format!("not there, {checks}")),
        (there, all) if there < all => {
            ("part", format!("not there at {} of {checks}{changes}", all.saturating_sub(there)))
        }
        _ => ("there", format!("there, {checks}{changes}")),
    }
}

fn sentence(days: &[DayRow]) -> String {
    let sum = |of: fn(&DayRow) -> u32| days.iter().map(|day| u64::from(of(day))).sum::<u64>();
    let (checks, there, changes) = (sum(|day| day.checks), sum(|day| day.available), sum(|day| day.changed));
    if checks == 0 {
        return "It was not checked in the last year.".to_owned();
    }
    // Rounded down, so that what was away once is never a hundred.
    let share = there * 1000 / checks;
    let share = format!("{}.{} %", share / 10, share % 10);
    let changes = match changes {
        0 => "nothing changed".to_owned(),
        1 => "it changed once".to_owned(),
        count => format!("it changed {} times", number(count)),
    };
    format!(
        "In the last year it was there at {} of {} checks ({share}), and {changes}.",
        number(there),
        number(checks)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(day: &str, checks: u32, available: u32, changed: u32) -> DayRow {
        DayRow { day: day.to_owned(), checks, available, changed }
    }

    #[test]
    fn a_year_has_a_square_for_each_day() {
        let today: Date = "2026-11-18".parse().unwrap();
        let days = [day("2026-11-16", 4, 4, 1), day("2026-11-17", 4, 0, 0), day("2026-11-18", 3, 2, 0)];
        let calendar = calendar(&days, today);
        assert_eq!(calendar.svg.matches("<rect").count(), 365);
        assert_eq!(calendar.svg.matches("class=\"dot\"").count(), 1);
        assert!(calendar.svg.contains("<title>17 Nov 2026: not there, 4 checks</title>"));
        assert!(calendar.svg.contains("<title>18 Nov 2026: not there at 1 of 3 checks</title>"));
        assert_eq!(calendar.away.len(), 2);
        assert_eq!(
            calendar.sentence,
            "In the last year it was there at 6 of 11 checks (54.5 %), and it changed once."
        );
        assert!(calendar.svg.contains(">Dec</text>"));
    }
}
