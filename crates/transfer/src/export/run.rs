//! One export: capture by capture, then the originals that were not among them.

use std::io::{Seek as _, Write};
use std::path::Path;

use archive::About;
use archive::Archive;
use archive::Error;
use archive::Found;
use archive::Original;
use archive::job_files::REQUEST_OFFSET;
use cdx::Capture;
use cdx::sort::Sorter;
use index::Snapshot;
use warc::{Draft, Extent, Writer};

use super::loaded::{Loaded, belongs};
use super::pages::Pages;
use super::spill::{Runs, sorter};
use super::{Exported, Selection, Settings, line, resolved};
use crate::import::{Conversion, Place};

/// Captures that cannot be read and are listed.
const UNREADABLE_KEPT: usize = 1000;

pub(super) struct Exporter<'a, W> {
    archive: &'a Archive,
    selection: &'a Selection,
    settings: &'a Settings,
    about: &'a About,
    snapshot: Snapshot,
    pub(super) writer: Writer<W>,
    /// What the file is called in lines of the index.
    file: &'a str,
    lines: Sorter<Runs>,
    /// Where the originals lie that are to come along.
    originals: Sorter<Runs>,
    pub(super) pages: Option<Pages>,
    exported: Exported,
}

/// What is left when all is written: lines of the index, the list of pages, and what was done.
type Finished = (Sorter<Runs>, Option<Pages>, Exported);

impl<'a, W: Write> Exporter<'a, W> {
    pub(super) fn new(
        archive: &'a Archive,
        (selection, settings, about): (&'a Selection, &'a Settings, &'a About),
        writer: Writer<W>,
        file: &'a str,
    ) -> Result<Exporter<'a, W>, Error> {
        let (snapshot, _) = selection.rows(archive)?;
        Ok(Exporter {
            archive,
            selection,
            settings,
            about,
            snapshot,
            writer,
            file,
            lines: sorter(&settings.room),
            originals: sorter(&settings.room),
            pages: None,
            exported: Exported::default(),
        })
    }

    /// Writes everything; `progress` is told how many captures are done.
    pub(super) fn run(&mut self, progress: &dyn Fn(u64)) -> Result<(), Error> {
        self.info()?;
        let (snapshot, rows) = self.selection.rows(self.archive)?;
        self.snapshot = snapshot;
        for row in rows {
            let row = row?;
            self.settings.stop.check()?;
            if !self.selection.is_shown(&row) {
                self.exported.withheld += 1;
                continue;
            }
            match self.capture(&row) {
                Ok(()) => {}
                Err(error) if is_of_record(&error) => self.unreadable(&row, &error),
                Err(error) => return Err(error),
            }
            progress(self.exported.captures);
        }
        let originals = std::mem::replace(&mut self.originals, sorter(&self.settings.room));
        let mut originals = originals.finish()?;
        while let Some(place) = originals.next_line()? {
            let place = String::from_utf8_lossy(place).into_owned();
            let Some((file, offset)) = place.rsplit_once(' ') else { continue };
            let Ok(offset) = offset.parse() else { continue };
            self.settings.stop.check()?;
            match self.original(file, offset) {
                Ok(()) => {}
                Err(error) if is_of_record(&error) => self.unreadable(&Capture::default(), &error),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    pub(super) fn finish(self) -> Result<Finished, Error> {
        Ok((self.lines, self.pages, self.exported))
    }

    /// The first record: what made the file.
    fn info(&mut self) -> Result<(), Error> {
        let mut fields =
            vec![("software", self.settings.software.as_str()), ("format", "WARC File Format 1.1")];
        fields.extend(self.settings.title.as_deref().map(|title| ("title", title)));
        fields.extend(self.settings.description.as_deref().map(|text| ("description", text)));
        let block = warc::warcinfo_block(&fields);
        let kind = warc::RecordType::Warcinfo;
        let name = Path::new(self.file).file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        let draft = Draft::new(warc::Version::Warc1_1, &kind, &self.about.id(), self.about.started)
            .with(warc::Name::Filename, &name)
            .content_type("application/warc-fields")
            .block_digest(&warc::Digest::of(warc::Algorithm::Sha256, &block));
        self.writer.write(&draft, &block)?;
        self.exported.records += 1;
        Ok(())
    }

    /// One capture, with what belongs to it.
    fn capture(&mut self, row: &Capture<'static>) -> Result<(), Error> {
        let (Some(file), Some(offset)) = (row.filename.as_deref(), row.offset) else {
            return Err(store::Error::Missing("a line without a file".to_owned()).into());
        };
        let store = self.archive.store();
        let Some((mut loaded, companions)) =
            Loaded::with_companions(store, file, offset, &self.settings.room)?
        else {
            return Err(store::Error::Missing(file.to_owned()).into());
        };
        let is_page = self.pages.is_some() && Pages::wants(row);
        let is_revisit = *loaded.head.record_type() == warc::RecordType::Revisit;
        let found = match is_page || is_revisit {
            true => self.archive.found(row, &self.snapshot)?,
            false => None,
        };
        let extent = match (is_revisit, found.as_ref()) {
            (true, Some(found)) => self.revisit(&mut loaded, found)?,
            (true, None) => {
                self.exported.unresolved += 1;
                None
            }
            (false, _) => None,
        };
        let moved = match extent {
            // A revisit no longer: its line is that of an answer.
            Some(extent) => {
                let mime = row.extra("mime-detected").map(|mime| mime.as_str().to_owned());
                let mime = mime.or_else(|| found.as_ref().and_then(media_of));
                let status = found.as_ref().and_then(Found::status).or(row.status);
                Capture { mime: mime.map(Into::into), status, ..line::moved(row, self.file, extent) }
            }
            None => line::moved(row, self.file, self.write(&mut loaded, file)?),
        };
        self.push_line(&moved)?;
        self.exported.captures += 1;
        let before = request_before(store, row, &loaded, &self.settings.room);
        for mut companion in before.into_iter().chain(companions) {
            self.write(&mut companion, file)?;
        }
        if is_page && let (Some(found), Some(pages)) = (&found, &mut self.pages) {
            let id = self.about.id();
            pages.add(found, id.strip_prefix("urn:uuid:").unwrap_or(&id).to_owned())?;
            self.exported.pages += 1;
        }
        Ok(())
    }

    /// Sees to it that the payload of a revisit is there: written now as the whole answer, whose place is given back; or the original
    /// is among what was chosen, or comes along later.
    fn revisit(&mut self, loaded: &mut Loaded, found: &Found) -> Result<Option<Extent>, Error> {
        let Some(original) = &found.original else { return Ok(None) };
        let (Some(file), Some(offset)) = (original.file.as_deref(), original.offset) else { return Ok(None) };
        if self.is_chosen(original)? {
            return Ok(None);
        }
        // What may not be shown does not come along either: the document does, as that of the capture which may.
        if !self.settings.resolve && self.selection.may_come_along(original) {
            self.originals.push(format!("{file} {offset:020}").as_bytes())?;
            return Ok(None);
        }
        let Some(mut other) = Loaded::at(self.archive.store(), file, offset, &self.settings.room)? else {
            return Ok(None);
        };
        let (draft, length, block) = resolved::whole(loaded, &mut other).map_err(warc::Error::Write)?;
        let extent = self.writer.write_from(&draft, length, block)?;
        self.exported.records += 1;
        self.exported.resolved += 1;
        Ok(Some(extent))
    }

    /// Whether the record with a payload is written anyway, because the selection has its line.
    fn is_chosen(&self, original: &Original) -> Result<bool, Error> {
        let key = urlkey::key(&original.url);
        let Ok(second) = cdx::Timestamp::parse(&urlkey::time::to_14(original.date)) else { return Ok(false) };
        for row in self.snapshot.versions_from(&key, second) {
            let row = row?;
            if row.timestamp != Some(second) {
                break;
            }
            if (row.filename.as_deref(), row.offset) == (original.file.as_deref(), original.offset) {
                return Ok(self.selection.includes(&row) && self.selection.is_shown(&row));
            }
        }
        Ok(false)
    }

    /// A record that a revisit refers to and that was not chosen.
    fn original(&mut self, file: &str, offset: u64) -> Result<(), Error> {
        let (store, room) = (self.archive.store(), &self.settings.room);
        let Some((mut loaded, companions)) = Loaded::with_companions(store, file, offset, room)? else {
            return Err(store::Error::Missing(file.to_owned()).into());
        };
        let extent = self.write(&mut loaded, file)?;
        if let Some(row) = line::of_record(&mut loaded, self.file, extent) {
            self.push_line(&row)?;
        }
        self.exported.originals += 1;
        for mut companion in companions {
            self.write(&mut companion, file)?;
        }
        Ok(())
    }

    /// Writes a record as it is; one of an ARC file becomes one of WARC.
    fn write(&mut self, loaded: &mut Loaded, file: &str) -> Result<Extent, Error> {
        loaded.block.rewind().map_err(warc::Error::Write)?;
        self.exported.records += 1;
        if loaded.head.version().is_arc() {
            let conversion = Conversion::of(file, &self.settings.room.join(self.file));
            let place = Place::at(loaded.offset);
            let (head, block) = (&loaded.head, &mut loaded.block);
            return Ok(conversion.write(
                head,
                place,
                |draft| draft,
                loaded.length,
                block,
                &mut self.writer,
            )?);
        }
        let draft = Draft::like(&loaded.head).sanitized().0;
        Ok(self.writer.write_from(&draft, loaded.length, &mut loaded.block)?)
    }

    fn push_line(&mut self, row: &Capture<'_>) -> Result<(), Error> {
        if self.pages.is_none() {
            // Nobody asks for an index of a mere WARC file.
            return Ok(());
        }
        let mut line = Vec::new();
        row.write_cdxj(&mut line);
        Ok(self.lines.push(&line)?)
    }

    fn unreadable(&mut self, row: &Capture<'_>, error: &Error) {
        self.exported.unreadable_count += 1;
        if self.exported.unreadable.len() < UNREADABLE_KEPT {
            let url = row.url.as_deref().unwrap_or_default().to_owned();
            self.exported.unreadable.push((url, error.to_string()));
        }
    }
}

/// The request of a capture, if it lies before it: its line says where.
fn request_before(store: &store::Store, row: &Capture<'_>, loaded: &Loaded, room: &Path) -> Option<Loaded> {
    let offset = row.extra(REQUEST_OFFSET)?.as_str().parse().ok()?;
    let request = Loaded::at(store, row.filename.as_deref()?, offset, room).ok()??;
    belongs(&request.head, &loaded.head).then_some(request)
}

/// The media type of an answer.
fn media_of(found: &Found) -> Option<String> {
    let media = found.head.as_ref()?.text("content-type")?;
    let media = media.split(';').next()?.trim().to_owned();
    Some(media).filter(|media| !media.is_empty() && !media.contains(char::is_whitespace))
}

/// Whether it is one record that cannot be had, so that the others can be written all the same.
fn is_of_record(error: &Error) -> bool {
    match error {
        Error::Record(warc::Error::Fault(_) | warc::Error::Read { .. }) => true,
        Error::Store(error) => {
            use store::Error::{Elsewhere, Missing, Name, Read};
            matches!(error, Elsewhere { .. } | Missing(_) | Name(_) | Read { .. })
        }
        _ => false,
    }
}
