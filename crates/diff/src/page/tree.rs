//! The tree of a page: elements with their attributes, and texts.
//!
//! All nodes lie in one list in the order of the page, so a node's number is also its place, and nothing here recurses.

/// A node of a page. Nodes are numbered in the order of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(super) u32);

impl NodeId {
    /// The document itself, which every page has.
    pub(crate) const DOCUMENT: NodeId = NodeId(0);

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Data {
    Document,
    Element { name: Box<str>, attributes: Vec<(Box<str>, Box<str>)> },
    Text(String),
}

#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) data: Data,
    pub(super) parent: Option<NodeId>,
    pub(super) previous: Option<NodeId>,
    pub(super) next: Option<NodeId>,
    pub(super) first: Option<NodeId>,
    pub(super) last: Option<NodeId>,
}

/// A page as a tree.
///
/// ```
/// let page = diff::Page::read("<h1>Fish</h1><ul><li>cod<li>eel</ul>", &diff::Limits::default());
/// assert_eq!(page.text(), "Fish\n* cod\n* eel\n");
/// ```
#[derive(Debug, Clone)]
pub struct Page {
    pub(super) nodes: Vec<Node>,
    pub(super) is_xml: bool,
    pub(super) is_cut: bool,
    /// Bytes of text before each node, and at the end of all; filled when the page is whole.
    pub(super) text_before: Vec<u32>,
}

impl Page {
    /// A page with nothing in it.
    pub(super) fn empty(is_xml: bool) -> Page {
        let document =
            Node { data: Data::Document, parent: None, previous: None, next: None, first: None, last: None };
        Page { nodes: vec![document], is_xml, is_cut: false, text_before: Vec::new() }
    }

    /// Whether its end was not read, because it is longer than is allowed.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Whether it was read as XML.
    #[must_use]
    pub fn is_xml(&self) -> bool {
        self.is_xml
    }

    pub(crate) fn data(&self, node: NodeId) -> &Data {
        self.nodes.get(node.index()).map_or(&Data::Document, |node| &node.data)
    }

    fn node(&self, node: NodeId) -> Option<&Node> {
        self.nodes.get(node.index())
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.node(node)?.parent
    }

    pub(crate) fn next(&self, node: NodeId) -> Option<NodeId> {
        self.node(node)?.next
    }

    pub(crate) fn previous(&self, node: NodeId) -> Option<NodeId> {
        self.node(node)?.previous
    }

    pub(crate) fn first_child(&self, node: NodeId) -> Option<NodeId> {
        self.node(node)?.first
    }

    /// The name of an element, in lower case unless it is XML; `None` for what is none.
    pub(crate) fn name(&self, node: NodeId) -> Option<&str> {
        match self.data(node) {
            Data::Element { name, .. } => Some(name),
            _ => None,
        }
    }

    pub(crate) fn attributes(&self, node: NodeId) -> &[(Box<str>, Box<str>)] {
        match self.data(node) {
            Data::Element { attributes, .. } => attributes,
            _ => &[],
        }
    }

    pub(crate) fn attribute(&self, node: NodeId, name: &str) -> Option<&str> {
        let mut attributes = self.attributes(node).iter();
        attributes.find(|(known, _)| **known == *name).map(|(_, value)| &**value)
    }

    pub(crate) fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.first_child(node), |child| self.next(*child))
    }

    /// The node behind this one and all that is in it.
    pub(crate) fn behind(&self, node: NodeId) -> Option<NodeId> {
        let mut up = Some(node);
        while let Some(node) = up {
            if let Some(next) = self.next(node) {
                return Some(next);
            }
            up = self.parent(node);
        }
        None
    }

    /// A node and all that is in it, in the order of the page.
    pub(crate) fn within(&self, node: NodeId) -> impl Iterator<Item = NodeId> + use<> {
        let end = self.behind(node).map_or(self.nodes.len() as u32, |node| node.0);
        (node.0..end).map(NodeId)
    }

    /// All nodes from this one on.
    pub(crate) fn from(&self, node: Option<NodeId>) -> impl Iterator<Item = NodeId> + use<> {
        let end = self.nodes.len() as u32;
        (node.map_or(end, |node| node.0)..end).map(NodeId)
    }

    /// All nodes before this one, the nearest first.
    pub(crate) fn before(&self, node: NodeId) -> impl Iterator<Item = NodeId> + use<> {
        (1..node.0).rev().map(NodeId)
    }

    pub(crate) fn ancestors(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.parent(node), |node| self.parent(*node))
    }

    /// Notes how much text there is; the page is whole.
    pub(super) fn weigh(&mut self) {
        let mut sum = 0_u32;
        self.text_before = Vec::with_capacity(self.nodes.len() + 1);
        for node in &self.nodes {
            self.text_before.push(sum);
            if let Data::Text(text) = &node.data {
                sum = sum.saturating_add(text.len() as u32);
            }
        }
        self.text_before.push(sum);
    }

    /// Bytes of all text in a node.
    pub(crate) fn text_bytes(&self, node: NodeId) -> usize {
        let at = |index: usize| self.text_before.get(index).copied().unwrap_or(0) as usize;
        at(self.behind(node).map_or(self.nodes.len(), NodeId::index)) - at(node.index())
    }

    /// All text in a node, as it is written.
    pub(crate) fn string(&self, node: NodeId) -> String {
        let mut string = String::new();
        for node in self.within(node) {
            if let Data::Text(text) = self.data(node) {
                string.push_str(text);
            }
        }
        string
    }

    /// Appends a node; `None` if there are too many.
    pub(super) fn push(&mut self, parent: NodeId, data: Data, nodes_max: usize) -> Option<NodeId> {
        if self.nodes.len() >= nodes_max.min(u32::MAX as usize) {
            self.is_cut = true;
            return None;
        }
        let id = NodeId(self.nodes.len() as u32);
        let previous = self.nodes.get(parent.index()).and_then(|parent| parent.last);
        self.nodes.push(Node { data, parent: Some(parent), previous, next: None, first: None, last: None });
        if let Some(previous) = previous.and_then(|previous| self.nodes.get_mut(previous.index())) {
            previous.next = Some(id);
        }
        if let Some(parent) = self.nodes.get_mut(parent.index()) {
            parent.first.get_or_insert(id);
            parent.last = Some(id);
        }
        Some(id)
    }

    /// Appends text; to the last child if that is text too.
    pub(super) fn push_text(&mut self, parent: NodeId, text: &str, nodes_max: usize) {
        let last = self.nodes.get(parent.index()).and_then(|parent| parent.last);
        if let Some(Node { data: Data::Text(before), .. }) =
            last.and_then(|last| self.nodes.get_mut(last.index()))
        {
            before.push_str(text);
        } else {
            self.push(parent, Data::Text(text.to_owned()), nodes_max);
        }
    }
}
