//! XPath: 1.0 whole but for namespaces and `id()`, and of 2.0 and 3.1 what people use in rules.
//!
//! Beyond 1.0 there are sequences, `to`, `||`, `if`, `for`, `let`, `some` and `every`, `eq` and its siblings, `is`, `<<`, `>>`,
//! `idiv`, `union`, `intersect`, `except`, `instance of`, `cast as` with the plain types, and functions such as `string-join`,
//! `matches`, `replace`, `lower-case`. There are no schemas: numbers are doubles, and text is compared as a number where both
//! sides are one. Prefixes are compared as they are written. In HTML names are in lower case, and `html`, `body` and `tbody`
//! are there only if the page has them.
//!
//! Every node that is looked at is a step, and steps are bounded; so are nesting and length of an expression.
//!
//! | question | file |
//! |---|---|
//! | What can be said? | `syntax.rs` |
//! | How is it written? | `words.rs`, `parse.rs`, `paths.rs` |
//! | What does it mean? | `evaluate.rs`, `steps.rs`, `functions.rs`, `patterns.rs`, `value.rs` |

mod evaluate;
mod functions;
mod parse;
mod paths;
mod patterns;
mod steps;
mod syntax;
mod value;
mod words;

use crate::error::RuleFault;
use crate::page::{NodeId, Page};
use crate::{Error, Limits};

pub(crate) use value::{Item, Place};

/// An expression, ready to be asked.
#[derive(Debug, Clone)]
pub(crate) struct XPath {
    source: String,
    expression: syntax::Expression,
}

impl XPath {
    /// Reads an expression.
    pub(crate) fn new(source: &str) -> Result<XPath, RuleFault> {
        let expression = parse::parse(source).map_err(|(at, why)| RuleFault::new(at + 1, why))?;
        Ok(XPath { source: source.to_owned(), expression })
    }

    /// What it finds on a page, in order. Names without a path begin at the document's first element, as people expect.
    pub(crate) fn evaluate(&self, page: &Page, limits: &Limits) -> Result<Vec<Item>, Error> {
        evaluate::run(&self.expression, page, root(page), limits).map_err(|fault| match fault {
            evaluate::Fault::TooSlow => Error::TooSlow { rule: self.source.clone() },
            evaluate::Fault::Wrong(why) => Error::Rule { rule: self.source.clone(), at: 1, why },
        })
    }
}

/// The first element of a page, or the document if there is none.
fn root(page: &Page) -> NodeId {
    page.children(NodeId::DOCUMENT).find(|node| page.name(*node).is_some()).unwrap_or(NodeId::DOCUMENT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::refused;

    const PAGE: &str = "<html><body><div id=a class='x y'><p>one<p>two <b>bold</b></div>\
        <ul><li>1<li>2<li>10</ul><a href='/q?r'>link</a></body></html>";

    #[track_caller]
    fn check(expression: &str, expect: &[&str]) {
        let limits = Limits::default();
        let page = Page::read(PAGE, &limits);
        let found = XPath::new(expression).unwrap().evaluate(&page, &limits).unwrap();
        let found: Vec<String> = found.iter().map(|item| item.text(&page)).collect();
        assert_eq!(found, expect, "{expression}");
    }

    #[test]
    fn paths_and_predicates() {
        check("//p", &["one", "two bold"]);
        check("/html/body/div/p[2]/b", &["bold"]);
        check("//DIV[@ID='a']/p[last()]/text()", &["two "]);
        check("//a/@href", &["/q?r"]);
        check("body/ul/li[position() < 3]", &["1", "2"]);
        check("(//li)[last()]", &["10"]);
        check("//li[. > 1]", &["2", "10"]);
        check("//b/ancestor::div/@class", &["x y"]);
        check("//p[1]/following-sibling::*", &["two bold"]);
        check("//li[3]/preceding-sibling::li[1]", &["2"]);
        check("//b/../../@id | //li[1]", &["a", "1"]);
        check("//*[self::a or self::b]", &["bold", "link"]);
        check("//div[contains(concat(' ', normalize-space(@class), ' '), ' y ')]/p[not(b)]", &["one"]);
        check("//ul/following::a/text()", &["link"]);
        check("//ul/preceding::b", &["bold"]);
        check("//li/string()", &["1", "2", "10"]);
        check("/", &["onetwo bold1210link"]);
    }

    #[test]
    fn operators_and_functions() {
        check("1 + 2 * 3 - -4", &["11"]);
        check("7 idiv 2, 7 mod 4, 1 div 4", &["3", "3", "0.25"]);
        check("sum(//li)", &["13"]);
        check("count(//p) = 2 and not(//table)", &["true"]);
        check("if (//table) then 'yes' else \"no\"", &["no"]);
        check("for $i in //li return $i * 2", &["2", "4", "20"]);
        check("some $i in //li satisfies $i = 10", &["true"]);
        check("string-join(//li, '-')", &["1-2-10"]);
        check("replace('a1b2', '[0-9]', '')", &["ab"]);
        check("substring('12345', 2, 3)", &["234"]);
        check("let $a := 2 return $a to 4", &["2", "3", "4"]);
        check("'don''t'", &["don't"]);
        check("translate('bar', 'abc', 'AB')", &["BAr"]);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        refused(XPath::new("//a["), 5, "something is missing at the end");
        refused(XPath::new("//a]"), 4, "this is too much");
        refused(XPath::new("nosuch(1)"), 1, "there is no such function");
        refused(XPath::new("//a[contains('x')]"), 5, "this function takes another number of arguments");
        refused(XPath::new("'open"), 1, "this text does not end");
        refused(XPath::new("side::a"), 1, "there is no such axis");
        refused(XPath::new("a ~ b"), 3, "`~` means nothing here");
        refused(XPath::new(&"(".repeat(100)), 25, "this is nested too deep");
    }

    #[test]
    fn steps_are_bounded() {
        let limits = Limits { xpath_steps_max: 10_000, ..Limits::default() };
        let page = Page::read(&"<i>x</i>".repeat(1000), &limits);
        let slow = XPath::new("//i[following::i[following::i = 'y']]").unwrap();
        assert!(matches!(slow.evaluate(&page, &limits), Err(Error::TooSlow { .. })));
        let endless = XPath::new("count(1 to 1000000000)").unwrap();
        assert!(matches!(endless.evaluate(&page, &limits), Err(Error::TooSlow { .. })));
    }
}
