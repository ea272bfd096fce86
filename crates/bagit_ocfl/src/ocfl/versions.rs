//! The versions of an inventory: how they are named, when and by whom they were made, and what they hold.

use std::collections::BTreeMap;

use super::is_uri;
use super::json::Json;
use super::manifest::{Keys, folders_among};
use crate::digest::{Algorithm, Digest};
use crate::error::Error;
use crate::limits::Limits;
use crate::path;
use crate::report::{Kind, Report, shown};

/// What an inventory says of a version.
#[derive(Debug)]
pub(super) struct Version {
    pub(super) name: String,
    pub(super) number: u64,
    pub(super) created: Option<Json>,
    pub(super) message: Option<Json>,
    pub(super) user: Option<Json>,
    /// The digest of each logical path.
    pub(super) state: BTreeMap<String, Digest>,
}

/// The number of a folder of a version, such as `v1` or `v0001`.
pub(super) fn number(name: &str) -> Option<u64> {
    let digits = name.strip_prefix('v')?;
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
        .then(|| digits.parse().ok())
        .flatten()
}

/// The versions by name, in order. Whatever is wrong with them is told.
pub(super) fn in_order<'a>(
    block: &'a Json,
    path: &str,
    limits: &Limits,
    report: &mut Report,
) -> Result<Vec<(&'a str, &'a Json)>, Error> {
    let Some(pairs) = block.object() else {
        report.file(path, Kind::E044, "`versions` is no object");
        return Ok(Vec::new());
    };
    if pairs.is_empty() {
        report.file(path, Kind::E008, "there is no version");
    }
    if pairs.len() > limits.versions {
        return Err(Error::Limit { what: "versions", limit: limits.versions as u64 });
    }
    let mut versions = Vec::new();
    for (name, block) in pairs {
        match number(name) {
            Some(number) => versions.push((number, name.as_str(), block)),
            None => report.file(path, Kind::E046, format!("`{}` is no name of a version", shown(name))),
        }
    }
    versions.sort_by_key(|(number, name, _)| (*number, *name));
    sequence(&versions, path, report);
    versions.dedup_by_key(|(_, name, _)| *name);
    Ok(versions.into_iter().map(|(_, name, block)| (name, block)).collect())
}

fn sequence(versions: &[(u64, &str, &Json)], path: &str, report: &mut Report) {
    let Some((first, name, _)) = versions.first() else { return };
    if *first != 1 {
        report.file(path, Kind::E009, "the versions do not begin with 1");
    }
    let numbers: Vec<u64> = versions.iter().map(|(number, ..)| *number).collect();
    if numbers.windows(2).any(|pair| !matches!(pair, [one, next] if one.checked_add(1) == Some(*next))) {
        report.file(path, Kind::E010, "the versions do not follow one another");
    }
    let is_padded = name.starts_with("v0");
    if is_padded {
        report.file(path, Kind::W001, "the versions are padded with zeros");
    }
    for (_, other, _) in versions {
        let kind = match (is_padded, other.starts_with("v0")) {
            (true, true) if other.len() == name.len() => continue,
            (false, false) => continue,
            (true, false) => Kind::E011,
            _ => Kind::E012,
        };
        report.file(path, kind, format!("`{other}` is named in another way than `{name}`"));
        report.file(path, Kind::E013, format!("`{other}` does not follow `{name}`"));
    }
}

/// What versions are read by.
pub(super) struct Context<'a> {
    /// The inventory.
    pub(super) path: &'a str,
    pub(super) algorithm: Algorithm,
    pub(super) limits: &'a Limits,
}

impl Context<'_> {
    pub(super) fn versions(
        &self,
        blocks: &[(&str, &Json)],
        keys: &mut Keys,
        report: &mut Report,
    ) -> Vec<Version> {
        blocks.iter().map(|(name, block)| self.version(name, block, keys, report)).collect()
    }

    fn version(&self, name: &str, block: &Json, keys: &mut Keys, report: &mut Report) -> Version {
        let mut wrong = |kind, what: &str| report.file(self.path, kind, format!("{name}: {what}"));
        let (created, message, user) = (block.get("created"), block.get("message"), block.get("user"));
        match created.map(Json::text) {
            None => wrong(Kind::E048, "`created` is missing"),
            Some(text) if !text.is_some_and(is_time) => {
                wrong(Kind::E049, "`created` is no time of RFC 3339, to the second and with its zone");
            }
            Some(_) => {}
        }
        match message.map(Json::text) {
            None => wrong(Kind::W007, "`message` should be said"),
            Some(None) => wrong(Kind::E094, "`message` is no text"),
            Some(Some(_)) => {}
        }
        match user {
            None => wrong(Kind::W007, "`user` should be said"),
            Some(user) => {
                if user.get("name").and_then(Json::text).is_none_or(str::is_empty) {
                    wrong(Kind::E054, "`user` has no name");
                }
                match user.get("address").map(Json::text) {
                    None => wrong(Kind::W008, "`user` should have an address"),
                    Some(None) => wrong(Kind::E054, "the address of `user` is no text"),
                    Some(Some(address)) if !is_uri(address) => {
                        wrong(Kind::W009, "the address of `user` should be a URI");
                    }
                    Some(Some(_)) => {}
                }
            }
        }
        let state = match block.get("state") {
            Some(state) => self.state(name, state, keys, report),
            None => {
                report.file(self.path, Kind::E048, format!("{name}: `state` is missing"));
                BTreeMap::new()
            }
        };
        let (created, message, user) = (created.cloned(), message.cloned(), user.cloned());
        Version {
            name: name.to_owned(),
            number: number(name).unwrap_or_default(),
            created,
            message,
            user,
            state,
        }
    }

    /// The digest of each logical path that is sound.
    fn state(
        &self,
        name: &str,
        block: &Json,
        keys: &mut Keys,
        report: &mut Report,
    ) -> BTreeMap<String, Digest> {
        let mut wrong = |kind, what: String| report.file(self.path, kind, format!("{name}: {what}"));
        let mut files = BTreeMap::new();
        let Some(pairs) = block.object() else {
            wrong(Kind::E050, "`state` is no object".to_owned());
            return files;
        };
        if let Some(key) = block.repeated() {
            wrong(Kind::E033, format!("the state has {} twice", shown(key)));
        }
        for (key, list) in pairs {
            let Some(digest) = Digest::parse(self.algorithm, key) else {
                wrong(Kind::E050, format!("`{}` in the state is no {}", shown(key), self.algorithm.name()));
                continue;
            };
            if !keys.used(key) {
                wrong(Kind::E050, format!("{} in the state is not in the manifest", shown(key)));
            }
            let Some(paths) = list.texts() else {
                wrong(Kind::E050, format!("the state has no list of paths for {digest}"));
                continue;
            };
            for path in paths {
                if let Some(kind) = unsound(path, self.limits) {
                    wrong(kind, format!("`{}` is no logical path", shown(path)));
                } else if files.insert(path.to_owned(), digest.clone()).is_some() {
                    wrong(Kind::E095, format!("`{}` is there twice", shown(path)));
                }
            }
        }
        for path in folders_among(&files) {
            wrong(Kind::E095, format!("`{}` is a file and a folder", shown(path)));
        }
        files
    }
}

/// What is wrong with a logical path. Those that the specification allows and that would lead out where the object is unpacked are
/// refused, too.
fn unsound(path: &str, limits: &Limits) -> Option<Kind> {
    if path.starts_with('/') || path.ends_with('/') {
        Some(Kind::E053)
    } else if path.split('/').any(|part| matches!(part, "" | "." | "..")) {
        Some(Kind::E052)
    } else if path.len() > limits.path_bytes {
        Some(Kind::Limit)
    } else {
        path::hostile(path).map(|_| Kind::Hostile)
    }
}

/// A time of RFC 3339.
fn is_time(text: &str) -> bool {
    let bytes = text.as_bytes();
    let has_form = matches!(
        bytes.get(..20),
        Some([_, _, _, _, b'-', _, _, b'-', _, _, b'T' | b't', _, _, b':', _, _, b':', _, _, _])
    );
    let has_zone = text.ends_with(['Z', 'z'])
        || matches!(bytes.last_chunk(), Some([b'+' | b'-', one, two, b':', three, four])
            if [one, two, three, four].iter().all(|byte| byte.is_ascii_digit()));
    has_form && has_zone && text.parse::<jiff::Timestamp>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_seconds_and_zones() {
        for text in
            ["2019-01-01T02:03:04Z", "2021-03-31T08:22:37.241208990-05:00", "2018-10-02T12:00:00+00:00"]
        {
            assert!(is_time(text), "{text}");
        }
        for text in [
            "",
            "2019-01-01",
            "2019-01-01T02:03Z",
            "2019-01-01T02:03:04",
            "2019-13-01T02:03:04Z",
            "2019-01-01 02:03:04Z",
        ] {
            assert!(!is_time(text), "{text}");
        }
    }

    #[test]
    fn numbers_of_versions() {
        assert_eq!((number("v1"), number("v0010")), (Some(1), Some(10)));
        assert_eq!((number("v"), number("1"), number("v1a"), number("v+1")), (None, None, None, None));
        assert_eq!(number("v99999999999999999999999"), None);
    }
}
