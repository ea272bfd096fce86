//! Reads a page piece by piece.

use crate::{Limits, Links, css, json, script};

use super::attribute::Attribute;
use super::element::Element;
use super::flow::Flow;
use super::foreign::Foreign;
use super::links::Said;
use super::main_text::MainText;
use super::open::Open;
use super::page::{Page, Wanted};
use super::reference;
use super::token::{self, Mode, Sink, Tag, Tokenizer};

/// How deep pages inside of pages (`srcdoc`, `noframes`, conditional comments) are followed.
const NESTING_MAX: u8 = 3;

/// Bytes that are read before the time is asked for again, where anybody can tell it.
const PIECE_BYTES: usize = 32 << 10;

/// Bytes before that in which the end of a tag is looked for.
const CUT_BYTES: usize = 4 << 10;

/// Reads a page as it arrives: any number of pieces, in order, split anywhere.
///
/// Memory is that of the results, of one tag and of one script, all within [`Limits`].
#[derive(Debug)]
pub struct Reader {
    tokenizer: Tokenizer,
    reading: Reading,
}

impl Reader {
    /// A reader at the start of a page.
    #[must_use]
    pub fn new(wanted: Wanted, limits: &Limits) -> Reader {
        Reader { tokenizer: Tokenizer::new(limits), reading: Reading::new(wanted, limits) }
    }

    /// Takes the next piece.
    pub fn write(&mut self, piece: &str) {
        if self.reading.limits.stop.is_none() {
            return self.tokenizer.write(piece, &mut self.reading);
        }
        let mut rest = piece;
        while !rest.is_empty() && !self.reading.page.links.is_time_up() {
            let end = cut(rest);
            let (now, later) = rest.split_at_checked(end).unwrap_or((rest, ""));
            self.tokenizer.write(now, &mut self.reading);
            rest = later;
        }
    }

    /// What was found, now that there are no more pieces.
    #[must_use]
    pub fn finish(mut self) -> Page {
        self.tokenizer.finish(&mut self.reading);
        self.reading.finish()
    }
}

/// Where to cut what is read at once: behind a tag rather than in one, which would have to be kept.
fn cut(rest: &str) -> usize {
    if rest.len() <= PIECE_BYTES {
        return rest.len();
    }
    let before = rest.as_bytes().get(PIECE_BYTES - CUT_BYTES..PIECE_BYTES).unwrap_or_default();
    match memchr::memrchr(b'>', before) {
        Some(at) => PIECE_BYTES - CUT_BYTES + at + 1,
        None => rest.floor_char_boundary(PIECE_BYTES),
    }
}

/// All that is known between two tokens.
#[derive(Debug)]
pub(super) struct Reading {
    pub(super) wanted: Wanted,
    pub(super) limits: Limits,
    pub(super) page: Page,
    /// The first of the attributes that anybody wants, in the order of their table.
    attributes_from: Attribute,
    /// Somebody wants to know where elements end that hold no more than text and other elements.
    heeds_all_ends: bool,
    pub(super) text: Flow,
    pub(super) main_text: MainText,
    pub(super) open: Open,
    pub(super) foreign: Foreign,
    /// The place of the link whose text is being read, and that text.
    pub(super) anchor: Option<usize>,
    pub(super) anchor_text: Flow,
    /// The level of the heading that is being read, and its text.
    pub(super) heading: Option<u8>,
    pub(super) heading_text: Flow,
    pub(super) gathered: Gathered,
    /// The comment that is being read, if it may be a conditional one.
    comment: Gathered,
    pub(super) noscript_depth: u32,
    /// The open form is not sent by GET.
    pub(super) form_posts: bool,
    pub(super) nesting: u8,
    /// The tag at hand has nothing that is wanted, and its element means nothing to links.
    pub(super) was_idle: bool,
    /// What the tag at hand says of its links, once one of them has asked.
    pub(super) said: Option<Said>,
}

/// The content of an element that is looked at as a whole.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    pub(super) kind: Option<(Gather, Element)>,
    content: String,
    /// Bytes that came, whether they were kept or not.
    seen_bytes: usize,
}

impl Gathered {
    /// What of a piece is within a bound, in whatever pieces the content comes; and whether that is all.
    fn within<'a>(&mut self, piece: &'a str, bytes_max: usize) -> (&'a str, bool) {
        let room = bytes_max.saturating_sub(self.seen_bytes);
        self.seen_bytes = self.seen_bytes.saturating_add(piece.len());
        let end = piece.floor_char_boundary(room);
        (piece.get(..end).unwrap_or_default(), end == piece.len())
    }
}

/// What gathered content is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gather {
    Nothing,
    Title,
    Style,
    Script,
    Json,
    Html,
}

impl Reading {
    fn new(wanted: Wanted, limits: &Limits) -> Reading {
        let attributes_from = match wanted {
            Wanted { main_text: true, .. } => Attribute::Class,
            Wanted { text: true, .. } => Attribute::Hidden,
            Wanted { about: true, .. } => Attribute::Lang,
            Wanted { anchors: true, .. } => Attribute::Alt,
            _ => Attribute::Rel,
        };
        Reading {
            wanted,
            limits: limits.clone(),
            page: Page::new(limits),
            attributes_from,
            heeds_all_ends: wanted.anchors || wanted.about || wanted.text || wanted.main_text,
            text: Flow::new(limits.text_bytes_max),
            main_text: MainText::new(wanted.main_text),
            open: Open::new(limits.depth_max),
            foreign: Foreign::default(),
            anchor: None,
            anchor_text: Flow::new(limits.phrase_bytes_max),
            heading: None,
            heading_text: Flow::new(limits.phrase_bytes_max),
            gathered: Gathered::default(),
            comment: Gathered::default(),
            noscript_depth: 0,
            form_posts: false,
            nesting: 0,
            was_idle: false,
            said: None,
        }
    }

    /// Whether visible text is followed.
    #[inline]
    pub(super) fn follows_text(&self) -> bool {
        self.wanted.text || self.wanted.main_text
    }

    fn finish(mut self) -> Page {
        self.end_gathering();
        self.end_anchor();
        self.end_heading();
        self.end_block();
        let cut = &mut self.page.cut;
        cut.links |= self.page.links.left_out() > 0;
        cut.text |= self.text.is_cut();
        cut.depth |= self.open.is_cut;
        if self.wanted.main_text {
            self.page.main_text = self.main_text.text(self.text.text());
        }
        if self.wanted.text {
            self.page.text = self.text.into_text();
        }
        self.page
    }

    /// Text of the page, references decoded.
    #[inline]
    fn piece(&mut self, piece: &str) {
        if self.follows_text() && !self.open.is_unseen() {
            self.main_text.begin(self.text.text().len(), self.open.node());
            let before = self.text.text().len();
            if self.open.is_preformatted() {
                self.text.push_preformatted(piece);
            } else {
                self.text.push(piece);
            }
            if self.anchor.is_some() {
                self.main_text.add_link_bytes(self.text.text().len() - before);
            }
        }
        if self.anchor.is_some() {
            self.anchor_text.push(piece);
        }
        if self.heading.is_some() {
            self.heading_text.push(piece);
        }
    }

    /// What follows stands on a line of its own.
    #[inline]
    pub(super) fn end_block(&mut self) {
        if self.follows_text() {
            self.text.line();
            self.main_text.end(self.text.text());
        }
        self.anchor_text.blank();
        self.heading_text.blank();
    }

    /// Gives the open link its text.
    pub(super) fn end_anchor(&mut self) {
        if let Some(place) = self.anchor.take() {
            if !self.anchor_text.text().is_empty() {
                self.page.links.set_text(place, self.anchor_text.text());
            }
            self.anchor_text.clear();
        }
    }

    /// Takes the open heading in.
    pub(super) fn end_heading(&mut self) {
        let Some(level) = self.heading.take() else { return };
        let text = self.heading_text.text();
        if text.is_empty() {
            return;
        }
        if self.page.headings.len() < self.limits.headings_max {
            self.page.headings.push((level, text.to_owned()));
        } else {
            self.page.cut.lists = true;
        }
        self.heading_text.clear();
    }

    /// Looks at the content that was gathered, now that its element ends.
    pub(super) fn end_gathering(&mut self) {
        let Some((kind, _)) = self.gathered.kind.take() else { return };
        let content = std::mem::take(&mut self.gathered.content);
        match kind {
            Gather::Title if self.page.title.is_none() => {
                let mut title = Flow::new(self.limits.phrase_bytes_max);
                reference::pieces(&content, false, |piece| title.push(piece));
                self.page.title = Some(title.into_text()).filter(|title| !title.is_empty());
            }
            Gather::Style => css::links(&content, &mut self.page.links),
            Gather::Script => script::links(&content, &mut self.page.links),
            Gather::Json => json::links(&content, &mut self.page.links),
            Gather::Html => self.nested(&content),
            Gather::Title | Gather::Nothing => {}
        }
        // The memory is used again.
        self.gathered.content = content;
        self.gathered.content.clear();
        self.gathered.seen_bytes = 0;
    }

    fn gather(&mut self, text: &str, raw: bool) {
        let Some((kind, _)) = self.gathered.kind else { return };
        if kind == Gather::Nothing {
            return;
        }
        let (text, is_all) = self.gathered.within(text, self.limits.script_bytes_max);
        self.page.cut.scripts |= !is_all;
        if raw || kind == Gather::Title {
            self.gathered.content.push_str(text);
        } else {
            // Styles and scripts in SVG are ordinary text with references.
            reference::pieces(text, false, |piece| self.gathered.content.push_str(piece));
        }
    }

    /// Takes the links out of a page inside of the page.
    pub(super) fn nested(&mut self, html: &str) {
        if !self.wanted.links {
            return;
        }
        if self.nesting >= NESTING_MAX {
            self.page.cut.scripts = true;
            return;
        }
        let Wanted { scripts, anchors, .. } = self.wanted;
        let wanted = Wanted { links: true, scripts, anchors, ..Wanted::NOTHING };
        let mut inner = Reading::new(wanted, &self.limits);
        inner.nesting = self.nesting + 1;
        inner.noscript_depth = self.noscript_depth;
        inner.page.links = std::mem::replace(&mut self.page.links, Links::new(&self.limits));
        let mut tokenizer = Tokenizer::new(&self.limits);
        tokenizer.write(html, &mut inner);
        tokenizer.finish(&mut inner);
        let page = inner.finish();
        self.page.links = page.links;
        self.page.cut.tags |= page.cut.tags;
        self.page.cut.scripts |= page.cut.scripts;
    }

    /// Internet Explorer's comments: `<!--[if IE]> HTML <![endif]-->`.
    fn end_comment(&mut self) {
        let comment = std::mem::take(&mut self.comment);
        if let Some((condition, html)) = comment.content.split_once("]>")
            && condition.starts_with("[if")
        {
            self.nested(html);
        }
    }
}

impl Sink for Reading {
    #[inline]
    fn attribute(&self, name: &str) -> u8 {
        self.attribute_by(token::key(name.as_bytes()), name)
    }

    #[inline]
    fn attribute_by(&self, key: u64, name: &str) -> u8 {
        self.attributes_from.number_from(key, name.as_bytes())
    }

    #[inline]
    fn start_tag(&mut self, tag: &Tag<'_>) -> Mode {
        self.open_element(tag)
    }

    #[inline]
    fn was_idle(&self) -> bool {
        self.was_idle
    }

    #[inline]
    fn passes_over(&self) -> bool {
        !self.heeds_all_ends && !self.foreign.is_any() && self.gathered.kind.is_none()
    }

    #[inline]
    fn end_tag(&mut self, name: &str) {
        self.end_tag_by(token::key(name.as_bytes()), name);
    }

    #[inline]
    fn end_tag_by(&mut self, key: u64, name: &str) {
        if self.heeds_all_ends
            || self.gathered.kind.is_some()
            || self.foreign.is_any()
            || may_matter_to_links(name)
        {
            self.close_element(Element::by(key, name));
        }
    }

    #[inline]
    fn wants_text(&self) -> bool {
        self.follows_text() || self.gathered.kind.is_some() || self.anchor.is_some() || self.heading.is_some()
    }

    #[inline]
    fn text(&mut self, text: &str, raw: bool) {
        if self.gathered.kind.is_some() {
            return self.gather(text, raw);
        }
        if !self.wants_text() {
            return;
        }
        if raw {
            self.piece(text);
        } else {
            reference::pieces(text, false, |piece| self.piece(piece));
        }
    }

    fn comment(&mut self, piece: &str, end: bool) {
        /// What a conditional comment begins with.
        const CONDITION: &str = "[if";
        if !self.wanted.links {
            return;
        }
        let comment = &mut self.comment;
        // Most comments come whole and are told by their first letters.
        let head = if comment.seen_bytes == 0 { piece } else { &comment.content };
        let was_ordinary = comment.seen_bytes > comment.content.len();
        let is_ordinary = !head.starts_with(CONDITION) && (was_ordinary || !CONDITION.starts_with(head));
        if is_ordinary {
            comment.seen_bytes = comment.seen_bytes.saturating_add(piece.len());
        } else {
            let (piece, is_all) = comment.within(piece, self.limits.script_bytes_max);
            comment.content.push_str(piece);
            self.page.cut.scripts |= !is_all && comment.content.starts_with(CONDITION);
        }
        if end {
            self.end_comment();
        }
    }

    fn is_in_foreign_content(&self) -> bool {
        self.foreign.is_in()
    }

    fn tag_was_cut(&mut self) {
        self.page.cut.tags = true;
    }
}

/// Whether the end of an element of this name may change what a link is: of a form, or of `noscript`.
#[inline]
fn may_matter_to_links(name: &str) -> bool {
    matches!(name.as_bytes(), [b'f' | b'F', _, _, _] | [b'n' | b'N', _, _, _, _, _, _, _])
}
