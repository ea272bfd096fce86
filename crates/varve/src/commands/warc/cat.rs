//! `varve warc cat`: one record, or a part of it.

use std::fs::File;
use std::io::{BufRead, Read, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use settings::Input;
use warc::{Coding, Compression, Dechunk, Fault, Limits, Nature, Options, Reader, Record};

use crate::exit::Exit;
use crate::hint::WithHint as _;
use crate::reading;
use crate::session::Session;
use crate::terminal::escape_bytes;

/// How a frame with the dictionary of a zstd file begins, before its length.
/// <https://iipc.github.io/warc-specifications/specifications/warc-zstd/>
const DICTIONARY_MAGIC: [u8; 4] = [0x5d, 0x2a, 0x4d, 0x18];

/// Print one record: all of it, its headers, its payload, or its bytes as they lie in the file
///
/// On a terminal control characters are shown and not obeyed; into a file or pipe the bytes go as they are.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A WARC or ARC file, compressed or not; - is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    which: Which,

    #[command(flatten)]
    part: Part,

    /// Stop unfolding a payload at this many bytes
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().payload_bytes)]
    limit: u64,
}

/// Which record.
#[derive(clap::Args)]
#[group(required = true, multiple = false)]
struct Which {
    /// The record that begins at this byte
    #[arg(long, value_name = "N")]
    offset: Option<u64>,

    /// The record with this WARC-Record-ID, with or without angle brackets
    #[arg(long, value_name = "ID")]
    id: Option<String>,

    /// The first response, revisit or resource of this URL
    #[arg(long, value_name = "URL")]
    url: Option<String>,
}

/// What of it.
#[derive(clap::Args)]
#[group(multiple = false)]
struct Part {
    /// The record's header and the HTTP head, nothing else
    #[arg(long)]
    headers: bool,

    /// The payload: without HTTP head, transfer chunks and content encoding
    #[arg(long)]
    payload: bool,

    /// The bytes as they lie in the file, compression and all: a file with just this record
    #[arg(long)]
    raw: bool,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let name = args.file.to_string_lossy().into_owned();
    let limits = Limits { payload_bytes: args.limit, ..Limits::default() };
    let options = Options { lenient: true, verify: false, limits };
    let input = Input::open(&args.file)?;
    let is_sought = input.seekable().is_some();
    let shown = match args.which.offset {
        Some(offset) => {
            let mut reader = open_at(&args.file, input, offset, options)?;
            show_first(&mut reader, &args, is_sought, session, |record| record.offset() == offset)?
        }
        None => {
            let mut reader = Reader::new(input, options).with_context(|| format!("cannot read `{name}`"))?;
            show_first(&mut reader, &args, is_sought, session, |record| args.which.matches(record))?
        }
    };
    if let Some(exit) = shown {
        return Ok(exit);
    }
    Err(anyhow!("`{name}` has no such record"))
        .hint(format!("`varve warc ls {name}` lists the records with their offsets and URLs"))
}

impl Which {
    fn matches<R: Read + Send>(&self, record: &Record<'_, R>) -> bool {
        let head = record.head();
        if let Some(id) = &self.id {
            let id = id.trim_start_matches('<').trim_end_matches('>');
            return head.record_id().is_some_and(|found| found == id);
        }
        let Some(url) = &self.url else { return false };
        let answers = matches!(head.record_type().name(), "response" | "revisit" | "resource" | "conversion");
        let same_key = |found: &str| match (urlkey::surt(found), urlkey::surt(url)) {
            (Ok(found), Ok(wanted)) => found == wanted,
            _ => false,
        };
        answers && head.target_uri().is_some_and(|found| found == url.as_str() || same_key(&found))
    }
}

/// A reader that stands at an offset; what comes before is not read where the file can be sought in.
fn open_at(
    path: &Path,
    input: Input,
    offset: u64,
    options: Options,
) -> anyhow::Result<Reader<Box<dyn Read + Send>>> {
    let context = || format!("cannot read `{}` at byte {offset}", path.display());
    if input.seekable().is_none() {
        return Reader::new(Box::new(input) as Box<dyn Read + Send>, options).with_context(context);
    }
    let nature = Nature::of(File::open(path).with_context(context)?, options.limits).with_context(context)?;
    let mut file = File::open(path).with_context(context)?;
    file.seek(SeekFrom::Start(offset)).with_context(context)?;
    // A lenient reader would look for the next record; a wrong offset is better said.
    let strict = Options { lenient: false, ..options };
    Reader::at(Box::new(file) as Box<dyn Read + Send>, offset, &nature, strict).with_context(context)
}

/// Shows the first record that is wanted, and tells what is wrong with it; `None` if there is none.
fn show_first<R: Read + Send>(
    reader: &mut Reader<R>,
    args: &Args,
    is_sought: bool,
    session: &mut Session,
    wanted: impl Fn(&Record<'_, R>) -> bool,
) -> anyhow::Result<Option<Exit>> {
    let name = args.file.display();
    let failed = || format!("cannot read `{name}`");
    let first_only = args.which.offset.is_some() && is_sought;
    while let Some(mut record) = reader.next_record().with_context(failed)? {
        if !wanted(&record) {
            if first_only {
                return Ok(None);
            }
            continue;
        }
        let (offset, is_arc) = (record.offset(), record.head().version().is_arc());
        if !args.part.raw {
            show(&mut record, args, session).with_context(failed)?;
        } else if !is_sought {
            return Err(anyhow!("the stored bytes of a pipe are gone once they have been read"))
                .hint("save it to a file first");
        }
        let (extent, faults) = record.finish_with_faults().with_context(failed)?;
        if args.part.raw {
            copy_raw(&args.file, extent, is_arc, session).with_context(failed)?;
        }
        session.out.finish()?;
        // What is wrong with the records before it was not asked for.
        let faults: Vec<Fault> = faults.into_iter().filter(|fault| fault.offset >= offset).collect();
        let damaged = reading::warn_of(session, &args.file.to_string_lossy(), &faults);
        return Ok(Some(if damaged { Exit::Failed } else { Exit::Done }));
    }
    Ok(None)
}

fn show<R: Read + Send>(
    record: &mut Record<'_, R>,
    args: &Args,
    session: &mut Session,
) -> anyhow::Result<()> {
    if args.part.payload {
        let mut payload = payload(record, args.limit)?;
        return copy(&mut payload, session);
    }
    let head = record.head().raw().to_vec();
    write(&head, session)?;
    if args.part.headers {
        let http = record.http()?.map(|http| http.raw().to_vec());
        return write(&http.unwrap_or_default(), session);
    }
    copy(record, session)
}

/// The payload without transfer chunks and content encoding.
pub(super) fn payload<'a, R: Read + Send>(
    record: &'a mut Record<'_, R>,
    limit: u64,
) -> anyhow::Result<Box<dyn Read + Send + 'a>> {
    let http = record.http()?;
    let chunked = http.is_some_and(warc::HttpHead::is_chunked);
    let coding = http.and_then(|http| http.text("content-encoding").map(std::borrow::Cow::into_owned));
    // A coding that we do not know stays: half a decoding helps nobody.
    let codings = coding.and_then(|value| Coding::list(&value)).unwrap_or_default();
    let body: Box<dyn BufRead + Send + 'a> =
        if chunked { Box::new(Dechunk::new(record)) } else { Box::new(record) };
    Ok(warc::decoder(body, &codings, limit)?)
}

/// The stored bytes, with what belongs to them elsewhere in the file, so that they are a file of their own.
fn copy_raw(path: &Path, extent: warc::Extent, is_arc: bool, session: &mut Session) -> anyhow::Result<()> {
    let nature = Nature::of(File::open(path)?, Limits::default())?;
    if let Some(length) = u32::try_from(nature.dictionary.len()).ok().filter(|&length| length > 0) {
        write(&DICTIONARY_MAGIC, session)?;
        write(&length.to_le_bytes(), session)?;
        write(&nature.dictionary, session)?;
    }
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(extent.offset))?;
    copy(&mut file.take(extent.length), session)?;
    // The extent ends with the block; a WARC record ends with two line breaks.
    if nature.compression == Compression::None && !is_arc {
        write(b"\r\n\r\n", session)?;
    }
    Ok(())
}

fn copy(source: &mut impl Read, session: &mut Session) -> anyhow::Result<()> {
    let mut buffer = vec![0; 64 << 10];
    loop {
        let count = source.read(&mut buffer)?;
        if count == 0 {
            return Ok(());
        }
        write(buffer.get(..count).unwrap_or_default(), session)?;
    }
}

/// Bytes as they are, or made harmless if a person is looking.
fn write(bytes: &[u8], session: &mut Session) -> anyhow::Result<()> {
    if !session.out.is_terminal() {
        return Ok(session.out.write_all(bytes)?);
    }
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let (text, end) = match line.strip_suffix(b"\n") {
            Some(text) => (text.strip_suffix(b"\r").unwrap_or(text), "\n"),
            None => (line, ""),
        };
        session.out.text(&format!("{}{end}", escape_bytes(text)))?;
    }
    Ok(())
}
