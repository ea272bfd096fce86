//! What a page says of itself in its head: `meta`, `base`, `html`, `link rel=canonical`, and dates in `time`.

use crate::{Hop, Link, Rule, relation};

use super::Refresh;
use super::attribute::Attribute;
use super::links::is_address;
use super::reader::Reading;
use super::reference::decode_attribute;
use super::token::Tag;

/// Names, or beginnings of names, whose content is an address: what is needed to show the page or a preview of it.
const EMBEDS: [&str; 16] = [
    "og:image",
    "og:image:url",
    "og:image:secure_url",
    "og:video",
    "og:video:url",
    "og:video:secure_url",
    "og:audio",
    "og:audio:url",
    "og:audio:secure_url",
    "twitter:image",
    "twitter:image:src",
    "twitter:player:stream",
    "thumbnail",
    "thumbnailurl",
    "msapplication-config",
    "image",
];

/// The same of pages.
const PAGES: [&str; 9] = [
    "og:url",
    "og:see_also",
    "twitter:url",
    "twitter:player",
    "al:web:url",
    "msapplication-starturl",
    "identifier-url",
    "syndication-source",
    "original-source",
];

/// Names that hold a date; `dc.date` with anything behind a dot, too.
const DATES: [&str; 24] = [
    "article:published_time",
    "article:modified_time",
    "og:updated_time",
    "og:article:published_time",
    "date",
    "last-modified",
    "dc.date",
    "dcterms.date",
    "dcterms.created",
    "dcterms.modified",
    "dcterms.issued",
    "dc.created",
    "dc.modified",
    "dc.issued",
    "pubdate",
    "publishdate",
    "publish-date",
    "publication_date",
    "datepublished",
    "datemodified",
    "datecreated",
    "citation_publication_date",
    "citation_date",
    "revised",
];

impl Reading {
    /// A `meta` element.
    pub(super) fn meta(&mut self, tag: &Tag<'_>) {
        let value = |attribute: Attribute| tag.value(attribute.number()).map(decode_attribute);
        let named = [Attribute::Name, Attribute::Property, Attribute::HttpEquiv, Attribute::Itemprop];
        let Some(content) = value(Attribute::Content) else { return };
        let content = content.trim_ascii();
        for attribute in named {
            let Some(name) = value(attribute) else { continue };
            let name = name.trim_ascii().to_ascii_lowercase();
            if name.is_empty() || name.len() > self.limits.phrase_bytes_max {
                continue;
            }
            if attribute == Attribute::HttpEquiv && name == "refresh" {
                self.refresh(content);
            } else if self.wanted.links {
                self.meta_link(&name, content);
            }
            if self.nesting == 0 {
                self.note(attribute, name, content);
            }
        }
    }

    /// Where the page sends its reader.
    fn refresh(&mut self, content: &str) {
        let Some(mut refresh) = Refresh::parse(content) else { return };
        refresh.is_noscript = self.noscript_depth > 0;
        if let Some(reference) = &refresh.reference
            && self.wanted.links
            && is_address(reference)
        {
            self.page.links.add(Link::new(reference.clone(), Hop::Redirect, Rule::new("meta", "refresh")));
        }
        let is_better =
            self.page.refresh.as_ref().is_none_or(|known| known.is_noscript && !refresh.is_noscript);
        if self.nesting == 0 && is_better {
            self.page.refresh = Some(refresh);
        }
    }

    fn meta_link(&mut self, name: &str, content: &str) {
        let is_tile =
            name.starts_with("msapplication-") && (name.ends_with("image") || name.ends_with("logo"));
        let hop = if EMBEDS.contains(&name) || is_tile {
            Hop::Embed
        } else if PAGES.contains(&name) {
            Hop::Navigation
        } else {
            return;
        };
        if is_address(content) && !content.contains(char::is_whitespace) {
            self.page.links.add(Link::new(content, hop, Rule::named("meta", name.to_owned())));
        }
    }

    /// Keeps what is said: to robots always, because who follows links has to know, and the rest if it is wanted.
    fn note(&mut self, attribute: Attribute, name: String, content: &str) {
        let content =
            content.get(..content.floor_char_boundary(self.limits.phrase_bytes_max)).unwrap_or_default();
        if attribute == Attribute::Name && is_of_robots(&name, content) {
            if self.page.robots.len() < self.limits.metas_max {
                self.page.robots.push((name.clone(), content.to_owned()));
            } else {
                self.page.cut.lists = true;
            }
        }
        if !self.wanted.about {
            return;
        }
        if name == "description" || (name == "og:description" && self.page.description.is_none()) {
            let known = self.page.description.as_ref().is_some_and(|known| !known.is_empty());
            if !known || name == "description" {
                self.page.description = Some(content.to_owned()).filter(|words| !words.is_empty());
            }
        }
        if name == "content-language" && attribute == Attribute::HttpEquiv && self.page.language.is_none() {
            self.page.language = content.split(',').next().map(|first| first.trim_ascii().to_owned());
        }
        let is_date = DATES.contains(&name.as_str()) || name.starts_with("dc.date.");
        if is_date && !content.is_empty() {
            self.note_date(format!("meta@{name}"), content);
        }
        if self.page.metas.len() < self.limits.metas_max {
            self.page.metas.push((name, content.to_owned()));
        } else {
            self.page.cut.lists = true;
        }
    }

    fn note_date(&mut self, place: String, date: &str) {
        if self.page.dates.len() < self.limits.metas_max {
            self.page.dates.push((place, date.to_owned()));
        } else {
            self.page.cut.lists = true;
        }
    }

    /// A `time` element.
    pub(super) fn time(&mut self, tag: &Tag<'_>) {
        if let Some(date) = tag.value(Attribute::Datetime.number())
            && self.wanted.about
        {
            let date = decode_attribute(date);
            let date = date.trim_ascii();
            if !date.is_empty() && date.len() <= self.limits.phrase_bytes_max {
                self.note_date("time@datetime".to_owned(), date);
            }
        }
    }

    /// The `html` element.
    pub(super) fn html(&mut self, tag: &Tag<'_>) {
        let language =
            [Attribute::Lang, Attribute::XmlLang].into_iter().find_map(|name| tag.value(name.number()));
        if let Some(language) = language
            && self.wanted.about
            && self.nesting == 0
        {
            let language = decode_attribute(language);
            let language = language.trim_ascii();
            if !language.is_empty() && language.len() <= self.limits.phrase_bytes_max {
                self.page.language = Some(language.to_owned());
            }
        }
    }

    /// The first `base` element that has an address. One in `noscript` does not count where scripts run.
    pub(super) fn base(&mut self, tag: &Tag<'_>) {
        if self.page.base.is_some() || self.noscript_depth > 0 {
            return;
        }
        let Some(href) = tag.value(Attribute::Href.number()) else { return };
        let href = decode_attribute(href);
        let href = href.trim_ascii();
        if !href.is_empty() && href.len() <= self.limits.reference_bytes_max {
            self.page.base = Some(href.to_owned());
        }
    }

    /// Where a page says that it really lives.
    pub(super) fn canonical(&mut self, tag: &Tag<'_>) {
        if self.page.canonical.is_some() || self.nesting > 0 {
            return;
        }
        let rel = tag.value(Attribute::Rel.number()).unwrap_or_default();
        if !relation::is_canonical(rel) {
            return;
        }
        let href = decode_attribute(tag.value(Attribute::Href.number()).unwrap_or_default());
        let href = href.trim_ascii();
        if !href.is_empty() && href.len() <= self.limits.reference_bytes_max {
            self.page.canonical = Some(href.to_owned());
        }
    }
}

/// Names under which robots are spoken to, all of them or one; or any name with words that only robots heed.
fn is_of_robots(name: &str, content: &str) -> bool {
    let forbids = || {
        let asked = robots::Directives::from_meta(content);
        asked.ignored.is_empty() && (asked.noindex || asked.nofollow)
    };
    let may_forbid =
        content.len() <= 64 && content.as_bytes().windows(2).any(|two| two.eq_ignore_ascii_case(b"no"));
    name == "robots"
        || name == "slurp"
        || name == "teoma"
        || name.ends_with("bot")
        || name.starts_with("googlebot")
        || (may_forbid && forbids())
}
