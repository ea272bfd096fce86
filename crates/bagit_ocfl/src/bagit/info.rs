//! `bag-info.txt`: labels and values, for people; and two that say how large the payload is and what the bag is called.

use std::io::Read;

use super::declaration::Declaration;
use super::lines::Lines;
use crate::error::Error;
use crate::limits::Limits;
use crate::report::{Kind, Report, shown};

pub(super) const PATH: &str = "bag-info.txt";
/// Its name before version 0.96.
pub(super) const OLD_PATH: &str = "package-info.txt";
/// Bytes and files of the payload, with a point between them.
pub(super) const OXUM: &str = "Payload-Oxum";
const IDENTIFIER: &str = "External-Identifier";

/// Reads it, and compares what it says of the payload.
pub(super) fn check(
    source: impl Read,
    path: &str,
    declaration: &Declaration,
    (bytes, files): (u64, u64),
    limits: &Limits,
    report: &mut Report,
) -> Result<(), Error> {
    let mut lines = Lines::new(source, path, declaration.coding, limits, limits.tag_bytes);
    let mut is_first_oxum = true;
    while let Some(line) = lines.next()? {
        let number = lines.number;
        if line.starts_with([' ', '\t']) && number > 1 || line.is_empty() {
            continue;
        }
        let Some((label, value)) = line.split_once(':').map(|(label, value)| (label.trim(), value.trim()))
        else {
            let kind = if declaration.version.is_strict() { Kind::TagFile } else { Kind::Tolerated };
            report.line(path, number, kind, format!("this is no label and value: `{}`", shown(&line)));
            continue;
        };
        if label.eq_ignore_ascii_case(OXUM) {
            if !is_first_oxum {
                report.line(path, number, Kind::TagFile, format!("`{OXUM}` was there before"));
            }
            is_first_oxum = false;
            oxum(value, (bytes, files), (path, number), report);
        }
        if label.eq_ignore_ascii_case(IDENTIFIER) && report.identifier.is_none() {
            report.identifier = Some(shown(value));
        }
    }
    if lines.is_malformed {
        report.file(path, Kind::Encoding, "it is not in the encoding that `bagit.txt` declares");
    }
    Ok(())
}

fn oxum(value: &str, (bytes, files): (u64, u64), (path, number): (&str, u64), report: &mut Report) {
    let said =
        value.split_once('.').and_then(|(bytes, files)| Some((bytes.parse().ok()?, files.parse().ok()?)));
    match said {
        None => {
            report.line(path, number, Kind::TagFile, format!("`{OXUM}` is not bytes, a point, and files"))
        }
        Some(said) if said != (bytes, files) => {
            let message = format!(
                "the payload has {bytes} bytes in {files} files, and this says {} in {}",
                said.0, said.1
            );
            report.line(path, number, Kind::WrongSize, message);
        }
        Some(_) => {}
    }
}
