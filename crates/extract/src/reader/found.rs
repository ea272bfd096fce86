//! Puts together what was found, once a document is there to its end.

use url::Url;

use super::{DETECTION_BYTES, Reader};
use crate::charset::{self, Charset};
use crate::dates;
use crate::document::{Cut, Dated, Document};
use crate::html;
use crate::identify::{Identity, Kind};
use crate::{
    Links, css, dash, headers, json, language, pdf, plain, playlist, robots_txt, script, sitemap, xml,
};

impl Reader {
    /// What a page says, with what its headers say.
    pub(super) fn page(&mut self, identity: Identity, reader: html::Reader) -> Document {
        let page = reader.finish();
        let mut document = self.document(identity);
        let base = page.base.as_deref().and_then(|base| match &self.url {
            Some(url) => url.join(base).ok(),
            None => Url::parse(base).ok(),
        });
        // What is relative to a script or to data is nowhere, so browsers go on as if nothing were said.
        document.base = base.filter(|base| !base.cannot_be_a_base()).or(document.base);
        self.links.append(page.links);
        document.title = page.title;
        document.text = page.text;
        document.main_text = page.main_text;
        document.headings = page.headings;
        document.description = page.description;
        document.canonical = page.canonical;
        document.metas = page.metas;
        // Those with a well-known name are kept apart, however many others there are.
        let others = document.metas.iter().filter(|meta| !page.robots.contains(meta));
        for (_, content) in
            page.robots.iter().chain(others).filter(|(name, _)| robots::meta_is_for(name, &self.agent))
        {
            document.robots.merge(robots::Directives::from_meta(content));
        }
        document
            .dates
            .extend(page.dates.into_iter().map(|(from, text)| Dated { from, date: dates::read(&text) }));
        document.language =
            language::find(page.language.as_deref(), self.header("content-language"), &document.text);
        self.cut.extend(
            [
                (page.cut.links, Cut::Links),
                (page.cut.text, Cut::Text),
                (page.cut.lists, Cut::Lists),
                (page.cut.tags, Cut::Tag),
                (page.cut.scripts, Cut::Script),
                (page.cut.depth, Cut::Depth),
            ]
            .into_iter()
            .filter_map(|(is_cut, cut)| is_cut.then_some(cut)),
        );
        document
    }

    /// What a document says that was held whole.
    pub(super) fn whole(&mut self, identity: Identity, bytes: &[u8]) -> Document {
        let kind = identity.kind;
        let mut document = self.document(identity);
        if self.links.is_time_up() {
            return document;
        }
        if kind == Kind::Pdf && (self.wanted.links || self.wanted.about) {
            let said = pdf::links(bytes, &self.limits, &mut self.links);
            document.title = said.title;
            if said.encrypted {
                self.cut.push(Cut::Encrypted);
            }
            return document;
        }
        document.identity.charset = document.identity.charset.map(|charset| reconsider(charset, bytes));
        let encoding = document.identity.charset.map_or(encoding_rs::UTF_8, |charset| charset.encoding);
        let (text, _, _) = encoding.decode(bytes);
        // The title is found on the way to the links, wanted or not.
        let mut unwanted = Links::new(&self.limits);
        let wanted = self.wanted;
        let limits = &self.limits;
        let links = if wanted.links { &mut self.links } else { &mut unwanted };
        match kind {
            Kind::Feed | Kind::Svg | Kind::Xml if wanted.links || wanted.about => {
                document.title = xml::links(&text, limits, links).title;
            }
            _ if !wanted.links => {}
            Kind::Script | Kind::Json if !wanted.scripts => {}
            Kind::Css => css::links(&text, links),
            Kind::Script => script::links(&text, links),
            Kind::Json => json::links(&text, links),
            Kind::Sitemap => sitemap::links(bytes, limits, links),
            Kind::Dash => dash::links(&text, links),
            Kind::Playlist => playlist::links(&text, links),
            Kind::Robots => robots_txt::links(&text, links),
            Kind::Text => plain::links(&text, links),
            Kind::Feed | Kind::Svg | Kind::Xml | Kind::Html | Kind::Pdf | Kind::Other => {}
        }
        if kind == Kind::Text && (wanted.text || wanted.main_text) {
            let kept = text.get(..text.floor_char_boundary(limits.text_bytes_max)).unwrap_or_default();
            if kept.len() < text.len() {
                self.cut.push(Cut::Text);
            }
            if wanted.text {
                kept.clone_into(&mut document.text);
            }
            if wanted.main_text {
                kept.clone_into(&mut document.main_text);
            }
        }
        document.language = language::find(None, self.header("content-language"), &document.text);
        document
    }

    /// A document that says no more than its headers.
    pub(super) fn document(&self, identity: Identity) -> Document {
        let dates = ["last-modified", "date"].into_iter().filter_map(|name| {
            let date = dates::read(self.header(name)?);
            Some(Dated { from: format!("http@{name}"), date })
        });
        let mut directives = robots::Directives::default();
        for (_, value) in self.headers.iter().filter(|(name, _)| *name == "x-robots-tag") {
            directives.merge(robots::Directives::from_header(value, &self.agent));
        }
        Document {
            identity,
            url: self.url.clone(),
            base: self.url.clone(),
            links: Links::new(&self.limits),
            title: None,
            text: String::new(),
            main_text: String::new(),
            headings: Vec::new(),
            description: None,
            canonical: None,
            language: None,
            robots: directives,
            dates: dates.collect(),
            metas: Vec::new(),
            cut: Vec::new(),
        }
    }

    /// Puts the links and what was cut into the document.
    pub(super) fn close(self, mut document: Document) -> Document {
        if document.canonical.is_none() {
            document.canonical = self.canonical();
        }
        let mut cut = self.cut;
        if self.links.left_out() > 0 {
            cut.push(Cut::Links);
        }
        if self.links.ran_out_of_time() {
            cut.push(Cut::Time);
        }
        cut.sort_unstable();
        cut.dedup();
        document.cut = cut;
        document.links = self.links;
        document
    }

    /// Where the headers say that the document really lives. Unlike what a page says it is relative to the document's own
    /// address, so it is resolved here.
    fn canonical(&self) -> Option<String> {
        let headers = self.headers.iter().map(|(name, value)| (*name, value.as_str()));
        let reference = headers::canonical(headers)?;
        if reference.len() > self.limits.reference_bytes_max {
            return None;
        }
        let url = self.url.as_ref().and_then(|url| url.join(&reference).ok());
        Some(url.map_or(reference, String::from))
    }

    /// The value of the first header of this name.
    fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(given, _)| *given == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// The charset of a document that is there whole; one that was ASCII at its start may turn out to be something else.
fn reconsider(charset: Charset, bytes: &[u8]) -> Charset {
    let Some(first) = bytes.iter().position(|byte| !byte.is_ascii()) else { return charset };
    if charset.source != charset::Source::Default {
        return charset;
    }
    let rest = bytes.get(first..).unwrap_or_default();
    charset::detect(rest.get(..DETECTION_BYTES).unwrap_or(rest), false)
}
