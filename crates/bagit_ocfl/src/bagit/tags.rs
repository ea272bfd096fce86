//! The files beside the payload, as the tag manifests list them.

use super::PAYLOAD;
use super::check::is_tag_manifest;
use super::declaration::Declaration;
use super::manifest::{Listed, Listing};
use super::payload::compare;
use crate::error::Error;
use crate::report::{Kind, Report};
use crate::survey::Files;
use crate::tree::Tree;

/// Compares every listed tag file, and sees that every payload manifest is listed.
pub(super) fn check<T: Tree>(
    tree: &T,
    beside: &Files,
    (tags, payload): (&Listing, &Listing),
    declaration: &Declaration,
    report: &mut Report,
) -> Result<(), Error> {
    let is_strict = declaration.version.is_strict();
    for (file, listed) in &tags.files {
        if file.starts_with(PAYLOAD) {
            report.file(file, Kind::Misplaced, "a tag manifest lists it, and it is of the payload");
            continue;
        }
        if is_tag_manifest(file) {
            let kind = if is_strict { Kind::Misplaced } else { Kind::Tolerated };
            report.file(file, kind, "a tag manifest lists a tag manifest");
        }
        if !beside.contains_key(file) {
            report.file(file, Kind::Absent, "a tag manifest names it, and it is not there");
            continue;
        }
        let listed: Vec<&Listed> = listed.iter().collect();
        compare(tree, file, &listed, tags, report)?;
    }
    for (index, manifest) in tags.manifests.iter().enumerate() {
        for file in payload.manifests.iter().map(|manifest| &manifest.path) {
            let listed = tags.files.get(file).map(Vec::as_slice).unwrap_or_default();
            if !listed.iter().any(|listed| listed.manifest == index) {
                let kind = if is_strict { Kind::Unlisted } else { Kind::Tolerated };
                report.file(file, kind, format!("`{}` does not name it", manifest.path));
            }
        }
    }
    Ok(())
}
