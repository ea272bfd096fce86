//! The list of pages of a package: HTML documents that were seeds or come to by a link, with title and text.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read as _, Seek, SeekFrom, Write as _};

use archive::Error;
use archive::{Form, Found};
use extract::html::Wanted;
use extract::{Limits, Source};
use jiff::Timestamp;
use wacz::{Page, PagesHead};

use super::Settings;

/// Bytes of a page that are read for its title and text.
const PAGE_BYTES_MAX: u64 = 16 << 20;
/// Bytes of its text that are kept.
const TEXT_BYTES_MAX: usize = 1 << 20;

/// The list, as it grows.
pub(super) struct Pages {
    pub(super) list: List,
    /// Where to begin to look: the first seed, or else the first page.
    pub(super) main: Option<(String, Timestamp)>,
    is_main_seed: bool,
    with_text: bool,
    path: std::path::PathBuf,
}

/// A file without a name that is written, then read.
pub(super) enum List {
    Growing(BufWriter<File>),
    Reading(BufReader<File>),
    Lost,
}

impl Pages {
    pub(super) fn new(settings: &Settings) -> Result<Pages, Error> {
        let path = settings.room.clone();
        let file = tempfile::tempfile_in(&path).map_err(Error::write(&path))?;
        let mut list = BufWriter::new(file);
        let head = PagesHead {
            id: "pages".to_owned(),
            title: Some("All pages".to_owned()),
            has_text: settings.text,
        };
        list.write_all(&head.to_line()).map_err(Error::write(&path))?;
        let list = List::Growing(list);
        Ok(Pages { list, main: None, is_main_seed: false, with_text: settings.text, path })
    }

    /// Whether a line of the index is about a page.
    pub(super) fn wants(row: &cdx::Capture<'_>) -> bool {
        let mime = match row.is_revisit() {
            true => row.extra("mime-detected").map(|value| value.as_str()),
            false => row.mime.as_deref(),
        };
        // The last step on the way to it: links and redirects lead to pages, the others to what is in them.
        let last = row.extra("hops").and_then(|hops| hops.as_str().chars().last());
        row.status == Some(200)
            && matches!(mime, Some("text/html" | "application/xhtml+xml" | "application/xhtml"))
            && last.is_none_or(|hop| matches!(hop, 'L' | 'R' | 'M' | 'S'))
    }

    /// Adds a page.
    pub(super) fn add(&mut self, found: &Found, id: String) -> Result<(), Error> {
        let mut page = Page { url: found.url.clone(), at: found.at, id: Some(id), ..Page::default() };
        self.describe(found, &mut page);
        // What was harvested knows how it was come to; of what was imported nobody knows.
        let is_seed = found.row.extra("rid").is_some() && found.row.extra("hops").is_none();
        if is_seed {
            page.other.insert("seed".to_owned(), true.into());
        }
        page.other.insert("mime".to_owned(), found.mime.clone().into());
        page.other.insert("status".to_owned(), 200.into());
        if self.main.is_none() || is_seed && !self.is_main_seed {
            self.main = Some((page.url.clone(), page.at));
            self.is_main_seed = is_seed;
        }
        match &mut self.list {
            List::Growing(list) => list.write_all(&page.to_line()).map_err(Error::write(&self.path)),
            _ => Ok(()),
        }
    }

    /// Title and text, as far as the document can be read.
    fn describe(&self, found: &Found, page: &mut Page) {
        let Ok(payload) = found.payload(Form::Decoded) else { return };
        let mut bytes = Vec::new();
        // Half a page has a title, too.
        let _ = payload.take(PAGE_BYTES_MAX).read_to_end(&mut bytes);
        let media = found.head.as_ref().and_then(|head| head.text("content-type")).unwrap_or_default();
        let headers = [("Content-Type", media.as_ref())];
        let source = Source { url: &found.url, headers: &headers, ..Source::default() };
        let wanted = Wanted {
            links: false,
            scripts: false,
            anchors: false,
            about: true,
            text: self.with_text,
            main_text: false,
        };
        let mut limits = Limits::default();
        limits.text_bytes_max = TEXT_BYTES_MAX;
        let document = extract::read(&bytes, &source, wanted, &limits);
        page.title = document.title.filter(|title| !title.is_empty());
        page.text = Some(document.text).filter(|text| self.with_text && !text.is_empty());
    }
}

impl std::io::Read for List {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        match self {
            List::Reading(list) => list.read(buffer),
            _ => Err(std::io::Error::other("the list of pages is not complete")),
        }
    }
}

/// Only to its start, which ends writing.
impl Seek for List {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        let mut file = match std::mem::replace(self, List::Lost) {
            List::Growing(list) => list.into_inner().map_err(std::io::IntoInnerError::into_error)?,
            List::Reading(list) => list.into_inner(),
            List::Lost => return Err(std::io::Error::other("the list of pages is lost")),
        };
        let position = file.seek(to)?;
        *self = List::Reading(BufReader::new(file));
        Ok(position)
    }
}
