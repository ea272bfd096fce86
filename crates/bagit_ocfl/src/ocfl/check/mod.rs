//! Says everything that is wrong with an object.

mod content;
mod past;
mod root;

use std::collections::HashSet;

use super::inventory::Inventory;
use super::json::Json;
use super::{INVENTORY, versions};
use crate::digest::{Algorithm, Digest};
use crate::error::Error;
use crate::limits::Limits;
use crate::report::{Kind, Place, Report, shown};
use crate::survey;
use crate::tree::{Entry, EntryKind, Tree};
use content::Claims;

/// Looks through an object: its inventories, and every file of its content, each read once.
///
/// # Errors
/// Only when the tree itself fails; whatever is wrong with the object is in the report.
pub fn check<T: Tree>(tree: &T, limits: &Limits) -> Result<Report, Error> {
    let mut report = Report::new(limits.problems);
    match object(tree, limits, &mut report) {
        Err(error @ Error::Limit { .. }) => report.add(Place::Package, Kind::Limit, error.to_string()),
        other => other?,
    }
    Ok(report)
}

fn object<T: Tree>(tree: &T, limits: &Limits, report: &mut Report) -> Result<(), Error> {
    let entries = survey::list(tree, "", limits)?;
    let spec = root::declaration(tree, &entries, limits, report)?;
    if !has_file(&entries, INVENTORY) {
        report.file(INVENTORY, Kind::E063, "there is no inventory");
        return Ok(());
    }
    let (root, digest) = load(tree, "", &entries, limits, report)?;
    if let (Some(declared), Some(found)) = (spec, root.spec)
        && declared != found
    {
        let message =
            format!("`type` is of OCFL {}, and the object declares {}", found.number(), declared.number());
        report.file(INVENTORY, Kind::E038, message);
    }
    report.identifier = root.id.as_deref().map(shown);
    root::entries(tree, &entries, &root, limits, report)?;
    content::names(&root, report);

    let mut claims = Claims::default();
    claims.add(&root);
    let mut past = past::Past::new(&root);
    let mut files = survey::Files::new();
    let folders: HashSet<&str> = entries
        .iter()
        .filter(|entry| entry.kind == EntryKind::Folder)
        .map(|entry| entry.name.as_str())
        .collect();
    let last = root.versions.iter().rposition(|version| folders.contains(version.name.as_str()));
    for (at, version) in root.versions.iter().enumerate() {
        if !folders.contains(version.name.as_str()) {
            report.file(
                &version.name,
                Kind::E046,
                "the inventory has this version, and there is no folder of it",
            );
            if Some(at) < last {
                report.file(
                    &version.name,
                    Kind::E010,
                    "there is no folder of it, and there is one of a later version",
                );
            }
            continue;
        }
        let inside = survey::list(tree, &version.name, limits)?;
        let own = if has_file(&inside, INVENTORY) {
            Some(past.inventory(tree, (&version.name, &inside), &digest, limits, report)?)
        } else {
            report.file(&version.name, Kind::W010, "the version has no inventory of its own");
            None
        };
        let sidecar = own.as_ref().map(|inventory| inventory.algorithm);
        content::version(
            tree,
            (&version.name, &inside),
            (root.content(), sidecar),
            limits,
            &mut files,
            report,
        )?;
        if let Some(own) = &own {
            claims.add(own);
        }
        if files.len() > limits.entries {
            return Err(Error::Limit { what: "files", limit: limits.entries as u64 });
        }
    }
    claims.check(tree, &files, &root, report)
}

/// Reads an inventory, and compares it with its sidecar; gives its digest, too, to compare it with others.
fn load<T: Tree>(
    tree: &T,
    folder: &str,
    entries: &[Entry],
    limits: &Limits,
    report: &mut Report,
) -> Result<(Inventory, Digest), Error> {
    let path = survey::join(folder, INVENTORY);
    let bytes = survey::whole(tree, &path, "bytes of an inventory", limits.inventory_bytes)?;
    let digest = Algorithm::Sha512.of(&bytes);
    let inventory = match Json::parse(&bytes) {
        Ok(json) => Inventory::read(&path, &json, limits, report)?,
        Err(error) => {
            report.file(&path, Kind::E033, format!("it is no JSON: {error}"));
            Inventory { path: path.clone(), ..Inventory::default() }
        }
    };
    sidecar(tree, (folder, entries), inventory.algorithm, &bytes, limits, report)?;
    Ok((inventory, digest))
}

/// Compares the bytes of an inventory with its sidecar.
fn sidecar<T: Tree>(
    tree: &T,
    (folder, entries): (&str, &[Entry]),
    algorithm: Option<Algorithm>,
    bytes: &[u8],
    limits: &Limits,
    report: &mut Report,
) -> Result<(), Error> {
    // Which it would be is not known.
    let Some(algorithm) = algorithm else { return Ok(()) };
    let name = format!("{INVENTORY}.{}", algorithm.name());
    let path = survey::join(folder, &name);
    if !has_file(entries, &name) {
        report.file(&path, Kind::E058, "the inventory has no sidecar with its digest");
        return Ok(());
    }
    let text = survey::whole(tree, &path, "bytes of a sidecar", limits.tag_bytes)?;
    let said = std::str::from_utf8(&text).ok().and_then(|text| {
        let (digest, name) = text.trim_end().split_once([' ', '\t'])?;
        (name.trim_start() == INVENTORY).then(|| Digest::parse(algorithm, digest)).flatten()
    });
    let found = algorithm.of(bytes);
    match said {
        None => report.file(&path, Kind::E061, "it is no digest and `inventory.json`"),
        Some(said) if said != found => {
            let message =
                format!("the {} of the inventory is {found}, and this says {said}", algorithm.name());
            report.file(&path, Kind::E060, message);
        }
        Some(_) => {}
    }
    Ok(())
}

fn has_file(entries: &[Entry], name: &str) -> bool {
    entries.iter().any(|entry| entry.name == name && entry.kind == EntryKind::File)
}

/// Links and the like, which no object may have; whether it was one.
fn is_odd(path: &str, kind: EntryKind, report: &mut Report) -> bool {
    match kind {
        EntryKind::File | EntryKind::Folder => return false,
        EntryKind::Link => report.file(path, Kind::E090, "it is a symbolic link, and was not followed"),
        EntryKind::Nameless => report.file(path, Kind::Special, "its name is one that no inventory can hold"),
        EntryKind::Special => report.file(path, Kind::Special, "it is neither a file nor a folder"),
    }
    true
}

/// Whether a name is that of a sidecar; of any, where the inventory does not tell its algorithm.
fn is_sidecar(name: &str, algorithm: Option<Algorithm>) -> bool {
    match algorithm {
        Some(algorithm) => name == format!("{INVENTORY}.{}", algorithm.name()),
        None => name.strip_prefix(INVENTORY).is_some_and(|rest| rest.starts_with('.')),
    }
}

/// Whether a name is that of a folder of a version.
fn is_version(name: &str) -> bool {
    versions::number(name).is_some()
}
