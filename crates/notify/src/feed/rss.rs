//! RSS 2.0: <https://www.rssboard.org/rss-specification>.

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimePrinter;

use super::xml::{Xml, as_html};
use super::{Feed, Item};

/// What else is used: where a feed itself is, and HTML that is not the summary.
const NAMESPACES: [(&str, &str); 3] = [
    ("version", "2.0"),
    ("xmlns:atom", "http://www.w3.org/2005/Atom"),
    ("xmlns:content", "http://purl.org/rss/1.0/modules/content/"),
];
/// What ends the document.
const END: usize = "\n  </channel>\n</rss>\n".len();

/// The document, of no more bytes than this unless it has no items.
pub(super) fn write(feed: &Feed, bytes_max: usize) -> String {
    let mut xml = Xml::new();
    xml.open("rss", &NAMESPACES);
    xml.open("channel", &[]);
    xml.text("title", &[], &feed.title);
    xml.text("link", &[], &feed.link);
    xml.text("description", &[], &feed.title);
    xml.empty("atom:link", &[("href", &feed.self_link), ("rel", "self"), ("type", "application/rss+xml")]);
    xml.text("lastBuildDate", &[], &date(feed.updated));
    xml.text("generator", &[], concat!("varve ", env!("CARGO_PKG_VERSION")));
    for item in &feed.items {
        if !xml.within(bytes_max.saturating_sub(END), |xml| write_item(xml, item)) {
            break;
        }
    }
    xml.close("channel");
    xml.close("rss");
    xml.finish()
}

fn write_item(xml: &mut Xml, item: &Item) {
    xml.open("item", &[]);
    xml.text("title", &[], &item.title);
    xml.text("link", &[], &item.link);
    xml.text("guid", &[("isPermaLink", "false")], &item.id);
    xml.text("pubDate", &[], &date(item.at));
    // It is shown as HTML.
    xml.text("description", &[], &as_html(&item.summary_text));
    if let Some(html) = &item.html {
        xml.text("content:encoded", &[], html);
    }
    xml.close("item");
}

/// As RFC 822 has it, with the four digits of a year that RSS asks for.
fn date(at: Timestamp) -> String {
    // Only years below 0 cannot be written, and there are none.
    DateTimePrinter::new().timestamp_to_rfc9110_string(&at).unwrap_or_default()
}
