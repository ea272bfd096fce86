//! Which lines of the text are the page's own, and which are navigation, advertising, headers and footers.
//!
//! While the page is read, blocks of text and the elements around them are noted, a few bytes each. At the end paragraphs
//! vote for the elements they stand in, as in the readers' views of browsers: the longer a paragraph and the more commas it
//! has, the more its vote counts, and the nearer the element the more of it it gets. Links and the words in class names
//! count for or against. The element that wins is the body of the text; what looks like boilerplate inside of it is left
//! out, and what looks like text beside it is taken in.

mod score;
mod words;

use super::attribute::Attribute;
use super::element::Element;
use super::token::Tag;

use words::Words;

/// Elements that are told apart, and blocks; what is beyond counts to the last. A page of a megabyte has a tenth of that.
const NODES_MAX: usize = 1 << 18;

/// An element around text.
#[derive(Debug, Clone, Copy)]
struct Node {
    parent: u32,
    element: Element,
    words: Words,
    /// Elements are inside of it, and not only text.
    has_children: bool,
}

/// A block of text.
#[derive(Debug, Clone, Copy)]
struct Block {
    node: u32,
    start: usize,
    end: usize,
    link_bytes: usize,
}

/// What is noted while a page is read.
#[derive(Debug)]
pub(super) struct MainText {
    is_wanted: bool,
    nodes: Vec<Node>,
    blocks: Vec<Block>,
    /// Where the present block began and in what, and the bytes of it that are in links.
    begun: Option<(usize, u32)>,
    link_bytes: usize,
}

impl MainText {
    /// Nothing yet; nothing ever, if it is not wanted.
    pub(super) fn new(is_wanted: bool) -> MainText {
        let root = Node { parent: 0, element: Element::Body, words: Words::default(), has_children: true };
        MainText { is_wanted, nodes: vec![root], blocks: Vec::new(), begun: None, link_bytes: 0 }
    }

    /// Notes an element; says under which number.
    pub(super) fn node(&mut self, element: Element, parent: u32, tag: &Tag<'_>) -> u32 {
        let Ok(number) = u32::try_from(self.nodes.len()) else { return parent };
        if self.nodes.len() >= NODES_MAX {
            return parent;
        }
        let value = |attribute: Attribute| tag.value(attribute.number()).unwrap_or_default();
        let mut words = Words::of_names(value(Attribute::Class)) | Words::of_names(value(Attribute::Id));
        words = words | Words::of_role(value(Attribute::Role)) | Words::of_element(element);
        if let Some(parent) = self.nodes.get_mut(parent as usize) {
            parent.has_children = true;
        }
        self.nodes.push(Node { parent, element, words, has_children: false });
        number
    }

    /// Text begins here, unless a block has begun already.
    #[inline]
    pub(super) fn begin(&mut self, at: usize, node: u32) {
        if self.is_wanted && self.begun.is_none() {
            self.begun = Some((at, node));
        }
    }

    /// So much of the present block is the text of links.
    #[inline]
    pub(super) fn add_link_bytes(&mut self, bytes: usize) {
        self.link_bytes += bytes;
    }

    /// The present block ends where the text ends now.
    #[inline]
    pub(super) fn end(&mut self, text: &str) {
        let link_bytes = std::mem::take(&mut self.link_bytes);
        let Some((start, node)) = self.begun.take() else { return };
        let end = text.len();
        let start = start + text.get(start..).map_or(0, |block| block.len() - block.trim_ascii_start().len());
        if start >= end {
            return;
        }
        if self.blocks.len() < NODES_MAX {
            self.blocks.push(Block { node, start, end, link_bytes });
        } else if let Some(last) = self.blocks.last_mut() {
            last.end = end;
            last.link_bytes += link_bytes;
        }
    }

    /// The lines of `text` that are the page's own.
    pub(super) fn text(&self, text: &str) -> String {
        let chosen = score::choose(&self.nodes, &self.blocks, text);
        let mut main_text = String::new();
        for block in chosen {
            if !main_text.is_empty() {
                main_text.push('\n');
            }
            main_text.push_str(text.get(block.start..block.end).unwrap_or_default().trim_ascii_end());
        }
        main_text
    }
}
