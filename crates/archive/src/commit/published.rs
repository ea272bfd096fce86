//! `setup/commit` of a job's metadata file: what the job is published under, and where, so that an index can be made again from the
//! files alone.
//!
//! ```text
//! version: 2
//! name: example.org-20261116080000
//! at: 2026-11-16T08:00:00Z
//! collection: web
//! after: example.org-20261109080000
//! fact: documents=12
//! ```
//! Version 1 had neither `version` nor `collection` and `after`.

use index::Commit;
use jiff::Timestamp;

const VERSION: &str = "2";

/// A commit, and its place among others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Published {
    /// The commit.
    pub commit: Commit,
    /// Where its captures are; of version 1 that is not known.
    pub collection: Option<String>,
    /// The commit that was the last in that collection when this was written; none where it was empty, or in version 1.
    pub after: Option<String>,
}

impl Published {
    /// As it is kept.
    pub(crate) fn to_block(&self) -> Vec<u8> {
        let Published { commit, collection, after } = self;
        let mut fields = vec![
            ("version", VERSION.to_owned()),
            ("name", escaped(&commit.name)),
            ("at", commit.at.to_string()),
        ];
        fields.extend(collection.as_ref().map(|collection| ("collection", escaped(collection))));
        fields.extend(after.as_ref().map(|after| ("after", escaped(after))));
        for (name, value) in &commit.facts {
            fields.push(("fact", format!("{}={}", escaped(name).replace('=', "%3D"), escaped(value))));
        }
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        warc::warcinfo_block(&fields)
    }

    /// What a block says; `None` where it makes no sense, or is of a later version.
    pub(crate) fn parse(block: &str) -> Option<Published> {
        let (mut name, mut at, mut facts) = (None, None, Vec::new());
        let (mut collection, mut after) = (None, None);
        for line in block.lines().filter(|line| !line.is_empty()) {
            let (field, value) = line.split_once(": ").or_else(|| Some((line.strip_suffix(':')?, "")))?;
            match field {
                "version" if value != VERSION => return None,
                "name" => name = Some(unescaped(value)?),
                "at" => at = Some(value.parse::<Timestamp>().ok()?),
                "collection" => collection = Some(unescaped(value)?),
                "after" => after = Some(unescaped(value)?),
                "fact" => {
                    let (name, value) = value.split_once('=')?;
                    facts.push((unescaped(name)?, unescaped(value)?));
                }
                _ => {}
            }
        }
        Some(Published { commit: Commit { name: name?, at: at?, facts }, collection, after })
    }
}

/// Percent signs and control characters as `%XX`; so are blanks at the ends, which a field would lose.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let inner = text.trim_matches(' ');
    let start = text.len() - text.trim_start_matches(' ').len();
    for (at, char) in text.char_indices() {
        let is_end = char == ' ' && !(start..start + inner.len()).contains(&at);
        if char == '%' || char.is_control() || is_end {
            char.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| out.push_str(&format!("%{byte:02X}")));
        } else {
            out.push(char);
        }
    }
    out
}

fn unescaped(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
            let (high, low) = (digit(rest.next())?, digit(rest.next())?);
            bytes.push(u8::try_from(high << 4 | low).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back_whatever_it_says() {
        let facts = [("a=b", "c=d%"), ("", ""), (" blanks ", "  \n\u{85}é "), ("kind", "import")];
        let facts = facts.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        let at = "2026-11-16T08:00:00.123Z".parse().unwrap();
        let commit = Commit { name: "a-job".to_owned(), at, facts };
        for (collection, after) in [(Some("web"), None), (Some("papers"), Some("before")), (None, None)] {
            let [collection, after] = [collection, after].map(|text| text.map(str::to_owned));
            let published = Published { commit: commit.clone(), collection, after };
            let block = String::from_utf8(published.to_block()).unwrap();
            assert_eq!(Published::parse(&block), Some(published), "{block}");
        }
    }

    #[test]
    fn the_first_version_is_read_and_a_later_one_is_not() {
        let first = "name: job\r\nat: 2026-11-16T08:00:00Z\r\nfact: bytes=3\r\n";
        let published = Published::parse(first).unwrap();
        assert_eq!((published.collection, published.after), (None, None));
        assert_eq!(published.commit.facts, [("bytes".to_owned(), "3".to_owned())]);
        for block in ["", "name: job\r\n", "name: job\r\nat: noon\r\n", &format!("version: 3\r\n{first}")] {
            assert_eq!(Published::parse(block), None, "{block}");
        }
    }
}
