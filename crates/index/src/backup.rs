//! A copy of the index in another folder, taken while others read and write.
//!
//! Segments never change, so on one file system they become hard links, which takes no time and no room. What a merge removes
//! meanwhile is copied from the file that is open here. The manifest comes last, by a rename: a backup that breaks off is the one
//! before, or none.

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::Path;

use crate::folder::Folder;
use crate::manifest::{Manifest, Named};
use crate::{Error, Index};

/// How often the manifest is read again because what it names was merged away.
const TRIES_MAX: usize = 1000;
const COPY_BYTES: usize = 1 << 18;

/// What a backup did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Backup {
    /// Files of rows that became hard links.
    pub linked: u64,
    /// Files that were copied.
    pub copied: u64,
    /// Files that lay there already, from the backup before.
    pub kept: u64,
    /// Bytes of all files of rows.
    pub bytes: u64,
    /// Rows in them.
    pub rows: u64,
}

impl Index {
    /// Makes a folder an index that has what this one has now, and nothing else. It may be empty or absent, or hold an earlier backup of
    /// this index that nobody has written to, of which files that are the same are kept.
    ///
    /// Nobody waits for it, neither those who read nor those who publish.
    ///
    /// # Errors
    /// When there is something else in the folder, or a file cannot be read or written.
    pub fn backup(&self, folder: &Path) -> Result<Backup, Error> {
        let mut target = Folder::new(folder);
        target.steps = self.folder().steps.clone();
        let limits = &self.settings().limits;
        let id = self.folder().id()?;
        let is_ours = || Ok::<_, Error>(target.backup_of()?.as_ref() == Some(&id));
        if !is_ours()? && !is_free(folder)? {
            return Err(Error::NotABackup { path: folder.to_owned() });
        }
        let _lock = target.lock()?;
        if !is_ours()? {
            target.mark_backup(&id)?;
        }
        let before = match target.manifest(limits)? {
            Some(found) => found.manifest,
            None => {
                // As whoever publishes first does: files of rows without a manifest mean that it got lost.
                target.replace_manifest(&Manifest::default())?;
                Manifest::default()
            }
        };
        let (manifest, files) = self.hold()?;
        let placed = self.place_all(&target, &before, &manifest, files);
        if placed.is_err() {
            // Room on the disk may be what is wanting. Should this fail, the next backup will do it.
            let _ = target.remove_leftovers(&before);
        }
        let backup = placed?;
        target.replace_manifest(&manifest)?;
        target.remove_leftovers(&manifest)?;
        Ok(backup)
    }

    /// Brings all files that a manifest names.
    fn place_all(
        &self,
        target: &Folder,
        before: &Manifest,
        manifest: &Manifest,
        files: Files,
    ) -> Result<Backup, Error> {
        let mut backup = Backup::default();
        for (named, file) in manifest.segments.iter().zip(files.segments) {
            backup.bytes += named.written.bytes;
            backup.rows += named.written.rows;
            let path = target.segment_path(named.number);
            if is_same(before, named, &path) {
                backup.kept += 1;
                continue;
            }
            self.place(target, &self.folder().segment_path(named.number), file, &path, &mut backup)?;
        }
        if let (Some(aliases), Some(file)) = (&manifest.aliases, files.aliases) {
            let from = self.folder().aliases_path(aliases.number);
            self.place(target, &from, file, &target.aliases_path(aliases.number), &mut backup)?;
        }
        Ok(backup)
    }

    /// The manifest, with all that it names open: so nothing of it can go away any more.
    fn hold(&self) -> Result<(Manifest, Files), Error> {
        let mut gone = None;
        for _ in 0..TRIES_MAX {
            let Some(found) = self.folder().manifest(&self.settings().limits)? else { break };
            match self.open_files(&found.manifest) {
                Ok(files) => return Ok((found.manifest, files)),
                Err(error @ Error::Gone { .. }) => {
                    if self.folder().identity()? == Some(found.identity) {
                        return Err(error);
                    }
                    gone = Some(error);
                }
                Err(error) => return Err(error),
            }
        }
        gone.map_or_else(|| Ok((Manifest::default(), Files::default())), Err)
    }

    fn open_files(&self, manifest: &Manifest) -> Result<Files, Error> {
        let open = |path: &Path| {
            File::open(path).map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => Error::Gone { path: path.to_owned() },
                _ => Error::read(path, error),
            })
        };
        let segments = manifest.segments.iter().map(|named| open(&self.folder().segment_path(named.number)));
        let aliases =
            manifest.aliases.as_ref().map(|aliases| open(&self.folder().aliases_path(aliases.number)));
        Ok(Files { segments: segments.collect::<Result<_, _>>()?, aliases: aliases.transpose()? })
    }

    /// Links a file, or else copies what is open.
    fn place(
        &self,
        target: &Folder,
        from: &Path,
        mut file: File,
        to: &Path,
        backup: &mut Backup,
    ) -> Result<(), Error> {
        let part = to.with_extension("part");
        let linked = target.steps.take().and_then(|()| {
            let _ = fs::remove_file(&part);
            fs::hard_link(from, &part)
        });
        // The name may by now be that of another file, or of none.
        let is_it = linked.is_ok() && is_one_file(&file, &part);
        if is_it {
            backup.linked += 1;
        } else {
            copy(target, &mut file, &part).map_err(|error| Error::write(&part, error))?;
            backup.copied += 1;
        }
        let rename = target.steps.take().and_then(|()| fs::rename(&part, to));
        rename.map_err(|error| Error::write(to, error))
    }
}

/// What a manifest names, open.
#[derive(Default)]
struct Files {
    segments: Vec<File>,
    aliases: Option<File>,
}

fn copy(target: &Folder, from: &mut File, to: &Path) -> io::Result<()> {
    target.steps.take()?;
    let _ = fs::remove_file(to);
    let mut out = File::create(to)?;
    from.rewind()?;
    let mut buffer = vec![0; COPY_BYTES];
    loop {
        let count = from.read(&mut buffer)?;
        if count == 0 {
            break;
        }
        target.steps.take()?;
        out.write_all(buffer.get(..count).unwrap_or_default())?;
    }
    target.steps.take()?;
    out.sync_all()
}

fn is_one_file(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    let (left, right) = (file.metadata().map(identity), fs::metadata(path).map(identity));
    matches!((left, right), (Ok(left), Ok(right)) if left == right)
}

/// Whether this file came with the backup before: then the manifest that lies there says so, with its seal.
fn is_same(before: &Manifest, named: &Named, path: &Path) -> bool {
    let is_named = before.segments.iter().any(|other| other == named);
    is_named && fs::metadata(path).is_ok_and(|found| found.len() == named.written.bytes)
}

/// Whether nothing lies in a folder but what a backup that broke off has left.
fn is_free(folder: &Path) -> Result<bool, Error> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        Err(error) => return Err(Error::read(folder, error)),
    };
    for entry in entries {
        let name = entry.map_err(|error| Error::read(folder, error))?.file_name();
        if !matches!(name.to_str(), Some("lock" | "BACKUP.new" | "MANIFEST.new")) {
            return Ok(false);
        }
    }
    Ok(true)
}
