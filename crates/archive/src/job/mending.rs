//! After a power loss: files that have lost what their mark says they have.
//!
//! Each WARC file is cut behind its last whole record, and of `captures.cdxj` the lines stay whose records are whole. What the crawl
//! has settled and the disk has lost is lost; that is said, and the job goes on.
//!
//! The crawl still has the old mark until it settles something new, and by then the files may have grown past it. So `mended` says which
//! mark stands for which place now (in a new file, so no later mark is taken for the old one):
//!
//! ```text
//! 21 bytes  the mark that was asked for
//! 21 bytes  the mark to go on from in its stead
//! ```

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::sync::Arc;

use super::folder::JobFolder;
use super::lines::CAPTURES_HEAD;
use super::mark::{Mark, Position};
use super::spool::warcinfo;
use crate::about::About;
use crate::commit::remove_all;
use crate::disk::OnDisk;
use crate::error::Error;

/// Where a job goes on from: its mark, or as much of it as is left.
pub(super) fn position(folder: &JobFolder, about: &About, mark: Position) -> Result<Position, Error> {
    let from = read_mended(folder, mark).unwrap_or(mark);
    if is_whole(folder, from)? {
        return Ok(from);
    }
    let Mended { position, lost_bytes } = mend(folder, about, from)?;
    tracing::warn!(
        "{}: the disk has lost {lost_bytes} bytes that were written; the job goes on without them",
        folder.path().display()
    );
    write_mended(folder, about, mark, position)?;
    Ok(position)
}

struct Mended {
    position: Position,
    lost_bytes: u64,
}

fn is_whole(folder: &JobFolder, from: Position) -> Result<bool, Error> {
    for serial in 1..=from.serial {
        let needed = if serial == from.serial { from.file_bytes } else { 1 };
        if length(&folder.file(serial))? < needed {
            return Ok(false);
        }
    }
    let path = folder.captures();
    let Some(last) = from.captures_bytes.checked_sub(1) else { return Ok(true) };
    if length(&path)? <= last {
        return Ok(false);
    }
    // Where the disk has kept the length and lost the text, there is no end of a line.
    let mut byte = [0];
    let file = File::open(&path).map_err(Error::read(&path))?;
    file.read_exact_at(&mut byte, last).map_err(Error::read(&path))?;
    Ok(byte == *b"\n")
}

fn mend(folder: &JobFolder, about: &About, from: Position) -> Result<Mended, Error> {
    let mut lost_bytes = 0;
    // For each file where its last record with a line begins, as far as it is there at all.
    let mut files = Vec::new();
    for serial in 1..=from.serial {
        let limit = if serial == from.serial { from.file_bytes } else { u64::MAX };
        files.push((0, length(&folder.file(serial))?.min(limit)));
    }
    each_line(folder, from, |_, serial, offset, end| {
        if let Some((start, bytes)) = files.get_mut(serial)
            && end <= *bytes
        {
            *start = offset.max(*start);
        }
        Ok(())
    })?;
    let mut sound = Vec::new();
    for (serial, (start, bytes)) in (1..).zip(files) {
        let needed = if serial == from.serial { from.file_bytes } else { bytes };
        let kept = cut(folder, about, serial, start, bytes)?;
        lost_bytes += needed.saturating_sub(kept);
        sound.push(kept);
    }
    let captures_bytes = keep_lines(folder, about, from, &sound)?;
    lost_bytes += from.captures_bytes.saturating_sub(captures_bytes);
    // It names bytes of the lines, which may have moved.
    let _ = remove_all(&folder.digests());
    // The job goes on in another file, so that none of its later marks can be the one that was asked for.
    folder.remove_files_behind(from.serial)?;
    let serial = from.serial + 1;
    let file_bytes = cut(folder, about, serial, 0, 0)?;
    folder.sync()?;
    Ok(Mended { position: Position { serial, file_bytes, captures_bytes }, lost_bytes })
}

/// Cuts a file behind its last whole record: how long it is then. One that is gone is begun anew, so that the numbers go on.
fn cut(folder: &JobFolder, about: &About, serial: u32, start: u64, bytes: u64) -> Result<u64, Error> {
    let path = folder.file(serial);
    let options = || OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
    let file = options().map_err(Error::write(&path))?;
    let mut kept = sound_part(&file, start, bytes).map_err(Error::read(&path))?;
    if kept == start {
        kept = sound_part(&file, 0, bytes).map_err(Error::read(&path))?;
    }
    file.set_len(kept).map_err(Error::write(&path))?;
    let mut file = OnDisk { file, disk: Arc::clone(&about.disk) };
    if kept == 0 {
        let head = warcinfo(about, folder.job(), &folder.file_name(serial), about.started)?;
        file.file.rewind().and_then(|()| file.write_all(&head)).map_err(Error::write(&path))?;
        kept = head.len() as u64;
    }
    warc::Durable::sync(&mut file).map_err(Error::sync(&path))?;
    Ok(kept)
}

/// Where the last whole record ends, looking from the start of one.
fn sound_part(mut file: &File, start: u64, bytes: u64) -> io::Result<u64> {
    file.seek(SeekFrom::Start(start))?;
    let source = BufReader::with_capacity(256 << 10, file.take(bytes.saturating_sub(start)));
    match warc::sound_part(source, warc::Options::default()) {
        Ok(part) => Ok(start + part.length),
        Err(warc::Error::Read { source, .. }) => Err(source),
        // Not even the beginning of a record.
        Err(_) => Ok(start),
    }
}

/// Writes the lines anew whose records are whole: how many bytes they are.
fn keep_lines(folder: &JobFolder, about: &About, from: Position, sound: &[u64]) -> Result<u64, Error> {
    let (path, fresh) = (folder.captures(), folder.path().join("captures.new"));
    let file = File::create(&fresh).map_err(Error::write(&fresh))?;
    let mut out = BufWriter::with_capacity(256 << 10, OnDisk { file, disk: Arc::clone(&about.disk) });
    out.write_all(CAPTURES_HEAD).map_err(Error::write(&fresh))?;
    let mut kept = CAPTURES_HEAD.len() as u64;
    each_line(folder, from, |line, serial, _, end| {
        if sound.get(serial).is_some_and(|sound| end <= *sound) {
            out.write_all(line).and_then(|()| out.write_all(b"\n")).map_err(Error::write(&fresh))?;
            kept += line.len() as u64 + 1;
        }
        Ok(())
    })?;
    let mut file = out.into_inner().map_err(|error| Error::write(&fresh)(error.into_error()))?;
    warc::Durable::sync(&mut file).map_err(Error::sync(&fresh))?;
    about.disk.rename(&fresh, &path).map_err(Error::write(&path))?;
    folder.sync()?;
    Ok(kept)
}

/// Hands on each line that can be read: with the number of its file, counted from 0, and where its record begins and ends.
fn each_line(
    folder: &JobFolder,
    from: Position,
    mut sink: impl FnMut(&[u8], usize, u64, u64) -> Result<(), Error>,
) -> Result<(), Error> {
    let path = folder.captures();
    let file = match File::open(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        file => file.map_err(Error::read(&path))?,
    };
    let limits = cdx::Limits::default();
    let source = BufReader::with_capacity(256 << 10, file.take(from.captures_bytes));
    let mut lines = cdx::Lines::new(source, &limits);
    // A line over every measure is none of ours, and what follows it neither.
    while let Ok(true) = lines.advance() {
        let line = lines.line();
        if let Ok(row) = cdx::Capture::parse_cdxj(line, &limits)
            && let Some(file) = row.filename.as_deref().and_then(|name| serial_of(folder, name))
            && let (Some(offset), Some(length)) = (row.offset, row.length)
        {
            sink(line, file, offset, offset.saturating_add(length))?;
        }
    }
    Ok(())
}

fn serial_of(folder: &JobFolder, name: &str) -> Option<usize> {
    let name = name.strip_prefix(folder.job())?.strip_prefix('/')?;
    let number = name.strip_prefix(folder.job())?.strip_prefix('-')?.strip_suffix(".warc.gz")?;
    number.parse::<usize>().ok()?.checked_sub(1)
}

fn length(path: &Path) -> Result<u64, Error> {
    match fs::metadata(path) {
        Ok(metadata) => Ok(metadata.len()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(0),
        Err(error) => Err(Error::read(path)(error)),
    }
}

/// What stands for this mark since it was mended.
fn read_mended(folder: &JobFolder, mark: Position) -> Option<Position> {
    let mut bytes = Vec::new();
    File::open(folder.mended()).ok()?.take(100).read_to_end(&mut bytes).ok()?;
    let (asked, instead) = bytes.split_at_checked(bytes.len() / 2)?;
    let position = |bytes: &[u8]| Mark::from_bytes(bytes).position().ok();
    (position(asked)? == mark).then(|| position(instead)).flatten()
}

fn write_mended(folder: &JobFolder, about: &About, mark: Position, instead: Position) -> Result<(), Error> {
    let (path, fresh) = (folder.mended(), folder.path().join("mended.new"));
    let bytes = [Mark::of(mark).as_bytes(), Mark::of(instead).as_bytes()].concat();
    let file = File::create(&fresh).map_err(Error::write(&fresh))?;
    let mut file = OnDisk { file, disk: Arc::clone(&about.disk) };
    file.write_all(&bytes).map_err(Error::write(&fresh))?;
    warc::Durable::sync(&mut file).map_err(Error::sync(&fresh))?;
    about.disk.rename(&fresh, &path).map_err(Error::write(&path))?;
    folder.sync()
}
