//! The elements that are open at the present place, as far as text depends on them.

use super::element::{ELEMENT_COUNT, Element};

/// How many open elements an element that ends its own kind (`li`, `td`) looks at: these are closed nearby or not at all.
const NEAR: usize = 4;

/// An element that has not been closed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) element: Element,
    /// Nothing inside of it is shown.
    pub(super) is_unseen: bool,
    /// Blanks inside of it are kept.
    pub(super) is_preformatted: bool,
    /// Its place among the nodes of the main text.
    pub(super) node: u32,
}

/// Open elements, outermost first.
#[derive(Debug)]
pub(super) struct Open {
    entries: Vec<Entry>,
    /// How many of each are open, so that a stray end tag costs nothing.
    counts: [u32; ELEMENT_COUNT],
    depth_max: usize,
    pub(super) is_cut: bool,
}

impl Open {
    /// None yet.
    pub(super) fn new(depth_max: usize) -> Open {
        Open { entries: Vec::new(), counts: [0; ELEMENT_COUNT], depth_max, is_cut: false }
    }

    /// The innermost.
    #[inline]
    pub(super) fn last(&self) -> Option<&Entry> {
        self.entries.last()
    }

    /// Whether nothing here is shown.
    #[inline]
    pub(super) fn is_unseen(&self) -> bool {
        self.last().is_some_and(|entry| entry.is_unseen)
    }

    /// Whether blanks are kept here.
    #[inline]
    pub(super) fn is_preformatted(&self) -> bool {
        self.last().is_some_and(|entry| entry.is_preformatted)
    }

    /// The node that text here belongs to.
    #[inline]
    pub(super) fn node(&self) -> u32 {
        self.last().map_or(0, |entry| entry.node)
    }

    /// Opens an element inside of the innermost; what is so of that is so of it.
    #[inline]
    pub(super) fn open(&mut self, entry: Entry) {
        if self.entries.len() >= self.depth_max {
            self.is_cut = true;
            return;
        }
        if let Some(count) = self.counts.get_mut(entry.element as usize) {
            *count += 1;
        }
        self.entries.push(entry);
    }

    /// Closes an element, and all inside of it, if it is open.
    #[inline]
    pub(super) fn close(&mut self, element: Element) {
        if self.counts.get(element as usize).is_none_or(|count| *count == 0) {
            return;
        }
        while let Some(entry) = self.pop() {
            if entry.element == element {
                return;
            }
        }
    }

    /// Closes what the start of an element ends: an open paragraph, or the last of its kind in a list or table.
    #[inline]
    pub(super) fn make_way(&mut self, element: Element, ends_p: bool) {
        if ends_p && self.last().is_some_and(|entry| entry.element == Element::P) {
            self.pop();
        }
        let (kin, bound): (&[Element], &[Element]) = match element {
            Element::Li => (&[Element::Li], &[Element::Ul, Element::Ol, Element::Menu]),
            Element::Dt | Element::Dd => (&[Element::Dt, Element::Dd], &[Element::Dl]),
            Element::Td | Element::Th => (&[Element::Td, Element::Th], &[Element::Tr, Element::Table]),
            Element::Tr => (&[Element::Tr], &[Element::Table]),
            _ => return,
        };
        let near = self.entries.iter().rev().take(NEAR).take_while(|entry| !bound.contains(&entry.element));
        let found = near.map(|entry| entry.element).find(|element| kin.contains(element));
        if let Some(found) = found {
            self.close(found);
        }
    }

    fn pop(&mut self) -> Option<Entry> {
        let entry = self.entries.pop()?;
        if let Some(count) = self.counts.get_mut(entry.element as usize) {
            *count = count.saturating_sub(1);
        }
        Some(entry)
    }
}
