//! Puts entries together from their parts, counts what is wrong, and knows when it is enough.

use super::note::Note;
use super::{ChangeFrequency, Entry, EntryKind, date};
use crate::Limits;

/// There are fewer kinds of notes than this, and those that may come often are counted.
const NOTES_MAX: usize = 32;

/// Hands on entries as they become whole.
pub(super) struct Builder<F> {
    each: F,
    limits: Limits,
    /// The entry whose element is open: its URL may come late, and so may the date.
    open: Option<Entry>,
    /// A URL for it in case no better one comes.
    spare_url: Option<String>,
    /// What belongs to it and follows it.
    extras: Vec<Entry>,
    entries: usize,
    extras_count: usize,
    extras_lost: usize,
    no_urls: usize,
    long_urls: usize,
    is_full: bool,
    notes: Vec<Note>,
}

impl<F: FnMut(Entry)> Builder<F> {
    pub(super) fn new(limits: &Limits, each: F) -> Builder<F> {
        Builder {
            each,
            limits: *limits,
            open: None,
            spare_url: None,
            extras: Vec::new(),
            entries: 0,
            extras_count: 0,
            extras_lost: 0,
            no_urls: 0,
            long_urls: 0,
            is_full: false,
            notes: Vec::new(),
        }
    }

    /// Begins an entry of this kind.
    pub(super) fn begin(&mut self, kind: EntryKind) {
        self.finish();
        self.open = Some(entry(kind, String::new()));
    }

    /// The entry is whole. Without a URL only what belongs to it is handed on.
    pub(super) fn finish(&mut self) {
        if let Some(mut open) = self.open.take() {
            if let Some(spare) = self.spare_url.take().filter(|_| open.url.is_empty()) {
                open.url = spare;
            }
            if !open.url.is_empty() {
                self.hand_on(open);
            }
        }
        for extra in std::mem::take(&mut self.extras) {
            (self.each)(extra);
        }
    }

    /// The URL of the open entry. A second one makes another entry of it: some put many into one element.
    pub(super) fn main_url(&mut self, kind: EntryKind, text: &str) {
        let Some(url) = self.checked(text, true) else { return };
        let kind = self.open.as_ref().map_or(kind, |open| open.kind);
        if self.open.as_ref().is_none_or(|open| !open.url.is_empty()) {
            self.begin(kind);
        }
        if let Some(open) = &mut self.open {
            open.url = url;
        }
    }

    /// The first of several links is the entry's, the others are beside it.
    pub(super) fn link(&mut self, text: &str) {
        match &self.open {
            Some(open) if open.url.is_empty() => {
                if let Some(url) = self.checked(text, false)
                    && let Some(open) = &mut self.open
                {
                    open.url = url;
                }
            }
            Some(_) => self.extra(EntryKind::Alternate, text),
            None => self.extra(EntryKind::Home, text),
        }
    }

    /// An identifier that is likely a URL too.
    pub(super) fn spare(&mut self, text: &str) {
        if self.open.is_some() && is_absolute(text.trim()) && text.len() <= self.limits.url_bytes {
            self.spare_url = Some(text.trim().to_owned());
        }
    }

    /// Something beside the pages.
    pub(super) fn extra(&mut self, kind: EntryKind, text: &str) {
        let Some(url) = self.checked(text, false) else { return };
        if self.extras.len() >= self.limits.extras_per_page || self.extras_count >= self.limits.sitemap_extras
        {
            self.extras_lost += 1;
            return;
        }
        self.extras_count += 1;
        self.extras.push(entry(kind, url));
        if self.open.is_none() {
            self.finish();
        }
    }

    /// An entry that is nothing but a URL.
    pub(super) fn entry(&mut self, kind: EntryKind, text: &str) {
        if let Some(url) = self.checked(text, true) {
            self.hand_on(entry(kind, url));
        }
    }

    /// The latest date that is said of the open entry: feeds have one of publication and one of change.
    pub(super) fn lastmod(&mut self, text: &str) {
        let parsed = date(text).or_else(|| {
            let timestamp = urlkey::time::parse_lenient(text.trim()).ok()?;
            Some(urlkey::time::WarcDate { timestamp, precision: urlkey::time::Precision::Second })
        });
        if let Some(open) = &mut self.open {
            open.lastmod = open.lastmod.max(parsed);
        }
    }

    pub(super) fn changefreq(&mut self, text: &str) {
        if let Some(open) = &mut self.open {
            open.changefreq = ChangeFrequency::parse(text).or(open.changefreq);
        }
    }

    pub(super) fn priority(&mut self, text: &str) {
        let priority = text.trim().parse().ok().filter(|priority| (0.0..=1.0).contains(priority));
        if let Some(open) = &mut self.open {
            open.priority = priority.or(open.priority);
        }
    }

    /// Whether there is no room for more entries.
    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }

    /// How many pages and sitemaps were handed on.
    pub(super) fn count(&self) -> usize {
        self.entries
    }

    /// Notes something once, however often it is so.
    pub(super) fn note(&mut self, note: Note) {
        if self.notes.len() < NOTES_MAX && !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    pub(super) fn no_sitemap(&mut self, root: &str) {
        self.note(Note::NoSitemap { root: root.chars().take(40).collect() });
    }

    pub(super) fn into_notes(mut self) -> Vec<Note> {
        self.finish();
        let counted = [
            (self.extras_lost, Note::TooManyExtras { count: self.extras_lost }),
            (self.no_urls, Note::NoUrl { count: self.no_urls }),
            (self.long_urls, Note::UrlTooLong { count: self.long_urls }),
        ];
        self.notes.extend(counted.into_iter().filter(|(count, _)| *count > 0).map(|(_, note)| note));
        self.notes
    }

    fn hand_on(&mut self, entry: Entry) {
        if self.entries >= self.limits.sitemap_entries {
            if !self.is_full {
                self.is_full = true;
                self.note(Note::TooManyEntries { limit: self.limits.sitemap_entries });
            }
            self.extras.clear();
            return;
        }
        self.entries += usize::from(entry.kind.is_main());
        (self.each)(entry);
    }

    /// The text if it can be a URL. Sitemaps must have absolute ones, feeds need not.
    fn checked(&mut self, text: &str, must_be_absolute: bool) -> Option<String> {
        let text = text.trim();
        if text.len() > self.limits.url_bytes {
            self.long_urls += 1;
            return None;
        }
        let is_url = if must_be_absolute { is_absolute(text) } else { !text.is_empty() };
        if !is_url || text.contains(['<', '>', '\n', '\r', '\t']) {
            self.no_urls += 1;
            return None;
        }
        Some(text.to_owned())
    }
}

fn entry(kind: EntryKind, url: String) -> Entry {
    Entry { kind, url, lastmod: None, changefreq: None, priority: None }
}

/// `http://…` or `https://…`: the schemes that a crawler can fetch.
fn is_absolute(text: &str) -> bool {
    text.split_once("://").is_some_and(|(scheme, rest)| {
        !rest.is_empty() && ["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known))
    })
}
