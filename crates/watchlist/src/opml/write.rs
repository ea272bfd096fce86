//! OPML is written.

use quick_xml::escape::escape;

use crate::{Entry, Written};

/// Writes an OPML list under a title. Rules, paces, requests and addresses cannot be said in it; what is lost is told.
#[must_use]
pub fn write(title: &str, entries: &[Entry]) -> Written {
    let mut written = Written::default();
    let text = &mut written.text;
    text.push_str("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opml version=\"2.0\">\n  <head>\n");
    text.push_str(&format!("    <title>{}</title>\n  </head>\n  <body>\n", clean(title)));
    // Entries of a folder stand together, in the order in which folders first appear.
    let mut order: Vec<&Entry> = entries.iter().collect();
    order.sort_by(|a, b| a.folder.cmp(&b.folder));
    let mut open: Vec<&str> = Vec::new();
    for entry in order {
        let same =
            open.iter().zip(&entry.folder).take_while(|(open, folder)| **open == folder.as_str()).count();
        close(text, &mut open, same);
        for folder in entry.folder.iter().skip(same) {
            text.push_str(&format!("{}<outline text=\"{}\">\n", indent(open.len()), clean(folder)));
            open.push(folder);
        }
        text.push_str(&format!("{}<outline{}/>\n", indent(open.len()), attributes(entry)));
        let lost = lost(entry);
        if !lost.is_empty() {
            written.lost.push(format!("{}: {}", entry.url, lost.join(", ")));
        }
    }
    close(text, &mut open, 0);
    text.push_str("  </body>\n</opml>\n");
    written
}

fn close(text: &mut String, open: &mut Vec<&str>, depth: usize) {
    while open.len() > depth {
        open.pop();
        text.push_str(&format!("{}</outline>\n", indent(open.len())));
    }
}

fn indent(depth: usize) -> String {
    "  ".repeat(depth + 2)
}

fn attributes(entry: &Entry) -> String {
    let title = entry.title.as_deref().unwrap_or(&entry.url);
    let mut fields = vec![("text", title), ("title", title)];
    if entry.is_feed {
        fields.extend([("type", "rss"), ("xmlUrl", &entry.url)]);
        fields.extend(entry.page.as_deref().map(|page| ("htmlUrl", page)));
    } else {
        fields.extend([("type", "link"), ("url", &entry.url)]);
    }
    let tags = entry.tags.join(",");
    if !tags.is_empty() {
        fields.push(("category", &tags));
    }
    fields.extend(entry.notes.as_deref().map(|notes| ("description", notes)));
    fields.into_iter().map(|(name, value)| format!(" {name}=\"{}\"", clean(value))).collect()
}

/// Escaped, and without what XML cannot hold at all.
fn clean(text: &str) -> String {
    let is_fine = |char: &char| !char.is_control() || matches!(char, '\n' | '\t' | '\r');
    let kept: String =
        text.chars().filter(is_fine).filter(|char| !matches!(char, '\u{fffe}' | '\u{ffff}')).collect();
    escape(&kept).replace('\n', "&#10;").replace('\r', "&#13;").replace('\t', "&#9;")
}

fn lost(entry: &Entry) -> Vec<&'static str> {
    let parts = [
        (!entry.pace.is_usual(), "how often"),
        (entry.is_paused, "that it is paused"),
        (!entry.only.is_empty() || !entry.never.is_empty(), "rules"),
        (!entry.triggers.is_empty(), "triggers"),
        (entry.method.is_some() || entry.body.is_some() || !entry.headers.is_empty(), "the request"),
        (!entry.notify.is_empty() || entry.quiet.is_some(), "who is told and when"),
        (!entry.is_feed && entry.page.is_some(), "the page for people"),
        (entry.tags.iter().any(|tag| tag.contains(',')), "commas within tags"),
    ];
    parts.into_iter().filter(|(is, _)| *is).map(|(_, what)| what).collect()
}
