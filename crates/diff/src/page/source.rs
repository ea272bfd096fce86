//! A part of a page written as markup again.

use super::elements::is_void;
use super::tree::{Data, NodeId, Page};

impl Page {
    /// A node and all that is in it as markup, attributes in the order of the page; but not these nodes, nor attributes of
    /// which this says so.
    pub(crate) fn source(
        &self,
        node: NodeId,
        is_node: &dyn Fn(NodeId) -> bool,
        is_attribute: &dyn Fn(NodeId, usize) -> bool,
    ) -> String {
        let mut out = String::new();
        let mut open: Vec<NodeId> = Vec::new();
        let end = self.behind(node);
        let mut next = Some(node);
        while let Some(node) = next.filter(|node| end.is_none_or(|end| *node < end)) {
            next = self.first_child(node).or_else(|| self.behind(node));
            if !is_node(node) {
                next = self.behind(node);
                continue;
            }
            while let Some(last) = open.last()
                && Some(*last) != self.parent(node)
            {
                self.close(*last, &mut out);
                open.pop();
            }
            match self.data(node) {
                Data::Document => {}
                Data::Text(text) => self.write_text(text, node, &mut out),
                Data::Element { name, attributes } => {
                    out.push('<');
                    out.push_str(name);
                    for (number, (name, value)) in attributes.iter().enumerate() {
                        if !is_attribute(node, number) {
                            continue;
                        }
                        out.push(' ');
                        out.push_str(name);
                        out.push_str("=\"");
                        escape(value, true, &mut out);
                        out.push('"');
                    }
                    out.push('>');
                    if self.is_xml || !is_void(name) {
                        open.push(node);
                    }
                }
            }
        }
        open.iter().rev().for_each(|node| self.close(*node, &mut out));
        out
    }

    fn close(&self, node: NodeId, out: &mut String) {
        if let Some(name) = self.name(node) {
            out.push_str("</");
            out.push_str(name);
            out.push('>');
        }
    }

    fn write_text(&self, text: &str, node: NodeId, out: &mut String) {
        let parent = self.parent(node).and_then(|parent| self.name(parent));
        if !self.is_xml
            && matches!(parent, Some("script" | "style" | "xmp" | "iframe" | "noembed" | "noframes"))
        {
            out.push_str(text);
        } else {
            escape(text, false, out);
        }
    }
}

fn escape(text: &str, in_attribute: bool, out: &mut String) {
    for char in text.chars() {
        match char {
            '&' => out.push_str("&amp;"),
            '"' if in_attribute => out.push_str("&quot;"),
            '<' if !in_attribute => out.push_str("&lt;"),
            '>' if !in_attribute => out.push_str("&gt;"),
            char => out.push(char),
        }
    }
}
