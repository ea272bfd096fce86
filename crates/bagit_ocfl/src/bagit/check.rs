//! Says everything that is wrong with a bag.

use std::collections::BTreeSet;

use super::declaration::{self, Declaration};
use super::manifest::{Listing, Manifest};
use super::payload::Payload;
use super::{PAYLOAD, fetch, info, tags};
use crate::digest::Algorithm;
use crate::error::Error;
use crate::limits::Limits;
use crate::report::{Kind, Place, Report};
use crate::survey::{self, Files, Survey};
use crate::tree::{EntryKind, Tree};

/// Looks through a bag: reads every file once, and compares it with all that is said of it.
///
/// # Errors
/// Only when the tree itself fails; whatever is wrong with the bag is in the report.
pub fn check<T: Tree>(tree: &T, limits: &Limits) -> Result<Report, Error> {
    let mut report = Report::new(limits.problems);
    match bag(tree, limits, &mut report) {
        Err(error @ Error::Limit { .. }) => report.add(Place::Package, Kind::Limit, error.to_string()),
        other => other?,
    }
    Ok(report)
}

fn bag<T: Tree>(tree: &T, limits: &Limits, report: &mut Report) -> Result<(), Error> {
    let survey = survey::walk(tree, "", limits)?;
    oddities(&survey, report);
    let declaration = if survey.files.contains_key(declaration::PATH) {
        let bytes = survey::whole(tree, declaration::PATH, "bytes of `bagit.txt`", limits.tag_bytes)?;
        Declaration::read(&bytes, report)
    } else {
        report.file(declaration::PATH, Kind::Missing, "there is no `bagit.txt`: this is no bag");
        Declaration::default()
    };
    let (files, beside): (Files, Files) =
        survey.files.into_iter().partition(|(path, _)| path.starts_with(PAYLOAD));
    if files.is_empty() && !survey.empty.iter().any(|path| path == "data" || path.starts_with(PAYLOAD)) {
        report.file(
            "data",
            Kind::Missing,
            "there is no folder `data`, or there is nothing in it that counts",
        );
    }
    let mut payload = manifests(tree, &beside, algorithm_of_manifest, &declaration, limits, report)?;
    if payload.manifests.is_empty() {
        report.add(Place::Package, Kind::Missing, "there is no manifest of the payload");
    }
    payload.files.retain(|path, _| {
        let is_inside = path.starts_with(PAYLOAD);
        if !is_inside {
            report.file(path, Kind::Misplaced, "a manifest of the payload names it, and it is not in `data`");
        }
        is_inside
    });
    let tags = manifests(tree, &beside, algorithm_of_tag_manifest, &declaration, limits, report)?;

    let fetch = if beside.contains_key(fetch::PATH) {
        let source = tree.open(fetch::PATH).map_err(Error::read(fetch::PATH))?;
        fetch::read(source, &declaration, (&files, &payload), limits, report)?
    } else {
        BTreeSet::new()
    };
    let size = (files.values().sum(), files.len() as u64);
    for path in [info::PATH, info::OLD_PATH].into_iter().filter(|path| beside.contains_key(*path)) {
        let source = tree.open(path).map_err(Error::read(path))?;
        info::check(source, path, &declaration, size, limits, report)?;
    }
    Payload { files: &files, listing: &payload, fetch: &fetch }.check(tree, &declaration, report)?;
    tags::check(tree, &beside, (&tags, &payload), &declaration, report)
}

/// Reads all manifests of a kind.
fn manifests<T: Tree>(
    tree: &T,
    beside: &Files,
    algorithm: fn(&str) -> Option<&str>,
    declaration: &Declaration,
    limits: &Limits,
    report: &mut Report,
) -> Result<Listing, Error> {
    let mut listing = Listing::default();
    for path in beside.keys() {
        let Some(name) = algorithm(path) else { continue };
        if listing.manifests.len() >= limits.manifests {
            return Err(Error::Limit { what: "manifests", limit: limits.manifests as u64 });
        }
        let algorithm = Algorithm::named(name);
        if algorithm.is_none() {
            report.file(path, Kind::UnknownDigest, "its digests are of a kind that is not known here");
        }
        let source = tree.open(path).map_err(Error::read(path))?;
        listing.read(source, Manifest { path: path.clone(), algorithm }, declaration, limits, report)?;
    }
    Ok(listing)
}

fn algorithm_of_manifest(path: &str) -> Option<&str> {
    path.strip_prefix("manifest-")?.strip_suffix(".txt").filter(|name| !name.contains('/'))
}

fn algorithm_of_tag_manifest(path: &str) -> Option<&str> {
    path.strip_prefix("tag").and_then(algorithm_of_manifest)
}

pub(super) fn is_tag_manifest(path: &str) -> bool {
    algorithm_of_tag_manifest(path).is_some()
}

fn oddities(survey: &Survey, report: &mut Report) {
    for (path, kind) in &survey.odd {
        match kind {
            EntryKind::Link => report.file(path, Kind::Link, "it is a symbolic link, and was not followed"),
            EntryKind::Nameless => {
                report.file(path, Kind::Special, "its name is one that no manifest can hold")
            }
            _ => report.file(path, Kind::Special, "it is neither a file nor a folder"),
        }
    }
}
