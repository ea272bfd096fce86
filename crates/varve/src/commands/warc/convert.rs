//! `varve warc convert`: ARC to WARC, and from any compression to any other.

use std::io::{self, Read, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use serde::Serialize;
use tempfile::SpooledTempFile;
use warc::{
    Algorithm, Digest, Draft, Fault, Hasher, Head, HttpHead, Limits, Name, Options, Reader, RecordType,
    Version, Writer, warcinfo_block,
};

use super::output_file::Target;
use crate::exit::Exit;
use crate::hint::with_hint;
use crate::input::Input;
use crate::new_file::NewFile;
use crate::progress::Progress;
use crate::session::Session;
use crate::terminal::{bytes, counted, escape};

/// A block up to this size is held in memory while its digests are computed; a longer one goes to a temporary file.
const SPOOL_BYTES: usize = 4 << 20;

/// The way out of damage.
const REPAIR: &str = "`varve warc repair` writes what is readable to a new file";

/// Write a file anew: ARC as WARC, each record in a member of its own, compressed as wanted
///
/// WARC records keep their headers and blocks. An ARC record becomes a response with the fields its line has and with
/// digests; its record id follows from the file's name and its place in it, so that a second run gives the same file.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A WARC or ARC file, compressed or not; - is standard input
    #[arg(value_name = "IN")]
    input: PathBuf,

    #[command(flatten)]
    target: Target,
}

/// What was done, as `--json` prints it.
#[derive(Serialize)]
struct Summary {
    file: String,
    out: String,
    records: u64,
    out_bytes: u64,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let input = Input::open(&args.input)?;
    let name = input.name.clone();
    let progress = Progress::bytes(&session.talk, "converting", input.size_bytes);
    let options = Options { lenient: false, verify: false, limits: Limits::default() };
    let failed = |error: warc::Error| -> anyhow::Error { with_hint(anyhow!("{name}: {error}"), REPAIR) };
    let mut out = args.target.create(&args.input)?;
    let mut reader = Reader::new(progress.clone().around(input), options).map_err(failed)?;
    let mut conversion = Conversion::of(&name, &args.target.out);
    let mut records = 0;
    while let Some(mut record) = reader.next_record().map_err(failed)? {
        records += 1;
        let head = record.head().clone();
        let (offset, length) = (record.offset(), record.left());
        let copied = if head.version().is_arc() {
            let place = conversion.place(&head, offset);
            conversion.write(&head, place, |draft| draft, length, &mut record, out.writer())
        } else {
            write(out.writer(), &Draft::like(&head), length, &mut record)
        };
        copied.map_err(|error| explain(error, &name, offset))?;
        warn(session, &name, reader.take_faults());
    }
    warn(session, &name, reader.take_faults());
    let out_bytes = out.finish()?;
    progress.finish();
    let summary =
        Summary { file: name, out: args.target.out.to_string_lossy().into_owned(), records, out_bytes };
    if session.globals.json {
        session.out.json(&summary)?;
    } else {
        let written = bytes(summary.out_bytes);
        let records = counted(records, "record");
        session.out.line(format!("{records}, {written} written to {}", escape(&summary.out)))?;
    }
    Ok(Exit::Done)
}

/// What is odd in the old file does not stop its conversion, and should be known.
fn warn(session: &Session, name: &str, faults: Vec<Fault>) {
    for fault in faults {
        session.talk.warning(&format!("{name}: {fault}"));
    }
}

/// Which record could not be copied; and the way out, if it is the record that is to blame and not the disk.
fn explain(error: anyhow::Error, name: &str, offset: u64) -> anyhow::Error {
    let is_unsound =
        |error: &warc::Error| error.fault().is_some() || matches!(error, warc::Error::FieldValue { .. });
    let blamed = error.chain().any(|cause| {
        let inner = cause.downcast_ref::<io::Error>().and_then(|error| error.get_ref());
        let inner = inner.and_then(|inner| inner.downcast_ref::<warc::Error>());
        inner.or_else(|| cause.downcast_ref::<warc::Error>()).is_some_and(is_unsound)
    });
    let error = error.context(format!("{name}: at byte {offset}: this record cannot be copied"));
    if blamed { with_hint(error, REPAIR) } else { error }
}

/// Writes a record; a failure to read its block is told as such.
pub(super) fn write(
    writer: &mut Writer<NewFile>,
    draft: &Draft,
    length: u64,
    block: &mut impl Read,
) -> anyhow::Result<()> {
    writer.write_from(draft, length, block).context("cannot copy a record")?;
    Ok(())
}

/// Turns the records of one ARC file into WARC records.
pub(super) struct Conversion {
    file: String,
    /// Standard input has no name; the file's own first line may have one.
    is_unnamed: bool,
    last: Option<Place>,
}

/// Where a record lies.
#[derive(Clone, Copy)]
pub(super) struct Place {
    offset: u64,
    /// Counted from 0 among the records of that offset: those that share a member have only one.
    ordinal: u64,
}

impl Conversion {
    /// Of the file of this name; `out` lends its own to standard input.
    pub(super) fn of(file: &str, out: &Path) -> Conversion {
        let is_unnamed = file == "-";
        let file = if is_unnamed { &out.to_string_lossy() } else { file };
        Conversion { file: crate::reading::base_name(file), is_unnamed, last: None }
    }

    /// The place of the next record; to be asked for each once, also for those that are not written.
    pub(super) fn place(&mut self, head: &Head, offset: u64) -> Place {
        if self.is_unnamed && self.last.is_none() {
            let uri = head.target_uri().unwrap_or_default();
            let said = uri.strip_prefix("filedesc:").unwrap_or_default().trim_start_matches('/');
            if !said.is_empty() {
                self.file = crate::reading::base_name(said);
            }
        }
        let ordinal = self.last.filter(|last| last.offset == offset).map_or(0, |last| last.ordinal + 1);
        let place = Place { offset, ordinal };
        self.last = Some(place);
        place
    }

    /// Writes the record of this head, whose block has `length` bytes. `mark` has the last word on the header.
    pub(super) fn write(
        &self,
        head: &Head,
        place: Place,
        mark: impl FnOnce(Draft) -> Draft,
        length: u64,
        block: &mut impl Read,
        writer: &mut Writer<NewFile>,
    ) -> anyhow::Result<()> {
        let digits = head.date_text().unwrap_or_default();
        let date = urlkey::time::parse_14_clamped(&digits);
        let id = self.id(place);
        if *head.record_type() == RecordType::ArcHeader {
            let info = self.info(length, block)?;
            let draft = Draft::new(Version::Warc1_1, &RecordType::Warcinfo, &id, date)
                .content_type("application/warc-fields")
                .block_digest(&Digest::of(Algorithm::Sha1, &info));
            return write(writer, &mark(draft), info.len() as u64, &mut info.as_slice());
        }
        let mut spool = SpooledTempFile::new(SPOOL_BYTES);
        let found = spool_with_digests(block, head.holds_http(), &mut spool)?;
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
        write(writer, &draft, found.length, &mut spool)
    }

    /// The version block becomes the block of a warcinfo that quotes it.
    fn info(&self, length: u64, block: &mut impl Read) -> anyhow::Result<Vec<u8>> {
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

/// Copies a block into the spool, which is left at its start, and computes its digests on the way.
fn spool_with_digests(
    block: &mut impl Read,
    may_be_http: bool,
    spool: &mut SpooledTempFile,
) -> anyhow::Result<Spooled> {
    let length = io::copy(block, spool).context("cannot set a block aside")?;
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
