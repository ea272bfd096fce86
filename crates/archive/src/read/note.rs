//! What a job has left besides captures: its settings, logs and reports, found again in its metadata file.

use std::io::{BufReader, Read};

use warc::{Options, Reader};

use super::body::Body;
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
        let body = Body::open(self.store(), &file, offset, None)?;
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
        let files = self.store().files_of(job)?;
        let Some(file) = files.into_iter().find(|file| file.name.ends_with("-metadata.warc.gz")) else {
            return Ok(None);
        };
        let opened = BufReader::new(self.store().read(&file.name, 0)?);
        let mut reader = Reader::new(opened, Options::default())?;
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
        Ok(Some(file.name))
    }
}
