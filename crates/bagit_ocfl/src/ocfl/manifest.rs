//! The manifest of an inventory, and its fixity block: digests, and the content paths that have them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::Spec;
use super::inventory::Inventory;
use super::json::Json;
use crate::digest::{Algorithm, Digest};
use crate::limits::Limits;
use crate::path;
use crate::report::{Kind, Report, shown};

/// A further digest of a content path.
#[derive(Debug, Clone)]
pub(super) struct Fixity {
    pub(super) algorithm: Algorithm,
    pub(super) digest: Digest,
    pub(super) path: String,
}

/// The digests of a manifest as they are written there, for a state must write them in the same way; and which are used.
#[derive(Default)]
pub(super) struct Keys {
    written: HashMap<String, bool>,
}

impl Keys {
    /// Notes that a state uses a digest; whether the manifest has it, letter by letter.
    pub(super) fn used(&mut self, digest: &str) -> bool {
        self.written.get_mut(digest).map(|is_used| *is_used = true).is_some()
    }

    pub(super) fn unused(&self) -> impl Iterator<Item = &str> {
        let unused: BTreeSet<&str> = self
            .written
            .iter()
            .filter(|(_, is_used)| !**is_used)
            .map(|(digest, _)| digest.as_str())
            .collect();
        unused.into_iter()
    }
}

/// What a manifest is read by.
pub(super) struct Context<'a> {
    /// The inventory.
    pub(super) path: &'a str,
    pub(super) algorithm: Algorithm,
    pub(super) versions: HashSet<&'a str>,
    /// The folder of content.
    pub(super) content: &'a str,
    pub(super) limits: &'a Limits,
}

impl Context<'_> {
    /// The digest of each content path that is sound.
    pub(super) fn manifest(
        &self,
        block: &Json,
        keys: &mut Keys,
        report: &mut Report,
    ) -> BTreeMap<String, Digest> {
        let mut files = BTreeMap::new();
        let Some(pairs) = block.object() else {
            report.file(self.path, Kind::E041, "`manifest` is no object");
            return files;
        };
        let mut seen = HashSet::new();
        for (key, list) in pairs {
            let Some(digest) = Digest::parse(self.algorithm, key) else {
                let message = format!("`{}` in the manifest is no {}", shown(key), self.algorithm.name());
                report.file(self.path, Kind::E025, message);
                continue;
            };
            if !seen.insert(digest.clone()) {
                report.file(self.path, Kind::E096, format!("the manifest has {digest} twice"));
            }
            keys.written.insert(key.clone(), false);
            let Some(paths) = list.texts() else {
                report.file(self.path, Kind::E092, format!("the manifest has no list of paths for {digest}"));
                continue;
            };
            for path in paths {
                if !self.is_sound(path, report) {
                    continue;
                }
                if files.insert(path.to_owned(), digest.clone()).is_some() {
                    report.file(self.path, Kind::E101, format!("the manifest has `{}` twice", shown(path)));
                }
            }
        }
        for path in folders_among(&files) {
            let message = format!("in the manifest `{}` is a file and a folder", shown(path));
            report.file(self.path, Kind::E101, message);
        }
        files
    }

    fn is_sound(&self, path: &str, report: &mut Report) -> bool {
        let kind = if path.starts_with('/') || path.ends_with('/') {
            Kind::E100
        } else if path.split('/').any(|part| matches!(part, "" | "." | "..")) {
            Kind::E099
        } else if path.len() > self.limits.path_bytes {
            Kind::Limit
        } else if path::hostile(path).is_some() {
            Kind::Hostile
        } else {
            let mut parts = path.splitn(3, '/');
            let is_of_version = parts.next().is_some_and(|part| self.versions.contains(part));
            if is_of_version && parts.next() == Some(self.content) && parts.next().is_some() {
                return true;
            }
            Kind::E042
        };
        report.file(self.path, kind, format!("`{}` in the manifest is no path of content", shown(path)));
        false
    }
}

/// The fixity block; algorithms that are not known are told and left.
pub(super) fn fixity(block: &Json, inventory: &Inventory, report: &mut Report) -> Vec<Fixity> {
    let own = &inventory.path;
    let mut all = Vec::new();
    let Some(algorithms) = block.object() else {
        let kind = if inventory.spec == Some(Spec::V1_0) { Kind::E057 } else { Kind::E111 };
        report.file(own, kind, "`fixity` is no object");
        return all;
    };
    for (name, block) in algorithms {
        let Some(pairs) = block.object() else {
            report.file(own, Kind::E057, format!("`{}` in `fixity` is no object", shown(name)));
            continue;
        };
        let algorithm = Algorithm::named(name);
        if algorithm.is_none() {
            let message = format!("digests by `{}` in `fixity` were not compared", shown(name));
            report.file(own, Kind::UnknownDigest, message);
        }
        let mut seen = HashSet::new();
        for (key, list) in pairs {
            if !seen.insert(key.to_ascii_lowercase()) {
                report.file(own, Kind::E097, format!("`fixity` has {} twice", shown(key)));
            }
            let Some(paths) = list.texts() else {
                report.file(own, Kind::E057, format!("`fixity` has no list of paths for {}", shown(key)));
                continue;
            };
            let digest = algorithm.map(|algorithm| (algorithm, Digest::parse(algorithm, key)));
            if let Some((algorithm, None)) = digest {
                report.file(
                    own,
                    Kind::E057,
                    format!("`{}` in `fixity` is no {}", shown(key), algorithm.name()),
                );
            }
            for path in paths {
                if !inventory.manifest.contains_key(path) {
                    report.file(
                        own,
                        Kind::E057,
                        format!("`{}` in `fixity` is not in the manifest", shown(path)),
                    );
                } else if let Some((algorithm, Some(digest))) = &digest {
                    all.push(Fixity { algorithm: *algorithm, digest: digest.clone(), path: path.to_owned() });
                }
            }
        }
    }
    all
}

/// Paths of files that others need as their folder. What lies in a folder comes behind its path and a slash.
pub(super) fn folders_among<V>(files: &BTreeMap<String, V>) -> Vec<&String> {
    let is_folder = |path: &&String| {
        let inside = format!("{path}/");
        files.range(inside.clone()..).next().is_some_and(|(next, _)| next.starts_with(&inside))
    };
    files.keys().filter(is_folder).collect()
}
