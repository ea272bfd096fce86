//! What a sitemap lists.

use std::fmt;

use urlkey::time::WarcDate;

/// One URL.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// What it is to the sitemap.
    pub kind: EntryKind,
    /// As it is written, but for XML's escapes and white space around it; in feeds it may be relative.
    pub url: String,
    /// When it last changed.
    pub lastmod: Option<WarcDate>,
    /// How often it changes, as the site says.
    pub changefreq: Option<ChangeFrequency>,
    /// How important it is among the site's pages, from 0 to 1.
    pub priority: Option<f32>,
}

/// What a URL is to the sitemap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EntryKind {
    /// A page: what sitemaps and feeds are for.
    Page,
    /// A further sitemap.
    Sitemap,
    /// A picture on the page before it.
    Image,
    /// A video on the page before it, its player or its thumbnail.
    Video,
    /// The page before it in another language or form.
    Alternate,
    /// A file that belongs to the entry of a feed.
    Enclosure,
    /// The site that a feed is about.
    Home,
    /// Another link of a feed: itself, its next part, where to edit an entry.
    Related,
}

impl EntryKind {
    /// In one word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            EntryKind::Page => "page",
            EntryKind::Sitemap => "sitemap",
            EntryKind::Image => "image",
            EntryKind::Video => "video",
            EntryKind::Alternate => "alternate",
            EntryKind::Enclosure => "enclosure",
            EntryKind::Home => "home",
            EntryKind::Related => "related",
        }
    }

    /// Whether it is one of the things that the file lists, not something beside them.
    pub(super) fn is_main(self) -> bool {
        matches!(self, EntryKind::Page | EntryKind::Sitemap)
    }
}

/// What kind of file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// `<urlset>`: a list of pages.
    UrlSet,
    /// `<sitemapindex>`: a list of sitemaps.
    Index,
    /// A URL a line.
    Text,
    /// RSS 2.0 and its elder siblings.
    Rss,
    /// RSS 1.0, in RDF.
    Rdf,
    /// Atom.
    Atom,
    /// None of these.
    Unknown,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::UrlSet => "sitemap",
            Format::Index => "sitemap index",
            Format::Text => "text sitemap",
            Format::Rss => "RSS feed",
            Format::Rdf => "RSS 1.0 feed",
            Format::Atom => "Atom feed",
            Format::Unknown => "no sitemap",
        })
    }
}

/// `<changefreq>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum ChangeFrequency {
    Always,
    Hourly,
    Daily,
    Weekly,
    Monthly,
    Yearly,
    Never,
}

impl ChangeFrequency {
    const ALL: [ChangeFrequency; 7] = [
        ChangeFrequency::Always,
        ChangeFrequency::Hourly,
        ChangeFrequency::Daily,
        ChangeFrequency::Weekly,
        ChangeFrequency::Monthly,
        ChangeFrequency::Yearly,
        ChangeFrequency::Never,
    ];

    /// As it is written in a sitemap.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ChangeFrequency::Always => "always",
            ChangeFrequency::Hourly => "hourly",
            ChangeFrequency::Daily => "daily",
            ChangeFrequency::Weekly => "weekly",
            ChangeFrequency::Monthly => "monthly",
            ChangeFrequency::Yearly => "yearly",
            ChangeFrequency::Never => "never",
        }
    }

    pub(super) fn parse(text: &str) -> Option<ChangeFrequency> {
        ChangeFrequency::ALL.into_iter().find(|frequency| frequency.name().eq_ignore_ascii_case(text.trim()))
    }
}
