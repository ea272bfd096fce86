//! The metadata file of a job: settings, seeds, logs, reports, the jobs it was compared with, and its index, as `resource` records.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek as _, Write};
use std::path::Path;
use std::sync::Arc;

use index::Commit;
use warc::{Algorithm, Digest, Draft, Encoding, Hasher, RecordType, Version, Writer};

use super::published::Published;
use crate::about::{About, Dedup};
use crate::disk::OnDisk;
use crate::error::Error;
use crate::job::{JobFolder, warcinfo};
use crate::notes::{Content, Note};
use crate::removal::is_removal;

/// Writes the metadata file, whole or not at all.
pub(crate) fn write(
    folder: &JobFolder,
    about: &About,
    notes: &[Note],
    published: &Published,
    against: &[Commit],
) -> Result<(), Error> {
    let commit = &published.commit;
    let path = folder.path().join(folder.metadata_name());
    let fresh = folder.path().join("metadata.new");
    let file = File::create(&fresh).map_err(Error::write(&fresh))?;
    let mut sink = BufWriter::with_capacity(256 << 10, OnDisk { file, disk: Arc::clone(&about.disk) });
    let head = warcinfo(about, folder.job(), &folder.metadata_name(), commit.at)?;
    sink.write_all(&head).map_err(Error::write(&fresh))?;
    let encoding = Encoding::Gzip(about.gzip_level.min(9));
    let mut records =
        Records { about, commit, path: &fresh, writer: Writer::resume(sink, &encoding, head.len() as u64)? };
    for note in notes {
        records.note(note)?;
    }
    let job = folder.job();
    let block = Content::Bytes(published.to_block());
    records.note(&Note::new(job, "setup", "commit", "application/warc-fields", block))?;
    if about.dedup != Dedup::Off {
        let jobs = against.iter().filter(|commit| !is_removal(commit));
        let jobs: String = jobs.map(|commit| format!("{}\n", commit.name)).collect();
        let jobs = Content::Bytes(jobs.into_bytes());
        records.note(&Note::new(job, "setup", "duplicatereductionjobs", "text/plain", jobs))?;
    }
    let index = Content::File(folder.sorted());
    records.note(&Note::new(job, "index", "captures.cdxj", "application/x-cdxj", index))?;
    records.finish()?;
    about.disk.rename(&fresh, &path).map_err(Error::write(&path))
}

struct Records<'a> {
    about: &'a About,
    commit: &'a Commit,
    path: &'a Path,
    writer: Writer<BufWriter<OnDisk>>,
}

impl Records<'_> {
    fn note(&mut self, note: &Note) -> Result<(), Error> {
        match &note.content {
            Content::Bytes(bytes) => {
                let digest = Digest::of(Algorithm::Sha256, bytes);
                self.record(note, &digest, bytes.len() as u64, bytes.as_slice())
            }
            Content::File(path) => {
                let mut file = match File::open(path) {
                    Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
                    file => file.map_err(Error::read(path))?,
                };
                // A log may still be written to: what is there now is what is kept.
                let length = file.metadata().map_err(Error::read(path))?.len();
                let digest = digest(&mut (&file).take(length)).map_err(Error::read(path))?;
                file.rewind().map_err(Error::read(path))?;
                self.record(note, &digest, length, file.take(length))
            }
        }
    }

    fn record(&mut self, note: &Note, digest: &Digest, length: u64, block: impl Read) -> Result<(), Error> {
        let (kind, id) = (RecordType::Resource, self.about.id());
        let draft = Draft::new(Version::Warc1_1, &kind, &id, self.commit.at)
            .target_uri(&note.uri)
            .content_type(&note.media_type)
            .block_digest(digest)
            .payload_digest(digest);
        match self.writer.write_from(&draft, length, block) {
            Ok(_) => Ok(()),
            Err(warc::Error::Write(source)) => Err(Error::write(self.path)(source)),
            Err(error) => Err(error.into()),
        }
    }

    fn finish(self) -> Result<(), Error> {
        let sink = self.writer.into_inner();
        let mut file = sink.into_inner().map_err(|error| Error::write(self.path)(error.into_error()))?;
        warc::Durable::sync(&mut file).map_err(Error::write(self.path))
    }
}

fn digest(source: &mut impl Read) -> io::Result<Digest> {
    struct Into(Hasher);
    impl Write for Into {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.update(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut hasher = Into(Hasher::new(Algorithm::Sha256));
    io::copy(source, &mut hasher)?;
    Ok(hasher.0.finish())
}
