//! The root of an object: what it declares, and that nothing lies there that does not belong.

use super::{is_odd, is_sidecar, is_version};
use crate::error::Error;
use crate::limits::Limits;
use crate::ocfl::inventory::Inventory;
use crate::ocfl::{INVENTORY, Spec};
use crate::report::{Kind, Place, Report};
use crate::survey::{self, join};
use crate::tree::{Entry, EntryKind, Tree};

/// <https://ocfl.github.io/extensions/>
const EXTENSIONS: [&str; 12] = [
    "initial",
    "0001-digest-algorithms",
    "0002-flat-direct-storage-layout",
    "0003-hash-and-id-n-tuple-storage-layout",
    "0004-hashed-n-tuple-storage-layout",
    "0005-mutable-head",
    "0006-flat-omit-prefix-storage-layout",
    "0007-n-tuple-omit-prefix-storage-layout",
    "0008-schema-registry",
    "0009-digest-algorithms",
    "0010-differential-n-tuple-omit-prefix-storage-layout",
    "0011-direct-clean-path-layout",
];

/// The version of the specification that the object says it follows; the latest, where it says several.
pub(super) fn declaration<T: Tree>(
    tree: &T,
    entries: &[Entry],
    limits: &Limits,
    report: &mut Report,
) -> Result<Option<Spec>, Error> {
    let found: Vec<&Entry> = entries.iter().filter(|entry| is_declaration(entry)).collect();
    match found.len() {
        0 => report.add(
            Place::Package,
            Kind::E003,
            "there is no declaration such as `0=ocfl_object_1.1`: this is no object",
        ),
        1 => {}
        _ => report.add(Place::Package, Kind::E003, "there is more than one declaration"),
    }
    let mut spec = None;
    for entry in found {
        let known = Spec::ALL.into_iter().find(|spec| entry.name == format!("0={}", spec.declaration()));
        let Some(known) = known else {
            report.file(&entry.name, Kind::E006, "it declares nothing that is known");
            continue;
        };
        let text = survey::whole(tree, &entry.name, "bytes of a declaration", limits.tag_bytes)?;
        if text.strip_suffix(b"\n").map(|text| text.strip_suffix(b"\r").unwrap_or(text))
            != Some(known.declaration().as_bytes())
        {
            report.file(&entry.name, Kind::E007, format!("it does not hold `{}`", known.declaration()));
        }
        spec = spec.max(Some(known));
    }
    report.format = spec.map(|spec| format!("OCFL {}", spec.number()));
    Ok(spec)
}

/// That everything in the root belongs there.
pub(super) fn entries<T: Tree>(
    tree: &T,
    entries: &[Entry],
    root: &Inventory,
    limits: &Limits,
    report: &mut Report,
) -> Result<(), Error> {
    for entry in entries {
        let name = entry.name.as_str();
        if is_odd(name, entry.kind, report) || is_declaration(entry) {
            continue;
        }
        if entry.kind == EntryKind::File {
            if name != INVENTORY && !is_sidecar(name, root.algorithm) {
                report.file(name, Kind::E001, "this file does not belong in the root of an object");
            }
            continue;
        }
        match name {
            "logs" => {}
            "extensions" => extensions(tree, limits, report)?,
            _ if root.version(name).is_some() => {}
            // An inventory that could not be read has no versions.
            _ if is_version(name) && root.algorithm.is_none() => {}
            _ if is_version(name) => {
                report.file(
                    name,
                    Kind::E046,
                    "there is a folder of this version, and the inventory does not have it",
                );
            }
            _ => report.file(name, Kind::E001, "this folder does not belong in the root of an object"),
        }
    }
    Ok(())
}

fn extensions<T: Tree>(tree: &T, limits: &Limits, report: &mut Report) -> Result<(), Error> {
    for entry in survey::list(tree, "extensions", limits)? {
        let path = join("extensions", &entry.name);
        if is_odd(&path, entry.kind, report) {
            continue;
        }
        if entry.kind == EntryKind::File {
            report.file(&path, Kind::E067, "this file belongs to no extension");
        } else if !EXTENSIONS.contains(&entry.name.as_str()) {
            report.file(&path, Kind::W013, "this extension is not registered");
        }
    }
    Ok(())
}

fn is_declaration(entry: &Entry) -> bool {
    entry.kind == EntryKind::File && entry.name.starts_with("0=")
}
