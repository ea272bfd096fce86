//! What a document points at: the reference as written, and which rule gave it.

use std::borrow::Cow;
use std::fmt;

/// One reference from a document to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// As the document has it, character references decoded and blanks around it gone, not yet resolved.
    pub reference: String,
    /// How a crawler gets from here to there.
    pub hop: Hop,
    /// The element, attribute or rule that gave it.
    pub rule: Rule,
    /// Anchor text, blanks run together; the `alt` or `title` of what has no text.
    pub text: String,
    /// The `rel` of the element or header, as written.
    pub rel: String,
}

impl Link {
    /// A link without text or relation.
    #[must_use]
    pub fn new(reference: impl Into<String>, hop: Hop, rule: Rule) -> Link {
        Link { reference: reference.into(), hop, rule, text: String::new(), rel: String::new() }
    }
}

/// How a crawler gets from a document to what it points at; the letters are those of Heritrix's logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Hop {
    /// A person would have to click (`L`).
    Navigation,
    /// Needed to show the document (`E`).
    Embed,
    /// The server or the page sends the reader on (`R`).
    Redirect,
    /// A string that looks like a URL; it may be none (`X`).
    Speculative,
    /// Listed for machines: sitemaps, feeds, playlists (`M`).
    Manifest,
}

impl Hop {
    /// The word that the verbs print.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Hop::Navigation => "navigation",
            Hop::Embed => "embed",
            Hop::Redirect => "redirect",
            Hop::Speculative => "speculative",
            Hop::Manifest => "manifest",
        }
    }

    /// The letter that Heritrix writes into its crawl log.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Hop::Navigation => 'L',
            Hop::Embed => 'E',
            Hop::Redirect => 'R',
            Hop::Speculative => 'X',
            Hop::Manifest => 'M',
        }
    }
}

/// Where in the document a link stands: `a@href`, `css@url`, `http@location`.
///
/// Names that we know are borrowed, so that a page full of ordinary links allocates nothing for them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Rule {
    element: Cow<'static, str>,
    attribute: Cow<'static, str>,
}

impl Rule {
    /// A rule whose names are known when the program is built.
    #[must_use]
    pub const fn new(element: &'static str, attribute: &'static str) -> Rule {
        Rule { element: Cow::Borrowed(element), attribute: Cow::Borrowed(attribute) }
    }

    /// A rule with a name that the document made up, such as a custom element's.
    #[must_use]
    pub fn named(element: impl Into<Cow<'static, str>>, attribute: impl Into<Cow<'static, str>>) -> Rule {
        Rule { element: element.into(), attribute: attribute.into() }
    }

    /// The element, or the kind of document: `img`, `css`, `http`.
    #[must_use]
    pub fn element(&self) -> &str {
        &self.element
    }

    /// The attribute, or what stands for it: `srcset`, `url`, `location`.
    #[must_use]
    pub fn attribute(&self) -> &str {
        &self.attribute
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.element, self.attribute)
    }
}

/// The links of one document, at most so many.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Links {
    list: Vec<Link>,
    count_max: usize,
    reference_bytes_max: usize,
    left_out: u64,
}

impl Links {
    /// An empty list with the bounds of `limits`.
    #[must_use]
    pub fn new(limits: &crate::Limits) -> Links {
        Links {
            list: Vec::new(),
            count_max: limits.links_max,
            reference_bytes_max: limits.reference_bytes_max,
            left_out: 0,
        }
    }

    /// Takes a link in, unless the list is full or the reference empty or too long to be one.
    pub fn add(&mut self, link: Link) {
        if link.reference.is_empty() {
            return;
        }
        if self.list.len() >= self.count_max || link.reference.len() > self.reference_bytes_max {
            self.left_out += 1;
        } else {
            self.list.push(link);
        }
    }

    /// Whether nothing more will be taken in, and it is known that there is more: who scans only for links may stop.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.list.len() >= self.count_max && self.left_out > 0
    }

    /// How many links were found and not kept.
    #[must_use]
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// The place that the next link will have.
    pub(crate) fn next_place(&self) -> usize {
        self.list.len()
    }

    /// Gives the link at a place its text, which often is known only behind it.
    pub(crate) fn set_text(&mut self, place: usize, text: &str) {
        if let Some(link) = self.list.get_mut(place) {
            text.clone_into(&mut link.text);
        }
    }

    /// The links, in the order of the document.
    #[must_use]
    pub fn as_slice(&self) -> &[Link] {
        &self.list
    }

    /// The links alone.
    #[must_use]
    pub fn into_vec(self) -> Vec<Link> {
        self.list
    }
}
