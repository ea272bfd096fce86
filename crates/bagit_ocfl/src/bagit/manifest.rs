//! Manifests: a digest and a path on each line, and what all of them together say of each file.

use std::collections::BTreeMap;
use std::io::Read;

use super::declaration::Declaration;
use super::lines::Lines;
use crate::digest::{Algorithm, Digest};
use crate::error::Error;
use crate::limits::Limits;
use crate::path;
use crate::report::{Kind, Report, shown};

/// What several manifests say.
#[derive(Default)]
pub(super) struct Listing {
    pub(super) manifests: Vec<Manifest>,
    /// By path: what each manifest that names it says.
    pub(super) files: BTreeMap<String, Vec<Listed>>,
    /// Bytes of manifests read so far.
    bytes: u64,
}

pub(super) struct Manifest {
    /// Its own path.
    pub(super) path: String,
    /// `None` where it is one that we do not know.
    pub(super) algorithm: Option<Algorithm>,
}

pub(super) struct Listed {
    /// Its place in [`Listing::manifests`].
    pub(super) manifest: usize,
    /// `None` where the algorithm is not known.
    pub(super) digest: Option<Digest>,
}

impl Listing {
    /// Takes in a manifest; whatever is wrong with it goes to the report. Paths that lead out are not taken in.
    pub(super) fn read(
        &mut self,
        source: impl Read,
        manifest: Manifest,
        declaration: &Declaration,
        limits: &Limits,
        report: &mut Report,
    ) -> Result<(), Error> {
        let index = self.manifests.len();
        let (own, algorithm) = (manifest.path.clone(), manifest.algorithm);
        self.manifests.push(manifest);
        let most = limits.manifest_bytes.saturating_sub(self.bytes);
        let mut lines = Lines::new(source, &own, declaration.coding, limits, most);
        while let Some(line) = lines.next()? {
            let number = lines.number;
            if line.trim().is_empty() {
                report.line(&own, number, Kind::Tolerated, "the line is empty");
                continue;
            }
            let Some((digest, raw)) = line.split_once([' ', '\t']) else {
                report.line(
                    &own,
                    number,
                    Kind::Manifest,
                    format!("this is no digest and path: `{}`", shown(&line)),
                );
                continue;
            };
            let raw = raw.trim_start_matches([' ', '\t']);
            let Some(file) = clean(raw, declaration, (&own, number), limits, report) else { continue };
            let digest = match algorithm.map(|algorithm| Digest::parse(algorithm, digest)) {
                Some(None) => {
                    let message = format!("`{}` is no digest of its kind", shown(digest));
                    report.line(&own, number, Kind::Manifest, message);
                    continue;
                }
                Some(digest) => digest,
                None => None,
            };
            self.add(file, Listed { manifest: index, digest }, (&own, number), declaration, report);
            if self.files.len() > limits.entries {
                return Err(Error::Limit { what: "files in manifests", limit: limits.entries as u64 });
            }
        }
        self.bytes += lines.bytes();
        if lines.is_malformed {
            report.file(&own, Kind::Encoding, "it is not in the encoding that `bagit.txt` declares");
        }
        Ok(())
    }

    fn add(
        &mut self,
        file: String,
        listed: Listed,
        (own, number): (&str, u64),
        declaration: &Declaration,
        report: &mut Report,
    ) {
        let known = self.files.entry(file).or_default();
        match known.iter().find(|other| other.manifest == listed.manifest) {
            None => known.push(listed),
            Some(other) if other.digest != listed.digest => {
                report.line(own, number, Kind::Duplicate, "the file was listed before, with another digest");
            }
            Some(_) if declaration.version.is_strict() => {
                report.line(own, number, Kind::Duplicate, "the file was listed before");
            }
            Some(_) => {
                report.line(own, number, Kind::Repeated, "the file was listed before, with the same digest")
            }
        }
    }
}

/// The path that a line of a manifest or of `fetch.txt` means; `None` where it must not be followed, which is told.
pub(super) fn clean(
    raw: &str,
    declaration: &Declaration,
    (own, number): (&str, u64),
    limits: &Limits,
    report: &mut Report,
) -> Option<String> {
    let mut rest = raw;
    if let Some(behind) = rest.strip_prefix('*') {
        report.line(own, number, Kind::Asterisk, "there is a `*` before the path, as md5sum writes it");
        rest = behind;
    }
    if let Some(behind) = rest.strip_prefix("./") {
        // The drafts before 0.97 do not mind.
        if declaration.version >= super::Version(0, 97) {
            report.line(own, number, Kind::DotSlash, "the path begins with `./`");
        }
        rest = behind;
    }
    let file = decoded(rest, declaration.version.is_strict());
    if file.len() > limits.path_bytes {
        report.line(own, number, Kind::Limit, format!("the path has {} bytes", file.len()));
        return None;
    }
    if let Some(why) = path::hostile(&file) {
        report.line(own, number, Kind::Hostile, format!("the path `{}` {why}", shown(&file)));
        return None;
    }
    Some(file)
}

/// Line ends in paths are written as escapes; since version 1.0 the percent sign itself is, too. All others stand for themselves.
fn decoded(path: &str, is_strict: bool) -> String {
    let mut text = String::with_capacity(path.len());
    let mut rest = path;
    while let Some(at) = rest.find('%') {
        let (before, behind) = rest.split_at(at);
        text.push_str(before);
        let (letter, length) = match behind.get(1..3).map(str::to_ascii_uppercase).as_deref() {
            Some("0A") => ('\n', 3),
            Some("0D") => ('\r', 3),
            Some("25") if is_strict => ('%', 3),
            _ => ('%', 1),
        };
        text.push(letter);
        rest = behind.get(length..).unwrap_or_default();
    }
    text.push_str(rest);
    text
}

/// The path as a manifest has it.
pub(super) fn encoded(path: &str) -> String {
    path.replace('%', "%25").replace('\n', "%0A").replace('\r', "%0D")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_line_ends_and_percent_signs_are_decoded() {
        assert_eq!(decoded("data/a%0Ab%0d%25%2e%", true), "data/a\nb\r%%2e%");
        assert_eq!(decoded("data/a%0Ab%25%2f", false), "data/a\nb%25%2f");
        assert_eq!(decoded("data/%ä%2", true), "data/%ä%2");
        for path in ["data/100%", "data/a\r\nb", "data/%0A", "data/%250A"] {
            assert_eq!(decoded(&encoded(path), true), path);
        }
    }
}
