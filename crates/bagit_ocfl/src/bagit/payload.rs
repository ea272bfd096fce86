//! The payload: is all of it there, listed, and as the manifests say?

use std::collections::{BTreeSet, HashMap};

use super::declaration::Declaration;
use super::manifest::{Listed, Listing};
use crate::digest::{Algorithm, sums};
use crate::error::Error;
use crate::path;
use crate::report::{Kind, Place, Report, shown};
use crate::survey::Files;
use crate::tree::Tree;

/// The payload on disk and in the manifests.
pub(super) struct Payload<'a> {
    /// What is there.
    pub(super) files: &'a Files,
    pub(super) listing: &'a Listing,
    /// Files that are to be fetched; that they are not there was told.
    pub(super) fetch: &'a BTreeSet<String>,
}

impl Payload<'_> {
    pub(super) fn check<T: Tree>(
        &self,
        tree: &T,
        declaration: &Declaration,
        report: &mut Report,
    ) -> Result<(), Error> {
        let manifests = &self.listing.manifests;
        if !manifests.is_empty() && manifests.iter().all(|manifest| manifest.algorithm.is_none()) {
            report.add(Place::Package, Kind::Unvouched, "no manifest has digests of a kind that we know");
        }
        self.names(report);
        let aliases = self.aliases(report);
        for file in self.files.keys() {
            let own = self.listing.files.get(file).map(Vec::as_slice).unwrap_or_default();
            let other = aliases.get(file.as_str()).into_iter().flatten();
            let listed: Vec<&Listed> = own.iter().chain(other.flat_map(|listed| listed.iter())).collect();
            self.is_listed(file, &listed, declaration, report);
            compare(tree, file, &listed, self.listing, report)?;
        }
        Ok(())
    }

    /// Names that mean trouble elsewhere, whether the files are there or only listed.
    fn names(&self, report: &mut Report) {
        let all: BTreeSet<&str> =
            self.files.keys().chain(self.listing.files.keys()).map(String::as_str).collect();
        let mut forms: HashMap<String, &str> = HashMap::new();
        for file in all {
            if let Some(why) = path::awkward(file) {
                report.file(file, Kind::Unportable, format!("the path {why}"));
            }
            if path::is_of_system(file) {
                report.file(file, Kind::SystemFile, "an operating system left it behind");
            }
            let Some(other) = forms.insert(path::folded(file), file) else { continue };
            if path::composed(other) == path::composed(file) {
                let message = format!("`{}` is the same name, put together in another way", shown(other));
                report.file(file, Kind::Normalisation, message);
            } else {
                let message = format!("`{}` differs from it only in the case of letters", shown(other));
                report.file(file, Kind::LetterCase, message);
            }
        }
    }

    /// Listed files that are not there under this name but under one that is the same to some systems, by that name. All others are
    /// told as absent.
    ///
    /// Composition is lost on many a copy, so any file of the same composed name will do. Letter case is not, so the file must be
    /// listed under its own name, too: then the bag was made where both are one file.
    fn aliases(&self, report: &mut Report) -> HashMap<&str, Vec<&Vec<Listed>>> {
        let absent: Vec<(&String, &Vec<Listed>)> = self
            .listing
            .files
            .iter()
            .filter(|(file, _)| !self.files.contains_key(*file) && !self.fetch.contains(*file))
            .collect();
        let mut aliases: HashMap<&str, Vec<&Vec<Listed>>> = HashMap::new();
        if absent.is_empty() {
            return aliases;
        }
        let mut forms: HashMap<String, Vec<&str>> = HashMap::new();
        for file in self.files.keys() {
            forms.entry(path::folded(file)).or_default().push(file);
        }
        for (file, listed) in absent {
            let like = forms.get(&path::folded(file)).map(Vec::as_slice).unwrap_or_default();
            let same = like.iter().find(|other| path::composed(other) == path::composed(file));
            match same.or_else(|| like.iter().find(|other| self.listing.files.contains_key(**other))) {
                Some(other) => aliases.entry(other).or_default().push(listed),
                None => report.file(file, Kind::Absent, "a manifest names it, and it is not there"),
            }
        }
        aliases
    }

    fn is_listed(&self, file: &str, listed: &[&Listed], declaration: &Declaration, report: &mut Report) {
        if self.listing.manifests.is_empty() {
            // That there are none was told.
            return;
        }
        if listed.is_empty() {
            report.file(file, Kind::Unlisted, "no manifest names it");
            return;
        }
        if !declaration.version.is_strict() {
            return;
        }
        for (index, manifest) in self.listing.manifests.iter().enumerate() {
            if !listed.iter().any(|listed| listed.manifest == index) {
                report.file(file, Kind::Unlisted, format!("`{}` does not name it", manifest.path));
            }
        }
    }
}

/// Reads a file once and compares it with every digest that is said of it.
pub(super) fn compare<T: Tree>(
    tree: &T,
    file: &str,
    listed: &[&Listed],
    listing: &Listing,
    report: &mut Report,
) -> Result<(), Error> {
    let algorithm =
        |listed: &Listed| listing.manifests.get(listed.manifest).and_then(|manifest| manifest.algorithm);
    let wanted: Vec<Algorithm> = listed.iter().filter_map(|listed| algorithm(listed)).collect();
    if wanted.is_empty() {
        return Ok(());
    }
    let source = tree.open(file).map_err(Error::read(file))?;
    let sums = sums(source, &wanted).map_err(Error::read(file))?;
    report.files += 1;
    report.bytes += sums.bytes;
    for listed in listed {
        let (Some(algorithm), Some(expected)) = (algorithm(listed), &listed.digest) else { continue };
        if let Some(found) = sums.get(algorithm).filter(|found| *found != expected) {
            let manifest =
                listing.manifests.get(listed.manifest).map_or("", |manifest| manifest.path.as_str());
            let message = format!("its {} is {found}, and `{manifest}` says {expected}", algorithm.name());
            report.file(file, Kind::WrongDigest, message);
        }
    }
    Ok(())
}
