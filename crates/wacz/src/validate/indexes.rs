//! The indexes: lines that are understood and sorted, and point into files that are there.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Read, Seek};

use cdx::zipnum;

use super::{Kind, Place, Report};
use crate::error::Error;
use crate::package::Wacz;
use crate::zip::Entry;

/// Bad lines of one index that are told one by one: the rest of it is hardly better.
const LINES_TOLD: u64 = 20;

pub(super) fn check<R: Read + Seek>(wacz: &mut Wacz<R>, report: &mut Report) -> Result<(), Error> {
    let lengths: HashMap<String, u64> =
        wacz.archives().map(|entry| (file_name(entry, "archive"), entry.bytes())).collect();
    let indexes: Vec<Entry> = wacz.indexes().cloned().collect();
    let parts: HashMap<String, u64> =
        indexes.iter().map(|entry| (file_name(entry, "indexes"), entry.bytes())).collect();
    for entry in &indexes {
        let checked = if entry.name().ends_with(".idx") {
            blocks(wacz, entry, &parts, report)
        } else {
            lines(wacz, entry, &lengths, report)
        };
        // What cannot be read at all was told with the files.
        if let Err(error) = checked
            && !error.is_of_package()
        {
            return Err(error);
        }
    }
    Ok(())
}

/// The path below the folder: `filename` has no `archive/` before it.
fn file_name(entry: &Entry, folder: &str) -> String {
    entry.name().strip_prefix(folder).map_or_else(String::new, |rest| rest.trim_start_matches('/').to_owned())
}

fn lines<R: Read + Seek>(
    wacz: &mut Wacz<R>,
    entry: &Entry,
    lengths: &HashMap<String, u64>,
    report: &mut Report,
) -> Result<(), Error> {
    let mut reader = wacz.index(entry)?;
    let (mut last, mut told) = (String::new(), 0);
    loop {
        let wrong = match reader.next_capture() {
            None => return Ok(()),
            Some(Ok(capture)) => {
                report.captures += 1;
                let time = capture.timestamp.map(|time| time.to_string()).unwrap_or_default();
                let order = format!("{} {time}", capture.key.as_deref().unwrap_or_default());
                let is_sorted = order >= last;
                last = order;
                if is_sorted {
                    pointing(&capture, lengths)
                } else {
                    Some("it sorts before the line above it".to_owned())
                }
            }
            Some(Err(Error::Index { source, .. })) if !matches!(source, cdx::Error::Read(_)) => {
                Some(source.to_string())
            }
            Some(Err(Error::Index { source: cdx::Error::Read(error), .. })) => {
                let error = match error.kind() {
                    // gzip says of its own damage what it says of a file's.
                    std::io::ErrorKind::InvalidInput | std::io::ErrorKind::UnexpectedEof => {
                        Error::Content { name: entry.name().to_owned(), what: "cannot be unpacked" }
                    }
                    _ => Error::from_io(error),
                };
                return report.unreadable(entry.name(), error);
            }
            Some(Err(error)) => return Err(error),
        };
        let Some(wrong) = wrong else { continue };
        told += 1;
        if told <= LINES_TOLD {
            report.add(Place::Line(entry.name().to_owned(), reader.line_number()), Kind::Index, wrong);
        } else {
            report.bad += 1;
            report.unlisted += 1;
        }
    }
}

/// What is wrong with where a line points.
fn pointing(capture: &cdx::Capture<'_>, lengths: &HashMap<String, u64>) -> Option<String> {
    let (Some(file), Some(offset)) = (capture.filename.as_deref(), capture.offset) else {
        return Some("it does not say where its record lies".to_owned());
    };
    let Some(bytes) = lengths.get(file) else {
        return Some(format!("there is no file `archive/{}`", file.chars().take(200).collect::<String>()));
    };
    let end = offset.checked_add(capture.length.unwrap_or_default());
    let is_inside = offset < *bytes && end.is_some_and(|end| end <= *bytes);
    (!is_inside).then(|| format!("it points behind the end of `archive/{file}`"))
}

/// The index over a packed one: its head, and blocks that are there.
fn blocks<R: Read + Seek>(
    wacz: &mut Wacz<R>,
    entry: &Entry,
    parts: &HashMap<String, u64>,
    report: &mut Report,
) -> Result<(), Error> {
    let limits = cdx::Limits::default();
    let mut source = BufReader::new(wacz.content(entry)?);
    let (mut line, mut number, mut part) = (Vec::new(), 0, None);
    loop {
        line.clear();
        let most = limits.line_bytes as u64;
        source.by_ref().take(most).read_until(b'\n', &mut line).map_err(Error::from_io)?;
        if line.is_empty() {
            return Ok(());
        }
        number += 1;
        let text = line.trim_ascii_end();
        let place = || Place::Line(entry.name().to_owned(), number);
        if let Some(head) = text.strip_prefix(b"!meta") {
            let json = head.iter().position(|byte| *byte == b'{').and_then(|at| head.get(at..));
            let json: Option<serde_json::Value> = json.and_then(|json| serde_json::from_slice(json).ok());
            let named = json.as_ref().and_then(|json| json.get("filename")).and_then(|name| name.as_str());
            part = named.map(str::to_owned);
            if part.is_none() {
                report.add(place(), Kind::Index, "the head does not name the file with the blocks");
            }
            continue;
        }
        let wrong = match zipnum::Entry::parse(text, part.as_deref(), &limits) {
            Err(error) => Some(error.to_string()),
            Ok(block) => match parts.get(&block.part) {
                None => Some(format!("there is no file `indexes/{}`", block.part)),
                Some(bytes) => {
                    let is_inside = block.offset.checked_add(block.length).is_some_and(|end| end <= *bytes);
                    (!is_inside).then(|| format!("it points behind the end of `indexes/{}`", block.part))
                }
            },
        };
        if let Some(wrong) = wrong {
            report.add(place(), Kind::Index, wrong);
            if number > LINES_TOLD {
                return Ok(());
            }
        }
    }
}
