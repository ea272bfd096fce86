//! What a job's metadata file says of it: what it was published under, behind whom, and its lines.

use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use archive::Error;
use archive::job_files::Published;
use archive::job_files::{JobFile, MetadataFacts};
use jiff::Timestamp;

use crate::check::told;
use crate::places::{Places, Source};
use crate::report::{Kind, Problem};

/// A job that is to be brought back.
#[derive(Debug)]
pub(crate) struct Card {
    pub(crate) job: String,
    /// When it began.
    pub(crate) at: Timestamp,
    /// The job behind which it was committed.
    pub(crate) after: Option<String>,
    /// What it was published under; `None` where nothing says that.
    pub(crate) published: Option<Published>,
    /// Its lines, as they were published, or those that it takes out; `None` where there are none that are sound.
    pub(crate) lines: Option<Lines>,
    /// What is wrong with its metadata file.
    pub(crate) problems: Vec<Problem>,
}

/// Where `index/captures.cdxj` begins: in which file, at which byte.
#[derive(Debug)]
pub(crate) enum Lines {
    /// A file of the store.
    Kept(String, u64),
    /// A copy from another replica.
    Copied(PathBuf, u64),
}

impl Card {
    /// Of which nothing is known.
    pub(crate) fn of(job: &str) -> Card {
        let (job, at) = (job.to_owned(), Timestamp::UNIX_EPOCH);
        Card { job, at, after: None, published: None, lines: None, problems: Vec::new() }
    }

    /// Reads the metadata file of a job, if it has one. A copy from another replica is put into `room`.
    pub(crate) fn read(
        places: &Places<'_>,
        job: &str,
        file: Option<&JobFile>,
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

    fn facts(&mut self, places: &Places<'_>, file: &JobFile, room: &Path) -> Result<MetadataFacts, Error> {
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
            Ok(source) if file.is_there => {
                MetadataFacts::read(BufReader::new(source), &self.job, true).unwrap_or_default()
            }
            _ => MetadataFacts::default(),
        };
        self.lines = facts.lines.map(|offset| Lines::Kept(file.name.clone(), offset));
        Ok(facts)
    }

    /// From another replica, copied, because only a file can be read from where its lines begin.
    fn copied(
        &self,
        places: &Places<'_>,
        file: &JobFile,
        room: &Path,
    ) -> Result<Option<(MetadataFacts, PathBuf, usize)>, Error> {
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
    pub(crate) fn open(&self, places: &Places<'_>) -> Result<Source, Error> {
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
fn whole(
    places: &Places<'_>,
    file: &JobFile,
    source: impl Read,
    job: &str,
) -> Result<(MetadataFacts, String), Error> {
    let tell = |_| {};
    let mut source = places.hashing(source, &tell);
    let facts = MetadataFacts::read(BufReader::with_capacity(64 << 10, &mut source), job, false);
    let sum = source.finish().map_err(Error::read(file.name.as_ref()))?;
    // One that is not what it should be is told as that.
    match facts {
        Err(_) if file.sha256.as_ref() != Some(&sum) => Ok((MetadataFacts::default(), sum)),
        facts => Ok((facts?, sum)),
    }
}
