//! Any bytes as the block of a record that is packed quickly: two readers, neither of them ours, must give it back.

use std::io::Read;

use warc::{Coding, Draft, Options, Press, Reader, RecordType, Version, decoder};

/// Longer than what is looked at in one go, so that its moving on is attacked too.
const REPEATED_BYTES: usize = 150 << 10;

pub(crate) fn attack(bytes: &[u8]) {
    let mut press = Press::default();
    let first = check(&mut press, bytes);
    if !bytes.is_empty() {
        check(&mut press, &bytes.repeat(REPEATED_BYTES.div_ceil(bytes.len())));
    }
    assert!(check(&mut press, bytes) == first, "what was packed before shows");
}

fn check(press: &mut Press, block: &[u8]) -> Vec<u8> {
    let date = "2026-11-16T10:11:12Z".parse().unwrap();
    let draft = Draft::new(Version::Warc1_1, &RecordType::Resource, "urn:uuid:1", date).target_uri("urn:x");
    let mut member = Vec::new();
    press.pack(&draft, block, 1, &mut member).unwrap();
    let plain = [draft.to_bytes(block.len() as u64).unwrap().as_slice(), block, b"\r\n\r\n"].concat();
    assert!(
        member.len() <= plain.len() + 24 + plain.len() / 2000,
        "{} bytes became {}",
        plain.len(),
        member.len()
    );

    assert!(block_of(&member) == block, "the block reads back differently");
    // Readers inflate a member this short by libdeflate, and content codings by zlib-rs.
    let mut back = Vec::new();
    let limit = plain.len() as u64;
    decoder(Box::new(member.as_slice()), &[Coding::Gzip], limit).unwrap().read_to_end(&mut back).unwrap();
    assert!(back == plain, "the record reads back differently");
    member
}

fn block_of(member: &[u8]) -> Vec<u8> {
    let mut reader = Reader::new(member, Options::default()).unwrap();
    let mut record = reader.next_record().unwrap().unwrap();
    let mut block = Vec::new();
    record.read_to_end(&mut block).unwrap();
    assert_eq!(record.finish().unwrap().length, member.len() as u64);
    assert_eq!(reader.take_faults(), []);
    block
}
