//! What a document points at: the reference as written, and which rule gave it.

use std::borrow::Cow;
use std::fmt;

use crate::Limits;
use crate::stop::Watch;

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

/// Room for as many links as a page often has, made when there is one.
const LINKS_FIRST: usize = 64;

/// The links of one document, at most so many.
#[derive(Debug, Clone)]
pub struct Links {
    list: Vec<Link>,
    count_max: usize,
    /// How many more guesses are taken in.
    guesses_left: usize,
    reference_bytes_max: usize,
    left_out: u64,
    /// Everybody who looks for links has these at hand, and so they know the time as well.
    watch: Watch,
}

impl Links {
    /// An empty list with the bounds of `limits`.
    #[must_use]
    pub fn new(limits: &Limits) -> Links {
        Links {
            list: Vec::new(),
            count_max: limits.links_max,
            guesses_left: limits.links_max,
            reference_bytes_max: limits.reference_bytes_max,
            left_out: 0,
            watch: Watch::new(limits.stop.as_ref()),
        }
    }

    /// The same, where guesses stand beside links that are none and must not take all of the room.
    pub(crate) fn of_page(limits: &Limits) -> Links {
        Links { guesses_left: limits.links_max.div_ceil(2), ..Links::new(limits) }
    }

    /// Takes a link in, unless the list is full or the reference empty or too long to be one.
    pub fn add(&mut self, link: Link) {
        if link.reference.is_empty() {
            return;
        }
        let is_guess = link.hop == Hop::Speculative;
        if self.list.len() >= self.count_max
            || link.reference.len() > self.reference_bytes_max
            || (is_guess && self.guesses_left == 0)
        {
            self.left_out += 1;
        } else {
            self.guesses_left -= usize::from(is_guess);
            if self.list.capacity() == 0 {
                self.list.reserve(LINKS_FIRST.min(self.count_max));
            }
            self.list.push(link);
        }
    }

    /// Takes the links of a part of the document in, and what was left out of them.
    pub(crate) fn append(&mut self, other: Links) {
        self.left_out += other.left_out;
        self.watch.hear(&other.watch);
        if self.list.is_empty() && other.list.len() <= self.count_max && self.guesses_left == self.count_max {
            // Those of most pages are all there are, and within the bounds already.
            self.guesses_left -= other.list.iter().filter(|link| link.hop == Hop::Speculative).count();
            self.list = other.list;
            return;
        }
        other.list.into_iter().for_each(|link| self.add(link));
    }

    /// Whether nothing more will be taken in, and it is known that there is more: who scans only for links may stop.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.list.len() >= self.count_max && self.left_out > 0
    }

    /// Whether to stop looking, because the list is full or time is up. Asked after each step of a reader.
    #[inline]
    pub(crate) fn is_enough(&mut self) -> bool {
        self.watch.step() || self.is_full()
    }

    /// Whether time is up, asked at once.
    pub(crate) fn is_time_up(&mut self) -> bool {
        self.watch.ask()
    }

    /// Whether the search ended because time was up.
    #[must_use]
    pub fn ran_out_of_time(&self) -> bool {
        self.watch.is_up()
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

impl PartialEq for Links {
    fn eq(&self, other: &Links) -> bool {
        (&self.list, self.left_out) == (&other.list, other.left_out)
    }
}

impl Eq for Links {}
