//! Sitemaps and indexes of sitemaps, read by `robots`.

use std::io::{self, BufRead, Read};

use robots::sitemap::EntryKind;

use crate::stop::Watch;
use crate::{Hop, Limits, Link, Links, Rule};

/// Bytes that are handed on before the time is asked for again. They may be packed, and then unfold to a thousand times.
const PIECE_BYTES: usize = 4 << 10;

/// Adds the links of a sitemap of any form. Pictures and films on its pages are embedded there; all else is listed.
pub fn links(bytes: &[u8], limits: &Limits, links: &mut Links) {
    let mut bounds = robots::Limits::default();
    bounds.sitemap_bytes = bounds.sitemap_bytes.min(limits.unfolded_bytes_max);
    bounds.sitemap_entries = bounds.sitemap_entries.min(limits.links_max.saturating_add(1));
    let source = Timed { bytes, watch: Watch::new(limits.stop.as_ref()) };
    robots::sitemap::read(source, &bounds, |entry| {
        let hop = match entry.kind {
            EntryKind::Image | EntryKind::Video => Hop::Embed,
            _ => Hop::Manifest,
        };
        links.add(Link::new(entry.url, hop, Rule::new("sitemap", entry.kind.name())));
    });
    links.is_time_up();
}

/// Bytes that end when time is up.
struct Timed<'a> {
    bytes: &'a [u8],
    watch: Watch,
}

impl Read for Timed<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(out)?;
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Timed<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.watch.ask() {
            self.bytes = &[];
        }
        Ok(self.bytes.get(..PIECE_BYTES).unwrap_or(self.bytes))
    }

    fn consume(&mut self, count: usize) {
        self.bytes = self.bytes.get(count..).unwrap_or_default();
    }
}
