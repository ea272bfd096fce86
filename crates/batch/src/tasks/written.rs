//! WARC files that are made of others. The same file always gives the same bytes: ids follow from where a record came from, and times are
//! those of the records.

use std::io::Write;

use store::Sealed;
use warc::{
    Algorithm, Digest, Draft, Encoding, Hasher, Head, Name, RecordType, Version, Writer, warcinfo_block,
};

use crate::task::Failure;

/// Writes what is made of one file. Put one behind another, several are one WARC file.
pub(super) struct Derived<'a> {
    writer: Writer<&'a mut dyn Write>,
    file: Sealed,
    /// What is made: `wet`, `wat`.
    what: &'static str,
    /// The id of the warcinfo, once there is one.
    info: Option<String>,
}

impl<'a> Derived<'a> {
    pub(super) fn new(
        file: &Sealed,
        what: &'static str,
        out: &'a mut dyn Write,
    ) -> Result<Derived<'a>, Failure> {
        Ok(Derived { writer: Writer::new(out, &Encoding::Gzip(6))?, file: file.clone(), what, info: None })
    }

    /// Writes a record that is made of the one with this head at `offset`. What has no time is left out: it could not be
    /// written.
    pub(super) fn write(
        &mut self,
        (kind, media_type): (&RecordType, &str),
        head: &Head,
        offset: u64,
        block: &[u8],
    ) -> Result<(), Failure> {
        let Some(date) = head.date() else { return Ok(()) };
        let info = self.info(date)?;
        let id = self.id(&format!("{offset}"));
        let mut draft = Draft::new(Version::Warc1_1, kind, &id, date)
            .content_type(media_type)
            .warcinfo_id(&info)
            .block_digest(&Digest::of(Algorithm::Sha1, block));
        if let Some(uri) = head.target_uri().and_then(|uri| sound_uri(&uri)) {
            draft = draft.target_uri(&uri);
        }
        // ARC records, and some that somebody has damaged, have none.
        if let Some(original) = head.record_id().filter(|id| is_id(id)) {
            draft = draft.with(Name::RefersTo, &format!("<{original}>"));
        }
        let (draft, _) = draft.sanitized();
        self.writer.write(&draft, block)?;
        Ok(())
    }

    /// The id of the warcinfo, which stands before the first record.
    fn info(&mut self, date: jiff::Timestamp) -> Result<String, Failure> {
        if let Some(info) = &self.info {
            return Ok(info.clone());
        }
        let id = self.id("warcinfo");
        let draft = Draft::new(Version::Warc1_1, &RecordType::Warcinfo, &id, date)
            .content_type("application/warc-fields");
        let block = warcinfo_block(&[
            ("software", concat!("varve/", env!("CARGO_PKG_VERSION"))),
            ("format", "WARC File Format 1.1"),
            ("conformsTo", "https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"),
            ("description", &format!("{} made of {}", self.what.to_uppercase(), self.file.name)),
        ]);
        let draft = draft.block_digest(&Digest::of(Algorithm::Sha1, &block));
        self.writer.write(&draft, &block)?;
        self.info = Some(id.clone());
        Ok(id)
    }

    /// An id that follows from where something came from: a UUID of version 8 (RFC 9562, 5.8).
    fn id(&self, part: &str) -> String {
        let mut hasher = Hasher::new(Algorithm::Sha256);
        for text in [self.what, &self.file.name, &self.file.sha256, part] {
            hasher.update(text.as_bytes());
            hasher.update(b"\n");
        }
        let hex = hasher.finish().hex();
        let digits = |from: usize, to: usize| hex.get(from..to).unwrap_or_default();
        format!(
            "urn:uuid:{}-{}-8{}-a{}-{}",
            digits(0, 8),
            digits(8, 12),
            digits(12, 15),
            digits(15, 18),
            digits(18, 30)
        )
    }
}

/// A URI as the standard wants it: what old crawlers let through unescaped is escaped. `None` where it has no scheme.
pub(super) fn sound_uri(uri: &str) -> Option<String> {
    let scheme = uri.split_once(':')?.0;
    let is_scheme = |char: char| char.is_ascii_alphanumeric() || "+-.".contains(char);
    if !scheme.starts_with(|char: char| char.is_ascii_alphabetic()) || !scheme.chars().all(is_scheme) {
        return None;
    }
    let mut sound = String::with_capacity(uri.len());
    for char in uri.chars() {
        if char.is_whitespace() || char.is_control() || matches!(char, '<' | '>') {
            let mut bytes = [0; 4];
            for byte in char.encode_utf8(&mut bytes).bytes() {
                sound.push_str(&format!("%{byte:02X}"));
            }
        } else {
            sound.push(char);
        }
    }
    (sound.len() > scheme.len() + 1).then_some(sound)
}

/// Whether an id can stand between angle brackets.
fn is_id(id: &str) -> bool {
    id.contains(':') && id.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'<' && byte != b'>')
}
