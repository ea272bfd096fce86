//! ARC records as WARC records: the fields that their line has, with digests.

use std::io::{self, Read, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::SpooledTempFile;
use warc::{
    Algorithm, Digest, Draft, Extent, Hasher, Head, HttpHead, Limits, Name, RecordType, Version, Writer,
    warcinfo_block,
};

/// A block up to this size is held in memory while its digests are computed; a longer one goes to a temporary file.
const SPOOL_BYTES: usize = 4 << 20;

/// Turns the records of one ARC file into WARC records.
#[derive(Debug)]
pub struct Conversion {
    file: String,
    /// Where long blocks are put meanwhile.
    room: PathBuf,
    /// Standard input has no name; the file's own first line may have one.
    is_unnamed: bool,
    last: Option<Place>,
}

/// Where a record lies.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    offset: u64,
    /// Counted from 0 among the records of that offset: those that share a member have only one.
    ordinal: u64,
}

impl Place {
    /// Of the only record that begins at this byte.
    #[must_use]
    pub fn at(offset: u64) -> Place {
        Place { offset, ordinal: 0 }
    }
}

impl Conversion {
    /// Of the file of this name, to this one. It lends its name to standard input, which is `-`; long blocks are put beside it until
    /// they are written.
    #[must_use]
    pub fn of(file: &str, out: &Path) -> Conversion {
        let is_unnamed = file == "-";
        let file = if is_unnamed { &out.to_string_lossy() } else { file };
        Conversion { file: base_name(file), room: beside(out), is_unnamed, last: None }
    }

    /// Where long blocks are put meanwhile.
    pub(super) fn room(&self) -> &Path {
        &self.room
    }

    /// The place of the next record; to be asked for each once, also for those that are not written.
    pub fn place(&mut self, head: &Head, offset: u64) -> Place {
        if self.is_unnamed && self.last.is_none() {
            let uri = head.target_uri().unwrap_or_default();
            let said = uri.strip_prefix("filedesc:").unwrap_or_default().trim_start_matches('/');
            if !said.is_empty() {
                self.file = base_name(said);
            }
        }
        let ordinal = self.last.filter(|last| last.offset == offset).map_or(0, |last| last.ordinal + 1);
        let place = Place { offset, ordinal };
        self.last = Some(place);
        place
    }

    /// Writes the record of this head, whose block has `length` bytes. `mark` has the last word on the header.
    ///
    /// # Errors
    /// When the block cannot be read, or the record cannot be written.
    pub fn write<W: Write>(
        &self,
        head: &Head,
        place: Place,
        mark: impl FnOnce(Draft) -> Draft,
        length: u64,
        block: &mut impl Read,
        writer: &mut Writer<W>,
    ) -> Result<Extent, warc::Error> {
        let digits = head.date_text().unwrap_or_default();
        let date = urlkey::time::parse_14_clamped(&digits);
        let id = self.id(place);
        if *head.record_type() == RecordType::ArcHeader {
            let info = self.info(length, block).map_err(unread)?;
            let draft = Draft::new(Version::Warc1_1, &RecordType::Warcinfo, &id, date)
                .content_type("application/warc-fields")
                .block_digest(&Digest::of(Algorithm::Sha1, &info));
            return writer.write(&mark(draft), &info);
        }
        let mut spool = SpooledTempFile::new_in(SPOOL_BYTES, &self.room);
        let found = spool_with_digests(block, head.holds_http(), &mut spool).map_err(unread)?;
        let uri = head.target_uri().unwrap_or_default().replace(' ', "%20");
        let media = head
            .content_type()
            .map_or_else(|| "application/octet-stream".to_owned(), |media| media.into_owned());
        // Only HTTP and DNS have a protocol's answer in the block; anything else is the thing itself.
        let (kind, media) = match (found.is_http, uri.starts_with("dns:")) {
            (true, _) => (RecordType::Response, "application/http; msgtype=response".to_owned()),
            (false, true) => (RecordType::Response, "text/dns".to_owned()),
            (false, false) => (RecordType::Resource, media),
        };
        let mut draft = Draft::new(Version::Warc1_1, &kind, &id, date)
            .target_uri(&uri)
            .content_type(&media)
            .block_digest(&found.block)
            .payload_digest(&found.payload);
        if let Some(address) = head.ip_address().filter(|address| !address.is_unspecified()) {
            draft = draft.ip_address(address);
        }
        draft = mark(draft);
        if !draft.get(Name::TargetUri).is_some_and(|uri| uri.contains(':')) {
            draft = draft.target_uri(&format!("urn:arc:{}:{}:{}", self.file, place.offset, place.ordinal));
        }
        writer.write_from(&draft, found.length, &mut spool)
    }

    /// The version block becomes the block of a warcinfo that quotes it.
    fn info(&self, length: u64, block: &mut impl Read) -> io::Result<Vec<u8>> {
        let mut header = Vec::new();
        block.take(length.min(1 << 20)).read_to_end(&mut header)?;
        let header = String::from_utf8_lossy(&header);
        let software = concat!("varve/", env!("CARGO_PKG_VERSION"));
        let description = format!("converted from the ARC file {}", self.file);
        Ok(warcinfo_block(&[
            ("software", software),
            ("format", "WARC File Format 1.1"),
            ("description", &description),
            ("arc-header", header.trim()),
        ]))
    }

    /// A UUID that follows from the file's name and the place, in the manner of version 5 (RFC 9562, 5.5).
    fn id(&self, place: Place) -> String {
        let name = format!("varve:arc:{}:{}:{}", self.file, place.offset, place.ordinal);
        let digest = Digest::of(Algorithm::Sha1, name.as_bytes());
        let mut bytes = [0; 16];
        bytes.iter_mut().zip(digest.value()).for_each(|(byte, value)| *byte = *value);
        let number = u128::from_be_bytes(bytes) & !(0xf << 76) & !(0x3 << 62) | (0x5 << 76) | (0x2 << 62);
        let hex = format!("{number:032x}");
        let part = |from: usize, to: usize| hex.get(from..to).unwrap_or_default().to_owned();
        format!("urn:uuid:{}-{}-{}-{}-{}", part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32))
    }
}

struct Spooled {
    length: u64,
    is_http: bool,
    block: Digest,
    payload: Digest,
}

/// A block that could not be read: the record's own complaint, if it is one.
fn unread(error: io::Error) -> warc::Error {
    error.downcast::<warc::Error>().unwrap_or_else(|source| warc::Error::Read { offset: 0, source })
}

/// The folder that a file lies in.
fn beside(file: &Path) -> PathBuf {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new(".")).to_owned()
}

/// The file's name without its folders.
fn base_name(name: &str) -> String {
    Path::new(name).file_name().map_or_else(|| name.to_owned(), |base| base.to_string_lossy().into_owned())
}

/// Copies a block into the spool, which is left at its start, and computes its digests on the way.
fn spool_with_digests(
    block: &mut impl Read,
    may_be_http: bool,
    spool: &mut SpooledTempFile,
) -> io::Result<Spooled> {
    let length = io::copy(block, spool)?;
    spool.seek(SeekFrom::Start(0))?;
    let mut start =
        vec![0; Limits::default().http_head_bytes.min(usize::try_from(length).unwrap_or(usize::MAX))];
    spool.read_exact(&mut start)?;
    let head_length =
        if may_be_http { HttpHead::parse(&start).map(|(_, length)| length as u64) } else { None };
    let digest_from = |spool: &mut SpooledTempFile, from: u64| -> io::Result<Digest> {
        let mut hasher = Hasher::new(Algorithm::Sha1);
        let mut buffer = vec![0; 64 << 10];
        spool.seek(SeekFrom::Start(from))?;
        loop {
            match spool.read(&mut buffer)? {
                0 => return Ok(hasher.finish()),
                count => hasher.update(buffer.get(..count).unwrap_or_default()),
            }
        }
    };
    let block = digest_from(spool, 0)?;
    let payload = match head_length {
        Some(head_length) => digest_from(spool, head_length)?,
        None => block.clone(),
    };
    spool.seek(SeekFrom::Start(0))?;
    Ok(Spooled { length, is_http: head_length.is_some(), block, payload })
}
