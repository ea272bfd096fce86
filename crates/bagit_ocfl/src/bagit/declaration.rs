//! `bagit.txt`: the version, and how the other text files are encoded.

use super::Version;
use super::lines::Coding;
use crate::report::{Kind, Report, shown};

pub(super) const PATH: &str = "bagit.txt";

/// What the bag says of itself; where it does not, what it is judged by.
#[derive(Clone, Copy)]
pub(super) struct Declaration {
    pub(super) version: Version,
    pub(super) coding: Coding,
}

impl Default for Declaration {
    fn default() -> Declaration {
        Declaration { version: Version::LATEST, coding: Coding::UTF_8 }
    }
}

impl Declaration {
    /// Reads it as far as it can be read; whatever is wrong goes to the report.
    pub(super) fn read(bytes: &[u8], report: &mut Report) -> Declaration {
        let mut declaration = Declaration::default();
        let Ok(text) = std::str::from_utf8(bytes) else {
            report.file(PATH, Kind::Declaration, "it is not in UTF-8");
            return declaration;
        };
        let text = match text.strip_prefix('\u{feff}') {
            Some(rest) => {
                report.file(PATH, Kind::Declaration, "it begins with a byte order mark");
                rest
            }
            None => text,
        };
        let mut lines = text.lines();
        match lines.next().and_then(|line| value(line, "BagIt-Version")).and_then(version) {
            Some(version) => {
                report.format = Some(format!("BagIt {}.{}", version.0, version.1));
                if version.is_known() {
                    declaration.version = version;
                } else {
                    let message = format!("version {}.{} of BagIt is not known", version.0, version.1);
                    report.file(PATH, Kind::Declaration, message);
                }
            }
            None => report.line(PATH, 1, Kind::Declaration, "`BagIt-Version: 1.0` or the like is missing"),
        }
        match lines.next().and_then(|line| value(line, "Tag-File-Character-Encoding")) {
            Some(label) => match Coding::named(label) {
                Some(coding) => declaration.coding = coding,
                None => {
                    let message = format!("the encoding `{}` is not known", shown(label));
                    report.line(PATH, 2, Kind::Encoding, message);
                }
            },
            None => report.line(
                PATH,
                2,
                Kind::Declaration,
                "`Tag-File-Character-Encoding: UTF-8` or the like is missing",
            ),
        }
        if lines.next().is_some() {
            let kind = if declaration.version.is_strict() { Kind::Declaration } else { Kind::Tolerated };
            report.line(PATH, 3, kind, "there are more than two lines");
        }
        declaration
    }
}

fn value<'a>(line: &'a str, label: &str) -> Option<&'a str> {
    let (found, value) = line.split_once(':')?;
    (found.trim() == label).then(|| value.trim()).filter(|value| !value.is_empty())
}

fn version(text: &str) -> Option<Version> {
    let number =
        |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten();
    let (major, minor) = text.split_once('.')?;
    Some(Version(number(major)?, number(minor)?))
}
