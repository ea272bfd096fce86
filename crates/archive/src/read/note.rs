//! What a job has left besides captures: its settings, logs and reports, found again in its metadata file.

use std::io::{BufReader, Read};

use warc::{Options, Reader};

use super::places::Spot;
use crate::archive::Archive;
use crate::error::Error;

impl Archive {
    /// The names of a committed job's notes, such as `crawl.log`; none if there is no such job.
    ///
    /// # Errors
    /// When its metadata file cannot be read.
    pub fn notes(&self, job: &str) -> Result<Vec<String>, Error> {
        let mut names = Vec::new();
        self.each_note(job, |name, _| {
            names.push(name.to_owned());
            false
        })?;
        Ok(names)
    }

    /// A note of a committed job by its name; `None` if there is none.
    ///
    /// # Errors
    /// When the job's metadata file cannot be read.
    pub fn note(&self, job: &str, name: &str) -> Result<Option<Box<dyn Read + Send>>, Error> {
        let mut place = None;
        let file = self.each_note(job, |found, offset| {
            let is_it = found == name;
            if is_it {
                place = Some(offset);
            }
            is_it
        })?;
        let (Some(file), Some(offset)) = (file, place) else { return Ok(None) };
        let body = self.places.open(&Spot { file, offset, length: None })?;
        Ok(body.map(|body| Box::new(body) as Box<dyn Read + Send>))
    }

    /// Goes through a job's notes until it is enough; says in which file they are.
    fn each_note(
        &self,
        job: &str,
        mut is_enough: impl FnMut(&str, u64) -> bool,
    ) -> Result<Option<String>, Error> {
        if !store::is_name(job) {
            return Ok(None);
        }
        // One that is gone from here is listed all the same, and may be elsewhere.
        let listed = self.store().listed_of(job)?;
        let Some(file) = listed.into_iter().find(|file| file.ends_with("-metadata.warc.gz")) else {
            return Ok(None);
        };
        self.places.each(|place| {
            let opened = BufReader::new(self.places.source(place, &file, 0)?);
            find_note(opened, &mut is_enough)
        })?;
        Ok(Some(file))
    }
}

/// Goes through the notes in a metadata file until it is enough.
fn find_note(file: impl Read, is_enough: &mut impl FnMut(&str, u64) -> bool) -> Result<(), Error> {
    let mut reader = Reader::new(file, Options::default())?;
    while let Some(record) = reader.next_record()? {
        let uri = record.head().target_uri().map(|uri| uri.into_owned()).unwrap_or_default();
        let offset = record.offset();
        let name = uri.strip_prefix("metadata://").and_then(|uri| {
            let path = uri.split_once('?').map_or(uri, |(path, _)| path);
            path.rsplit('/').next()
        });
        if name.is_some_and(|name| is_enough(name, offset)) {
            break;
        }
    }
    Ok(())
}
