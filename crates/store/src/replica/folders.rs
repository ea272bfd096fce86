//! A replica in one or several folders, which may lie on several disks. Each of them is a store of its own; a file lies in one.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::statvfs;

use super::{Found, Replica, differ};
use crate::digest::{self, Cut, Pace};
use crate::error::Error;
use crate::part::{self, Part, is_part};
use crate::reference::REFERENCE_ENDING;
use crate::store::{Sealed, Store};
use crate::{folder, format, name, sums};

/// Where files lie that were taken out of their place. No job can be called that.
const ASIDE: &str = ".aside";

/// Files in folders.
#[derive(Debug, Clone)]
pub struct Folders {
    places: Vec<Store>,
    /// So much is left free on each disk.
    spare_bytes: u64,
}

impl Folders {
    /// Opens the stores in these folders, or makes empty ones. A file goes to the one with the most room.
    ///
    /// # Errors
    /// When one cannot be made, or is something else.
    pub fn open<P: AsRef<Path>>(
        places: impl IntoIterator<Item = P>,
        spare_bytes: u64,
    ) -> Result<Folders, Error> {
        let places =
            places.into_iter().map(|place| Store::create(place.as_ref())).collect::<Result<_, _>>()?;
        Ok(Folders { places, spare_bytes })
    }

    /// The store that has a file, or a note of where it lies. A folder that cannot be had is no hindrance where another has it; that
    /// nobody has it, only all of them can say.
    fn place_of(&self, name: &str) -> Result<Option<&Store>, Error> {
        let (mut noted, mut fault) = (None, None);
        for place in &self.places {
            match held(place, name) {
                Ok(Held::Here) => return Ok(Some(place)),
                Ok(Held::Elsewhere) => noted = noted.or(Some(place)),
                Ok(Held::Not) => fault = fault.or(format::reach(place.folder()).err()),
                Err(error) => fault = fault.or(Some(error)),
            }
        }
        match (noted, fault) {
            (None, Some(fault)) => Err(fault),
            (noted, _) => Ok(noted),
        }
    }

    /// The store with the most room, if that is enough, among those that can be had.
    fn roomiest(&self, file: &Sealed) -> Result<&Store, Error> {
        let (mut best, mut fault) = (None, None);
        for place in &self.places {
            match format::reach(place.folder()).and_then(|()| free_bytes(place.folder())) {
                Ok(room) if best.is_none_or(|(most, _)| room > most) => best = Some((room, place)),
                Ok(_) => {}
                Err(error) => fault = fault.or(Some(error)),
            }
        }
        if let (None, Some(fault)) = (best, fault) {
            return Err(fault);
        }
        let wanted = file.bytes.saturating_add(self.spare_bytes);
        let enough = best.filter(|(room, _)| *room >= wanted).map(|(_, place)| place);
        enough.ok_or_else(|| Error::Full { path: Path::new(&file.name).to_owned() })
    }
}

impl Folders {
    /// Copies that are not finished: where each lies, and its name.
    fn parts(&self, is_ours: &dyn Fn(&str) -> bool) -> Result<Vec<(PathBuf, String)>, Error> {
        let mut parts = Vec::new();
        for place in &self.places {
            for job in place.jobs()? {
                let own = folder::of_job(place.folder(), &job);
                let mut found = Vec::new();
                for entry in fs::read_dir(&own).map_err(Error::read(&own))? {
                    let path = entry.map_err(Error::read(&own))?.path();
                    let file = path.file_name().map(|file| file.to_string_lossy().into_owned());
                    let name = file.as_deref().and_then(part::name_of).map(|name| format!("{job}/{name}"));
                    found.extend(name.map(|name| (path, name)));
                }
                if !found.is_empty() && is_ours(&job) {
                    parts.append(&mut found);
                }
            }
        }
        Ok(parts)
    }
}

impl Replica for Folders {
    fn is_full(&self) -> bool {
        true
    }

    fn put(&self, file: &Sealed, source: &mut dyn Read, pace: Pace<'_>) -> Result<(), Error> {
        let (job, own_name) = name::new_parts(&file.name)?;
        let place = match self.place_of(&file.name) {
            // It may lie in a folder that cannot be had; then there are two of it later, which is no harm.
            Err(Error::Unreachable { .. }) => None,
            place => place?.filter(|place| is_readable(place, &file.name)),
        };
        if let Some(place) = place {
            return confirm(place, file, pace);
        }
        let place = self.roomiest(file)?;
        let own = folder::of_job(place.folder(), job);
        folder::make(&own)?;
        let mut part = Part::create(&own, own_name)?;
        write_part(&mut part, file, source, pace)?;
        if sums::find(&own, own_name)?.as_deref() == Some(&file.sha256) {
            sums::sync(&own)?;
        } else {
            sums::append(&own, own_name, &file.sha256)?;
        }
        part.place(&own.join(own_name))?;
        folder::sync(&own)
    }

    fn look(&self, name: &str) -> Result<Option<Option<u64>>, Error> {
        let Some(place) = self.place_of(name)? else { return Ok(None) };
        if let Some(reference) = place.reference(name)? {
            // What lies elsewhere may be gone from there, or another by now.
            return match reference.open(name) {
                Ok(_) => Ok(Some(Some(reference.bytes()))),
                Err(Error::Elsewhere { .. }) => Ok(None),
                Err(error) => Err(error),
            };
        }
        let path = place.path(name)?;
        fs::metadata(&path).map(|facts| Some(Some(facts.len()))).map_err(Error::read(&path))
    }

    fn read(&self, name: &str, pace: Pace<'_>) -> Result<Option<Found>, Error> {
        let Some(place) = self.place_of(name)? else { return Ok(None) };
        let mut opened = match place.read(name, 0) {
            Ok(opened) => opened,
            Err(Error::Elsewhere { .. } | Error::Missing(_)) => {
                return format::reach(place.folder()).map(|()| None);
            }
            Err(error) => return Err(error),
        };
        // From the disk, not from what the system remembers of it.
        opened.forget();
        let path = place.path(name)?;
        let (sha256, bytes) = digest::of(&mut opened, pace).map_err(|cut| cut.or(Error::read(&path)))?;
        Ok(Some(Found { sha256, bytes: Some(bytes) }))
    }

    fn open(&self, name: &str, offset: u64) -> Result<Box<dyn Read + Send>, Error> {
        let place = self.place_of(name)?.ok_or_else(|| Error::Missing(name.to_owned()))?;
        Ok(Box::new(place.read(name, offset)?))
    }

    fn disk(&self, name: &str) -> Option<u64> {
        let place = self.places.iter().find(|place| matches!(held(place, name), Ok(Held::Here)));
        fs::metadata(place?.folder()).ok().map(|facts| facts.dev())
    }

    fn disks(&self) -> usize {
        self.places.len()
    }

    fn recorded(&self, name: &str) -> Result<Option<String>, Error> {
        let (job, file) = name::parts(name)?;
        let Some(place) = self.place_of(name)? else { return Ok(None) };
        sums::find(&folder::of_job(place.folder(), job), file)
    }

    fn recorded_of(&self, job: &str) -> Result<HashMap<String, String>, Error> {
        let mut recorded = HashMap::new();
        for place in &self.places {
            let own = folder::of_job(place.folder(), name::checked(job)?);
            let listed = sums::last_of_each(&own)?.into_iter();
            recorded.extend(listed.map(|(file, sha256)| (format!("{job}/{file}"), sha256)));
        }
        Ok(recorded)
    }

    fn room(&self) -> Result<Option<u64>, Error> {
        let mut room = 0_u64;
        for place in &self.places {
            format::reach(place.folder())?;
            room = room.saturating_add(free_bytes(place.folder())?.saturating_sub(self.spare_bytes));
        }
        Ok(Some(room))
    }

    fn each_name(&self, each: &mut dyn FnMut(&str) -> Result<(), Error>) -> Result<(), Error> {
        self.places.iter().try_for_each(|place| format::reach(place.folder()))?;
        for place in &self.places {
            for job in place.jobs()? {
                let own = folder::of_job(place.folder(), &job);
                let mut names = Vec::new();
                for entry in fs::read_dir(&own).map_err(Error::read(&own))? {
                    let file = entry.map_err(Error::read(&own))?.file_name().to_string_lossy().into_owned();
                    let is_ours = file == sums::FILE || is_part(&file);
                    if !is_ours {
                        names.push(file.strip_suffix(REFERENCE_ENDING).unwrap_or(&file).to_owned());
                    }
                }
                names.sort();
                // A file and the note of where it was before.
                names.dedup();
                names.iter().try_for_each(|file| each(&format!("{job}/{file}")))?;
            }
        }
        Ok(())
    }

    fn unfinished(&self, is_ours: &dyn Fn(&str) -> bool) -> Result<Vec<String>, Error> {
        Ok(self.parts(is_ours)?.into_iter().map(|(_, name)| name).collect())
    }

    fn remove_unfinished(&self, is_ours: &dyn Fn(&str) -> bool) -> Result<Vec<String>, Error> {
        let mut parts = self.parts(is_ours)?;
        parts.retain(|(path, _)| fs::remove_file(path).is_ok());
        Ok(parts.into_iter().map(|(_, name)| name).collect())
    }

    fn set_aside(&self, name: &str, sha256: &str) -> Result<(), Error> {
        let mut refused = None;
        // There may be one in each folder.
        for place in &self.places {
            match held(place, name) {
                Ok(Held::Here) => {}
                Ok(Held::Not) => continue,
                Ok(Held::Elsewhere) => {
                    refused = refused.or(Some(not_ours(place, name)?));
                    continue;
                }
                Err(error) => {
                    refused = refused.or(Some(error));
                    continue;
                }
            }
            let path = place.path(name)?;
            match File::open(&path).and_then(|file| digest::of_file(&file)) {
                Ok((found, _)) if found == sha256 => {
                    return move_aside(place, name, |kept| format!("{kept}.{sha256}"));
                }
                Ok((found, _)) => refused = refused.or(Some(Error::Other { name: name.to_owned(), found })),
                Err(error) => refused = refused.or(Some(Error::read(&path)(error))),
            }
        }
        self.places.iter().try_for_each(|place| format::reach(place.folder()))?;
        Err(refused.unwrap_or_else(|| Error::Missing(name.to_owned())))
    }

    fn set_aside_unread(&self, name: &str) -> Result<(), Error> {
        let place = self.place_of(name)?.ok_or_else(|| Error::Missing(name.to_owned()))?;
        if matches!(held(place, name)?, Held::Elsewhere) {
            return Err(not_ours(place, name)?);
        }
        let (job, file) = name::parts(name)?;
        let aside = place.folder().join(ASIDE).join(job);
        // What was taken aside before is not written over.
        let mut kept = format!("{file}.unreadable");
        let mut number = 2;
        while fs::symlink_metadata(aside.join(&kept)).is_ok() {
            kept = format!("{file}.unreadable-{number}");
            number += 1;
        }
        move_aside(place, name, |_| kept)
    }
}

/// What a store has of a file.
enum Held {
    Here,
    /// A note of where it lies.
    Elsewhere,
    Not,
}

fn held(place: &Store, name: &str) -> Result<Held, Error> {
    if place.path(name)?.try_exists().map_err(Error::read(place.folder()))? {
        return Ok(Held::Here);
    }
    Ok(if place.reference(name)?.is_some() { Held::Elsewhere } else { Held::Not })
}

/// Whether a file is here, or still is what it was where it lies; a note of one that is gone is as good as none.
fn is_readable(place: &Store, name: &str) -> bool {
    !matches!(place.read(name, 0), Err(Error::Elsewhere { .. } | Error::Missing(_)))
}

fn not_ours(place: &Store, name: &str) -> Result<Error, Error> {
    let path = place.path(name)?;
    Ok(Error::Elsewhere { name: name.to_owned(), path, what: "is not ours to move" })
}

/// Makes sure that a file that is there has its line, and that both are on the disk: whoever brought it may have ended before.
fn confirm(place: &Store, file: &Sealed, pace: Pace<'_>) -> Result<(), Error> {
    let (job, own_name) = name::parts(&file.name)?;
    let own = folder::of_job(place.folder(), job);
    let is_listed = match sums::find(&own, own_name)? {
        // The note of it has its line.
        _ if place.reference(&file.name)?.is_some() => true,
        // It came by another way. What should be there is written down; what is there, reading it back will tell.
        None => false,
        Some(listed) if listed == file.sha256 => true,
        // What was written down of it was put right, or this is another file, whose line is not for us to change.
        Some(_) => match place.read(&file.name, 0).map(|mut opened| digest::of(&mut opened, pace)) {
            Ok(Ok((found, _))) => found != file.sha256,
            Ok(Err(Cut::Stopped)) => return Err(Error::Stopped),
            Ok(Err(Cut::Failed(_))) | Err(_) => true,
        },
    };
    if is_listed {
        sums::sync(&own)?;
    } else {
        sums::append(&own, own_name, &file.sha256)?;
    }
    folder::sync(&own)
}

/// Moves a file out of its place, to what it is to be called there.
fn move_aside(place: &Store, name: &str, called: impl FnOnce(&str) -> String) -> Result<(), Error> {
    let (job, file) = name::parts(name)?;
    let aside = place.folder().join(ASIDE);
    folder::make(&aside)?;
    let aside = aside.join(job);
    folder::make(&aside)?;
    let kept = aside.join(called(file));
    fs::rename(place.path(name)?, &kept).map_err(Error::write(&kept))?;
    folder::sync(&aside)?;
    folder::sync(&folder::of_job(place.folder(), job))
}

/// Writes a copy and brings it to the disk, before it has its name.
fn write_part(part: &mut Part, file: &Sealed, source: &mut dyn Read, pace: Pace<'_>) -> Result<(), Error> {
    let mut read = Tee { source, copy: &mut part.file, fault: None };
    let digested = digest::of(&mut read, pace);
    if let Some(fault) = read.fault {
        return Err(Error::write(part.path())(fault));
    }
    let (sha256, bytes) = digested.map_err(|cut| cut.or(Error::copy(&file.name)))?;
    if differ(file, &Found { sha256, bytes: Some(bytes) }) {
        return Err(Error::Source(file.name.clone()));
    }
    part.sync()
}

/// Writes down what is read.
struct Tee<'a> {
    source: &'a mut dyn Read,
    copy: &'a mut File,
    /// That it cannot be written is another fault than that it cannot be read.
    fault: Option<io::Error>,
}

impl Read for Tee<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        if let Err(fault) = self.copy.write_all(buffer.get(..count).unwrap_or_default()) {
            self.fault = Some(fault);
            return Err(io::ErrorKind::Other.into());
        }
        Ok(count)
    }
}

/// Room on the disk of a folder, for us.
fn free_bytes(folder: &Path) -> Result<u64, Error> {
    let facts = statvfs(folder).map_err(|error| Error::read(folder)(error.into()))?;
    Ok(facts.f_bavail.saturating_mul(facts.f_frsize))
}
