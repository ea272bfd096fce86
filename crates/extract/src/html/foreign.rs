//! Whether we are in SVG or MathML, where other rules hold: no raw text, and CDATA sections.
//!
//! Without a tree this is an estimate that is right where elements are closed as they should be.

use super::element::{BREAKS_OUT, Element};

/// How deep SVG in HTML in SVG is followed.
const LEVELS_MAX: usize = 32;

/// The changes between HTML and foreign content around the present place.
#[derive(Debug, Default)]
pub(super) struct Foreign {
    levels: Vec<Level>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Foreign,
    /// HTML inside of foreign content.
    Html,
}

impl Foreign {
    /// Whether the present place is in foreign content.
    #[inline]
    pub(super) fn is_in(&self) -> bool {
        self.levels.last() == Some(&Level::Foreign)
    }

    /// Whether foreign content is open at all.
    #[inline]
    pub(super) fn is_any(&self) -> bool {
        !self.levels.is_empty()
    }

    /// A start tag.
    #[inline]
    pub(super) fn start(&mut self, element: Element, self_closing: bool) {
        let is_in = self.is_in();
        if is_in && element.has(BREAKS_OUT) {
            while self.is_in() {
                self.levels.pop();
            }
            return;
        }
        let level = match element {
            Element::Svg | Element::Math => Level::Foreign,
            Element::ForeignObject | Element::Desc | Element::Title if is_in => Level::Html,
            _ => return,
        };
        if !self_closing && self.levels.len() < LEVELS_MAX {
            self.levels.push(level);
        }
    }

    /// An end tag.
    #[inline]
    pub(super) fn end(&mut self, element: Element) {
        if self.levels.is_empty() {
            return;
        }
        match element {
            Element::Svg | Element::Math => {
                if let Some(at) = self.levels.iter().rposition(|level| *level == Level::Foreign) {
                    self.levels.truncate(at);
                }
            }
            Element::ForeignObject | Element::Desc | Element::Title if !self.is_in() => {
                self.levels.pop();
            }
            _ => {}
        }
    }
}
