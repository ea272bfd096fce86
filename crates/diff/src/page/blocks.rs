//! What a reader sees: blocks of text one after the other, with their links and pictures.

use serde::Serialize;

use super::elements::{is_block, is_hidden};
use super::region::{Region, Weights};
use super::tree::{Data, NodeId, Page};

/// What a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Role {
    /// A heading.
    Heading,
    /// An entry of a list.
    Item,
    /// A cell of a table.
    Cell,
    /// Text whose lines are as they are written.
    Preformatted,
    /// Any other text.
    Text,
}

/// A block of text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Block {
    /// What it is.
    pub role: Role,
    /// Which part of the page it belongs to.
    pub region: Region,
    /// Its text, blanks run together.
    pub text: String,
    /// The element that it belongs to.
    #[serde(skip)]
    pub(crate) node: NodeId,
    /// The elements in it that are no blocks.
    #[serde(skip)]
    pub(crate) inline: Vec<NodeId>,
}

impl Page {
    /// The blocks, as a reader sees them.
    #[must_use]
    pub fn blocks(&self) -> Vec<Block> {
        self.blocks_of(&|_| true)
    }

    /// The same without nodes that are not wanted, and all in them.
    pub(crate) fn blocks_of(&self, is_wanted: &dyn Fn(NodeId) -> bool) -> Vec<Block> {
        let weights = Weights::of(self);
        let mut writer =
            Writer { page: self, weights, open: Vec::new(), blocks: Vec::new(), text: Text::default() };
        let mut next = Some(NodeId::DOCUMENT);
        while let Some(node) = next {
            let is_seen = is_wanted(node) && self.is_seen(node);
            if is_seen {
                writer.node(node);
            }
            next = if is_seen {
                self.first_child(node).or_else(|| self.behind(node))
            } else {
                self.behind(node)
            };
            writer.leave(next);
        }
        writer.leave(None);
        writer.end();
        writer.blocks
    }

    /// The text, a block a line; entries of lists have a star before them.
    #[must_use]
    pub fn text(&self) -> String {
        text_of(&self.blocks())
    }

    /// The title, if it has one.
    #[must_use]
    pub fn title(&self) -> Option<String> {
        let nodes = self.within(NodeId::DOCUMENT);
        let title = nodes.into_iter().find(|node| self.name(*node) == Some("title"))?;
        let title = self.string(title);
        let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
        (!title.is_empty()).then_some(title)
    }

    /// Whether an element is shown.
    fn is_seen(&self, node: NodeId) -> bool {
        let Data::Element { name, .. } = self.data(node) else { return true };
        if self.is_xml {
            return true;
        }
        if is_hidden(name) || (&**name == "input" && self.attribute(node, "type") == Some("hidden")) {
            return false;
        }
        // Pages whose body shows up by a script are hidden as a whole; a reader sees them.
        if matches!(&**name, "body" | "html") {
            return true;
        }
        let is_styled_away = self.attribute(node, "style").is_some_and(|style| {
            let style: String = style.chars().filter(|char| !char.is_whitespace()).collect();
            style.to_ascii_lowercase().contains("display:none")
        });
        !is_styled_away && self.attribute(node, "hidden").is_none()
    }

    /// Where the element of a block stands, for people: `html/body/div#main/p[2]`.
    #[must_use]
    pub fn path_of(&self, block: &Block) -> String {
        self.path(block.node)
    }

    /// Where an element stands, for people.
    pub(crate) fn path(&self, node: NodeId) -> String {
        let mut parts = Vec::new();
        for node in [node].into_iter().chain(self.ancestors(node)).take(64) {
            let Some(name) = self.name(node) else { continue };
            let part = match self.attribute(node, "id") {
                Some(id) if !id.is_empty() && id.len() < 64 => format!("{name}#{id}"),
                _ => {
                    let before = std::iter::successors(self.previous(node), |node| self.previous(*node));
                    let before = before.take(1000).filter(|other| self.name(*other) == Some(name)).count();
                    if before == 0 { name.to_owned() } else { format!("{name}[{}]", before + 1) }
                }
            };
            parts.push(part);
        }
        parts.reverse();
        parts.join("/")
    }
}

impl Block {
    /// Something that was found and is no element: an attribute, a number.
    pub(crate) fn of_text(text: String) -> Block {
        let text = text.trim().to_owned();
        Block { role: Role::Text, region: Region::Main, text, node: NodeId::DOCUMENT, inline: Vec::new() }
    }
}

/// The text of blocks, one a line.
pub(crate) fn text_of(blocks: &[Block]) -> String {
    let mut text = String::new();
    for block in blocks.iter().filter(|block| !block.text.is_empty()) {
        if block.role == Role::Item {
            text.push_str("* ");
        }
        text.push_str(&block.text);
        text.push('\n');
    }
    text
}

/// Text that grows, blanks run together.
#[derive(Default)]
struct Text {
    text: String,
    /// A blank is due before the next character.
    gap: bool,
}

impl Text {
    fn push(&mut self, text: &str) {
        for char in text.chars() {
            if char.is_whitespace() {
                self.gap = true;
            } else {
                if std::mem::take(&mut self.gap) && !self.text.is_empty() && !self.text.ends_with('\n') {
                    self.text.push(' ');
                }
                self.text.push(char);
            }
        }
    }

    fn push_preformatted(&mut self, text: &str) {
        self.gap = false;
        self.text.push_str(text);
    }

    fn line(&mut self) {
        self.gap = false;
        if !self.text.is_empty() {
            self.text.push('\n');
        }
    }

    fn take(&mut self) -> String {
        self.gap = false;
        let mut text = std::mem::take(&mut self.text);
        text.truncate(text.trim_end().len());
        text
    }
}

/// An open block.
struct Open {
    node: NodeId,
    role: Role,
    region: Region,
    is_block: bool,
    inline: Vec<NodeId>,
}

struct Writer<'a> {
    page: &'a Page,
    weights: Weights,
    open: Vec<Open>,
    blocks: Vec<Block>,
    text: Text,
}

impl Writer<'_> {
    fn node(&mut self, node: NodeId) {
        match self.page.data(node) {
            Data::Document => {}
            Data::Text(text) => {
                let is_preformatted = self.open.last().is_some_and(|open| open.role == Role::Preformatted);
                if is_preformatted { self.text.push_preformatted(text) } else { self.text.push(text) }
            }
            Data::Element { name, .. } => self.element(node, name),
        }
    }

    fn element(&mut self, node: NodeId, name: &str) {
        let (role, region) =
            self.open.last().map_or((Role::Text, Region::Main), |open| (open.role, open.region));
        let opened = self.page.opens_region(node, &self.weights);
        // An article may stand in a sidebar, and a header in an article.
        let region = match (opened, region) {
            (Some(Region::Main), region) if name == "article" => region,
            (Some(Region::Header), Region::Main) if self.is_in_article() => Region::Main,
            (Some(opened), _) => opened,
            (None, region) => region,
        };
        let is_block = if self.page.is_xml { true } else { is_block(name) };
        if name == "br" {
            self.text.line();
        }
        if is_block {
            self.end();
        }
        let role = match name {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => Role::Heading,
            "li" | "dd" | "option" => Role::Item,
            "td" | "th" => Role::Cell,
            "pre" | "textarea" | "xmp" | "listing" | "plaintext" => Role::Preformatted,
            "ul" | "ol" | "table" | "blockquote" => Role::Text,
            _ => role,
        };
        self.open.push(Open { node, role, region, is_block, inline: Vec::new() });
        if !is_block {
            self.note(node);
        }
    }

    fn is_in_article(&self) -> bool {
        self.open
            .iter()
            .rev()
            .take(16)
            .any(|open| matches!(self.page.name(open.node), Some("article" | "main")))
    }

    /// Keeps in mind that the block at hand has this element in it.
    fn note(&mut self, node: NodeId) {
        if let Some(block) = self.open.iter_mut().rev().find(|open| open.is_block) {
            block.inline.push(node);
        }
    }

    /// Leaves the elements that the next node is not in.
    fn leave(&mut self, next: Option<NodeId>) {
        while let Some(open) = self.open.last() {
            // Only what is seen is walked through, so the parent of the next node is open.
            let is_within = next.is_some_and(|next| self.page.parent(next) == Some(open.node));
            if is_within {
                return;
            }
            if open.is_block {
                self.end();
            }
            self.open.pop();
        }
    }

    /// Ends the block at hand.
    fn end(&mut self) {
        let text = self.text.take();
        let page = self.page;
        let Some(open) = self.open.iter_mut().rev().find(|open| open.is_block) else {
            if !text.is_empty() {
                let node = NodeId::DOCUMENT;
                let (role, region) = (Role::Text, Region::Main);
                self.blocks.push(Block { role, region, text, node, inline: Vec::new() });
            }
            return;
        };
        let inline = std::mem::take(&mut open.inline);
        let has_picture = inline.iter().any(|node| matches!(page.name(*node), Some("img" | "a" | "input")));
        if !text.is_empty() || has_picture {
            self.blocks.push(Block { role: open.role, region: open.region, text, node: open.node, inline });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Limits, Page};

    #[track_caller]
    fn check(html: &str, expect: &str) {
        assert_eq!(Page::read(html, &Limits::default()).text(), expect, "{html}");
    }

    #[test]
    fn blanks_run_together_and_blocks_stand_alone() {
        check("<p> a\n <b>b</b>c <i>d</i></p><div>e<p>f</div>g", "a bc d\ne\nf\ng\n");
        check("a<br>b<br>\n c", "a\nb\nc\n");
        check("<pre>a\n  b</pre>", "a\n  b\n");
    }

    #[test]
    fn what_is_not_shown_is_not_there() {
        check(
            "<head><title>t</title></head><p>a<script>b</script><style>c</style><p hidden>d<p style='Display: none'>e",
            "a\n",
        );
        check("<body style='display:none'><p>a</p></body>", "a\n");
        check("<svg><text>x</text></svg><p>a", "a\n");
    }

    #[test]
    fn lists_and_tables_are_read_entry_by_entry() {
        check("<ul><li>a<li><p>b</p></ul><table><tr><td>c<td>d</table>", "* a\n* b\nc\nd\n");
    }

    #[test]
    fn a_block_knows_where_it_stands() {
        let page = Page::read(
            "<body><nav><a href=x>home</a></nav><div id=main><p>all about<p>fish</div><footer>c",
            &Limits::default(),
        );
        let shown: Vec<_> = page
            .blocks()
            .iter()
            .map(|block| format!("{:?} {} {}", block.region, page.path_of(block), block.text))
            .collect();
        assert_eq!(
            shown,
            [
                "Navigation body/nav home",
                "Main body/div#main/p all about",
                "Main body/div#main/p[2] fish",
                "Footer body/footer c"
            ]
        );
    }

    #[test]
    fn the_title_is_apart() {
        let page = Page::read("<title lang=en>Caf&eacute;\n &amp; Tea</title>", &Limits::default());
        assert_eq!(page.title().as_deref(), Some("Café & Tea"));
        assert_eq!(Page::read("<p>x", &Limits::default()).title(), None);
    }
}
