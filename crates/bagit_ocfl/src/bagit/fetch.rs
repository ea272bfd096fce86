//! `fetch.txt`: files of the payload that are still elsewhere. Nothing is fetched here; it is told.

use std::collections::BTreeSet;
use std::io::Read;

use super::PAYLOAD;
use super::declaration::Declaration;
use super::lines::Lines;
use super::manifest::{Listing, clean};
use crate::error::Error;
use crate::limits::Limits;
use crate::report::{Kind, Report, shown};
use crate::survey::Files;

pub(super) const PATH: &str = "fetch.txt";

/// The files that are to be fetched, there or not.
pub(super) fn read(
    source: impl Read,
    declaration: &Declaration,
    (there, payload): (&Files, &Listing),
    limits: &Limits,
    report: &mut Report,
) -> Result<BTreeSet<String>, Error> {
    let mut lines = Lines::new(source, PATH, declaration.coding, limits, limits.manifest_bytes);
    let mut files = BTreeSet::new();
    while let Some(line) = lines.next()? {
        let number = lines.number;
        if line.trim().is_empty() {
            report.line(PATH, number, Kind::Tolerated, "the line is empty");
            continue;
        }
        let Some((url, length, raw)) = parts(&line) else {
            let message = format!("this is no URL, length and path: `{}`", shown(&line));
            report.line(PATH, number, Kind::Fetch, message);
            continue;
        };
        let Some(file) = clean(raw, declaration, (PATH, number), limits, report) else { continue };
        if !file.starts_with(PAYLOAD) {
            report.line(PATH, number, Kind::Misplaced, format!("`{}` is not in the payload", shown(&file)));
            continue;
        }
        if !is_listed(&file, payload, declaration) {
            report.line(PATH, number, Kind::Fetch, format!("no manifest vouches for `{}`", shown(&file)));
        }
        match there.get(&file) {
            None => {
                let message = format!("`{}` is still to be fetched from {}", shown(&file), shown(url));
                report.line(PATH, number, Kind::Unfetched, message);
            }
            Some(bytes) if length.is_some_and(|length| length != *bytes) => {
                report.line(PATH, number, Kind::WrongSize, format!("`{}` has {bytes} bytes", shown(&file)));
            }
            Some(_) => {}
        }
        if !files.insert(file) {
            report.line(PATH, number, Kind::Fetch, "the file was listed before");
        }
        if files.len() > limits.entries {
            return Err(Error::Limit { what: "files to fetch", limit: limits.entries as u64 });
        }
    }
    if lines.is_malformed {
        report.file(PATH, Kind::Encoding, "it is not in the encoding that `bagit.txt` declares");
    }
    Ok(files)
}

/// Since version 1.0 every manifest has to name it.
fn is_listed(file: &str, payload: &Listing, declaration: &Declaration) -> bool {
    let count = payload.files.get(file).map_or(0, Vec::len);
    if declaration.version.is_strict() { count == payload.manifests.len() } else { count > 0 }
}

/// URL, length if it is known, path. The path may have spaces.
fn parts(line: &str) -> Option<(&str, Option<u64>, &str)> {
    let (url, rest) = line.split_once([' ', '\t'])?;
    let (length, raw) = rest.trim_start_matches([' ', '\t']).split_once([' ', '\t'])?;
    let scheme = url.split_once(':')?.0;
    let is_url = !scheme.is_empty()
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    let length = match length {
        "-" => None,
        digits => Some(digits.parse().ok()?),
    };
    is_url.then_some((url, length, raw.trim_start_matches([' ', '\t'])))
}
