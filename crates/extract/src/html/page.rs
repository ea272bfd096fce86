//! What is asked of a page, and what it answers.

use crate::Links;

use super::Refresh;

/// What the caller wants to know; what nobody wants is not computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    /// What the page links to.
    pub links: bool,
    /// With the links: those in inline scripts and event handlers too, most of which are guesses.
    pub scripts: bool,
    /// With the links: the texts that they have for people, and their relations as written.
    pub anchors: bool,
    /// Title, headings, language, dates, and what `meta` elements say.
    pub about: bool,
    /// All visible text.
    pub text: bool,
    /// The visible text without navigation, headers, footers and the like.
    pub main_text: bool,
}

impl Wanted {
    /// Everything.
    pub const ALL: Wanted =
        Wanted { links: true, scripts: true, anchors: true, about: true, text: true, main_text: true };

    /// Nothing at all.
    pub(super) const NOTHING: Wanted =
        Wanted { links: false, scripts: false, anchors: false, about: false, text: false, main_text: false };

    /// The links alone, those in scripts included.
    pub const LINKS: Wanted = Wanted { links: true, scripts: true, anchors: true, ..Wanted::NOTHING };

    /// Where the links lead, and no more: what a crawl has to know.
    pub const ADDRESSES: Wanted = Wanted { links: true, scripts: true, ..Wanted::NOTHING };
}

impl Default for Wanted {
    fn default() -> Wanted {
        Wanted::ALL
    }
}

/// What a page links to and says.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Page {
    /// The links in the order of the document, not resolved.
    pub links: Links,
    /// The address in the first `base` element that has one: references are relative to it.
    pub base: Option<String>,
    /// The first title.
    pub title: Option<String>,
    /// All visible text, each block on a line of its own, blanks run together except where they are preformatted.
    pub text: String,
    /// The lines of the text that are the page's own.
    pub main_text: String,
    /// Headings with their level, from 1 to 6.
    pub headings: Vec<(u8, String)>,
    /// What the page says of itself in `description`, or else in `og:description`.
    pub description: Option<String>,
    /// Where the page says that it really lives, as written.
    pub canonical: Option<String>,
    /// The language tag of the `html` element, or else of a `meta` element.
    pub language: Option<String>,
    /// Name, property or `http-equiv`, in lower case, and content of each `meta` element that has both.
    pub metas: Vec<(String, String)>,
    /// Name and content of those `meta` elements that speak to robots, to all or to one.
    pub robots: Vec<(String, String)>,
    /// Where a date stands (`meta@dc.date`, `time@datetime`) and the date as written.
    pub dates: Vec<(String, String)>,
    /// Where the page sends its reader; one that is inside of `noscript` only if there is no other.
    pub refresh: Option<Refresh>,
    /// What was left out because of a limit.
    pub cut: LeftOut,
}

impl Page {
    /// A page that says nothing.
    pub(super) fn new(limits: &crate::Limits) -> Page {
        Page {
            links: Links::of_page(limits),
            base: None,
            title: None,
            text: String::new(),
            main_text: String::new(),
            headings: Vec::new(),
            description: None,
            canonical: None,
            language: None,
            metas: Vec::new(),
            robots: Vec::new(),
            dates: Vec::new(),
            refresh: None,
            cut: LeftOut::default(),
        }
    }
}

/// What of a page was left out because of a limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftOut {
    /// Links were found and not kept.
    pub links: bool,
    /// The text goes on.
    pub text: bool,
    /// There are more headings, or `meta` elements, or dates.
    pub lists: bool,
    /// A tag was too long, or had too many attributes.
    pub tags: bool,
    /// A script, a style sheet, or a page inside of the page was too long to be searched whole, or too deep.
    pub scripts: bool,
    /// Elements stand deeper inside others than is remembered.
    pub depth: bool,
}
