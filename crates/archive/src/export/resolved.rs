//! A revisit as the whole answer: its own head, with the payload of the record that it refers to.

use std::io::{self, Cursor, Read, Seek as _, SeekFrom};

use warc::{Draft, Name, Profile, RecordType};

use super::loaded::Loaded;

/// The header of the whole answer, how long its block is, and the block.
pub(super) fn whole<'a>(
    revisit: &mut Loaded,
    original: &'a mut Loaded,
) -> io::Result<(Draft, u64, Box<dyn Read + 'a>)> {
    let own = revisit.http()?;
    let payload_from = original.http()?.map_or(0, |(_, length)| length);
    let is_not_modified = revisit.head.profile() == Some(Profile::ServerNotModified);
    let mut draft = Draft::like(&revisit.head).sanitized().0;
    for name in [
        Name::Profile,
        Name::RefersTo,
        Name::RefersToTargetUri,
        Name::RefersToDate,
        Name::Truncated,
        Name::BlockDigest,
    ] {
        draft.remove(name);
    }
    let kind = match original.head.record_type() {
        RecordType::Resource => RecordType::Resource,
        _ => RecordType::Response,
    };
    draft = draft.with(Name::RecordType, kind.name());
    if let Some(media) = original.head.content_type().filter(|_| !original.head.version().is_arc()) {
        draft = draft.content_type(&media);
    }
    // "Not modified" is no head to send a document with: that of the first answer is.
    let (head, from) = match own.filter(|_| !is_not_modified) {
        Some((head, _)) => (head.raw().to_vec(), payload_from),
        None => (Vec::new(), 0),
    };
    let length = head.len() as u64 + original.length.saturating_sub(from);
    original.block.seek(SeekFrom::Start(from))?;
    Ok((draft, length, Box::new(Cursor::new(head).chain(&mut original.block))))
}
