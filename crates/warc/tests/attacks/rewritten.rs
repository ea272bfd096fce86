//! What the writer writes of any record reads back as it was, in every encoding.

use std::io::Read;

use warc::{Draft, Encoding, Head, Options, Reader, Writer, sound_part};

use super::records::Seen;

/// More records than this say nothing new, and writers cost.
const RECORDS_MAX: usize = 8;

pub(crate) fn check(records: &[Seen]) {
    let drafts: Vec<(Draft, &[u8])> = records
        .iter()
        .map(|seen| (draft(&seen.head), seen.block.as_slice()))
        // A header with control characters in its values cannot be written again, and the writer says so.
        .filter(|(draft, block)| draft.to_bytes(block.len() as u64).is_ok())
        .take(RECORDS_MAX)
        .collect();
    if drafts.is_empty() {
        return;
    }
    for encoding in [Encoding::Plain, Encoding::Gzip(1), Encoding::Zstd(1, Vec::new())] {
        check_encoding(&drafts, &encoding);
    }
}

/// ARC lines have values without names in the file; they are written under the names of the WARC fields.
fn draft(head: &Head) -> Draft {
    let mut draft = Draft::like(head);
    if head.version().is_arc() {
        for (name, value) in head.known_fields().filter(|(name, _)| *name != warc::Name::ContentLength) {
            draft = draft.with(name, &String::from_utf8_lossy(value));
        }
    }
    draft
}

fn check_encoding(drafts: &[(Draft, &[u8])], encoding: &Encoding) {
    let mut writer = Writer::new(Vec::new(), encoding).unwrap();
    let extents: Vec<_> = drafts.iter().map(|(draft, block)| writer.write(draft, block).unwrap()).collect();
    let file = writer.into_inner();

    let part = sound_part(file.as_slice(), Options::default()).unwrap();
    assert_eq!((part.length, part.records, part.fault), (file.len() as u64, drafts.len() as u64, None));

    let mut reader = Reader::new(file.as_slice(), Options::default()).unwrap();
    for ((draft, block), written) in drafts.iter().zip(extents) {
        let mut record = reader.next_record().unwrap().unwrap();
        assert_eq!(record.head().raw(), draft.to_bytes(block.len() as u64).unwrap());
        assert_eq!(Draft::like(record.head()), *draft, "the header reads back differently");
        let mut again = Vec::new();
        record.read_to_end(&mut again).unwrap();
        assert!(again == *block, "the block reads back differently");
        let extent = record.finish().unwrap();
        assert_eq!(extent.offset, written.offset);
        // In a plain file the line breaks behind a block belong to what is written, not to the record.
        let trailer = if *encoding == Encoding::Plain { 4 } else { 0 };
        assert_eq!(extent.length + trailer, written.length);
    }
    assert!(reader.next_record().unwrap().is_none(), "more records than were written");
    assert_eq!(reader.take_faults(), []);
}
