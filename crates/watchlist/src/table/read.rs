//! Tables are read.

use csv::{ReaderBuilder, StringRecord};

use super::FORMULA;
use super::columns::{Column, column, delimiter};
use crate::decode::check;
use crate::draft::{Drafts, said};
use crate::error::excerpt;
use crate::{Entry, Error, Limits, List, Pace, Place, Rule, RuleKind, Trigger};

/// Reads a table.
///
/// # Errors
/// If it has no column of URLs, too many columns or rows, or a quote that is never closed. Rows without a URL are left out and told,
/// and so are columns that are not understood.
pub fn read(text: &str, limits: &Limits) -> Result<List, Error> {
    let text = check(text, limits)?;
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let mut reader = ReaderBuilder::new()
        .delimiter(delimiter(first))
        .flexible(true)
        .has_headers(false)
        .from_reader(text.as_bytes());
    let mut drafts = Drafts::new(limits);
    let mut columns: Option<Vec<Option<Column>>> = None;
    let mut record = StringRecord::new();
    let (mut last, mut lines) = (1, Lines { text, at: 0, line: 1 });
    loop {
        let more = reader
            .read_record(&mut record)
            .map_err(|error| Error::syntax(Place::line(last), error.to_string()))?;
        if !more {
            break;
        }
        last = lines.of(&record);
        let place = Place::line(last);
        if record.len() > limits.columns_max {
            return Err(Error::TooMany { place, what: "columns", max: limits.columns_max });
        }
        if record.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        match &columns {
            None => columns = Some(names(&record, place, &mut drafts)?),
            Some(columns) => {
                let entry = row(&record, columns);
                drafts.add(place, entry)?;
            }
        }
    }
    // The library takes a quote that is never closed as closed at the end, and the rest of the table is one cell.
    let is_odd = text.bytes().filter(|byte| *byte == b'"').count() % 2 == 1;
    if is_odd && goes_on(text, last) {
        return Err(Error::syntax(Place::line(last), "a quote is opened here and never closed"));
    }
    if columns.is_none() {
        return Err(Error::syntax(Place::line(1), "there is no row of names"));
    }
    Ok(drafts.finish())
}

/// Counts lines up to a record. The library's own count is of line ends before it, blank lines among them or not.
struct Lines<'t> {
    text: &'t str,
    at: usize,
    line: usize,
}

impl Lines<'_> {
    fn of(&mut self, record: &StringRecord) -> usize {
        let begin =
            record.position().map_or(0, |position| usize::try_from(position.byte()).unwrap_or(usize::MAX));
        let bytes = self.text.as_bytes();
        let blank = bytes
            .get(begin..)
            .unwrap_or_default()
            .iter()
            .take_while(|byte| matches!(byte, b'\r' | b'\n'))
            .count();
        let passed = bytes.get(self.at..begin + blank).unwrap_or_default();
        self.line += passed.iter().filter(|byte| **byte == b'\n').count();
        self.at = begin + blank;
        self.line
    }
}

/// Whether the last record went on over a line's end.
fn goes_on(text: &str, last: usize) -> bool {
    text.trim_end().lines().count() > last
}

fn names(record: &StringRecord, place: Place, drafts: &mut Drafts<'_>) -> Result<Vec<Option<Column>>, Error> {
    let columns: Vec<Option<Column>> = record.iter().map(column).collect();
    if !columns.contains(&Some(Column::Url)) {
        return Err(Error::syntax(place, "no column is named `url`"));
    }
    for (name, known) in record.iter().zip(&columns) {
        if known.is_none() && !name.trim().is_empty() {
            drafts.leave_out(place.clone(), format!("the column `{}` is not understood", excerpt(name)))?;
        }
    }
    Ok(columns)
}

fn row(record: &StringRecord, columns: &[Option<Column>]) -> Entry {
    let mut entry = Entry::default();
    for (number, cell) in record.iter().enumerate() {
        let cell = match cell.strip_prefix('\'') {
            Some(rest) if rest.starts_with(FORMULA) => rest,
            _ => cell,
        };
        match columns.get(number) {
            _ if cell.trim().is_empty() => {}
            Some(Some(column)) => take(&mut entry, *column, cell),
            Some(None) => {}
            None => entry.tell(format!("column {}: `{}` stands under no name", number + 1, excerpt(cell))),
        }
    }
    crate::url_list::plain_source(&mut entry);
    entry
}

fn take(entry: &mut Entry, column: Column, cell: &str) {
    let text = || Some(cell.to_owned());
    match column {
        Column::Url => entry.url = cell.trim().to_owned(),
        Column::Title => entry.title = text(),
        Column::Page => entry.page = text(),
        Column::Feed => flag(entry, "feed", cell, |entry, is| entry.is_feed = is),
        Column::Folder => entry.folder = list(cell, '/'),
        Column::Tags => entry.tags = list(cell, ','),
        Column::Every => match cell.trim().parse() {
            Ok(pace) => entry.pace = pace,
            Err(why) => entry.tell(format!("column `every`: {why}")),
        },
        Column::Interval(unit) => interval(entry, cell, unit),
        Column::Paused => flag(entry, "paused", cell, |entry, is| entry.is_paused = is),
        Column::Active => flag(entry, "active", cell, |entry, is| entry.is_paused = !is),
        Column::Only => rules(entry, "only", cell, |entry, rule| entry.only.push(rule)),
        Column::Never => rules(entry, "never", cell, |entry, rule| entry.never.push(rule)),
        Column::Css => lines(cell).for_each(|line| entry.only(RuleKind::Css, line)),
        Column::XPath => lines(cell).for_each(|line| entry.only(RuleKind::XPath, line)),
        Column::Triggers => lines(cell).for_each(|line| match line.parse() {
            Ok(trigger) => entry.triggers.push(trigger),
            Err(why) => entry.tell(format!("column `triggers`: {why}")),
        }),
        Column::Appears => lines(cell).for_each(|line| entry.trigger(Trigger::Appears(line.to_owned()))),
        Column::Disappears => {
            lines(cell).for_each(|line| entry.trigger(Trigger::Disappears(line.to_owned())))
        }
        Column::Method => entry.method = said(cell),
        Column::Headers => lines(cell).for_each(|line| match line.split_once(':') {
            Some((name, value)) => entry.headers.push((name.trim().to_owned(), value.trim().to_owned())),
            None => entry.tell(format!("column `headers`: `{}` has no colon", excerpt(line))),
        }),
        Column::Body => entry.body = text(),
        Column::Notify => entry.notify.extend(lines(cell).map(str::to_owned)),
        Column::Quiet => match cell.parse() {
            Ok(quiet) => entry.quiet = Some(quiet),
            Err(why) => entry.tell(format!("column `quiet`: {why}")),
        },
        Column::Notes => entry.notes = text(),
        Column::Unsupported => lines(cell).for_each(|line| entry.tell(line)),
    }
}

fn interval(entry: &mut Entry, cell: &str, unit: u32) {
    let number = cell.trim().replace(',', ".").parse::<f64>().ok();
    match number.map(|number| Pace::every(number * f64::from(unit))) {
        Some(Ok(pace)) => entry.pace = pace,
        Some(Err(why)) => entry.tell(format!("the column of intervals: {why}")),
        None => entry.tell(format!("the column of intervals: `{}` is no number", excerpt(cell))),
    }
}

fn flag(entry: &mut Entry, name: &str, cell: &str, set: fn(&mut Entry, bool)) {
    match cell.trim().to_lowercase().as_str() {
        "yes" | "y" | "true" | "1" | "x" | "on" => set(entry, true),
        "no" | "n" | "false" | "0" | "off" => set(entry, false),
        _ => entry.tell(format!("column `{name}`: `{}` is neither yes nor no", excerpt(cell))),
    }
}

fn rules(entry: &mut Entry, name: &str, cell: &str, add: fn(&mut Entry, Rule)) {
    for line in lines(cell) {
        match line.parse::<Rule>() {
            Ok(rule) => add(entry, rule),
            Err(why) => entry.tell(format!("column `{name}`: {why}")),
        }
    }
}

fn lines(cell: &str) -> impl Iterator<Item = &str> {
    cell.lines().filter(|line| !line.trim().is_empty())
}

/// A cell with several lines has an item on each, any other is parted by the sign.
fn list(cell: &str, sign: char) -> Vec<String> {
    if cell.contains('\n') {
        return lines(cell).map(str::to_owned).collect();
    }
    cell.split(sign).filter_map(said).collect()
}
