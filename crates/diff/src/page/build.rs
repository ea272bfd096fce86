//! Makes the tree of a page from its tokens.
//!
//! The tokens are `extract`'s, which are those of the standard. The tree is simpler than the standard's: missing end tags
//! are supplied, but nothing is moved out of tables, no element is cloned, and `html`, `head` and `body` are there if the
//! page has them. That is what makes it bounded: no page has more nodes than tags and texts, and each tag looks at no more
//! than a few open elements.

use extract::html::token::{Mode, NAMED, Sink, Tag, Tokenizer};
use extract::html::{decode_attribute, decode_text};

use super::elements::{implied_ends, is_block, is_boundary, is_of_table, is_void};
use super::tree::{Data, NodeId, Page};
use crate::Limits;

/// How many open elements a start tag looks at for one that it ends.
const LOOK_BACK: usize = 24;

/// How many an end tag looks at for the one that it ends.
const END_LOOK_BACK: usize = 128;

impl Page {
    /// Reads a page of HTML, or of XML if it says so. What exceeds the limits is left out.
    #[must_use]
    pub fn read(text: &str, limits: &Limits) -> Page {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let is_xml = text.trim_start().starts_with("<?xml") && !has_html(text);
        Page::build(text, is_xml, limits)
    }

    /// Reads XML: names as they are written, nothing supplied.
    #[must_use]
    pub fn read_xml(text: &str, limits: &Limits) -> Page {
        Page::build(text, true, limits)
    }

    fn build(text: &str, is_xml: bool, limits: &Limits) -> Page {
        let mut end = text.len().min(limits.page_bytes_max);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let mut builder = Builder { page: Page::empty(is_xml), open: Vec::new(), raw: None, limits };
        builder.page.is_cut = end < text.len();
        let mut tokenizer = Tokenizer::new(&extract::Limits::default());
        tokenizer.write(text.get(..end).unwrap_or_default(), &mut builder);
        tokenizer.finish(&mut builder);
        builder.page.weigh();
        builder.page
    }
}

/// Whether XHTML follows: it is shown as HTML is.
fn has_html(text: &str) -> bool {
    let start = text.get(..text.len().min(2048)).unwrap_or(text);
    start.contains("<html") || start.contains("<HTML") || start.contains("<!DOCTYPE html")
}

struct Builder<'a> {
    page: Page,
    open: Vec<NodeId>,
    /// The last element is one of raw text, so no tag in it counts.
    raw: Option<NodeId>,
    limits: &'a Limits,
}

impl Builder<'_> {
    fn parent(&self) -> NodeId {
        self.open.last().copied().unwrap_or(NodeId::DOCUMENT)
    }

    fn open_name(&self, depth: usize) -> &str {
        self.open.get(depth).and_then(|node| self.page.name(*node)).unwrap_or_default()
    }

    fn is_in_svg(&self) -> bool {
        let name = self.open_name(self.open.len().wrapping_sub(1));
        matches!(name, "svg" | "math") || {
            let from = self.open.len().saturating_sub(LOOK_BACK);
            (from..self.open.len()).any(|depth| matches!(self.open_name(depth), "svg" | "math"))
        }
    }

    /// Ends what a start tag ends without saying.
    fn imply_ends(&mut self, name: &str) {
        if name.len() == 2
            && name.starts_with('h')
            && self.open_name(self.open.len().wrapping_sub(1)).len() == 2
        {
            let last = self.open_name(self.open.len().wrapping_sub(1));
            if last.starts_with('h') && last != "hr" && name != "hr" {
                self.open.pop();
            }
        }
        let Some((ended, kept)) = implied_ends(name) else { return };
        let from = self.open.len().saturating_sub(LOOK_BACK);
        for depth in (from..self.open.len()).rev() {
            let open = self.open_name(depth);
            if ended.contains(&open) {
                self.open.truncate(depth);
                return;
            }
            if kept.contains(&open) {
                return;
            }
        }
    }

    fn mode(&self, name: &str) -> Mode {
        if self.page.is_xml || self.is_in_svg() {
            return Mode::Data;
        }
        match name {
            "script" => Mode::Script,
            "style" => Mode::Rawtext("style"),
            "xmp" => Mode::Rawtext("xmp"),
            "iframe" => Mode::Rawtext("iframe"),
            "noembed" => Mode::Rawtext("noembed"),
            "noframes" => Mode::Rawtext("noframes"),
            "title" => Mode::Rcdata("title"),
            "textarea" => Mode::Rcdata("textarea"),
            "plaintext" => Mode::Plaintext,
            _ => Mode::Data,
        }
    }
}

impl Sink for Builder<'_> {
    fn attribute(&self, _: &str) -> u8 {
        NAMED
    }

    fn start_tag(&mut self, tag: &Tag<'_>) -> Mode {
        let is_xml = self.page.is_xml;
        let cased = |name: &str| if is_xml { name.to_owned() } else { name.to_ascii_lowercase() };
        let name = cased(tag.name());
        let mode = self.mode(&name);
        if !is_xml {
            self.imply_ends(&name);
            // A second one adds nothing.
            if matches!(name.as_str(), "html" | "body")
                && self.open.iter().take(4).any(|open| self.page.name(*open) == Some(&name))
            {
                return mode;
            }
        }
        let attributes = tag
            .attributes()
            .map(|(_, name, value)| (cased(name).into(), decode_attribute(value).into()))
            .collect();
        let data = Data::Element { name: name.as_str().into(), attributes };
        let Some(node) = self.page.push(self.parent(), data, self.limits.nodes_max) else { return mode };
        let is_empty = if is_xml || self.is_in_svg() { tag.is_self_closing() } else { is_void(&name) };
        if !is_empty && (self.open.len() < self.limits.depth_max || mode != Mode::Data) {
            self.open.push(node);
        }
        self.raw = (mode != Mode::Data).then_some(node);
        mode
    }

    fn end_tag(&mut self, name: &str) {
        self.raw = None;
        let name = if self.page.is_xml { name.to_owned() } else { name.to_ascii_lowercase() };
        let inline = !is_block(&name);
        for depth in (0..self.open.len()).rev().take(END_LOOK_BACK) {
            let open = self.open_name(depth);
            if open == name {
                self.open.truncate(depth);
                return;
            }
            // What is not well formed ends no more than it must.
            if !self.page.is_xml && ((inline && is_block(open)) || (is_boundary(open) && !is_of_table(&name)))
            {
                return;
            }
        }
    }

    fn text(&mut self, text: &str, raw: bool) {
        let parent = self.parent();
        if parent == NodeId::DOCUMENT && (self.page.is_xml || text.trim().is_empty()) {
            return;
        }
        let nodes_max = self.limits.nodes_max;
        if raw {
            self.page.push_text(parent, text, nodes_max);
        } else {
            self.page.push_text(parent, &decode_text(text), nodes_max);
        }
    }

    fn comment(&mut self, _: &str, _: bool) {}

    fn is_in_foreign_content(&self) -> bool {
        self.page.is_xml || self.is_in_svg()
    }

    fn tag_was_cut(&mut self) {
        self.page.is_cut = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(html: &str, expect: &str) {
        let page = Page::read(html, &Limits::default());
        assert_eq!(page.source(NodeId::DOCUMENT, &|_| true, &|_, _| true), expect, "{html}");
    }

    #[test]
    fn missing_ends_are_supplied() {
        check("<p>a<p>b", "<p>a</p><p>b</p>");
        check("<ul><li>a<ul><li>b</ul><li>c</ul>", "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>");
        check(
            "<table><tr><td>a<td>b<tr><td>c</table>d",
            "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>d",
        );
        check("<dl><dt>a<dd>b<dt>c</dl>", "<dl><dt>a</dt><dd>b</dd><dt>c</dt></dl>");
        check("<p>a<div>b</div>", "<p>a</p><div>b</div>");
        check("<h1>a<h2>b</h2>", "<h1>a</h1><h2>b</h2>");
    }

    #[test]
    fn wrong_ends_end_nothing_else() {
        check("<div><b>a</div></b>c", "<div><b>a</b></div>c");
        check("<div><table><tr><td></div>a</table></div>", "<div><table><tr><td>a</td></tr></table></div>");
        check("</p>a</i>", "a");
        check("<p><b>a</p><p>c</b></p>", "<p><b>a</b></p><p>c</p>");
    }

    #[test]
    fn names_are_lower_case_and_references_are_decoded() {
        check("<A HREF='?a&amp;b'>&eacute;&lt;</A><br/>x<img>", "<a href=\"?a&amp;b\">é&lt;</a><br>x<img>");
        check(
            "<script>a<b && c</script><title>x<y</title>",
            "<script>a<b && c</script><title>x&lt;y</title>",
        );
    }

    #[test]
    fn xml_is_taken_as_it_is() {
        let xml = "<?xml version=\"1.0\"?>\n<!DOCTYPE r [\n<!ENTITY x SYSTEM \"y\">\n]>\n<r:A><Item/><p>a<p>b</p></p><![CDATA[<c>]]></r:A>";
        check(xml, "<r:A><Item></Item><p>a<p>b</p></p>&lt;c&gt;</r:A>");
    }

    #[test]
    fn depth_and_number_of_nodes_are_bounded() {
        let limits = Limits { depth_max: 4, nodes_max: 10, ..Limits::default() };
        let page = Page::read(&"<div>a".repeat(50), &limits);
        assert!(page.is_cut() && page.len() == 10);
        assert!((0..10).all(|node| page.ancestors(NodeId(node)).count() <= 5));
    }
}
