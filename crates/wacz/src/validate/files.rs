//! The files of a package: are they all there, as the manifest says, and kept as they must be?

use std::io::{Read, Seek};

use super::{Kind, Report};
use crate::digest::{Algorithm, Hasher};
use crate::error::Error;
use crate::manifest::{DIGEST_PATH, MANIFEST_PATH};
use crate::package::Wacz;
use crate::zip::{Entry, Method};

/// Where the list of pages lies that every package has.
const PAGES: &str = "pages/pages.jsonl";

/// What every package has. A package of packages has nothing else.
pub(super) fn required<R: Read + Seek>(wacz: &Wacz<R>, report: &mut Report) {
    if wacz.entry(MANIFEST_PATH).is_none() {
        report.file(MANIFEST_PATH, Kind::Missing, "there is no manifest");
    }
    if wacz.packages().next().is_some() {
        return;
    }
    if wacz.archives().next().is_none() {
        report.file("archive", Kind::Missing, "there is no archive file");
    }
    if wacz.indexes().next().is_none() {
        report.file("indexes", Kind::Missing, "there is no index");
    }
    if wacz.entry(PAGES).is_none() {
        report.file(PAGES, Kind::Missing, "there is no list of pages");
    }
}

/// Every file is listed, and every listed file is what the manifest says.
pub(super) fn check<R: Read + Seek>(wacz: &mut Wacz<R>, report: &mut Report) -> Result<(), Error> {
    let manifest = report.manifest.clone().unwrap_or_default();
    let resources = manifest.resources_by_path();
    for resource in &manifest.resources {
        let is_elsewhere = resource.path.contains("://");
        if wacz.entry(&resource.path).is_none() && !is_elsewhere {
            report.file(&resource.path, Kind::Absent, "the manifest names it, and it is not there");
        }
    }
    let entries: Vec<Entry> = wacz.entries().iter().filter(|entry| !entry.is_folder()).cloned().collect();
    for entry in &entries {
        form(entry, report);
        if matches!(entry.name(), MANIFEST_PATH | DIGEST_PATH) {
            continue;
        }
        let resource = resources.get(entry.name()).copied();
        if resource.is_none() && report.manifest.is_some() {
            report.file(entry.name(), Kind::Unlisted, "the manifest does not name it");
        }
        let expected = resource.and_then(|resource| resource.checksum.as_ref());
        let algorithm = expected.map_or(Algorithm::Sha256, |checksum| checksum.algorithm);
        let (found, start) = match read(wacz, entry, algorithm) {
            Ok(read) => read,
            Err(error) => {
                report.unreadable(entry.name(), error)?;
                continue;
            }
        };
        named(entry, &start, report);
        let Some(resource) = resource else { continue };
        match resource.bytes {
            Some(bytes) if bytes != entry.bytes() => {
                let message = format!("it has {} bytes, and the manifest says {bytes}", entry.bytes());
                report.file(entry.name(), Kind::WrongSize, message);
            }
            Some(_) => {}
            None => report.file(entry.name(), Kind::Manifest, "the manifest does not say how long it is"),
        }
        match expected {
            Some(expected) if *expected != found => {
                let message = format!("its checksum is {found}, and the manifest says {expected}");
                report.file(entry.name(), Kind::WrongDigest, message);
            }
            Some(_) => {}
            None => {
                let message = "the manifest has no checksum of it that we know";
                report.file(entry.name(), Kind::UnknownDigest, message);
            }
        }
    }
    Ok(())
}

/// What can be said of a file without reading it.
fn form(entry: &Entry, report: &mut Report) {
    let name = entry.name();
    let is_stored = entry.method() == Method::Stored;
    let must_be_stored = entry.is_in("archive") || entry.is_in("indexes") && name.ends_with(".cdx.gz");
    if must_be_stored && !is_stored {
        report.file(name, Kind::Packed, "it must be stored as it is, so that it can be read from the middle");
    }
    let endings: &[&str] = if entry.is_in("archive") {
        &[".warc", ".warc.gz", ".wacz"]
    } else if entry.is_in("indexes") {
        &[".cdx", ".cdxj", ".cdx.gz", ".cdxj.gz", ".idx"]
    } else if entry.is_in("pages") {
        &[".jsonl"]
    } else {
        return;
    };
    if !endings.iter().any(|ending| name.ends_with(ending)) {
        let message = format!("what lies here ends in {}", endings.join(", "));
        report.file(name, Kind::Misnamed, message);
    }
}

/// Whether an archive file is packed is what its name says.
fn named(entry: &Entry, start: &[u8], report: &mut Report) {
    let is_gzip = start.starts_with(&[0x1f, 0x8b]);
    let name = entry.name();
    if entry.is_in("archive") && is_gzip && name.ends_with(".warc") {
        report.file(name, Kind::Ending, "it is packed by gzip, and must be named .warc.gz");
    }
    if entry.is_in("archive") && !is_gzip && name.ends_with(".warc.gz") {
        report.file(name, Kind::Ending, "it is named .warc.gz, and is not packed by gzip");
    }
}

/// Reads a file whole: its checksum, and its first bytes.
fn read<R: Read + Seek>(
    wacz: &mut Wacz<R>,
    entry: &Entry,
    algorithm: Algorithm,
) -> Result<(crate::digest::Checksum, Vec<u8>), Error> {
    let mut content = wacz.content(entry)?;
    let mut hasher = Hasher::new(algorithm);
    let mut buffer = vec![0; 64 << 10];
    let mut start = Vec::new();
    loop {
        let count = match content.read(&mut buffer) {
            Ok(0) => return Ok((hasher.finish(), start)),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            count => count.map_err(Error::from_io)?,
        };
        let bytes = buffer.get(..count).unwrap_or_default();
        if start.len() < 2 {
            start.extend(bytes.iter().take(2));
        }
        hasher.update(bytes);
    }
}
