//! How much of anything is taken from a list that somebody wrote, or made up.

use crate::Entry;

/// Bounds on lists. A list beyond one of them as a whole is an error; an entry beyond one is left out and told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a list, and of all files of a folder together.
    pub bytes_max: usize,
    /// Entries, and as many that are left out.
    pub entries_max: usize,
    /// How deep anything is nested: outlines, filters, mappings.
    pub depth_max: usize,
    /// Bytes of YAML when all aliases are written out.
    pub yaml_bytes_max: usize,
    /// Bytes of a URL.
    pub url_bytes_max: usize,
    /// Bytes of a body that is sent along, and of notes.
    pub body_bytes_max: usize,
    /// Bytes of any other text.
    pub text_bytes_max: usize,
    /// Rules, tags, headers, addresses and so on of one entry, each.
    pub items_max: usize,
    /// Columns of a table, and attributes of an element.
    pub columns_max: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            bytes_max: 64 << 20,
            entries_max: 200_000,
            depth_max: 32,
            yaml_bytes_max: 256 << 20,
            url_bytes_max: 8 << 10,
            body_bytes_max: 1 << 20,
            text_bytes_max: 16 << 10,
            items_max: 500,
            columns_max: 200,
        }
    }
}

impl Limits {
    /// What of an entry is beyond a bound.
    pub(crate) fn fault(&self, entry: &Entry) -> Option<String> {
        let lists = [
            ("folders", entry.folder.len()),
            ("tags", entry.tags.len()),
            ("rules", entry.only.len().max(entry.never.len())),
            ("triggers", entry.triggers.len()),
            ("headers", entry.headers.len()),
            ("addresses", entry.notify.len()),
        ];
        if let Some((what, count)) = lists.into_iter().find(|(_, count)| *count > self.items_max) {
            return Some(format!("it has {count} {what}, and {} are the most that is taken", self.items_max));
        }
        if entry.url.len() > self.url_bytes_max {
            return Some(format!("its URL has more than {} bytes", self.url_bytes_max));
        }
        let long =
            [&entry.body, &entry.notes].into_iter().flatten().any(|text| text.len() > self.body_bytes_max);
        if long {
            return Some(format!("its body or its notes have more than {} bytes", self.body_bytes_max));
        }
        let lists = [&entry.folder, &entry.tags, &entry.notify];
        let texts = [&entry.title, &entry.page, &entry.method].into_iter().flatten();
        let texts = texts.chain(lists.into_iter().flatten());
        let texts = texts.chain(entry.only.iter().chain(&entry.never).map(|rule| &rule.text));
        let texts = texts.chain(entry.headers.iter().flat_map(|(name, value)| [name, value]));
        let texts =
            texts.map(String::len).chain(entry.triggers.iter().map(|trigger| trigger.to_string().len()));
        let longest = texts.max().unwrap_or_default();
        (longest > self.text_bytes_max).then(|| {
            format!("one of its texts has {longest} bytes, and {} are the most", self.text_bytes_max)
        })
    }
}
