//! Writes a whole new archive file, or none: under a name of its own until it is complete and on the disk.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use clap::ValueEnum;
use warc::{Compression, Durable, Encoding, Writer};

use crate::hint::WithHint as _;

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
                return Err(anyhow!("level {level} does not exist for {compression:?}"))
                    .hint("gzip has 0 to 9, zstd 1 to 22, plain files have none");
            }
            (Encoding::Gzip(_), Some(level)) => Encoding::Gzip(level.unsigned_abs()),
            (Encoding::Zstd(_, dictionary), Some(level)) => Encoding::Zstd(level, dictionary),
            (plain, Some(_)) => plain,
        })
    }

    /// Begins the file; an input that is the same file is refused.
    pub(crate) fn create(&self, input: &Path) -> anyhow::Result<OutputFile> {
        let shown = self.out.display();
        let same = fs::canonicalize(input).ok().zip(fs::canonicalize(&self.out).ok());
        if same.is_some_and(|(input, out)| input == out) {
            return Err(anyhow!("`{shown}` is the file to be read")).hint("name another file to write to");
        }
        if self.out.exists() && !self.force {
            return Err(anyhow!("`{shown}` is there already")).hint("`--force` replaces it");
        }
        let mut part = self.out.clone().into_os_string();
        part.push(".part");
        let part = PathBuf::from(part);
        let file = File::create(&part).with_context(|| format!("cannot write `{}`", part.display()))?;
        let encoding = self.encoding().inspect_err(|_| drop(fs::remove_file(&part)))?;
        let writer = Writer::new(Buffered(BufWriter::with_capacity(1 << 18, file)), &encoding)?;
        Ok(OutputFile { writer: Some(writer), part, out: self.out.clone() })
    }
}

/// A file that is being written.
pub(crate) struct OutputFile {
    writer: Option<Writer<Buffered>>,
    part: PathBuf,
    out: PathBuf,
}

impl OutputFile {
    /// Where records go.
    pub(crate) fn writer(&mut self) -> anyhow::Result<&mut Writer<Buffered>> {
        self.writer.as_mut().ok_or_else(|| anyhow!("the file is complete"))
    }

    /// Brings the file to the disk and gives it its name; how long it is.
    pub(crate) fn finish(mut self) -> anyhow::Result<u64> {
        let context = || format!("cannot write `{}`", self.out.display());
        let mut writer = self.writer.take().ok_or_else(|| anyhow!("the file is complete"))?;
        let length = writer.sync().with_context(context)?;
        fs::rename(&self.part, &self.out).with_context(context)?;
        let folder = self.out.parent().filter(|folder| !folder.as_os_str().is_empty());
        // The new name is durable when the folder is.
        File::open(folder.unwrap_or(Path::new(".")))
            .and_then(|folder| folder.sync_all())
            .with_context(context)?;
        Ok(length)
    }
}

/// What was not finished leaves nothing behind.
impl Drop for OutputFile {
    fn drop(&mut self) {
        if self.writer.is_some() {
            let _ = fs::remove_file(&self.part);
        }
    }
}

/// A buffered file that can be brought to the disk.
#[derive(Debug)]
pub(crate) struct Buffered(BufWriter<File>);

impl Write for Buffered {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush()
    }
}

impl Durable for Buffered {
    fn sync(&mut self) -> std::io::Result<()> {
        self.0.flush()?;
        self.0.get_ref().sync_all()
    }
}
