//! The manifest: has it what it must have, and does the digest file vouch for it?

use std::io::{Read, Seek};

use super::{Kind, Report};
use crate::digest::{Checksum, DigestFile};
use crate::error::Error;
use crate::manifest::{DIGEST_PATH, MANIFEST_PATH, Manifest, Profile};
use crate::package::Wacz;

pub(super) fn check<R: Read + Seek>(wacz: &mut Wacz<R>, report: &mut Report) -> Result<(), Error> {
    if wacz.entry(MANIFEST_PATH).is_none() {
        return Ok(());
    }
    let bytes = match wacz.whole(MANIFEST_PATH) {
        Ok(bytes) => bytes,
        Err(error) => return report.unreadable(MANIFEST_PATH, error),
    };
    match Manifest::parse(&bytes) {
        Ok(manifest) => {
            properties(&manifest, report);
            report.manifest = Some(manifest);
        }
        Err(error) => report.file(MANIFEST_PATH, Kind::Manifest, error.to_string()),
    }
    if wacz.entry(DIGEST_PATH).is_none() {
        report.file(DIGEST_PATH, Kind::Recommended, "nothing vouches for the manifest");
        return Ok(());
    }
    match wacz.whole(DIGEST_PATH).and_then(|bytes| DigestFile::parse(&bytes)) {
        Ok(file) => vouches(&file, &bytes, report),
        Err(error @ Error::Json { .. }) => report.file(DIGEST_PATH, Kind::Manifest, error.to_string()),
        Err(error) => return report.unreadable(DIGEST_PATH, error),
    }
    Ok(())
}

fn properties(manifest: &Manifest, report: &mut Report) {
    let mut wrong = |kind, message: String| report.file(MANIFEST_PATH, kind, message);
    match &manifest.profile {
        Profile::Other(name) if name.is_empty() => wrong(Kind::Manifest, "`profile` is missing".to_owned()),
        Profile::Other(name) => {
            let name: String = name.chars().take(80).collect();
            wrong(Kind::Manifest, format!("`profile` is `{name}`, which is none of WACZ"));
        }
        Profile::DataPackage if manifest.version.is_none() => {
            wrong(Kind::Manifest, "`wacz_version` is missing".to_owned());
        }
        _ => {}
    }
    if manifest.resources.is_empty() {
        wrong(Kind::Manifest, "`resources` is missing or empty".to_owned());
    }
    let recommended = [
        ("title", manifest.title.is_some()),
        ("created", manifest.created.is_some()),
        ("software", manifest.software.is_some()),
    ];
    for (name, _) in recommended.into_iter().filter(|(_, is_there)| !is_there) {
        wrong(Kind::Recommended, format!("`{name}` should be said"));
    }
    let page_date = manifest.main_page.as_ref().and_then(|page| page.date.as_ref());
    let dates = [
        ("created", &manifest.created),
        ("modified", &manifest.modified),
        ("mainPageDate", &page_date.cloned()),
    ];
    for (name, date) in dates {
        if date.as_ref().is_some_and(|date| urlkey::time::parse_iso(date).is_err()) {
            wrong(Kind::Manifest, format!("`{name}` is no time"));
        }
    }
}

/// The digest file names the manifest, and has its checksum.
fn vouches(file: &DigestFile, manifest: &[u8], report: &mut Report) {
    if file.path != MANIFEST_PATH {
        report.file(DIGEST_PATH, Kind::Manifest, "`path` is not `datapackage.json`");
    }
    let shown: String = file.hash.chars().take(200).collect();
    match Checksum::parse(&file.hash) {
        Some(expected) => {
            let found = Checksum::of(expected.algorithm, manifest);
            if found != expected {
                let message = format!("the manifest's checksum is {found}, and this says {expected}");
                report.file(DIGEST_PATH, Kind::WrongDigest, message);
            }
        }
        None => {
            report.file(DIGEST_PATH, Kind::UnknownDigest, format!("`{shown}` is no checksum that we know"))
        }
    }
    let Some(signed) = &file.signed else { return };
    report.is_signed = true;
    if signed.get("hash").and_then(serde_json::Value::as_str).is_some_and(|hash| hash != file.hash) {
        report.file(DIGEST_PATH, Kind::WrongDigest, "what is signed is another checksum");
    }
    let created = signed.get("created").and_then(serde_json::Value::as_str);
    let own = report.manifest.as_ref().and_then(|manifest| manifest.created.clone());
    if created.is_some() && own.is_some() && created != own.as_deref() {
        report.file(DIGEST_PATH, Kind::Manifest, "what is signed was created at another time");
    }
    report.file(DIGEST_PATH, Kind::Unchecked, "it is signed, and the signature was not verified");
}
