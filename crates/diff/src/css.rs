//! CSS selectors on pages, by the engine of Servo.
//!
//! Level 4 as far as it makes sense without a style sheet: `:is`, `:where`, `:not`, `:has`, `:nth-child(… of …)`, and, as many tools have
//! it, `:contains("text")`. Namespaces are compared by their prefixes as they are written: `media|keywords`.
//!
//! Each move from one element to another is a step. When a selector has used them up it finds nothing any more, and
//! that is told.

use std::cell::Cell;
use std::fmt;

use cssparser::{CowRcStr, ParseError, ParseErrorKind, Parser, ParserInput, SourceLocation, ToCss};
use precomputed_hash::PrecomputedHash;
use selectors::attr::{AttrSelectorOperation, CaseSensitivity, NamespaceConstraint};
use selectors::bloom::BloomFilter;
use selectors::context::{
    MatchingContext, MatchingForInvalidation, MatchingMode, NeedsSelectorFlags, QuirksMode, SelectorCaches,
};
use selectors::matching::{ElementSelectorFlags, matches_selector_list};
use selectors::parser::{
    NonTSPseudoClass, ParseRelative, PseudoElement, SelectorImpl, SelectorList, SelectorParseErrorKind,
};
use selectors::{Element, OpaqueElement};

use crate::error::RuleFault;
use crate::page::{Data, NodeId, Page};
use crate::{Error, Limits};

/// Selectors within each other.
const NEST_MAX: usize = 32;

/// A selector, ready to be asked.
#[derive(Debug, Clone)]
pub(crate) struct Css {
    source: String,
    list: SelectorList<Words>,
}

impl Css {
    /// Reads a selector, or several with commas.
    pub(crate) fn new(source: &str) -> Result<Css, RuleFault> {
        // A selector within a selector needs two brackets; the engine recurses for each.
        if source.bytes().filter(|byte| *byte == b'(').count() > NEST_MAX {
            return Err(RuleFault::new(1, "the selector is nested too deep"));
        }
        let mut input = ParserInput::new(source);
        let mut parser = Parser::new(&mut input);
        match SelectorList::parse(&Reading, &mut parser, ParseRelative::No) {
            Ok(list) => Ok(Css { source: source.to_owned(), list }),
            Err(error) => Err(RuleFault::new(place(source, error.location), why(&error))),
        }
    }

    /// The elements that it names, in the order of the page.
    pub(crate) fn find(&self, page: &Page, limits: &Limits) -> Result<Vec<NodeId>, Error> {
        let left = Cell::new(limits.xpath_steps_max);
        let mut caches = SelectorCaches::default();
        let mut found = Vec::new();
        for node in page.within(NodeId::DOCUMENT).filter(|node| page.name(*node).is_some()) {
            let element = Place { page, node, left: &left };
            let mut context = MatchingContext::new(
                MatchingMode::Normal,
                None,
                &mut caches,
                QuirksMode::NoQuirks,
                NeedsSelectorFlags::No,
                MatchingForInvalidation::No,
            );
            if matches_selector_list(&self.list, &element, &mut context) {
                found.push(node);
            }
            if !element.step() {
                return Err(Error::TooSlow { rule: self.source.clone() });
            }
        }
        Ok(found)
    }
}

/// Which character of a selector is meant, from 1; the engine counts lines, and columns in them.
fn place(source: &str, location: SourceLocation) -> usize {
    let lines = source.split_inclusive(['\n', '\x0c']).take(location.line as usize);
    lines.map(|line| line.chars().count()).sum::<usize>() + location.column as usize
}

/// What is wrong with a selector, for people.
fn why(error: &ParseError<'_, SelectorParseErrorKind<'_>>) -> String {
    match &error.kind {
        ParseErrorKind::Custom(SelectorParseErrorKind::UnsupportedPseudoClassOrElement(name)) => {
            format!("there is no `:{name}`")
        }
        ParseErrorKind::Custom(SelectorParseErrorKind::EmptySelector) => "a selector is missing".to_owned(),
        ParseErrorKind::Custom(SelectorParseErrorKind::DanglingCombinator) => {
            "a selector is missing behind this sign".to_owned()
        }
        ParseErrorKind::Basic(cssparser::BasicParseErrorKind::EndOfInput) => {
            "something is missing at the end".to_owned()
        }
        _ => "this is no selector".to_owned(),
    }
}

/// The kinds of words that the engine asks for; all are texts.
#[derive(Debug, Clone)]
struct Words;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Word(String);

impl From<&str> for Word {
    fn from(word: &str) -> Word {
        Word(word.to_owned())
    }
}

impl AsRef<str> for Word {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl std::borrow::Borrow<str> for Word {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl ToCss for Word {
    fn to_css<W: fmt::Write>(&self, to: &mut W) -> fmt::Result {
        cssparser::serialize_identifier(&self.0, to)
    }
}

impl PrecomputedHash for Word {
    fn precomputed_hash(&self) -> u32 {
        self.0.bytes().fold(5381, |hash, byte| hash.wrapping_mul(33) ^ u32::from(byte))
    }
}

impl SelectorImpl for Words {
    type ExtraMatchingData<'a> = ();
    type AttrValue = Word;
    type Identifier = Word;
    type LocalName = Word;
    type NamespaceUrl = Word;
    type NamespacePrefix = Word;
    type BorrowedNamespaceUrl = str;
    type BorrowedLocalName = str;
    type NonTSPseudoClass = Contains;
    type PseudoElement = NoPseudoElement;
}

/// `:contains("text")`.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Contains(String);

impl ToCss for Contains {
    fn to_css<W: fmt::Write>(&self, to: &mut W) -> fmt::Result {
        to.write_str(":contains(")?;
        cssparser::serialize_string(&self.0, to)?;
        to.write_str(")")
    }
}

impl NonTSPseudoClass for Contains {
    type Impl = Words;

    fn is_active_or_hover(&self) -> bool {
        false
    }

    fn is_user_action_state(&self) -> bool {
        false
    }
}

/// There are none.
#[derive(Debug, Clone, PartialEq, Eq)]
enum NoPseudoElement {}

impl ToCss for NoPseudoElement {
    fn to_css<W: fmt::Write>(&self, _: &mut W) -> fmt::Result {
        match *self {}
    }
}

impl PseudoElement for NoPseudoElement {
    type Impl = Words;
}

/// How selectors are read.
struct Reading;

impl<'i> selectors::parser::Parser<'i> for Reading {
    type Impl = Words;
    type Error = SelectorParseErrorKind<'i>;

    fn parse_is_and_where(&self) -> bool {
        true
    }

    fn parse_has(&self) -> bool {
        true
    }

    fn parse_nth_child_of(&self) -> bool {
        true
    }

    fn allow_forgiving_selectors(&self) -> bool {
        false
    }

    fn default_namespace(&self) -> Option<Word> {
        Some(Word::default())
    }

    fn namespace_for_prefix(&self, prefix: &Word) -> Option<Word> {
        Some(prefix.clone())
    }

    fn parse_non_ts_pseudo_class(
        &self,
        location: SourceLocation,
        name: CowRcStr<'i>,
    ) -> Result<Contains, ParseError<'i, Self::Error>> {
        Err(location.new_custom_error(SelectorParseErrorKind::UnsupportedPseudoClassOrElement(name)))
    }

    fn parse_non_ts_functional_pseudo_class<'t>(
        &self,
        name: CowRcStr<'i>,
        parser: &mut Parser<'i, 't>,
        _: bool,
    ) -> Result<Contains, ParseError<'i, Self::Error>> {
        if name.eq_ignore_ascii_case("contains") {
            return Ok(Contains(parser.expect_ident_or_string()?.to_string()));
        }
        Err(parser.new_custom_error(SelectorParseErrorKind::UnsupportedPseudoClassOrElement(name)))
    }
}

/// An element of a page, as the engine sees it.
#[derive(Clone, Copy)]
struct Place<'a> {
    page: &'a Page,
    node: NodeId,
    left: &'a Cell<u64>,
}

impl fmt::Debug for Place<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.node.fmt(formatter)
    }
}

impl<'a> Place<'a> {
    /// Whether there is a step left.
    fn step(&self) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        left > 0
    }

    /// The first element of these.
    fn element(&self, nodes: impl Iterator<Item = NodeId>) -> Option<Place<'a>> {
        for node in nodes {
            if !self.step() {
                return None;
            }
            if self.page.name(node).is_some() {
                return Some(Place { node, ..*self });
            }
        }
        None
    }

    /// Prefix and name.
    fn names(&self) -> (&'a str, &'a str) {
        let name = self.page.name(self.node).unwrap_or_default();
        if self.page.is_xml() { name.split_once(':').unwrap_or(("", name)) } else { ("", name) }
    }
}

impl Element for Place<'_> {
    type Impl = Words;

    fn opaque(&self) -> OpaqueElement {
        OpaqueElement::new(self.page.data(self.node))
    }

    fn parent_element(&self) -> Option<Self> {
        self.element(self.page.parent(self.node).into_iter())
    }

    fn parent_node_is_shadow_root(&self) -> bool {
        false
    }

    fn containing_shadow_host(&self) -> Option<Self> {
        None
    }

    fn is_pseudo_element(&self) -> bool {
        false
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        let page = self.page;
        self.element(std::iter::successors(page.previous(self.node), |node| page.previous(*node)))
    }

    fn next_sibling_element(&self) -> Option<Self> {
        let page = self.page;
        self.element(std::iter::successors(page.next(self.node), |node| page.next(*node)))
    }

    fn first_element_child(&self) -> Option<Self> {
        self.element(self.page.children(self.node))
    }

    fn is_html_element_in_html_document(&self) -> bool {
        !self.page.is_xml()
    }

    fn has_local_name(&self, name: &str) -> bool {
        self.names().1 == name
    }

    fn has_namespace(&self, namespace: &str) -> bool {
        self.names().0 == namespace
    }

    fn is_same_type(&self, other: &Self) -> bool {
        self.names() == other.names()
    }

    fn attr_matches(
        &self,
        _: &NamespaceConstraint<&Word>,
        name: &Word,
        operation: &AttrSelectorOperation<&Word>,
    ) -> bool {
        self.page.attribute(self.node, &name.0).is_some_and(|value| operation.eval_str(value))
    }

    fn match_non_ts_pseudo_class(&self, contains: &Contains, _: &mut MatchingContext<'_, Words>) -> bool {
        // What it takes to put the text together counts.
        let cost = self.page.text_bytes(self.node) as u64 / 16;
        self.left.set(self.left.get().saturating_sub(cost));
        self.step() && self.page.string(self.node).contains(&contains.0)
    }

    fn match_pseudo_element(&self, element: &NoPseudoElement, _: &mut MatchingContext<'_, Words>) -> bool {
        match *element {}
    }

    fn apply_selector_flags(&self, _: ElementSelectorFlags) {}

    fn is_link(&self) -> bool {
        self.names().1 == "a" && self.page.attribute(self.node, "href").is_some()
    }

    fn is_html_slot_element(&self) -> bool {
        false
    }

    fn has_id(&self, id: &Word, sensitivity: CaseSensitivity) -> bool {
        let own = self.page.attribute(self.node, "id");
        own.is_some_and(|own| sensitivity.eq(own.as_bytes(), id.0.as_bytes()))
    }

    fn has_class(&self, name: &Word, sensitivity: CaseSensitivity) -> bool {
        let classes = self.page.attribute(self.node, "class").unwrap_or_default();
        classes.split_ascii_whitespace().any(|class| sensitivity.eq(class.as_bytes(), name.0.as_bytes()))
    }

    fn has_custom_state(&self, _: &Word) -> bool {
        false
    }

    fn imported_part(&self, _: &Word) -> Option<Word> {
        None
    }

    fn is_part(&self, _: &Word) -> bool {
        false
    }

    fn is_empty(&self) -> bool {
        let mut children = self.page.children(self.node);
        children.all(|child| matches!(self.page.data(child), Data::Text(text) if text.is_empty()))
    }

    fn is_root(&self) -> bool {
        self.page.parent(self.node) == Some(NodeId::DOCUMENT)
    }

    fn add_element_unique_hashes(&self, _: &mut BloomFilter) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::refused;

    #[track_caller]
    fn check(selector: &str, expect: &[&str]) {
        let limits = Limits::default();
        let page = Page::read(
            "<body><div id=a class='x Y'><p>one<p lang=en-GB>two <b>bold</b></div><ul><li>1<li>2<li>3</ul>",
            &limits,
        );
        let found = Css::new(selector).unwrap().find(&page, &limits).unwrap();
        let found: Vec<String> = found.iter().map(|node| page.string(*node)).collect();
        assert_eq!(found, expect, "{selector}");
    }

    #[test]
    fn selectors_find_elements() {
        check("p", &["one", "two bold"]);
        check("#a > P b", &["bold"]);
        check("div.x.Y > p:first-child, li:nth-child(2)", &["one", "2"]);
        check("p + p", &["two bold"]);
        check("p ~ p", &["two bold"]);
        check("[lang|=en]", &["two bold"]);
        check("p:not(:has(b))", &["one"]);
        check("li:nth-last-child(-n+2)", &["2", "3"]);
        check("p:contains('two')", &["two bold"]);
        check("table", &[]);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        refused(Css::new(""), 1, "a selector is missing");
        refused(Css::new("p:nosuch"), 3, "there is no `:nosuch`");
        refused(Css::new("p > "), 5, "a selector is missing behind this sign");
        refused(Css::new("p,\np:nosuch"), 6, "there is no `:nosuch`");
        refused(Css::new("p{"), 2, "this is no selector");
    }

    #[test]
    fn steps_are_bounded() {
        let limits = Limits { xpath_steps_max: 100_000, ..Limits::default() };
        let page = Page::read(&"<i>x</i>".repeat(5000), &limits);
        let slow = Css::new("b ~ i").unwrap();
        assert!(matches!(slow.find(&page, &limits), Err(Error::TooSlow { .. })));
    }
}
