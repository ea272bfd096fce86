//! The inventories of earlier versions: do they tell the same past as the one in the root?

use std::collections::{BTreeMap, BTreeSet};

use super::{load, sidecar};
use crate::digest::{Algorithm, Digest};
use crate::error::Error;
use crate::limits::Limits;
use crate::ocfl::Spec;
use crate::ocfl::inventory::Inventory;
use crate::ocfl::versions::Version;
use crate::report::{Kind, Report, shown};
use crate::survey;
use crate::tree::{Entry, Tree};

/// What is remembered from version to version.
pub(super) struct Past<'a> {
    root: &'a Inventory,
    /// The specification of the version before.
    spec: Option<Spec>,
    is_first: bool,
}

impl<'a> Past<'a> {
    pub(super) fn new(root: &'a Inventory) -> Past<'a> {
        Past { root, spec: None, is_first: true }
    }

    /// Reads the inventory of a version, the versions in their order, and compares it with the root's.
    pub(super) fn inventory<T: Tree>(
        &mut self,
        tree: &T,
        (name, entries): (&str, &[Entry]),
        digest: &Digest,
        limits: &Limits,
        report: &mut Report,
    ) -> Result<Inventory, Error> {
        let is_last = self.root.versions.last().is_some_and(|version| version.name == name);
        let path = survey::join(name, super::INVENTORY);
        if is_last {
            self.last(tree, (name, entries), (&path, digest), limits, report)?;
            return Ok(Inventory { path, algorithm: self.root.algorithm, ..Inventory::default() });
        }
        let (own, _) = load(tree, name, entries, limits, report)?;
        if own.versions.last().is_some_and(|last| last.name != name) {
            report.file(
                &path,
                Kind::E040,
                format!("it is the inventory of {name}, and its last version is another"),
            );
        }
        if let (Some(one), Some(other)) = (&own.id, &self.root.id)
            && one != other
        {
            report.file(&path, Kind::E037, format!("`id` is `{}`, and in the root another", shown(one)));
        }
        self.content(&own, report);
        self.spec(own.spec, &path, report);
        let lost = own.manifest.keys().filter(|file| !self.root.manifest.contains_key(*file));
        for file in lost {
            let message = format!("`{}` is in its manifest, and not in that of the root", shown(file));
            report.file(&path, Kind::E023, message);
        }
        // Where digests cannot be compared, the files that have them can.
        let contents =
            (own.algorithm != self.root.algorithm).then(|| (by_digest(&own), by_digest(self.root)));
        for version in &own.versions {
            match self.root.version(&version.name) {
                Some(now) => same(&path, version, now, contents.as_ref(), report),
                None => {
                    report.file(&path, Kind::E066, format!("it has {}, and the root has not", version.name))
                }
            }
        }
        Ok(own)
    }

    /// The last version has the very inventory of the root; all is said of that but whether this sidecar is right.
    fn last<T: Tree>(
        &mut self,
        tree: &T,
        (name, entries): (&str, &[Entry]),
        (path, digest): (&str, &Digest),
        limits: &Limits,
        report: &mut Report,
    ) -> Result<(), Error> {
        let bytes = survey::whole(tree, path, "bytes of an inventory", limits.inventory_bytes)?;
        if Algorithm::Sha512.of(&bytes) == *digest {
            sidecar(tree, (name, entries), self.root.algorithm, &bytes, limits, report)?;
        } else {
            report.file(path, Kind::E064, "the inventory in the root is another");
        }
        self.spec(self.root.spec, path, report);
        Ok(())
    }

    /// The folder of content is set once, in the first version.
    fn content(&mut self, own: &Inventory, report: &mut Report) {
        if own.content() != self.root.content()
            || self.is_first && own.content.is_none() && self.root.content.is_some()
        {
            report.file(&own.path, Kind::E019, "`contentDirectory` is not that of the root");
        }
        self.is_first = false;
    }

    fn spec(&mut self, spec: Option<Spec>, path: &str, report: &mut Report) {
        if let (Some(before), Some(now)) = (self.spec, spec)
            && now < before
        {
            let message =
                format!("it is of OCFL {}, and the version before of {}", now.number(), before.number());
            report.file(path, Kind::E103, message);
        }
        self.spec = spec.or(self.spec);
    }
}

/// Content paths by their digest.
type Contents<'a> = BTreeMap<&'a Digest, BTreeSet<&'a str>>;

/// Whether two inventories mean the same by a version.
fn same(
    path: &str,
    then: &Version,
    now: &Version,
    contents: Option<&(Contents<'_>, Contents<'_>)>,
    report: &mut Report,
) {
    let name = &then.name;
    let is_same = match contents {
        None => then.state == now.state,
        Some((before, after)) => {
            then.state.len() == now.state.len() && then.state.iter().all(|(path, digest)| {
                let later = now.state.get(path).and_then(|digest| after.get(digest));
                matches!((before.get(digest), later), (Some(files), Some(later)) if files.is_subset(later))
            })
        }
    };
    if !is_same {
        report.file(path, Kind::E066, format!("it holds other files as {name} than the root does"));
    }
    let differ = [
        ("created", then.created != now.created),
        ("message", then.message != now.message),
        ("user", then.user != now.user),
    ];
    for (key, _) in differ.iter().filter(|(_, is_other)| *is_other) {
        report.file(path, Kind::W011, format!("`{key}` of {name} is not what the root says"));
    }
}

fn by_digest(inventory: &Inventory) -> Contents<'_> {
    let mut files = Contents::new();
    for (path, digest) in &inventory.manifest {
        files.entry(digest).or_default().insert(path);
    }
    files
}
