//! A replica in one or several folders, which may lie on several disks. Each of them is a store of its own; a file lies in one.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

use rustix::fs::statvfs;

use super::{Found, Replica, differ};
use crate::digest::{self, Pace};
use crate::error::Error;
use crate::part::{Part, is_part};
use crate::reference::REFERENCE_ENDING;
use crate::store::{Sealed, Store};
use crate::{folder, name, sums};

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

    /// The store that has a file, or a note of where it lies.
    fn place_of(&self, name: &str) -> Result<Option<&Store>, Error> {
        for place in &self.places {
            if place.path(name)?.try_exists().map_err(Error::read(place.folder()))?
                || place.reference(name)?.is_some()
            {
                return Ok(Some(place));
            }
        }
        Ok(None)
    }

    /// The store with the most room, if that is enough.
    fn roomiest(&self, file: &Sealed) -> Result<&Store, Error> {
        let mut best = None;
        for place in &self.places {
            let room = free_bytes(place.folder())?;
            if best.is_none_or(|(most, _)| room > most) {
                best = Some((room, place));
            }
        }
        let wanted = file.bytes.saturating_add(self.spare_bytes);
        let enough = best.filter(|(room, _)| *room >= wanted).map(|(_, place)| place);
        enough.ok_or_else(|| Error::Full { path: Path::new(&file.name).to_owned() })
    }
}

impl Replica for Folders {
    fn is_full(&self) -> bool {
        true
    }

    fn put(&self, file: &Sealed, source: &mut dyn Read, pace: Pace<'_>) -> Result<(), Error> {
        let (job, own_name) = name::new_parts(&file.name)?;
        if let Some(place) = self.place_of(&file.name)? {
            // Whoever brought it may have ended before its name was on the disk.
            let own = folder::of_job(place.folder(), job);
            match sums::find(&own, own_name)? {
                Some(_) => sums::sync(&own)?,
                // It came by another way. What should be there is written down; what is there, reading it back will tell.
                None => sums::append(&own, own_name, &file.sha256)?,
            }
            return folder::sync(&own);
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
            // What lies elsewhere may be gone from there.
            return Ok(reference.path().exists().then(|| Some(reference.bytes())));
        }
        let path = place.path(name)?;
        fs::metadata(&path).map(|facts| Some(Some(facts.len()))).map_err(Error::read(&path))
    }

    fn read(&self, name: &str, pace: Pace<'_>) -> Result<Option<Found>, Error> {
        let Some(place) = self.place_of(name)? else { return Ok(None) };
        let mut opened = match place.read(name, 0) {
            Ok(opened) => opened,
            Err(Error::Elsewhere { .. } | Error::Missing(_)) => return Ok(None),
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

    fn recorded(&self, name: &str) -> Result<Option<String>, Error> {
        let (job, file) = name::parts(name)?;
        let Some(place) = self.place_of(name)? else { return Ok(None) };
        sums::find(&folder::of_job(place.folder(), job), file)
    }

    fn room(&self) -> Result<Option<u64>, Error> {
        let mut room = 0_u64;
        for place in &self.places {
            room = room.saturating_add(free_bytes(place.folder())?.saturating_sub(self.spare_bytes));
        }
        Ok(Some(room))
    }

    fn each_name(&self, each: &mut dyn FnMut(&str) -> Result<(), Error>) -> Result<(), Error> {
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
                names.iter().try_for_each(|file| each(&format!("{job}/{file}")))?;
            }
        }
        Ok(())
    }

    fn set_aside(&self, name: &str, sha256: &str) -> Result<(), Error> {
        let place = self.place_of(name)?.ok_or_else(|| Error::Missing(name.to_owned()))?;
        if place.reference(name)?.is_some() {
            return Err(Error::Elsewhere {
                name: name.to_owned(),
                path: place.path(name)?,
                what: "is not ours to move",
            });
        }
        let path = place.path(name)?;
        let found = File::open(&path).and_then(|file| digest::of_file(&file));
        let (found, _) = found.map_err(Error::read(&path))?;
        if found != sha256 {
            return Err(Error::Other { name: name.to_owned(), found });
        }
        let (job, file) = name::parts(name)?;
        let aside = place.folder().join(ASIDE);
        folder::make(&aside)?;
        let aside = aside.join(job);
        folder::make(&aside)?;
        let kept = aside.join(format!("{file}.{sha256}"));
        fs::rename(&path, &kept).map_err(Error::write(&kept))?;
        folder::sync(&aside)?;
        folder::sync(&folder::of_job(place.folder(), job))
    }
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
