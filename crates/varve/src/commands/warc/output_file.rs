//! The archive file that `convert` and `repair` write: its place, its compression, all of it or nothing.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::ValueEnum;
use warc::{Compression, Encoding, Writer};

use crate::hint::WithHint as _;
use crate::new_file::NewFile;
use crate::usage::wrong;

/// How the records of a new file are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum To {
    /// As they are
    Plain,
    /// A gzip member each
    Gzip,
    /// A zstd frame each
    Zstd,
}

/// The options of every verb that writes an archive file.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Target {
    /// The file to write
    #[arg(value_name = "OUT")]
    pub(crate) out: PathBuf,

    /// How to store the records [default: what the ending of OUT says: .gz, .zst, or else plain]
    #[arg(long, value_enum, value_name = "HOW")]
    to: Option<To>,

    /// Compress harder or faster: 0 to 9 for gzip [default: 6], 1 to 22 for zstd [default: 3]
    #[arg(long, value_name = "N")]
    level: Option<i32>,

    /// Replace OUT if it is there
    #[arg(long)]
    force: bool,
}

impl Target {
    fn encoding(&self) -> anyhow::Result<Encoding> {
        let compression = match self.to {
            Some(To::Plain) => Compression::None,
            Some(To::Gzip) => Compression::Gzip,
            Some(To::Zstd) => Compression::Zstd,
            None => match self.out.extension().and_then(|ending| ending.to_str()) {
                Some("gz") => Compression::Gzip,
                Some("zst" | "zstd") => Compression::Zstd,
                _ => Compression::None,
            },
        };
        let (least, most) = match compression {
            Compression::None => (0, 0),
            Compression::Gzip => (0, 9),
            Compression::Zstd => (1, 22),
        };
        Ok(match (Encoding::usual(compression), self.level) {
            (encoding, None) => encoding,
            (_, Some(level)) if !(least..=most).contains(&level) || compression == Compression::None => {
                let what = match compression {
                    Compression::None => "plain files",
                    Compression::Gzip => "gzip",
                    Compression::Zstd => "zstd",
                };
                return Err(wrong(anyhow!("there is no level {level} for {what}")))
                    .hint("gzip has 0 to 9, zstd 1 to 22, plain files have none");
            }
            (Encoding::Gzip(_), Some(level)) => Encoding::Gzip(level.unsigned_abs()),
            (Encoding::Zstd(_, dictionary), Some(level)) => Encoding::Zstd(level, dictionary),
            (plain, Some(_)) => plain,
        })
    }

    /// Begins the file; an input that is the same file is refused.
    pub(crate) fn create(&self, input: &Path) -> anyhow::Result<OutputFile> {
        let encoding = self.encoding()?;
        if self.out.as_os_str() == "-" {
            return Err(wrong(anyhow!("an archive is not written to standard output")))
                .hint("name a file; `./-` is one of that name");
        }
        let same = fs::canonicalize(input).ok().zip(fs::canonicalize(&self.out).ok());
        if same.is_some_and(|(input, out)| input == out) {
            return Err(anyhow!("`{}` is the file to be read", self.out.display()))
                .hint("name another file to write to");
        }
        let writer = Writer::new(NewFile::create(&self.out, self.force)?, &encoding)?;
        Ok(OutputFile { writer })
    }
}

/// A file that is being written. What is not finished leaves nothing behind.
pub(crate) struct OutputFile {
    writer: Writer<NewFile>,
}

impl OutputFile {
    /// Where records go.
    pub(crate) fn writer(&mut self) -> &mut Writer<NewFile> {
        &mut self.writer
    }

    /// Brings the file to the disk and gives it its name; how long it is.
    pub(crate) fn finish(mut self) -> anyhow::Result<u64> {
        self.writer.flush()?;
        let length = self.writer.position();
        self.writer.into_inner().finish()?;
        Ok(length)
    }
}
