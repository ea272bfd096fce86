//! Any bytes as the block of a record that is packed quickly, or stored: two readers, neither of them ours, must give it back.

use std::io::Read;

use warc::{Coding, Draft, Encoding, Options, Press, Reader, RecordType, Version, Writer, decoder};

/// Longer than what is looked at in one go, so that its moving on is attacked too.
const REPEATED_BYTES: usize = 150 << 10;

pub(crate) fn attack(bytes: &[u8]) {
    let mut press = Press::default();
    let first = pressed(&mut press, bytes, 1);
    pressed(&mut press, bytes, 0);
    if !bytes.is_empty() {
        let repeated = bytes.repeat(REPEATED_BYTES.div_ceil(bytes.len()));
        pressed(&mut press, &repeated, 1);
        pressed(&mut press, &repeated, 0);
        streamed(&repeated.repeat(4));
    }
    assert!(pressed(&mut press, bytes, 1) == first, "what was packed before shows");
}

fn draft() -> Draft {
    let date = "2026-11-16T10:11:12Z".parse().unwrap();
    Draft::new(Version::Warc1_1, &RecordType::Resource, "urn:uuid:1", date).target_uri("urn:x")
}

fn pressed(press: &mut Press, block: &[u8], level: u32) -> Vec<u8> {
    let mut member = Vec::new();
    press.pack(&draft(), block, level, &mut member).unwrap();
    // What is stored has a block of its own for the head, the block and what ends it.
    check(&member, block, if level == 0 { 24 + 15 } else { 24 });
    member
}

/// Longer than one piece.
fn streamed(block: &[u8]) {
    let mut writer = Writer::new(Vec::new(), &Encoding::Gzip(1)).unwrap();
    writer.write(&draft(), block).unwrap();
    check(&writer.into_inner(), block, 24);
}

fn check(member: &[u8], block: &[u8], more: usize) {
    let draft = draft();
    let plain = [draft.to_bytes(block.len() as u64).unwrap().as_slice(), block, b"\r\n\r\n"].concat();
    assert!(
        member.len() <= plain.len() + more + plain.len() / 2000,
        "{} bytes became {}",
        plain.len(),
        member.len()
    );

    assert!(block_of(member) == block, "the block reads back differently");
    // Readers inflate a member this short by libdeflate, and content codings by zlib-rs.
    let mut back = Vec::new();
    let limit = plain.len() as u64;
    decoder(Box::new(member), &[Coding::Gzip], limit).unwrap().read_to_end(&mut back).unwrap();
    assert!(back == plain, "the record reads back differently");
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
