//! Tables whose rows have a bar each: what a job's documents were.

use api::jobs::{Part, Parts};

use crate::filters::answered;

/// So many rows of each are shown.
const ROWS_MAX: usize = 12;

/// A table.
pub(crate) struct Bars {
    pub(crate) caption: &'static str,
    pub(crate) rows: Vec<Row>,
    pub(crate) has_bytes: bool,
    /// How many more rows there are.
    pub(crate) more: u64,
}

/// A row, and how long its bar is, of a hundred.
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) about: &'static str,
    pub(crate) urls: u64,
    pub(crate) bytes: Option<u64>,
    pub(crate) share: String,
    pub(crate) class: &'static str,
}

/// All tables that have something in them.
pub(crate) fn tables(parts: &Parts) -> Vec<Bars> {
    let tables = [
        bars("Answers", &parts.statuses, status),
        bars("Media types", &parts.types, plain),
        bars("Hosts", &parts.hosts, plain),
    ];
    tables.into_iter().filter(|table| !table.rows.is_empty()).collect()
}

fn bars(
    caption: &'static str,
    parts: &[Part],
    named: fn(&Part) -> (String, &'static str, &'static str),
) -> Bars {
    let most = parts.iter().map(|part| part.urls).max().unwrap_or_default().max(1);
    let row = |part: &Part| {
        let (name, about, class) = named(part);
        // A bar that stands for anything can be seen.
        let share = (part.urls as f64 * 100.0 / most as f64).max(if part.urls > 0 { 1.0 } else { 0.0 });
        Row { name, about, urls: part.urls, bytes: part.bytes, share: format!("{share:.1}"), class }
    };
    Bars {
        caption,
        rows: parts.iter().take(ROWS_MAX).map(row).collect(),
        has_bytes: parts.iter().any(|part| part.bytes.is_some()),
        more: parts.len().saturating_sub(ROWS_MAX) as u64,
    }
}

fn plain(part: &Part) -> (String, &'static str, &'static str) {
    (part.name.clone(), "", "")
}

/// Statuses have words, and colours by what they mean.
fn status(part: &Part) -> (String, &'static str, &'static str) {
    let Ok(status) = part.name.parse::<i32>() else { return plain(part) };
    let about = match status {
        200 => "OK",
        206 => "partial",
        301 | 308 => "moved for good",
        302 | 303 | 307 => "moved",
        304 => "not modified",
        401 | 403 => "forbidden",
        404 => "not found",
        410 => "gone",
        429 => "too many requests",
        500..600 => "server error",
        _ => "",
    };
    let class = match status {
        200..300 => "",
        300..400 => "odd",
        _ => "bad",
    };
    (answered(status), about, class)
}
