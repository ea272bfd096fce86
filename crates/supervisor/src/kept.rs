//! The vault of an archive, wired up from its settings: the archive's own store first, then the replicas that `varve.toml` names.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use archive::Archive;
use catalogue::{Catalogue, Kind};
use fetch::Clock;
use notify::Notifier;
use store::Store;
use store::replica::{Absent, Bucket, BucketLimits, BucketSettings, Checksums, Folders, Replica};
use vault::{Commits, JobFiles, Place, Vault};

use super::begun::{Begun, Rebuilding};
use super::error::Result;
use super::notifying;
use settings::environment::{self, BucketVariables};
use settings::{
    Error as Explained, Explain as _, File, Made, ReplicaLayer, VaultValues, Voice, failure, with_hint,
};

/// The replica that is the archive's own store.
pub const OWN: &str = "store";
/// The file of the catalogue in an archive.
pub const CATALOGUE: &str = "catalogue.db";
/// The way out where replicas are not apart.
pub const APART: &str = "give each replica a folder of its own, best on a disk of its own";

/// How long somebody who wants to read a page waits for a bucket.
const HASTE: Duration = Duration::from_secs(10);

/// An archive with all that looks after its files.
#[derive(Clone)]
pub struct Kept {
    /// The archive.
    pub archive: Archive,
    /// Its vault.
    pub vault: Vault,
    /// How its files are looked after.
    pub settings: VaultValues,
    /// All that the settings say.
    said: File,
    pub(crate) clock: Clock,
}

/// The jobs of an archive, for audits.
struct ArchiveCommits(Archive);

impl Commits for ArchiveCommits {
    fn job(&self, job: &str) -> std::result::Result<JobFiles, store::Error> {
        // Asked in this order: a commit that ends in between has sealed all its files.
        if self.0.is_committing(job) {
            return Ok(JobFiles::Committing);
        }
        self.0.store().files_of(job).map(JobFiles::Sealed)
    }
}

impl Kept {
    /// An archive with the replicas that its settings name. A catalogue is begun where there never was one, and only there: an empty one
    /// in the place of one that is lost would look as if all were well.
    ///
    /// # Errors
    /// When the catalogue, the archive or a replica cannot be used.
    pub fn of(archive: Archive, file: &File, clock: Clock) -> Result<Kept> {
        let folder = archive.folder();
        if Rebuilding::of(folder)? == Rebuilding::Begun {
            let error =
                failure!("the catalogue of files is being made again, and that has not come to its end");
            return Err(error.with_hint("`varve rebuild` goes on with it, if nobody is at it").into());
        }
        let begun = Begun::of(folder)?;
        let has_catalogue = fs::metadata(folder.join(CATALOGUE)).is_ok_and(|facts| facts.len() > 0);
        if begun.is_some() && !has_catalogue {
            let error = failure!("the catalogue of files is gone from `{}`", folder.display());
            return Err(error.with_hint("`varve rebuild` makes it again from what the replicas have").into());
        }
        Kept::begin(archive, file, begun.unwrap_or_default(), false, clock)
    }

    /// The same where the catalogue may be lost, for who makes it again. Where nothing tells which replicas were begun, each may be one
    /// that was.
    ///
    /// # Errors
    /// When the catalogue, the archive or a replica cannot be used.
    pub fn again(archive: Archive, file: &File, clock: Clock) -> Result<Kept> {
        let begun = Begun::of(archive.folder())?;
        let is_any_known = begun.is_none();
        Kept::begin(archive, file, begun.unwrap_or_default(), is_any_known, clock)
    }

    fn begin(archive: Archive, file: &File, begun: Begun, is_any_known: bool, clock: Clock) -> Result<Kept> {
        let folder = archive.folder();
        let catalogue = Catalogue::open(&folder.join(CATALOGUE))
            .context("cannot open the catalogue of files")
            .hint("`varve rebuild` makes it again from what the replicas have")?;
        if let Err((message, line)) = check_apart(folder, file) {
            let error = failure!("line {line} of {}: {message}", settings::NAME);
            return Err(error.with_hint(APART).into());
        }
        let mut names = begun.names.clone();
        names.extend(catalogue.replicas()?.into_iter().map(|replica| replica.name));
        // What is handed in or brought back leaves as much free as a harvest does.
        let spare = file.disk.values().room().spare(folder);
        let own = Folders::open([folder.join("store")], spare)?;
        let mut places = vec![Place { name: OWN.to_owned(), kind: Kind::Folder, replica: Arc::new(own) }];
        for (layer, line) in &file.replicas {
            let (name, made) = named(layer).map_err(|(message, hint)| {
                failure!("line {line} of {}: {message}", settings::NAME).with_hint(hint)
            })?;
            let is_known = is_any_known || names.contains(&name);
            let place = place(name, made, is_known, None)?;
            places.push(place);
        }
        names.extend(places.iter().map(|place| place.name.clone()));
        names.remove(OWN);
        let theirs = clock.clone();
        let vault = Vault::open(catalogue, places, Arc::new(move || theirs.now())).map_err(hinted)?;
        let vault = vault.with_commits(Arc::new(ArchiveCommits(archive.clone())));
        let now_begun = Begun { names };
        if now_begun != begun || Begun::of(folder)?.is_none() {
            now_begun.write(folder)?;
        }
        Ok(Kept { archive, vault, settings: file.vault.values(), said: file.clone(), clock })
    }

    /// Forgets a replica that is not in the settings any more.
    ///
    /// # Errors
    /// When the catalogue, the archive or a replica cannot be used.
    pub fn give_up(&self, name: &str, reason: &str) -> Result<()> {
        self.by_hand().forget_replica(name, reason).map_err(hinted)?;
        let folder = self.archive.folder();
        let mut begun = Begun::of(folder)?.unwrap_or_default();
        // Who gives the name to another replica later begins a new one.
        if begun.names.remove(name) { Ok(begun.write(folder)?) } else { Ok(()) }
    }

    pub(crate) fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The folders of replicas on disks of this machine.
    #[must_use]
    pub fn folders(&self) -> Vec<PathBuf> {
        let made = self.said.replicas.iter().filter_map(|(layer, _)| layer.values().made().ok());
        let folders = made.flat_map(|(_, made)| match made {
            Made::Folders(folders, _) => folders,
            Made::Checksums(folder) => vec![folder],
            Made::Bucket { .. } => Vec::new(),
        });
        folders.filter(|folder| folder.is_dir()).collect()
    }

    /// Whether there are replicas besides the archive's own.
    #[must_use]
    pub fn has_others(&self) -> bool {
        self.vault.places().len() > 1
    }

    /// Tells people what happens, by the channels of the settings.
    #[must_use]
    pub fn notifier(&self, voice: &Voice) -> Notifier {
        notifying::notifier(voice, &self.clock, &self.said, self.archive.folder(), false)
    }

    /// Takes note of jobs that were committed while nobody did. Says how many files that were.
    ///
    /// # Errors
    /// When the catalogue, the archive or a replica cannot be used.
    pub fn take_stock(&self) -> Result<u64> {
        let known: HashSet<String> = self.vault.catalogue().jobs()?.into_iter().collect();
        let jobs = self.archive.sealed_jobs()?;
        jobs.iter().filter(|job| !known.contains(*job)).map(|job| self.note(job)).sum()
    }

    /// Takes note of the files of a job that is committed, unless that was done: all of them are noted in one step, or none.
    ///
    /// # Errors
    /// When the catalogue, the archive or a replica cannot be used.
    pub fn note(&self, job: &str) -> Result<u64> {
        if self.is_noted(job)? {
            return Ok(0);
        }
        let files = self.archive.store().files_of(job)?;
        self.vault.take_note(&files).map_err(hinted)?;
        Ok(files.len() as u64)
    }

    /// Whether files of a job are known.
    ///
    /// # Errors
    /// When the catalogue, the archive or a replica cannot be used.
    pub fn is_noted(&self, job: &str) -> Result<bool> {
        let behind = format!("{job}/");
        let known = self.vault.catalogue().files(&behind, 1)?;
        Ok(known.first().is_some_and(|file| file.name.starts_with(&behind)))
    }

    /// The vault in the name of who runs the program.
    #[must_use]
    pub fn by_hand(&self) -> Vault {
        self.vault.in_the_name_of(&environment::user())
    }
}

/// Places besides the archive's own store that have its files, as far as they are there: for those who only read.
#[must_use]
pub fn others(file: &File) -> Vec<Arc<dyn Replica>> {
    let named = file.replicas.iter().filter_map(|(layer, _)| named(layer).ok());
    let places = named.filter_map(|(name, made)| place(name, made, true, Some(HASTE)).ok());
    places.map(|place| place.replica).filter(|replica| replica.is_full()).collect()
}

/// Makes those folders of a replica ours that are not yet: a disk that was added, or a new one in the place of one that is lost. Says
/// which.
///
/// # Errors
/// When there is no such replica, or a folder cannot be made.
pub fn begin(name: &str, archive: &Path, file: &File) -> Result<Vec<PathBuf>> {
    if name == OWN {
        let folder = archive.join("store");
        let is_there = has_format(&folder) || !has_catalogue(archive);
        if !is_there {
            Store::create(&folder).with_context(|| format!("cannot begin `{}`", folder.display()))?;
        }
        return Ok(if is_there { Vec::new() } else { vec![folder] });
    }
    let mut all = file.replicas.iter().filter_map(|(layer, _)| named(layer).ok());
    let Some((_, made)) = all.find(|(found, _)| found == name) else {
        let error = failure!("there is no replica `{name}` in {}", settings::NAME);
        return Err(error.with_hint("`varve vault replicas` lists them").into());
    };
    let cannot = |folder: &Path| format!("cannot begin `{}`", folder.display());
    let mut begun = Vec::new();
    match made {
        Made::Folders(folders, spare) => {
            for folder in folders.into_iter().filter(|folder| !has_format(folder)) {
                Folders::open([&folder], spare).with_context(|| cannot(&folder))?;
                begun.push(folder);
            }
        }
        Made::Checksums(folder) if !has_format(&folder) => {
            Checksums::open(&folder).with_context(|| cannot(&folder))?;
            begun.push(folder);
        }
        // A bucket needs no beginning.
        Made::Checksums(_) | Made::Bucket { .. } => {}
    }
    Ok(begun)
}

/// Whether there is, or was, a catalogue of files: then there was an archive.
#[must_use]
pub fn has_catalogue(archive: &Path) -> bool {
    archive.join(CATALOGUE).exists() || matches!(Begun::of(archive), Ok(Some(_)))
}

/// Replicas that lie in one place are one copy, whatever their number: an error with both names. What is not there yet is told by its path.
///
/// # Errors
/// The two that are not apart, and the line of the second.
pub fn check_apart(archive: &Path, file: &File) -> std::result::Result<(), (String, usize)> {
    let real = |folder: &Path| {
        // Of what is not there yet, the part that is.
        let there = folder.ancestors().find_map(|above| Some((above, fs::canonicalize(above).ok()?)));
        there.map_or(folder.to_owned(), |(above, real)| {
            real.join(folder.strip_prefix(above).unwrap_or(Path::new("")))
        })
    };
    let mut known = vec![(OWN.to_owned(), real(&archive.join("store")))];
    for (layer, line) in &file.replicas {
        let Ok((name, made)) = named(layer) else { continue };
        let folders = match made {
            Made::Folders(folders, _) => folders,
            Made::Checksums(folder) => vec![folder],
            Made::Bucket { .. } => Vec::new(),
        };
        for folder in folders {
            let folder = real(&folder);
            let other =
                known.iter().find(|(_, other)| folder.starts_with(other) || other.starts_with(&folder));
            if let Some((other, _)) = other {
                let shown = folder.display();
                let message = match *other == name {
                    true => format!("replica `{name}` names the folder `{shown}` twice"),
                    false => {
                        format!("replica `{name}` lies in the same folder as replica `{other}`: `{shown}`")
                    }
                };
                return Err((message, *line));
            }
            known.push((name.clone(), folder));
        }
    }
    Ok(())
}

/// Whether a folder is ours.
fn has_format(folder: &Path) -> bool {
    folder.join("FORMAT").is_file()
}

/// A replica's name and what it is made of; else what is wrong with it, and the way out.
///
/// # Errors
/// What is wrong with it, and the way out.
pub fn named(layer: &ReplicaLayer) -> std::result::Result<(String, Made), (String, &'static str)> {
    let (name, made) = layer.values().made()?;
    if name == OWN {
        return Err((format!("`{OWN}` is the archive's own folder"), "give the replica another name"));
    }
    Ok((name, made))
}

/// Makes a replica of its settings. One that was there before and is not now is not begun anew: its disk may only not be mounted.
fn place(name: String, made: Made, is_known: bool, haste: Option<Duration>) -> Result<Place> {
    let absent = |place: &Path, why: &str, is_full| -> Arc<dyn Replica> {
        Arc::new(Absent::new(&place.display().to_string(), why, is_full))
    };
    let empty = format!(
        "there is nothing of ours in this folder; is its disk mounted? If it is new, `varve vault replicas --begin {name}` begins it"
    );
    let cannot = || format!("cannot open replica `{name}`");
    // Where one of several cannot be opened, the others are the more needed.
    let opened =
        |opened: std::result::Result<Arc<dyn Replica>, store::Error>, first: Option<&PathBuf>, is_full| {
            opened.or_else(|error| match first.filter(|_| is_known) {
                Some(folder) => Ok(absent(folder, &settings::in_full(&error), is_full)),
                None => Err(Explained::above(cannot(), error)),
            })
        };
    let (kind, replica): (Kind, Arc<dyn Replica>) = match made {
        Made::Folders(folders, spare) => {
            let gone = folders.iter().find(|folder| is_known && !has_format(folder));
            let replica = match gone {
                Some(folder) => absent(folder, &empty, true),
                None => {
                    let replica = Folders::open(&folders, spare);
                    opened(replica.map(|replica| Arc::new(replica) as _), folders.first(), true)?
                }
            };
            (Kind::Folder, replica)
        }
        Made::Checksums(folder) if is_known && !has_format(&folder) => {
            (Kind::Checksums, absent(&folder, &empty, false))
        }
        Made::Checksums(folder) => {
            let replica = Checksums::open(&folder);
            (Kind::Checksums, opened(replica.map(|replica| Arc::new(replica) as _), Some(&folder), false)?)
        }
        Made::Bucket { address, endpoint, region, timeout, tries } => {
            let usual = BucketLimits::default();
            // Whoever wants to look at a page does not wait as long as whoever keeps files.
            let (timeout, tries) = haste.map_or((timeout, tries), |haste| (haste.min(timeout), tries.min(2)));
            let limits = BucketLimits {
                connect: usual.connect.min(timeout),
                answer: timeout,
                tries,
                // All tries may be long ones.
                total: haste.unwrap_or_else(|| usual.total.max(timeout.saturating_mul(tries))),
                ..usual
            };
            let said = BucketVariables::read();
            let settings = BucketSettings {
                limits,
                prefix: address.folder,
                endpoint: endpoint.or(said.endpoint),
                region: region.or(said.region),
                access_key: said.access_key,
                secret_key: said.secret_key,
                session_token: said.session_token,
                ..BucketSettings::new(&address.bucket)
            };
            (Kind::Bucket, Arc::new(Bucket::later(&settings).with_context(cannot)?))
        }
    };
    Ok(Place { name, kind, replica })
}

/// The way out of what can be wrong with the vault.
#[must_use]
pub fn hinted(error: vault::Error) -> Explained {
    let hint = match &error {
        vault::Error::Busy(_) => {
            "`varve up` may be at it, or another `varve vault`; try again when it is done"
        }
        vault::Error::Unknown(_) => {
            "files are called JOB/NAME; `varve vault batch list` lists them, `varve vault adopt` takes up what lies there unknown"
        }
        vault::Error::NoSound { .. } => "`varve vault status` tells how the replicas stand",
        vault::Error::NoReplica(_) => "`varve vault replicas` lists them",
        vault::Error::NoReason => "say why with `--reason`, in at least 5 characters",
        vault::Error::Catalogue(catalogue::Error::Taken(_)) => {
            "what is kept is never changed; give the file another name, or another job with `--job`"
        }
        vault::Error::Catalogue(catalogue::Error::OtherKind(_)) => {
            "give the replica another name in varve.toml"
        }
        _ => return Explained::of(error),
    };
    with_hint(error, hint)
}
