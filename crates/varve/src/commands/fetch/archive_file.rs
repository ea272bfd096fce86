//! The WARC file that exchanges go to: whole records, or no file. Where nobody answered there is none, either: an old file
//! stays as it is, and none stands in the way of the next attempt.

use std::collections::HashSet;
use std::path::Path;

use anyhow::{Context as _, anyhow};
use fetch::{Clock, Exchange, Ids, Ready};
use warc::{
    Algorithm, Compression, Digest, Draft, Encoding, Name, RecordType, Version, Writer, warcinfo_block,
};

use crate::new_file::NewFile;
use crate::record_id;

/// A file that is being written.
pub(super) struct ArchiveFile {
    writer: Writer<NewFile>,
    info: String,
    /// Lookups that have a record already, by name and time.
    lookups: HashSet<(String, jiff::Timestamp)>,
    records: u64,
    responses: u64,
    /// A record could not be written whole; nothing may follow it.
    is_broken: bool,
}

impl ArchiveFile {
    /// Begins a file with its warcinfo record.
    pub(super) fn create(path: &Path, force: bool, clock: &Clock) -> anyhow::Result<ArchiveFile> {
        let compression = match path.extension().and_then(|ending| ending.to_str()) {
            Some("gz") => Compression::Gzip,
            Some("zst" | "zstd") => Compression::Zstd,
            _ => Compression::None,
        };
        let writer = Writer::new(NewFile::create(path, force)?, &Encoding::usual(compression))?;
        let mut file = ArchiveFile {
            writer,
            info: record_id::new(),
            lookups: HashSet::new(),
            records: 0,
            responses: 0,
            is_broken: false,
        };
        let block = warcinfo_block(&[
            ("software", concat!("varve/", env!("CARGO_PKG_VERSION"))),
            ("format", "WARC File Format 1.1"),
            ("conformsTo", "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"),
        ]);
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        // A name that no header can hold is left out.
        let name: String = name.chars().filter(|c| !c.is_control()).collect();
        let draft = Draft::new(Version::Warc1_1, &RecordType::Warcinfo, &file.info, clock.now())
            .with(Name::Filename, &name)
            .content_type("application/warc-fields")
            .block_digest(&Digest::of(Algorithm::Sha1, &block));
        file.put(Ready { draft, length: block.len() as u64, block: Box::new(block.as_slice()) })?;
        Ok(file)
    }

    /// Writes the records of an exchange: the lookup if it is a new one, request, response, and what is wrong with a certificate.
    pub(super) fn write(&mut self, exchange: &Exchange) -> anyhow::Result<()> {
        let info = self.info.clone();
        // What a setting says about a name is no lookup.
        let lookup = exchange.dns.as_deref().filter(|answer| answer.server.is_some());
        if let Some(answer) = lookup
            && self.lookups.insert((answer.name.clone(), answer.at))
        {
            self.put(answer.record(&record_id::new(), Some(&info)))?;
        }
        let (request, response) = (record_id::new(), record_id::new());
        let ids = Ids { request: &request, response: &response, warcinfo: Some(&info) };
        if let Some(ready) = exchange.request_record(ids) {
            self.put(ready)?;
        }
        if let Some(ready) = exchange.response_record(ids) {
            self.put(ready)?;
            self.responses += 1;
        }
        if let Some(ready) = exchange.certificate_record(&record_id::new(), ids) {
            self.put(ready)?;
        }
        // What is said to be fetched has left this program, so that it can be found again even if the program is killed.
        self.writer.flush().context("cannot write the records")
    }

    /// Brings the file to the disk and gives it its name; how many records it has. `None` if there was nothing to keep, and
    /// so no file.
    pub(super) fn finish(mut self) -> anyhow::Result<Option<u64>> {
        if self.is_broken {
            return Err(anyhow!("a record was not written to its end; the file is not kept"));
        }
        if self.responses == 0 {
            return Ok(None);
        }
        self.writer.flush()?;
        self.writer.into_inner().finish()?;
        Ok(Some(self.records))
    }

    fn put(&mut self, ready: Ready<'_>) -> anyhow::Result<()> {
        let written = self.writer.write_from(&ready.draft, ready.length, ready.block);
        self.is_broken |= written.is_err();
        written.context("cannot write a record")?;
        self.records += 1;
        Ok(())
    }
}
