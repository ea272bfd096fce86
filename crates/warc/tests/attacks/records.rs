//! Reads a file in every way there is, and holds the ways against each other.

use std::io::{Read, Result};

use warc::{
    Coding, Dechunk, Error, Extent, Fault, Head, Limits, Nature, Options, Reader, Record, decoder, rules,
    sound_part,
};

/// Small enough that a few bytes of input reach every one of them.
const LIMITS: Limits = Limits {
    head_bytes: 16 << 10,
    head_fields: 64,
    http_head_bytes: 8 << 10,
    member_bytes: 1 << 20,
    payload_bytes: 64 << 10,
    dictionary_bytes: 32 << 10,
    zstd_window_log: 20,
    faults_per_record: 8,
};

/// A record that was read.
pub(crate) struct Seen {
    pub(crate) head: Head,
    pub(crate) block: Vec<u8>,
    offset: u64,
    /// `None` if a strict reader stopped within the record.
    extent: Option<Extent>,
}

#[derive(Default)]
struct Reading {
    records: Vec<Seen>,
    faults: Vec<Fault>,
    stopped: bool,
}

/// Checks what must hold of any file; what a lenient reader finds in it.
pub(crate) fn check(bytes: &[u8]) -> Vec<Seen> {
    let strict = Options { lenient: false, verify: false, limits: LIMITS };
    let lenient = Options { lenient: true, verify: true, ..strict };
    let by_the_book = read(bytes, strict);
    let all = read(bytes, lenient);
    assert!(!all.stopped, "a lenient reader stopped, though its source did not fail");

    strict_is_the_start_of_lenient(&by_the_book, &all);
    same(&by_the_book, &read(Pieces(bytes), strict));
    same(&all, &read(Pieces(bytes), lenient));
    payloads(bytes, &all, lenient);
    random_access(bytes, &by_the_book, strict);
    cutting(bytes, strict);
    all.records
}

fn read(source: impl Read, options: Options) -> Reading {
    let mut reading = Reading::default();
    let Ok(mut reader) = Reader::new(source, options) else {
        return Reading { stopped: true, ..reading };
    };
    let mut last = 0;
    loop {
        let step =
            reader.next_record().and_then(|record| record.map(|record| take(record, &mut last)).transpose());
        match step {
            Ok(Some(seen)) => {
                reading.stopped = seen.extent.is_none();
                reading.records.push(seen);
            }
            Ok(None) => break,
            Err(error) => {
                assert!(error.fault().is_some(), "bytes in memory cannot fail: {error}");
                reading.stopped = true;
            }
        }
        reading.faults.append(&mut reader.take_faults());
        if reading.stopped {
            // Whoever asks on gets an answer, whatever it is.
            let _ = reader.next_record().map(|record| record.is_some());
            return reading;
        }
    }
    reading.faults.append(&mut reader.take_faults());
    reading
}

/// Reads a record to its end; `last` is where the one before it began.
fn take<R: Read>(mut record: Record<'_, R>, last: &mut u64) -> std::result::Result<Seen, Error> {
    let (head, offset) = (record.head().clone(), record.offset());
    assert!(offset >= *last, "a record at {offset} comes behind one at {last}");
    *last = offset;
    let _ = rules::faults(&head, offset);
    let said = record.left();
    let mut block = Vec::new();
    let outcome = record.read_to_end(&mut block);
    assert!(block.len() as u64 <= said, "more bytes than were said to be left");
    if let Some(length) = head.content_length() {
        assert!(said <= length, "the block is longer than its header says");
    }
    let extent = outcome.ok().and_then(|_| record.finish().ok());
    Ok(Seen { head, block, offset, extent })
}

fn strict_is_the_start_of_lenient(strict: &Reading, lenient: &Reading) {
    assert!(strict.records.len() <= lenient.records.len(), "a lenient reader found less than a strict one");
    let last = strict.records.len().saturating_sub(1);
    for (at, (one, other)) in strict.records.iter().zip(&lenient.records).enumerate() {
        assert_eq!((one.offset, one.head.raw()), (other.offset, other.head.raw()));
        if strict.stopped && at == last {
            // What follows the block may show that its length is wrong. A strict reader stops there; a lenient one looks
            // first, and believes a shorter length.
            assert!(
                one.extent.is_none() || one.block.starts_with(&other.block),
                "another block at {}",
                one.offset
            );
        } else {
            assert_eq!(one.extent, other.extent);
            assert!(one.block == other.block, "the block at {} differs", one.offset);
        }
    }
    if !strict.stopped {
        assert_eq!(strict.records.len(), lenient.records.len(), "a sound file holds the same for everybody");
    }
}

/// How the source cuts its bytes must not show.
fn same(one: &Reading, other: &Reading) {
    assert_eq!(one.records.len(), other.records.len());
    for (one, other) in one.records.iter().zip(&other.records) {
        assert_eq!((one.offset, one.extent, one.head.raw()), (other.offset, other.extent, other.head.raw()));
        assert!(one.block == other.block, "the block at {} differs", one.offset);
    }
    assert_eq!((&one.faults, one.stopped), (&other.faults, other.stopped));
}

/// The HTTP head and what follows it are the block, and decoding stays within its limit.
fn payloads(bytes: &[u8], all: &Reading, options: Options) {
    let mut reader = Reader::new(bytes, options).unwrap();
    for seen in &all.records {
        let mut record = reader.next_record().unwrap().unwrap();
        let Some(http) = record.http().unwrap() else { continue };
        let (raw, is_chunked) = (http.raw().to_vec(), http.is_chunked());
        let codings =
            http.text("content-encoding").and_then(|value| Coding::list(&value)).unwrap_or_default();
        let mut body = Vec::new();
        record.read_to_end(&mut body).unwrap();
        assert!([raw, body.clone()].concat() == seen.block, "head and body are not the block");
        let body: Box<dyn std::io::BufRead + Send> =
            if is_chunked { Box::new(Dechunk::new(body.as_slice())) } else { Box::new(body.as_slice()) };
        let mut content = Vec::new();
        if let Ok(mut decoder) = decoder(body, &codings, LIMITS.payload_bytes) {
            let _ = decoder.read_to_end(&mut content);
        }
        let is_within = content.len() as u64 <= LIMITS.payload_bytes;
        assert!(codings.is_empty() || is_within, "decoding passed its limit");
    }
}

/// A record that begins a member reads the same from its offset.
fn random_access(bytes: &[u8], strict: &Reading, options: Options) {
    let Ok(nature) = Nature::of(bytes, LIMITS) else { return };
    let mut last = None;
    let begins_member = |seen: &&Seen| last.replace(seen.offset) != Some(seen.offset);
    for seen in strict.records.iter().filter(begins_member).take(4) {
        let Some(extent) = seen.extent else { continue };
        let start = usize::try_from(extent.offset).unwrap();
        assert!(extent.offset + extent.length <= bytes.len() as u64, "a record ends behind its file");
        let source = &bytes[start..];
        let same = |mut reader: Reader<&[u8]>| {
            let again = take(reader.next_record().unwrap().unwrap(), &mut 0).unwrap();
            assert_eq!(
                (again.offset, again.extent, again.head.raw()),
                (seen.offset, seen.extent, seen.head.raw())
            );
            assert!(again.block == seen.block, "the block at {start} differs");
        };
        same(Reader::at(source, extent.offset, &nature, options).unwrap());
        // What an index says of its length may be wrong.
        for length in [extent.length, 0, 1, extent.length / 2, extent.length + 9, u64::MAX] {
            let extent = Extent { length, ..extent };
            same(Reader::one(source, extent, &nature, options).unwrap());
        }
    }
}

/// What is said to be the sound part of a file is all sound.
fn cutting(bytes: &[u8], options: Options) {
    let Ok(part) = sound_part(bytes, options) else { return };
    let sound = &bytes[..usize::try_from(part.length).unwrap()];
    let again = sound_part(sound, options).unwrap();
    assert_eq!((again.length, again.records, again.fault), (part.length, part.records, None));
}

/// Gives its bytes in pieces of one to seven.
struct Pieces<'a>(&'a [u8]);

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let length = (self.0.len() % 7 + 1).min(buffer.len());
        self.0.read(&mut buffer[..length])
    }
}
