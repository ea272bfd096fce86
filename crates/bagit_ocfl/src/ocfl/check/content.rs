//! The content: what lies in the folders of versions, and whether it is what all inventories say.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{INVENTORY, is_odd, is_sidecar};
use crate::digest::{Algorithm, Digest, sums};
use crate::error::Error;
use crate::limits::Limits;
use crate::ocfl::inventory::Inventory;
use crate::path;
use crate::report::{Kind, Report, shown};
use crate::survey::{self, Files, join};
use crate::tree::{Entry, EntryKind, Tree};

/// Looks into the folder of a version; its content is added to `files`.
///
/// `sidecar` is `None` where the version has no inventory, else the algorithm of that.
pub(super) fn version<T: Tree>(
    tree: &T,
    (name, entries): (&str, &[Entry]),
    (content, sidecar): (&str, Option<Option<Algorithm>>),
    limits: &Limits,
    files: &mut Files,
    report: &mut Report,
) -> Result<(), Error> {
    for entry in entries {
        let path = join(name, &entry.name);
        if is_odd(&path, entry.kind, report) {
            continue;
        }
        if entry.kind == EntryKind::File {
            let is_of_inventory = sidecar.is_some_and(|algorithm| is_sidecar(&entry.name, algorithm));
            if entry.name != INVENTORY && !is_of_inventory {
                report.file(&path, Kind::E015, "this file does not belong in the folder of a version");
            }
        } else if entry.name != content {
            report.file(&path, Kind::W002, "this folder should not be beside the content");
        } else {
            let inside = survey::walk(tree, &path, limits)?;
            for empty in inside.empty {
                match empty == path {
                    true => report.file(&empty, Kind::W003, "the folder of content is empty"),
                    false => report.file(&empty, Kind::E024, "there is nothing in this folder"),
                }
            }
            for (path, kind) in inside.odd {
                is_odd(&path, kind, report);
            }
            files.extend(inside.files);
        }
    }
    Ok(())
}

/// Names that mean trouble elsewhere, in the last version and in the content.
pub(super) fn names(root: &Inventory, report: &mut Report) {
    let state = root.versions.last().map(|version| &version.state);
    for paths in [state, Some(&root.manifest)].into_iter().flatten() {
        let mut forms: HashMap<String, &str> = HashMap::new();
        for file in paths.keys() {
            if let Some(why) = path::awkward(file) {
                report.file(file, Kind::Unportable, format!("the path {why}"));
            }
            let Some(other) = forms.insert(path::folded(file), file) else { continue };
            let is_composition = path::composed(other) == path::composed(file);
            let kind = if is_composition { Kind::Normalisation } else { Kind::LetterCase };
            report.file(file, kind, format!("`{}` is one with it on some systems", shown(other)));
        }
    }
}

/// What inventories say of the digest of each content path. What several say alike is held once.
#[derive(Default)]
pub(super) struct Claims {
    files: BTreeMap<String, BTreeSet<Claim>>,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Claim {
    algorithm: Algorithm,
    digest: Digest,
    /// E092 for a manifest, E093 for fixity.
    kind: Kind,
}

impl Claims {
    pub(super) fn add(&mut self, inventory: &Inventory) {
        let manifest = inventory.algorithm.into_iter().flat_map(|algorithm| {
            inventory.manifest.iter().map(move |(path, digest)| (path, algorithm, digest, Kind::E092))
        });
        let fixity = inventory
            .fixity
            .iter()
            .map(|fixity| (&fixity.path, fixity.algorithm, &fixity.digest, Kind::E093));
        for (path, algorithm, digest, kind) in manifest.chain(fixity) {
            let claim = Claim { algorithm, digest: digest.clone(), kind };
            self.files.entry(path.clone()).or_default().insert(claim);
        }
    }

    /// Reads every file once and compares it with all that is said of it.
    pub(super) fn check<T: Tree>(
        &self,
        tree: &T,
        files: &Files,
        root: &Inventory,
        report: &mut Report,
    ) -> Result<(), Error> {
        for file in files.keys().filter(|file| !root.manifest.contains_key(*file)) {
            report.file(file, Kind::E023, "it is in no manifest");
        }
        for (file, claims) in &self.files {
            if !files.contains_key(file) {
                // Once for the manifest, once for fixity.
                for kind in [Kind::E092, Kind::E093] {
                    if claims.iter().any(|claim| claim.kind == kind) {
                        report.file(file, kind, "an inventory names it, and it is not there");
                    }
                }
                continue;
            }
            let wanted: Vec<Algorithm> = claims.iter().map(|claim| claim.algorithm).collect();
            let source = tree.open(file).map_err(Error::read(file))?;
            let sums = sums(source, &wanted).map_err(Error::read(file))?;
            report.files += 1;
            report.bytes += sums.bytes;
            for claim in claims {
                if let Some(found) = sums.get(claim.algorithm).filter(|found| **found != claim.digest) {
                    let name = claim.algorithm.name();
                    let message = format!("its {name} is {found}, and an inventory says {}", claim.digest);
                    report.file(file, claim.kind, message);
                }
            }
        }
        Ok(())
    }
}
