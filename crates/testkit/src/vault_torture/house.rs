//! An archive with its replicas as they lie on disk, and what the torturer knows to be in it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest as _, Sha256};

use super::program::{Around, Program};

/// The job of files that are handed in.
pub(super) const JOB: &str = "deposit";
/// The list of checksums in a job's folder.
pub(super) const SUMS: &str = "SHA256SUMS";
/// The password for taking copies out.
pub(super) const PASSWORD: &str = "open sesame";
/// In a list of checksums: taken out.
const NONE: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// The places that keep files or checksums, by their names in the settings.
pub(super) const PLACES: [&str; 4] = ["store", "attic", "bucket", "notary"];

/// An archive and its replicas.
#[derive(Debug)]
pub(super) struct House {
    pub(super) archive: PathBuf,
    pub(super) attic: PathBuf,
    pub(super) notary: PathBuf,
    /// Where the server has the objects.
    pub(super) bucket: PathBuf,
    /// Where files come from.
    pub(super) inbox: PathBuf,
    /// Files that were handed in, by their names in the vault.
    pub(super) known: BTreeMap<String, Known>,
    /// Rounds that it has lived through.
    pub(super) rounds: u64,
}

/// A file that was handed in.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) sha256: String,
    pub(super) bytes: u64,
    /// Where it came from.
    pub(super) source: PathBuf,
    /// Whether the program said that every replica has it.
    pub(super) is_accepted: bool,
}

/// Where a house is built.
pub(super) struct Ground<'a> {
    /// The folder of the archive's disk, of the attic's, and of all else.
    pub(super) folders: [&'a Path; 3],
    pub(super) endpoint: &'a str,
    pub(super) objects: &'a Path,
    pub(super) bucket: &'a str,
}

impl House {
    /// Builds a new one.
    pub(super) fn build(name: &str, ground: &Ground<'_>, program: &Program) -> Result<House, String> {
        let [first, second, rest] = ground.folders;
        let house = House {
            archive: first.join(name),
            attic: second.join(name),
            notary: rest.join(name).join("notary"),
            bucket: ground.objects.join(name),
            inbox: rest.join(name).join("inbox"),
            known: BTreeMap::new(),
            rounds: 0,
        };
        fs::create_dir_all(&house.inbox).map_err(|error| error.to_string())?;
        let archive = house.archive.to_string_lossy().into_owned();
        // `init` takes the folder as a word of its own.
        program.run(&house.archive, &["init", &archive], &Around::Nothing)?.good()?;
        let settings = format!(
            "format = 1\n\n[vault]\ncredential = \"{}\"\n\n\
             [[replicas]]\nname = \"attic\"\nfolders = [\"{}\"]\nspare = \"0\"\n\n\
             [[replicas]]\nname = \"bucket\"\nbucket = \"s3://{}/{name}\"\nendpoint = \"{}\"\ntimeout = \"2s\"\ntries = 3\n\n\
             [[replicas]]\nname = \"notary\"\nchecksums = \"{}\"\n",
            hex(PASSWORD.as_bytes()),
            house.attic.display(),
            ground.bucket,
            ground.endpoint,
            house.notary.display(),
        );
        fs::write(house.archive.join("varve.toml"), settings).map_err(|error| error.to_string())?;
        Ok(house)
    }

    /// Copies it to a folder, because the disks that it stands on are gone in the end.
    pub(super) fn keep_in(&self, folder: &Path) {
        for (name, part) in [("archive", &self.archive), ("attic", &self.attic), ("bucket", &self.bucket)] {
            let copy = folder.join(name);
            // Without it the fault is told all the same.
            drop(fs::create_dir_all(folder));
            drop(Command::new("cp").arg("-a").arg(part).arg(copy).status());
        }
    }

    /// Takes it down.
    pub(super) fn raze(&self) {
        let above = self.inbox.parent().unwrap_or(&self.inbox);
        for folder in [&self.archive, &self.attic, &self.bucket, above] {
            drop(fs::remove_dir_all(folder));
        }
    }

    /// Where a place keeps its files.
    pub(super) fn folder(&self, place: &str) -> PathBuf {
        match place {
            "store" => self.archive.join("store"),
            "attic" => self.attic.clone(),
            "bucket" => self.bucket.clone(),
            _ => self.notary.clone(),
        }
    }

    /// The files and folders that the program works at when it works at these: those where a failing call hurts.
    pub(super) fn paths(&self, files: &[String]) -> Vec<PathBuf> {
        let mut paths = self.parts(files);
        for ending in ["", "-wal", "-journal"] {
            paths.push(self.archive.join(format!("catalogue.db{ending}")));
        }
        for folder in [self.folder("store"), self.folder("attic"), self.folder("notary")] {
            paths.extend(files.iter().map(|file| folder.join(file)));
            let job = folder.join(JOB);
            paths.push(job.join(SUMS));
            paths.extend([job, folder]);
        }
        paths
    }

    /// The copies of these files while they are written.
    pub(super) fn parts(&self, files: &[String]) -> Vec<PathBuf> {
        let folders = [self.folder("store"), self.folder("attic")];
        let part = |folder: &PathBuf, file: &String| {
            let (job, own) = file.split_once('/').unwrap_or((JOB, file));
            folder.join(job).join(format!(".part-{own}"))
        };
        folders.iter().flat_map(|folder| files.iter().map(move |file| part(folder, file))).collect()
    }

    /// How many files were accepted, and their bytes.
    pub(super) fn sums(&self) -> (u64, u64) {
        let accepted = self.known.values().filter(|known| known.is_accepted);
        accepted.fold((0, 0), |(files, bytes), known| (files + 1, bytes + known.bytes))
    }

    /// Names of all files that were accepted.
    pub(super) fn accepted(&self) -> Vec<String> {
        let accepted = self.known.iter().filter(|(_, known)| known.is_accepted);
        accepted.map(|(name, _)| name.clone()).collect()
    }

    /// What the notary has of each file: the last line of its name counts.
    pub(super) fn listed(&self) -> BTreeMap<String, String> {
        let mut listed = BTreeMap::new();
        let jobs = fs::read_dir(&self.notary).into_iter().flatten().flatten();
        for job in jobs.filter(|job| job.path().is_dir()) {
            let text = fs::read(job.path().join(SUMS)).unwrap_or_default();
            let whole =
                text.split_inclusive(|byte| *byte == b'\n').filter_map(|line| line.strip_suffix(b"\n"));
            for line in whole {
                let Ok(line) = str::from_utf8(line) else { continue };
                if let Some((sha256, file)) = line.split_once("  ").filter(|(sha256, _)| sha256.len() == 64) {
                    let name = format!("{}/{file}", job.file_name().to_string_lossy());
                    listed.insert(name, sha256.to_owned());
                }
            }
        }
        listed.retain(|_, sha256| sha256 != NONE);
        listed
    }

    /// Copies that were taken out of their places. None of them may ever disappear.
    pub(super) fn aside(&self) -> BTreeSet<PathBuf> {
        let mut found = BTreeSet::new();
        for place in ["store", "attic", "bucket"] {
            walk(&self.folder(place).join(".aside"), &mut found);
        }
        found
    }
}

impl Known {
    /// A file that is about to be handed in.
    pub(super) fn of(path: &Path) -> Result<Known, String> {
        let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let (sha256, bytes) = (hex(&bytes), bytes.len() as u64);
        Ok(Known { sha256, bytes, source: path.to_owned(), is_accepted: false })
    }
}

fn walk(folder: &Path, found: &mut BTreeSet<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.path().is_dir() {
            walk(&entry.path(), found);
        } else {
            found.insert(entry.path());
        }
    }
}

/// SHA-256 of a file, computed here; `None` where it is not.
pub(super) fn sum_of(path: &Path) -> Option<String> {
    fs::read(path).ok().map(|bytes| hex(&bytes))
}

/// SHA-256 in hex.
pub(super) fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
