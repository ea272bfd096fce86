//! What the metadata file of a job says: what the job was published under, behind which job, and where its index lines begin.

use std::io::{BufRead as _, BufReader, Read};

use store::Store;
use warc::{Limits, Options, Reader, Severity};

use crate::commit::Published;
use crate::error::Error;
use crate::notes::note_uri;
use crate::removal::REMOVED;

/// Bytes of `setup/commit` that are believed.
const PUBLISHED_BYTES_MAX: u64 = 1 << 20;

/// What a metadata file says.
#[derive(Debug, Default)]
pub struct MetadataFacts {
    /// What the job was published under.
    pub published: Option<Published>,
    /// The last of the jobs that it was compared with, which is the one that was committed before.
    pub compared_last: Option<String>,
    /// Where the record with its index lines begins.
    pub lines: Option<u64>,
}

impl MetadataFacts {
    /// Reads the records of the metadata file of a job. With `thoroughly` it reads to the end and compares the digest of each record,
    /// because the file is in doubt.
    ///
    /// # Errors
    /// When the records cannot be read.
    pub fn read(source: impl Read, job: &str, thoroughly: bool) -> Result<MetadataFacts, Error> {
        let options = Options { lenient: thoroughly, verify: true, limits: Limits::default() };
        let mut reader = Reader::new(source, options)?;
        let mut facts = MetadataFacts::default();
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
            let mut found = MetadataFacts::default();
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
}

/// What a job was published under, by its metadata file in the store; `None` if the file is missing or does not say.
pub(crate) fn published(store: &Store, job: &str) -> Option<Published> {
    let source = store.read(&format!("{job}/{job}-metadata.warc.gz"), 0).ok()?;
    MetadataFacts::read(BufReader::new(source), job, false).ok()?.published
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
