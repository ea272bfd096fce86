//! Inventories, read as far as they can be read; whatever is wrong goes to the report.

use std::collections::BTreeMap;

use super::json::Json;
use super::manifest::{self, Fixity};
use super::versions::{self, Version};
use super::{CONTENT, Spec, is_uri};
use crate::digest::{Algorithm, Digest};
use crate::error::Error;
use crate::limits::Limits;
use crate::report::{Kind, Report, shown};

/// What an inventory says, without what is unsound.
#[derive(Debug, Default)]
pub(super) struct Inventory {
    /// Its own path.
    pub(super) path: String,
    pub(super) id: Option<String>,
    pub(super) spec: Option<Spec>,
    pub(super) algorithm: Option<Algorithm>,
    /// The folder of content, where it is named.
    pub(super) content: Option<String>,
    /// The digest of each content path.
    pub(super) manifest: BTreeMap<String, Digest>,
    pub(super) fixity: Vec<Fixity>,
    /// In the order of their numbers.
    pub(super) versions: Vec<Version>,
}

impl Inventory {
    /// The folder of content.
    pub(super) fn content(&self) -> &str {
        self.content.as_deref().unwrap_or(CONTENT)
    }

    /// The version of this name.
    pub(super) fn version(&self, name: &str) -> Option<&Version> {
        let number = versions::number(name)?;
        let at =
            self.versions.binary_search_by_key(&(number, name), |version| (version.number, &version.name));
        at.ok().and_then(|at| self.versions.get(at))
    }

    pub(super) fn read(
        path: &str,
        json: &Json,
        limits: &Limits,
        report: &mut Report,
    ) -> Result<Inventory, Error> {
        let mut inventory = Inventory { path: path.to_owned(), ..Inventory::default() };
        if json.object().is_none() {
            report.file(path, Kind::E033, "it is no JSON object");
            return Ok(inventory);
        }
        if let Some(key) = json.repeated() {
            report.file(path, Kind::E033, format!("the key `{}` is there twice", shown(key)));
        }
        inventory.id = id(json, path, report);
        inventory.spec = spec(json, path, report);
        inventory.algorithm = algorithm(json, path, report);
        inventory.content = content(json, path, report);
        let versions = match json.get("versions") {
            Some(versions) => versions::in_order(versions, path, limits, report)?,
            None => {
                report.file(path, Kind::E041, "`versions` is missing");
                Vec::new()
            }
        };
        head(json, versions.last().map(|(name, _)| *name), path, report);
        // Without a known algorithm no digest can be read.
        let Some(algorithm) = inventory.algorithm else { return Ok(inventory) };
        let mut keys = manifest::Keys::default();
        match json.get("manifest") {
            Some(block) => {
                let context = manifest::Context {
                    path,
                    algorithm,
                    versions: versions.iter().map(|(name, _)| *name).collect(),
                    content: inventory.content(),
                    limits,
                };
                inventory.manifest = context.manifest(block, &mut keys, report);
            }
            None => report.file(path, Kind::E041, "`manifest` is missing"),
        }
        let context = versions::Context { path, algorithm, limits };
        inventory.versions = context.versions(&versions, &mut keys, report);
        for digest in keys.unused() {
            report.file(path, Kind::E107, format!("no version uses the digest {digest} of the manifest"));
        }
        if let Some(block) = json.get("fixity") {
            inventory.fixity = manifest::fixity(block, &inventory, report);
        }
        Ok(inventory)
    }
}

fn id(json: &Json, path: &str, report: &mut Report) -> Option<String> {
    match json.get("id").map(Json::text) {
        None => report.file(path, Kind::E036, "`id` is missing"),
        Some(None | Some("")) => report.file(path, Kind::E037, "`id` is no text, or empty"),
        Some(Some(id)) => {
            if !is_uri(id) {
                report.file(path, Kind::W005, format!("`id` is `{}`, and should be a URI", shown(id)));
            }
            return Some(id.to_owned());
        }
    }
    None
}

fn spec(json: &Json, path: &str, report: &mut Report) -> Option<Spec> {
    let Some(found) = json.get("type") else {
        report.file(path, Kind::E036, "`type` is missing");
        return None;
    };
    let spec = Spec::ALL.into_iter().find(|spec| found.text() == Some(&spec.inventory_type()));
    if spec.is_none() {
        let found = found.text().map_or("no text".to_owned(), |text| format!("`{}`", shown(text)));
        report.file(path, Kind::E038, format!("`type` is {found}, which is none of OCFL 1.0 or 1.1"));
    }
    spec
}

fn algorithm(json: &Json, path: &str, report: &mut Report) -> Option<Algorithm> {
    match json.get("digestAlgorithm").map(Json::text) {
        None => report.file(path, Kind::E036, "`digestAlgorithm` is missing"),
        Some(Some("sha512")) => return Some(Algorithm::Sha512),
        Some(Some("sha256")) => {
            report.file(path, Kind::W004, "`digestAlgorithm` is sha256, and should be sha512");
            return Some(Algorithm::Sha256);
        }
        Some(_) => report.file(path, Kind::E025, "`digestAlgorithm` is neither sha512 nor sha256"),
    }
    None
}

fn content(json: &Json, path: &str, report: &mut Report) -> Option<String> {
    match json.get("contentDirectory")?.text() {
        Some("." | "..") => report.file(path, Kind::E018, "`contentDirectory` is `.` or `..`"),
        Some(name) if !name.is_empty() && !name.contains('/') => return Some(name.to_owned()),
        _ => report.file(path, Kind::E017, "`contentDirectory` is no name of a folder"),
    }
    None
}

fn head(json: &Json, last: Option<&str>, path: &str, report: &mut Report) {
    let Some(head) = json.get("head") else {
        report.file(path, Kind::E036, "`head` is missing");
        return;
    };
    if head.text() != last || last.is_none() {
        let found = head.text().map_or("no text".to_owned(), |text| format!("`{}`", shown(text)));
        report.file(path, Kind::E040, format!("`head` is {found}, and not the last version"));
    }
}
