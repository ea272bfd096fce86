//! What a job's metadata file says of it: what it was published under, behind whom, and its lines.

use std::io::{self, BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use store::Store;
use warc::{Limits, Options, Reader, Severity};

use super::check::told;
use super::files::Kept;
use super::places::{Places, Source};
use super::report::{Kind, Problem};
use crate::commit::Published;
use crate::error::Error;
use crate::notes::note_uri;
use crate::removal::REMOVED;

/// Bytes of `setup/commit` that are believed.
const PUBLISHED_BYTES_MAX: u64 = 1 << 20;

/// A job that is to be brought back.
#[derive(Debug)]
pub(super) struct Card {
    pub(super) job: String,
    /// When it began.
    pub(super) at: Timestamp,
    /// The job behind which it was committed.
    pub(super) after: Option<String>,
    /// What it was published under; `None` where nothing says that.
    pub(super) published: Option<Published>,
    /// Its lines, as they were published, or those that it takes out; `None` where there are none that are sound.
    pub(super) lines: Option<Lines>,
    /// What is wrong with its metadata file.
    pub(super) problems: Vec<Problem>,
}

/// Where `index/captures.cdxj` begins: in which file, at which byte.
#[derive(Debug)]
pub(super) enum Lines {
    /// A file of the store.
    Kept(String, u64),
    /// A copy from another replica.
    Copied(PathBuf, u64),
}

/// What was found in a metadata file.
#[derive(Debug, Default)]
struct Facts {
    published: Option<Published>,
    /// The last of the jobs that it was compared with, which is the one that was committed before.
    compared_last: Option<String>,
    lines: Option<u64>,
}

impl Card {
    /// Of which nothing is known.
    pub(super) fn of(job: &str) -> Card {
        let (job, at) = (job.to_owned(), Timestamp::UNIX_EPOCH);
        Card { job, at, after: None, published: None, lines: None, problems: Vec::new() }
    }

    /// Reads the metadata file of a job, if it has one. A copy from another replica is put into `room`.
    pub(super) fn read(
        places: &Places<'_>,
        job: &str,
        file: Option<&Kept>,
        room: &Path,
    ) -> Result<Card, Error> {
        let mut card = Card::of(job);
        let Some(file) = file else {
            let name = format!("{job}/{job}-metadata.warc.gz");
            card.problems.push(Problem::of_file(
                Kind::Missing,
                &name,
                "it is not there, and has no checksum",
            ));
            return Ok(card);
        };
        let facts = card.facts(places, file, room)?;
        card.at = facts.published.as_ref().map_or(card.at, |published| published.commit.at);
        card.after = facts.published.as_ref().and_then(|published| published.after.clone());
        card.after = card.after.take().or(facts.compared_last);
        card.published = facts.published;
        Ok(card)
    }

    fn facts(&mut self, places: &Places<'_>, file: &Kept, room: &Path) -> Result<Facts, Error> {
        let mut trouble = (Kind::Missing, "it is not there".to_owned());
        if file.is_there {
            match places.here(&file.name, 0).and_then(|source| whole(places, file, source, &self.job)) {
                Ok((facts, sum)) if file.sha256.as_ref() == Some(&sum) => {
                    self.lines = facts.lines.map(|offset| Lines::Kept(file.name.clone(), offset));
                    return Ok(facts);
                }
                Ok((_, sum)) => {
                    trouble = match &file.sha256 {
                        Some(expected) => {
                            (Kind::Damaged, format!("its checksum is {sum} instead of {expected}"))
                        }
                        None => (Kind::Unlisted, "nothing says which checksum it should have".to_owned()),
                    }
                }
                Err(error) => trouble = (Kind::Damaged, told(&error)),
            }
            places.stop.check()?;
        }
        let (kind, message) = trouble;
        if let Some((facts, path, number)) = self.copied(places, file, room)? {
            self.lines = facts.lines.map(|offset| Lines::Copied(path, offset));
            let message = format!("{message}; replica {number} has it as it was");
            self.problems.push(Problem::of_file(Kind::Repairable, &file.name, message));
            return Ok(facts);
        }
        self.problems.push(Problem::of_file(kind, &file.name, message));
        // Each record has a digest of its own: what is sound by that is good.
        let facts = match places.here(&file.name, 0) {
            Ok(source) if file.is_there => read(BufReader::new(source), &self.job, true).unwrap_or_default(),
            _ => Facts::default(),
        };
        self.lines = facts.lines.map(|offset| Lines::Kept(file.name.clone(), offset));
        Ok(facts)
    }

    /// From another replica, copied, because only a file can be read from where its lines begin.
    fn copied(
        &self,
        places: &Places<'_>,
        file: &Kept,
        room: &Path,
    ) -> Result<Option<(Facts, PathBuf, usize)>, Error> {
        let path = room.join(&self.job);
        for (number, mut source) in places.elsewhere(file) {
            let mut copy = std::fs::File::create(&path).map_err(Error::write(&path))?;
            if io::copy(&mut source, &mut copy).is_err() {
                continue;
            }
            let copy = std::fs::File::open(&path).map_err(Error::read(&path))?;
            match whole(places, file, copy, &self.job) {
                Ok((facts, sum)) if file.sha256.as_ref() == Some(&sum) => {
                    return Ok(Some((facts, path, number)));
                }
                _ => places.stop.check()?,
            }
        }
        Ok(None)
    }
}

impl Lines {
    /// Opens them.
    pub(super) fn open(&self, places: &Places<'_>) -> Result<Source, Error> {
        match self {
            Lines::Kept(name, offset) => places.here(name, *offset),
            Lines::Copied(path, offset) => {
                let mut file = std::fs::File::open(path).map_err(Error::read(path))?;
                io::Seek::seek(&mut file, io::SeekFrom::Start(*offset)).map_err(Error::read(path))?;
                Ok(Box::new(file))
            }
        }
    }
}

/// What a file says, and its SHA-256.
fn whole(places: &Places<'_>, file: &Kept, source: impl Read, job: &str) -> Result<(Facts, String), Error> {
    let tell = |_| {};
    let mut source = places.hashing(source, &tell);
    let facts = read(BufReader::with_capacity(64 << 10, &mut source), job, false);
    let sum = source.finish().map_err(Error::read(file.name.as_ref()))?;
    // One that is not what it should be is told as that.
    match facts {
        Err(_) if file.sha256.as_ref() != Some(&sum) => Ok((Facts::default(), sum)),
        facts => Ok((facts?, sum)),
    }
}

/// Goes through the records; thoroughly, to their end, comparing the digest of each, because the file is in doubt.
fn read(source: impl Read, job: &str, thoroughly: bool) -> Result<Facts, Error> {
    let options = Options { lenient: thoroughly, verify: true, limits: Limits::default() };
    let mut reader = Reader::new(source, options)?;
    let mut facts = Facts::default();
    let uris = [
        ("setup", "commit"),
        ("setup", "duplicatereductionjobs"),
        ("index", "captures.cdxj"),
        ("index", REMOVED),
    ];
    let [commit, compared, captures, removed] = uris.map(|(section, name)| note_uri(job, section, name));
    while let Some(mut record) = reader.next_record()? {
        let uri = record.head().target_uri().map(|uri| uri.into_owned()).unwrap_or_default();
        let offset = record.offset();
        let mut found = Facts::default();
        if uri == commit {
            let mut block = String::new();
            let read = (&mut record).take(PUBLISHED_BYTES_MAX).read_to_string(&mut block);
            found.published = read.ok().and_then(|_| Published::parse(&block));
        } else if uri == compared {
            found.compared_last = last_line(&mut record);
        } else if uri == removed {
            found.lines = Some(offset);
        } else if uri == captures {
            found.lines = Some(offset);
            if !thoroughly {
                facts.lines = found.lines;
                return Ok(facts);
            }
        }
        let (_, faults) = record.finish_with_faults()?;
        let is_damage = |fault: &warc::Fault| fault.kind.severity() == Severity::Damage;
        if faults.iter().any(|fault| is_damage(fault) && fault.offset >= offset) {
            continue;
        }
        facts.published = facts.published.or(found.published);
        facts.compared_last = facts.compared_last.or(found.compared_last);
        facts.lines = facts.lines.or(found.lines);
    }
    Ok(facts)
}

/// What a job was published under, by its metadata file in the store; `None` where that is not there or does not say.
pub(crate) fn published(store: &Store, job: &str) -> Option<Published> {
    let source = store.read(&format!("{job}/{job}-metadata.warc.gz"), 0).ok()?;
    read(BufReader::new(source), job, false).ok()?.published
}

/// The last name of a list, of which there may be many.
fn last_line(list: impl Read) -> Option<String> {
    let (mut lines, mut line, mut last) = (BufReader::new(list), Vec::new(), None);
    loop {
        line.clear();
        match lines.by_ref().take(1 << 10).read_until(b'\n', &mut line) {
            Ok(1..) => last = str::from_utf8(&line).ok().map(|line| line.trim_end().to_owned()),
            _ => return last.filter(|last| store::is_name(last)),
        }
    }
}
