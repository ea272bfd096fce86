//! From paths to files: folders are looked through, packages are opened and judged.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufReader, Read as _, Seek as _};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use wacz::{Manifest, Method, Profile, Span, Wacz, Window};

use super::Settings;
use super::item::Item;
use super::report::{FileReport, Outcome, PackageReport};
use crate::error::Error;

/// How deep folders are looked through.
const DEPTH_MAX: usize = 64;
/// What archive files and packages are called; in a folder only these are taken.
const ENDINGS: [&str; 7] = [".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz", ".arc.zst", ".wacz"];

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Discovered {
    pub(super) items: Vec<Item>,
    pub(super) packages: Vec<PackageReport>,
    /// What cannot be taken, and why.
    pub(super) refused: Vec<FileReport>,
}

/// Looks for files.
#[derive(Debug)]
pub(super) struct Discovery<'a> {
    /// Where packed files may be unpacked to.
    room: &'a Path,
    limits: wacz::Limits,
    settings: &'a Settings,
    /// Bytes that what is packed in the file that is looked at may still unfold to, however deep it lies.
    budget: u64,
    found: Discovered,
}

/// A package that lies in a file.
struct Package<'a> {
    name: String,
    /// What its files are called in the store begins like this.
    stem: String,
    path: &'a Path,
    start: u64,
    unpacked: Option<Arc<tempfile::TempPath>>,
    depth: usize,
}

impl<'a> Discovery<'a> {
    pub(super) fn new(room: &'a Path, settings: &'a Settings) -> Discovery<'a> {
        Discovery { room, limits: settings.limits, settings, budget: 0, found: Discovered::default() }
    }

    /// What was found.
    pub(super) fn finish(self) -> Discovered {
        self.found
    }

    /// Takes a path that somebody named: a file of any name, or a folder.
    pub(super) fn path(&mut self, path: &Path) -> Result<(), Error> {
        match fs::metadata(path) {
            Ok(facts) if facts.is_dir() => self.folder(path, 0),
            Ok(facts) if facts.is_file() => self.file(path, facts.len()),
            Ok(_) => self.refuse(path, "is no regular file".to_owned()),
            Err(error) => self.refuse(path, error.to_string()),
        }
    }

    /// Everything in a folder, in the order of the names. Links to folders are not followed, so there is an end to it.
    fn folder(&mut self, folder: &Path, depth: usize) -> Result<(), Error> {
        if depth > DEPTH_MAX {
            return self.refuse(folder, "lies deeper than is looked at".to_owned());
        }
        let entries = match fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>) {
            Ok(entries) => entries,
            Err(error) => return self.refuse(folder, error.to_string()),
        };
        let mut paths: Vec<PathBuf> = entries.iter().map(fs::DirEntry::path).collect();
        paths.sort();
        for path in paths {
            let Ok(facts) = fs::symlink_metadata(&path) else { continue };
            if facts.is_dir() {
                self.folder(&path, depth + 1)?;
            } else if is_of_ours(&path)
                && let Ok(facts) = fs::metadata(&path)
                && facts.is_file()
            {
                self.file(&path, facts.len())?;
            }
        }
        Ok(())
    }

    fn file(&mut self, path: &Path, bytes: u64) -> Result<(), Error> {
        self.settings.stop.check()?;
        let mut start = Vec::new();
        let opened = File::open(path).and_then(|file| file.take(4).read_to_end(&mut start));
        if let Err(error) = opened {
            return self.refuse(path, error.to_string());
        }
        let name = path.display().to_string();
        if start.starts_with(b"PK") || path.extension().is_some_and(|ending| ending == "wacz") {
            return self.whole_package(path, bytes);
        }
        if start.first() == Some(&b'{') {
            return self.list(path, bytes);
        }
        let wish = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let path = path.to_owned();
        self.found.items.push(Item { name, path, start: 0, bytes, wish, distrust: None, unpacked: None });
        Ok(())
    }

    /// A package that lies in no other.
    fn whole_package(&mut self, path: &Path, bytes: u64) -> Result<(), Error> {
        self.budget = bytes.saturating_mul(self.limits.ratio).saturating_add(self.limits.harmless_bytes);
        let (name, stem) = (path.display().to_string(), stem_of(path));
        let package = Package { name, stem, path, start: 0, unpacked: None, depth: self.limits.nesting };
        self.package(&package, bytes)
    }

    /// A list of packages (`multi-wacz-package`) that lie beside it. What it names is a package and nothing else, so there is an end.
    fn list(&mut self, path: &Path, bytes: u64) -> Result<(), Error> {
        if bytes > self.limits.manifest_bytes {
            return self.refuse(path, "is longer than any list of packages".to_owned());
        }
        let mut text = Vec::new();
        File::open(path)
            .and_then(|mut file| file.read_to_end(&mut text))
            .map_err(archive::Error::read(path))?;
        let manifest = match Manifest::parse(&text) {
            Ok(manifest) if manifest.profile == Profile::MultiWacz => manifest,
            Ok(_) => return self.refuse(path, "is no list of packages (multi-wacz-package)".to_owned()),
            Err(error) => return self.refuse(path, error.to_string()),
        };
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut seen = HashSet::new();
        for resource in manifest.resources.iter().filter(|resource| seen.insert(&resource.path)) {
            let named = Path::new(&resource.path);
            let is_inside = named.components().all(|part| matches!(part, Component::Normal(_)));
            if resource.path.contains("://") {
                self.refuse(named, "lies on the web, and is not fetched".to_owned())?;
                continue;
            }
            if !is_inside || resource.path.contains('\\') {
                self.refuse(named, "leads out of the folder of the list that names it".to_owned())?;
                continue;
            }
            let member = folder.join(named);
            match (&resource.checksum, sum(&member, resource.checksum.as_ref())) {
                (_, Err(error)) => self.refuse(&member, error.to_string())?,
                (Some(expected), Ok(Some(found))) if *expected != found => {
                    let message = format!("has the checksum {found}, and the list says {expected}");
                    self.refuse(&member, message)?;
                }
                _ => self.listed(&member)?,
            }
        }
        Ok(())
    }

    /// What a list names.
    fn listed(&mut self, path: &Path) -> Result<(), Error> {
        let mut start = Vec::new();
        let opened = File::open(path).and_then(|file| {
            let facts = file.metadata()?;
            if facts.is_file() {
                file.take(2).read_to_end(&mut start)?;
            }
            Ok(facts)
        });
        match opened {
            Ok(facts) if facts.is_file() && start == b"PK" => self.whole_package(path, facts.len()),
            Ok(_) => self.refuse(path, "is named by a list of packages, and is none".to_owned()),
            Err(error) => self.refuse(path, error.to_string()),
        }
    }

    /// Whatever is wrong with a package is told of that package, and the others are looked at.
    fn package(&mut self, package: &Package<'_>, bytes: u64) -> Result<(), Error> {
        match self.try_package(package, bytes) {
            Err(Error::Package(error)) => {
                self.found.packages.push(PackageReport::refused(&package.name, &error));
                Ok(())
            }
            Err(Error::Archive(archive::Error::Read { source, .. })) => {
                self.found.packages.push(PackageReport::refused(&package.name, &wacz::Error::Read(source)));
                Ok(())
            }
            done => done,
        }
    }

    fn try_package(&mut self, package: &Package<'_>, bytes: u64) -> Result<(), Error> {
        let path = package.path;
        let file = File::open(path).map_err(archive::Error::read(path))?;
        let window = Window::new(BufReader::new(file), Span { start: package.start, bytes });
        let mut wacz = match Wacz::open(window.map_err(archive::Error::read(path))?, self.limits) {
            Err(error @ (wacz::Error::NotZip | wacz::Error::Damaged { .. })) => {
                self.remnants(package, bytes)?;
                let report = PackageReport::refused(&package.name, &error);
                self.found.packages.push(PackageReport { breaks_off: true, ..report });
                return Ok(());
            }
            wacz => wacz?,
        };
        self.settings.stop.check()?;
        self.charge(&wacz)?;
        let report = wacz.validate()?;
        let archives: Vec<wacz::Entry> = wacz.archives().cloned().collect();
        for entry in &archives {
            self.entry(&mut wacz, entry, package, report.distrusted.get(entry.name()).cloned())?;
        }
        let packages: Vec<wacz::Entry> = wacz.packages().cloned().collect();
        self.found.packages.push(PackageReport::of(&package.name, report));
        for entry in &packages {
            self.nested(&mut wacz, entry, package)?;
        }
        Ok(())
    }

    /// Of a package without its directory, the archive files that can be found without it, if that is wanted.
    fn remnants(&mut self, package: &Package<'_>, bytes: u64) -> Result<(), Error> {
        if !self.settings.salvage {
            return Ok(());
        }
        let path = package.path;
        let file = File::open(path).map_err(archive::Error::read(path))?;
        let window = Window::new(BufReader::new(file), Span { start: package.start, bytes });
        for remnant in wacz::remnants(&mut window.map_err(archive::Error::read(path))?, &self.limits)? {
            let base = remnant.name.rsplit('/').next().unwrap_or_default();
            self.found.items.push(Item {
                name: format!("{}!{}", package.name, remnant.name),
                path: path.to_owned(),
                start: package.start.saturating_add(remnant.span.start),
                bytes: remnant.span.bytes,
                wish: format!("{}-{base}", package.stem),
                distrust: Some("its package breaks off".to_owned()),
                unpacked: package.unpacked.clone(),
            });
        }
        Ok(())
    }

    /// Takes what the package's entries unfold to from what is left for the file that it lies in: small packages in each other must
    /// not unfold to more together than one may alone.
    fn charge(&mut self, wacz: &Wacz<Window<BufReader<File>>>) -> Result<(), wacz::Error> {
        let packed = wacz.entries().iter().filter(|entry| entry.method() != Method::Stored);
        let found = packed.fold(0_u64, |sum, entry| sum.saturating_add(entry.bytes()));
        let (what, limit) = ("bytes that everything packed in it unfolds to", self.budget);
        let left = limit.checked_sub(found).ok_or(wacz::Error::Limit { what, found, limit })?;
        self.budget = left;
        Ok(())
    }

    /// An archive file of a package: where it lies, or unpacked if that must be.
    fn entry(
        &mut self,
        wacz: &mut Wacz<Window<BufReader<File>>>,
        entry: &wacz::Entry,
        package: &Package<'_>,
        distrust: Option<String>,
    ) -> Result<(), Error> {
        let name = format!("{}!{}", package.name, entry.name());
        let wish = format!("{}-{}", package.stem, entry.base_name());
        let (path, start, unpacked) = match self.place(wacz, entry, package) {
            Ok(place) => place,
            Err(Error::Package(error)) => {
                self.found.refused.push(FileReport::failed(&name, entry.bytes(), error.to_string()));
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        self.found.items.push(Item { name, path, start, bytes: entry.bytes(), wish, distrust, unpacked });
        Ok(())
    }

    fn nested(
        &mut self,
        wacz: &mut Wacz<Window<BufReader<File>>>,
        entry: &wacz::Entry,
        package: &Package<'_>,
    ) -> Result<(), Error> {
        let name = format!("{}!{}", package.name, entry.name());
        let Some(depth) = package.depth.checked_sub(1) else {
            self.found.packages.push(PackageReport::refused(&name, &wacz::Error::TooDeep));
            return Ok(());
        };
        let (path, start, unpacked) = match self.place(wacz, entry, package) {
            Ok(place) => place,
            Err(Error::Package(error)) => {
                self.found.packages.push(PackageReport::refused(&name, &error));
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        let stem = format!("{}-{}", package.stem, stem_of(Path::new(entry.base_name())));
        let package = Package { name, stem, path: &path, start, unpacked, depth };
        self.package(&package, entry.bytes())
    }

    /// The file that an entry lies in, and where in it. What is packed is unpacked into a file of its own.
    fn place(
        &mut self,
        wacz: &mut Wacz<Window<BufReader<File>>>,
        entry: &wacz::Entry,
        package: &Package<'_>,
    ) -> Result<(PathBuf, u64, Option<Arc<tempfile::TempPath>>), Error> {
        if entry.method() == Method::Stored {
            let span = wacz.span(entry)?;
            let start = package.start.saturating_add(span.start);
            return Ok((package.path.to_owned(), start, package.unpacked.clone()));
        }
        let mut file =
            tempfile::NamedTempFile::new_in(self.room).map_err(archive::Error::write(self.room))?;
        let mut content = wacz.content(entry)?;
        io::copy(&mut content, &mut file).map_err(|error| match error.downcast::<wacz::Error>() {
            Ok(error) => Error::Package(error),
            Err(error) => archive::Error::write(self.room)(error).into(),
        })?;
        file.rewind().map_err(archive::Error::write(self.room))?;
        let path = file.into_temp_path();
        Ok((path.to_path_buf(), 0, Some(Arc::new(path))))
    }

    fn refuse(&mut self, path: &Path, why: String) -> Result<(), Error> {
        let name = path.display().to_string();
        self.found.refused.push(FileReport { outcome: Outcome::Failed(why), ..FileReport::of(&name, 0) });
        Ok(())
    }
}

/// The checksum of a file, of the kind that is expected.
fn sum(path: &Path, expected: Option<&wacz::Checksum>) -> io::Result<Option<wacz::Checksum>> {
    let mut file = File::open(path)?;
    let Some(expected) = expected else { return Ok(None) };
    let mut hasher = wacz::Hasher::new(expected.algorithm);
    let mut buffer = vec![0; 256 << 10];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(Some(hasher.finish())),
            count => hasher.update(buffer.get(..count).unwrap_or_default()),
        }
    }
}

fn is_of_ours(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    !name.starts_with('.') && ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// The name of a file without folders and ending.
fn stem_of(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}
