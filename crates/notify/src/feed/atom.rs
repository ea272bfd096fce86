//! Atom 1.0: RFC 4287.

use jiff::Timestamp;

use super::xml::Xml;
use super::{Feed, Item};

const NAMESPACE: [(&str, &str); 1] = [("xmlns", "http://www.w3.org/2005/Atom")];
/// What ends the document.
const END: usize = "\n</feed>\n".len();

/// The document, of no more bytes than this unless it has no entries.
pub(super) fn write(feed: &Feed, bytes_max: usize) -> String {
    let mut xml = Xml::new();
    xml.open("feed", &NAMESPACE);
    xml.text("id", &[], &feed.self_link);
    xml.text("title", &[], &feed.title);
    xml.text("updated", &[], &date(feed.updated));
    xml.empty("link", &[("rel", "alternate"), ("type", "text/html"), ("href", &feed.link)]);
    xml.empty("link", &[("rel", "self"), ("type", "application/atom+xml"), ("href", &feed.self_link)]);
    // A feed has an author, or each of its entries (4.1.1).
    xml.open("author", &[]);
    xml.text("name", &[], "varve");
    xml.close("author");
    xml.text("generator", &[("version", env!("CARGO_PKG_VERSION"))], "varve");
    for item in &feed.items {
        if !xml.within(bytes_max.saturating_sub(END), |xml| write_entry(xml, item)) {
            break;
        }
    }
    xml.close("feed");
    xml.finish()
}

fn write_entry(xml: &mut Xml, item: &Item) {
    xml.open("entry", &[]);
    xml.text("id", &[], &item.id);
    xml.text("title", &[], &item.title);
    xml.text("published", &[], &date(item.at));
    xml.text("updated", &[], &date(item.at));
    xml.empty("link", &[("rel", "alternate"), ("type", "text/html"), ("href", &item.link)]);
    xml.text("summary", &[], &item.summary_text);
    if let Some(html) = &item.html {
        xml.text("content", &[("type", "html")], html);
    }
    xml.close("entry");
}

/// As RFC 3339 has it.
fn date(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}
