//! Tables are written.

use csv::WriterBuilder;

use super::FORMULA;
use super::columns::{Column, WRITTEN};
use crate::{Entry, Written};

/// Writes a table, with commas. What a cell cannot say is told: texts with line breaks where a line is an item.
#[must_use]
pub fn write(entries: &[Entry]) -> Written {
    let mut written = Written::default();
    let mut writer = WriterBuilder::new().from_writer(Vec::new());
    let columns =
        WRITTEN.iter().filter(|(column, _)| !matches!(column, Column::Appears | Column::Disappears));
    // Writing to memory does not fail.
    let _ = writer.write_record(columns.clone().map(|(_, name)| *name));
    for entry in entries {
        let mut lost = Vec::new();
        let cells = columns.clone().map(|(column, name)| {
            let cell = cell(entry, *column, &mut lost, name);
            if cell.starts_with(FORMULA) { format!("'{cell}") } else { cell }
        });
        let cells: Vec<String> = cells.collect();
        let _ = writer.write_record(cells);
        if !lost.is_empty() {
            written.lost.push(format!("{}: line breaks within {}", entry.url, lost.join(", ")));
        }
    }
    written.text = String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default();
    written
}

fn cell(entry: &Entry, column: Column, lost: &mut Vec<&'static str>, name: &'static str) -> String {
    let yes = |is: bool| if is { "yes".to_owned() } else { String::new() };
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    match column {
        Column::Url => entry.url.clone(),
        Column::Title => text(&entry.title),
        Column::Page => text(&entry.page),
        Column::Feed => yes(entry.is_feed),
        Column::Folder => list(&entry.folder, "/", lost, name),
        Column::Tags => list(&entry.tags, ", ", lost, name),
        Column::Every if entry.pace.is_usual() => String::new(),
        Column::Every => entry.pace.to_string(),
        Column::Paused => yes(entry.is_paused),
        Column::Only => lines(&entry.only, lost, name),
        Column::Never => lines(&entry.never, lost, name),
        Column::Triggers => lines(&entry.triggers, lost, name),
        Column::Method => text(&entry.method),
        Column::Headers => {
            let fields: Vec<String> =
                entry.headers.iter().map(|(name, value)| format!("{name}: {value}")).collect();
            lines(&fields, lost, name)
        }
        Column::Body => text(&entry.body),
        Column::Notify => lines(&entry.notify, lost, name),
        Column::Quiet => entry.quiet.as_ref().map(ToString::to_string).unwrap_or_default(),
        Column::Notes => text(&entry.notes),
        Column::Unsupported => lines(&entry.unsupported, lost, name),
        Column::Interval(_)
        | Column::Active
        | Column::Css
        | Column::XPath
        | Column::Appears
        | Column::Disappears => String::new(),
    }
}

fn lines<T: ToString>(items: &[T], lost: &mut Vec<&'static str>, name: &'static str) -> String {
    let items: Vec<String> = items.iter().map(ToString::to_string).collect();
    if items.iter().any(|item| item.contains(['\n', '\r'])) {
        lost.push(name);
    }
    items.iter().map(|item| item.replace(['\n', '\r'], " ")).collect::<Vec<_>>().join("\n")
}

/// With a sign between the items where none has it inside, else with a line for each.
fn list(items: &[String], sign: &'static str, lost: &mut Vec<&'static str>, name: &'static str) -> String {
    let is_plain = |item: &String| !item.contains(sign.trim()) && !item.contains('\n') && item.trim() == item;
    if items.iter().all(is_plain) {
        return items.join(sign);
    }
    // A line break at the end says that there are lines, even if there is one.
    lines(items, lost, name) + "\n"
}
