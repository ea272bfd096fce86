//! The files that `varve index add` and `rm` read: what each of them is, told by how it begins.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use cdx::Lines;
use cdx::zipnum::{Entry, Locations, read_block};
use settings::Input;
use warc::Coding;

use crate::hint::with_hint;
use crate::progress::Progress;
use crate::session::Session;
use crate::terminal::counted;

/// Bytes that are read at once of each file: all of them are open together, so the more there are the fewer.
const BUFFER_BYTES: usize = 256 << 10;
const BUFFER_BYTES_MIN: usize = 8 << 10;
const BUFFERS_BYTES: usize = 128 << 20;
/// Lines that make no sense of which it is told why.
pub(super) const TOLD_MAX: u64 = 20;

/// A file, opened.
pub(super) enum Opened {
    /// Lines, unpacked.
    Lines(String, Box<dyn BufRead>),
    /// Records, which are read by path.
    Records(PathBuf),
}

/// Opens all files, with one bar for them.
pub(super) fn open_all(session: &Session, paths: &[PathBuf]) -> anyhow::Result<(Vec<Opened>, Progress)> {
    // Sorted files are merged line by line, so all of them are open at once.
    crawl::raise_file_limit();
    let buffer_bytes = (BUFFERS_BYTES / 2 / paths.len().max(1)).clamp(BUFFER_BYTES_MIN, BUFFER_BYTES);
    let inputs = paths.iter().map(|path| Input::open(path)).collect::<Result<Vec<Input>, _>>()?;
    let total = inputs.iter().map(|input| input.size_bytes).sum();
    let progress = Progress::bytes(&session.talk, "reading", total);
    let opened = paths.iter().zip(inputs).map(|(path, input)| open(path, input, &progress, buffer_bytes));
    Ok((opened.collect::<anyhow::Result<_>>()?, progress))
}

fn open(path: &Path, input: Input, progress: &Progress, buffer_bytes: usize) -> anyhow::Result<Opened> {
    let name = input.name.clone();
    let unreadable = || format!("cannot read `{name}`");
    let is_file = input.size_bytes.is_some();
    let source: Box<dyn BufRead + Send> =
        Box::new(BufReader::with_capacity(buffer_bytes, progress.clone().around(input)));
    // Told by the first bytes. An index of any length is welcome: its lines are bounded, and few are kept.
    let plain = warc::decoder(source, &[Coding::Gzip], u64::MAX).with_context(unreadable)?;
    let mut lines: Box<dyn BufRead> = Box::new(BufReader::with_capacity(buffer_bytes, plain));
    let start = lines.fill_buf().with_context(unreadable)?;
    let first = start.split(|byte| *byte == b'\n').next().unwrap_or_default();
    if first.starts_with(b"WARC/") || first.starts_with(b"filedesc:") {
        if is_file {
            return Ok(Opened::Records(path.to_owned()));
        }
        let error = anyhow!("`{name}` holds records, which can only be indexed from a file");
        return Err(with_hint(error, "save it to a file first"));
    }
    if is_zipnum(first) {
        let blocks = Blocks::new(path, lines);
        return Ok(Opened::Lines(name, Box::new(BufReader::with_capacity(buffer_bytes, blocks))));
    }
    Ok(Opened::Lines(name, lines))
}

/// The end of a sentence on what was done, where lines made no sense.
pub(super) fn left_out(bad: u64) -> String {
    match bad {
        0 => String::new(),
        1 => "; 1 line made no sense and was left out".to_owned(),
        bad => format!("; {} made no sense and were left out", counted(bad, "line")),
    }
}

/// Whether this is a line of a ZipNum index and not of captures, whose columns may have tabs between them, too.
fn is_zipnum(line: &[u8]) -> bool {
    line.contains(&b'\t') && Entry::parse(line, None, &cdx::Limits::default()).is_ok()
}

/// The blocks of a ZipNum index, unpacked, one behind the other.
struct Blocks {
    index: Lines<Box<dyn BufRead>>,
    folder: PathBuf,
    locations: Locations,
    block: io::Cursor<Vec<u8>>,
}

impl Blocks {
    fn new(path: &Path, index: Box<dyn BufRead>) -> Blocks {
        let file = File::open(path.with_extension("loc")).ok().map(BufReader::new);
        let locations = file.and_then(|file| Locations::read(file, &cdx::Limits::default()).ok());
        Blocks {
            index: Lines::new(index, &cdx::Limits::default()),
            folder: path.parent().unwrap_or(Path::new("")).to_owned(),
            locations: locations.unwrap_or_default(),
            block: io::Cursor::default(),
        }
    }

    /// Unpacks the block that a line of the index names.
    fn unpack(&mut self, entry: &Entry) -> io::Result<()> {
        let limits = cdx::Limits::default();
        let named = self.locations.of(&entry.part).iter().map(|path| self.folder.join(path));
        let usual = [entry.part.clone(), format!("{}.cdx.gz", entry.part), format!("{}.gz", entry.part)];
        let usual = usual.iter().map(|name| self.folder.join(name));
        let opened = named.chain(usual).find_map(|path| File::open(path).ok());
        let missing = || io::Error::other(format!("the part `{}` is not there", entry.part));
        let mut packed = Vec::new();
        read_block(&mut opened.ok_or_else(missing)?, entry, &mut packed)?;
        let mut block = Vec::new();
        let plain = warc::decoder(Box::new(io::Cursor::new(packed)), &[Coding::Gzip], limits.block_bytes);
        plain.map_err(io::Error::other)?.take(limits.block_bytes).read_to_end(&mut block)?;
        self.block = io::Cursor::new(block);
        Ok(())
    }
}

impl Read for Blocks {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.block.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            if !self.index.advance().map_err(io::Error::other)? {
                return Ok(0);
            }
            let line = self.index.line();
            if !line.is_empty() && !line.starts_with(b"!") {
                let entry = Entry::parse(line, None, &cdx::Limits::default()).map_err(io::Error::other)?;
                self.unpack(&entry)?;
            }
        }
    }
}
