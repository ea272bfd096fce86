//! The links of style sheets and style attributes: `url()`, `src()`, `@import`, `image-set()`.
//!
//! A scanner of our own rather than a tokenizer, because every page has inline styles: it stops only at the few bytes
//! that can matter and looks back for the name before a parenthesis. It follows the syntax of CSS where that decides
//! what a browser would fetch: nothing from comments, strings elsewhere, or `@namespace`, and an `@import` behind other rules
//! only as speculation.
//!
//! <https://drafts.csswg.org/css-syntax/>

mod token;

use crate::{Hop, Link, Links, Rule};

use token::{Value, unescape};

/// Adds the links of `css`, a whole sheet or the value of a `style` attribute. `data:` addresses and mere fragments
/// lead nowhere else and are left out.
pub fn links(css: &str, links: &mut Links) {
    Scanner { css, at: 0, set_depth: None, imports: Imports::Open, links }.run();
}

struct Scanner<'a, 'l> {
    css: &'a str,
    at: usize,
    /// Parentheses that are open inside of an `image-set(`; where none is, strings are addresses.
    set_depth: Option<usize>,
    imports: Imports,
    links: &'l mut Links,
}

/// Whether an `@import` here would be heeded. Only `@charset`, `@layer` and others of its kind may stand before it, and no
/// `@layer` between two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Imports {
    Open,
    Begun,
    Over,
}

impl<'a> Scanner<'a, '_> {
    fn run(&mut self) {
        while let Some(found) = self.rest().bytes().position(|byte| class(byte) & self.wanted() != 0) {
            self.at += found;
            let Some(byte) = self.rest().bytes().next() else { break };
            let here = self.at;
            self.at += 1;
            match byte {
                b'/' => self.comment(here),
                b'"' | b'\'' => self.string(here),
                b'(' => self.parenthesis(here),
                b')' => self.close(),
                b'@' => self.at_rule(),
                // What is escaped has no meaning of its own. Only ASCII matters here, so a byte is enough.
                b'\\' => self.at = token::boundary(self.css, here + 2),
                _ => (self.imports, self.set_depth) = (Imports::Over, None),
            }
            if self.links.is_enough() {
                break;
            }
        }
    }

    /// The bytes to stop at: braces and closing parentheses are frequent and seldom matter.
    fn wanted(&self) -> u8 {
        let braces = if self.imports == Imports::Over && self.set_depth.is_none() { 0 } else { BRACE };
        ALWAYS | braces | if self.set_depth.is_some() { CLOSING } else { 0 }
    }

    fn rest(&self) -> &'a str {
        self.css.get(self.at..).unwrap_or_default()
    }

    fn comment(&mut self, here: usize) {
        self.at = token::behind_comment(self.css, here).unwrap_or(here + 1);
    }

    fn string(&mut self, here: usize) {
        let (value, end) = token::string(self.css, here);
        self.at = end;
        if self.set_depth == Some(0) {
            self.add(value, "image-set");
        }
    }

    fn close(&mut self) {
        self.set_depth = self.set_depth.and_then(|depth| depth.checked_sub(1));
    }

    fn parenthesis(&mut self, here: usize) {
        let name = token::name_before(self.css, here);
        let is = |known: &str| name.eq_ignore_ascii_case(known);
        if is("url") || is("src") {
            let (value, end) = token::url(self.css, self.at);
            self.at = end;
            self.add(value, "url");
            return;
        }
        if is("image-set") || is("-webkit-image-set") {
            self.set_depth = Some(0);
        } else if let Some(depth) = &mut self.set_depth {
            *depth += 1;
        } else if is("AlphaImageLoader") {
            // Internet Explorer's way to transparent pictures: a function with a named argument.
            let (value, end) = token::argument(self.css, self.at, "src");
            self.at = end;
            self.add(value, "alphaimageloader");
        }
    }

    fn at_rule(&mut self) {
        if self.keyword("import") {
            let from = token::behind_blanks(self.css, self.at);
            let rest = self.css.get(from..).unwrap_or_default();
            let (value, end) = match rest.as_bytes() {
                [b'"' | b'\'', ..] => token::string(self.css, from),
                [b'u' | b'U', b'r' | b'R', b'l' | b'L', b'(', ..] => token::url(self.css, from + 4),
                _ => return,
            };
            self.at = end;
            if self.imports == Imports::Over {
                self.add_as(value, Hop::Speculative, "import");
            } else {
                self.imports = Imports::Begun;
                self.add(value, "import");
            }
        } else if self.keyword("namespace") {
            // Names of namespaces look like addresses and are none.
            let end = self.rest().find([';', '{', '}']).unwrap_or(self.rest().len());
            self.at += end;
            self.imports = Imports::Over;
        } else if !self.keyword("charset") && (!self.keyword("layer") || self.imports == Imports::Begun) {
            self.imports = Imports::Over;
        }
    }

    /// Takes the word in, if it is what stands here and nothing longer.
    fn keyword(&mut self, word: &str) -> bool {
        let Some((head, rest)) = self.rest().split_at_checked(word.len()) else { return false };
        let longer = rest.bytes().next().is_some_and(token::is_name_byte);
        let is = head.eq_ignore_ascii_case(word) && !longer;
        if is {
            self.at += word.len();
        }
        is
    }

    fn add(&mut self, value: Option<Value<'a>>, attribute: &'static str) {
        self.add_as(value, Hop::Embed, attribute);
    }

    fn add_as(&mut self, value: Option<Value<'a>>, hop: Hop, attribute: &'static str) {
        let Some(value) = value else { return };
        let raw = value.raw.trim_ascii();
        if raw.is_empty() || raw.starts_with('#') || is_data(raw) {
            return;
        }
        let reference = if value.escaped { unescape(raw) } else { raw.into() };
        let reference = without_quotes(reference.trim());
        if reference.is_empty() || reference.starts_with('#') || is_data(reference) {
            return;
        }
        self.links.add(Link::new(reference, hop, Rule::new("css", attribute)));
    }
}

/// Style sheets inside of scripts have their quotes escaped, and then the escapes are part of the address.
fn without_quotes(text: &str) -> &str {
    let inside = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    inside('"').or_else(|| inside('\'')).unwrap_or(text)
}

fn is_data(text: &str) -> bool {
    text.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
}

const ALWAYS: u8 = 1;
const BRACE: u8 = 2;
const CLOSING: u8 = 4;

fn class(byte: u8) -> u8 {
    TABLE.get(usize::from(byte)).copied().unwrap_or_default()
}

// Made when the program is built, where an index out of range would be an error of the compiler.
#[allow(clippy::indexing_slicing)]
const TABLE: [u8; 256] = {
    let mut table = [0; 256];
    table[b'(' as usize] = ALWAYS;
    table[b'/' as usize] = ALWAYS;
    table[b'"' as usize] = ALWAYS;
    table[b'\'' as usize] = ALWAYS;
    table[b'@' as usize] = ALWAYS;
    table[b'\\' as usize] = ALWAYS;
    table[b'{' as usize] = BRACE;
    table[b')' as usize] = CLOSING;
    table
};
