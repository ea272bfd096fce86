//! Captures on their way out of the archive: chosen by the index, streamed, and whole in themselves.
//!
//! A revisit says "as before", and before may be outside of what was chosen. Then the record that it refers to comes along, or the
//! revisit becomes the whole answer. Requests and metadata that belong to a capture come along with it.

mod chosen;
mod line;
mod loaded;
mod pages;
mod resolved;
mod run;
mod spill;

use std::io::{Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use archive::{About, Archive, Stop};
use wacz::Method;
use warc::Encoding;

use self::pages::Pages;
use self::run::Exporter;
use crate::error::Error;

pub use chosen::{Public, Selection};
pub use wacz::IndexForm;

/// Name of the archive file in a package.
const DATA: &str = "data.warc.gz";

/// How to export.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Write revisits whose original was not chosen as whole answers, instead of adding the original.
    pub resolve: bool,
    /// What a package is called.
    pub title: Option<String>,
    /// More about it, in Markdown.
    pub description: Option<String>,
    /// What made it.
    pub software: String,
    /// How the index of a package is written.
    pub index: IndexForm,
    /// Whether the list of pages has their text.
    pub text: bool,
    /// Where what does not fit into memory is put meanwhile.
    pub room: PathBuf,
    /// Whether to end before the end.
    pub stop: Stop,
}

impl Settings {
    /// The usual, with this place for what does not fit into memory.
    #[must_use]
    pub fn new(room: PathBuf) -> Settings {
        Settings {
            resolve: false,
            title: None,
            description: None,
            software: concat!("varve/", env!("CARGO_PKG_VERSION")).to_owned(),
            index: IndexForm::default(),
            text: true,
            room,
            stop: Stop::default(),
        }
    }
}

/// What was written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Exported {
    /// Captures that were chosen and written.
    pub captures: u64,
    /// Records, all that belong to them included.
    pub records: u64,
    /// Records that came along because a chosen revisit refers to them.
    pub originals: u64,
    /// Revisits that were written as whole answers.
    pub resolved: u64,
    /// Revisits whose original the archive does not have; they were written as they are.
    pub unresolved: u64,
    /// Pages in the list.
    pub pages: u64,
    /// Captures whose record cannot be read, with the reason; they were left out. So many of them are listed.
    pub unreadable: Vec<(String, String)>,
    /// How many there are.
    pub unreadable_count: u64,
    /// Captures that were left out because not everybody may see them.
    pub withheld: u64,
}

/// Writes the chosen captures as a WACZ file.
///
/// # Errors
/// When the index cannot be read, or something cannot be written. The export leaves out records that cannot be read, and lists them.
pub fn write_wacz(
    archive: &Archive,
    out: impl Write + Seek,
    selection: &Selection,
    settings: &Settings,
    about: &About,
    progress: &dyn Fn(u64),
) -> Result<Exported, Error> {
    let mut package = wacz::Writer::new(out, about.started);
    package.begin_archive(DATA)?;
    let pages = Pages::new(settings)?;
    let writer = warc::Writer::new(&mut package, &Encoding::Gzip(6))?;
    let mut exporter = Exporter::new(archive, (selection, settings, about), writer, DATA)?;
    exporter.pages = Some(pages);
    exporter.run(progress)?;
    let (lines, pages, exported) = exporter.finish()?;
    let mut lines = lines.finish()?;
    package.index(settings.index, |line| {
        Ok(lines.next_line()?.map(|found| line.extend_from_slice(found)).is_some())
    })?;
    let mut pages = pages.ok_or(archive::Error::Panicked)?;
    package.begin("pages/pages.jsonl", Method::Deflated)?;
    let failed = archive::Error::write(&settings.room);
    let copied = pages.list.seek(SeekFrom::Start(0)).and_then(|_| copy(&mut pages.list, &mut package));
    copied.map_err(failed)?;
    package.finish(&wacz::About {
        title: settings.title.clone(),
        description: settings.description.clone(),
        software: Some(settings.software.clone()),
        main_page: pages.main,
    })?;
    Ok(exported)
}

/// Writes the chosen captures as one WARC file.
///
/// # Errors
/// As [`write_wacz`].
pub fn write_warc(
    archive: &Archive,
    out: impl Write,
    (name, encoding): (&str, &Encoding),
    selection: &Selection,
    settings: &Settings,
    about: &About,
    progress: &dyn Fn(u64),
) -> Result<Exported, Error> {
    let writer = warc::Writer::new(out, encoding)?;
    let mut exporter = Exporter::new(archive, (selection, settings, about), writer, name)?;
    exporter.run(progress)?;
    exporter.writer.flush()?;
    Ok(exporter.finish()?.2)
}

/// Writes the lines of the chosen captures, as the index has them. No record is read.
///
/// # Errors
/// When the index cannot be read, or something cannot be written.
pub fn write_cdxj(archive: &Archive, mut out: impl Write, selection: &Selection) -> Result<Exported, Error> {
    let mut exported = Exported::default();
    let mut line = Vec::new();
    for row in selection.rows(archive)?.1 {
        let row = row?;
        if !selection.is_shown(&row) {
            exported.withheld += 1;
            continue;
        }
        line.clear();
        row.write_cdxj(&mut line);
        line.push(b'\n');
        out.write_all(&line).map_err(|error| archive::Error::Line(cdx::Error::Write(error)))?;
        exported.captures += 1;
    }
    out.flush().map_err(|error| archive::Error::Line(cdx::Error::Write(error)))?;
    Ok(exported)
}

fn copy(from: &mut impl Read, to: &mut impl Write) -> std::io::Result<u64> {
    std::io::copy(from, to)
}
