//! `varve cdx zipnum`: a sorted index, packed so that it can still be searched.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use cdx::merge::{self, Merge};
use cdx::zipnum::{Locations, Settings, Writer};
use serde::Serialize;

use super::key_lines;
use crate::exit::Exit;
use crate::hint::WithHint as _;
use crate::new_file::NewFile;
use crate::session::Session;
use crate::terminal::{bytes, grouped};

/// Pack sorted CDX or CDXJ files into blocks that can be searched without unpacking the rest (ZipNum)
///
/// Writes PREFIX.cdx.gz (the blocks), PREFIX.idx (what each begins with) and PREFIX.loc (where the blocks lie), as pywb
/// reads them. Several files are merged. All three get their names when all are complete. `varve cdx lookup PREFIX.idx URL`
/// finds lines in them.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Sorted CDX or CDXJ files, plain or gzip; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Begin the names of the written files with this; in a folder they are called index
    #[arg(short, long = "output", value_name = "DIR|PREFIX")]
    out: PathBuf,

    /// Lines in a block: more pack better, fewer are found faster
    #[arg(short, long, value_name = "N", default_value_t = 3000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    lines: u32,

    /// Begin another part (PREFIX-00001.cdx.gz, …) after so many lines [default: one part]
    #[arg(long, value_name = "LINES", value_parser = clap::value_parser!(u64).range(1..))]
    shards: Option<u64>,

    /// Leave out lines that are there already
    #[arg(short, long)]
    unique: bool,

    /// Replace files that are there
    #[arg(long)]
    force: bool,
}

/// What was written.
#[derive(Default, Serialize)]
struct Written {
    index: PathBuf,
    parts: Vec<PathBuf>,
    lines: u64,
    bytes: u64,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let (files, progress) = key_lines::open_all(session, &args.files, "packing")?;
    let names: Vec<String> = files.iter().map(|file| file.name.clone()).collect();
    let explain = |error| key_lines::explain(error, &names);
    let options = merge::Options { unique: args.unique, ..merge::Options::default() };
    let mut lines = Merge::new(files.into_iter().map(|file| file.lines), &options).map_err(explain)?;

    let mut parts =
        Parts { args: &args, written: Written::default(), done: Vec::new(), locations: Locations::default() };
    let index = NewFile::create(&parts.path(".idx")?, args.force)?;
    let location = NewFile::create(&parts.path(".loc")?, args.force)?;
    let settings = Settings { lines_per_block: args.lines as usize, ..Settings::default() };
    let (data, part) = parts.begin()?;
    let mut writer = Writer::new(data, index, &part, settings);
    let mut in_part = 0;
    while let Some(line) = lines.next_line().map_err(explain)? {
        if args.shards == Some(in_part) {
            let (data, part) = parts.begin()?;
            parts.done.push(writer.next_part(data, &part)?);
            in_part = 0;
        }
        in_part += 1;
        parts.written.lines += 1;
        writer.push(line).context("cannot pack the lines").hint("is this a CDX or CDXJ file?")?;
    }
    let (last, index) = writer.finish().context("cannot pack the lines")?;
    progress.finish();
    parts.done.push(last);
    parts.finish(index, location, session)
}

/// The files that hold blocks.
struct Parts<'a> {
    args: &'a Args,
    written: Written,
    /// Written whole, and waiting for their names.
    done: Vec<NewFile>,
    locations: Locations,
}

impl Parts<'_> {
    /// A file beside the others.
    fn path(&self, ending: &str) -> anyhow::Result<PathBuf> {
        let out = &self.args.out;
        let is_folder = out.is_dir() || out.to_string_lossy().ends_with('/');
        if is_folder && !out.is_dir() {
            return Err(anyhow!("there is no folder `{}`", out.display())).hint("`mkdir` makes one");
        }
        let prefix = if is_folder { out.join("index") } else { out.clone() };
        let mut path = prefix.into_os_string();
        path.push(ending);
        Ok(path.into())
    }

    /// Begins the next part: its file, and its name in the index.
    fn begin(&mut self) -> anyhow::Result<(NewFile, String)> {
        let path = match self.args.shards {
            Some(_) => self.path(&format!("-{:05}.cdx.gz", self.written.parts.len()))?,
            None => self.path(".cdx.gz")?,
        };
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if name.contains(['\t', '\n']) {
            return Err(anyhow!("a file name with a tab or line break cannot stand in an index"));
        }
        // Beside the location file, so that the three can be moved together.
        self.locations.parts.insert(name.clone(), vec![name.clone()]);
        let file = NewFile::create(&path, self.args.force)?;
        self.written.parts.push(path);
        Ok((file, name))
    }

    /// Gives all files their names, the index last: who finds it finds the rest.
    fn finish(
        mut self,
        index: NewFile,
        mut location: NewFile,
        session: &mut Session,
    ) -> anyhow::Result<Exit> {
        self.locations.write_to(&mut location).context("cannot write the location file")?;
        for part in self.done.drain(..) {
            part.finish()?;
        }
        location.finish()?;
        index.finish()?;
        let size = |path: &PathBuf| Path::metadata(path).map_or(0, |metadata| metadata.len());
        let written = Written {
            index: self.path(".idx")?,
            bytes: self.written.parts.iter().map(size).sum(),
            ..self.written
        };
        if session.globals.json {
            session.out.json(&written)?;
        } else {
            let index = written.index.display();
            session.talk.note(&format!(
                "{} lines in {}: {index}",
                grouped(written.lines),
                bytes(written.bytes)
            ));
        }
        Ok(Exit::Done)
    }
}
