//! Several threads give what one gives, also where a section's start can be mistaken.

use std::io::{self, Cursor};

use warc::parallel::{Emit, Section, Source, read_files};
use warc::{Draft, Encoding, Error, Options, Reader, RecordType, Version, Writer};

struct InMemory(Vec<u8>);

impl Source for InMemory {
    type Reader = Cursor<Vec<u8>>;

    fn length(&self) -> u64 {
        self.0.len() as u64
    }

    fn open_at(&self, offset: u64) -> io::Result<Cursor<Vec<u8>>> {
        let mut cursor = Cursor::new(self.0.clone());
        cursor.set_position(offset);
        Ok(cursor)
    }
}

type Place = (u64, u64, String);

fn one_by_one(file: &[u8], options: Options) -> (Vec<Place>, bool) {
    let mut reader = Reader::new(file, options).unwrap();
    let mut places = Vec::new();
    loop {
        match reader.next_record() {
            Ok(Some(record)) => {
                let uri = record.head().target_uri().unwrap_or_default().into_owned();
                match record.finish() {
                    Ok(extent) => places.push((extent.offset, extent.length, uri)),
                    Err(_) => return (places, true),
                }
            }
            Ok(None) => return (places, false),
            Err(_) => return (places, true),
        }
    }
}

fn together(files: &[InMemory], options: Options, jobs: usize) -> Vec<(Vec<Place>, bool)> {
    let work =
        |_: usize, section: &mut Section<Cursor<Vec<u8>>>, emit: &mut Emit<'_, Place>| -> Result<(), Error> {
            while let Some(record) = section.next_record()? {
                let uri = record.head().target_uri().unwrap_or_default().into_owned();
                let extent = record.finish()?;
                emit.send((extent.offset, extent.length, uri))?;
            }
            Ok(())
        };
    let mut found: Vec<(Vec<Place>, bool)> = files.iter().map(|_| Default::default()).collect();
    read_files(files, options, jobs, work, |file, value| {
        match value {
            Ok(place) => found[file].0.push(place),
            Err(_) => found[file].1 = true,
        }
        true
    });
    found
}

/// Bytes that do not compress, the same each time.
fn noise(length: usize, seed: u32) -> Vec<u8> {
    let mut state = seed | 1;
    std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state as u8
    })
    .take(length)
    .collect()
}

/// A file of about `megabytes`, of records whose payloads are themselves archives of the same kind.
fn nested(encoding: &Encoding, megabytes: usize) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), encoding).unwrap();
    let draft = |uri: &str| {
        let date = "2026-11-15T10:11:12Z".parse().unwrap();
        let id = format!("urn:test:{uri}");
        Draft::new(Version::Warc1_1, &RecordType::Resource, &id, date).target_uri(uri).content_type("a/b")
    };
    let mut number = 0;
    while writer.position() < (megabytes << 20) as u64 {
        number += 1;
        let mut inner = Writer::new(Vec::new(), encoding).unwrap();
        for part in 0..3 {
            inner
                .write(&draft(&format!("urn:inner:{number}:{part}")), &noise(200_000, number * 3 + part))
                .unwrap();
        }
        writer.write(&draft(&format!("urn:outer:{number}")), &inner.into_inner()).unwrap();
    }
    writer.into_inner()
}

#[test]
fn an_archive_within_an_archive_is_not_mistaken_for_it() {
    for encoding in [Encoding::Gzip(6), Encoding::Zstd(3, Vec::new()), Encoding::Plain] {
        let file = nested(&encoding, 26);
        let (wanted, failed) = one_by_one(&file, Options::default());
        assert!(
            !failed && wanted.len() > 20 && wanted.iter().all(|(_, _, uri)| uri.starts_with("urn:outer"))
        );
        for jobs in [1, 2, 5] {
            let found = together(&[InMemory(file.clone())], Options::default(), jobs);
            assert!(found == [(wanted.clone(), false)], "{encoding:?} with {jobs} jobs");
        }
    }
}

#[test]
fn files_keep_their_order_and_a_bad_one_stops_only_itself() {
    let good = nested(&Encoding::Gzip(6), 1);
    let mut bad = nested(&Encoding::Gzip(6), 20);
    let middle = bad.len() / 2;
    bad[middle..middle + 1000].fill(0xaa);
    let files: Vec<InMemory> = [&good, &bad, &good].map(|file| InMemory(file.clone())).into();
    let found = together(&files, Options::default(), 2);
    assert_eq!(found[0], one_by_one(&good, Options::default()));
    assert_eq!(found[1], one_by_one(&bad, Options::default()));
    assert!(found[1].1, "strict reading stops at the damage");
    assert_eq!(found[2], found[0]);

    let lenient = Options { lenient: true, ..Options::default() };
    let found = together(&files, lenient, 2);
    assert_eq!(found[1], one_by_one(&bad, lenient));
    assert!(!found[1].1 && found[1].0.len() > one_by_one(&bad, Options::default()).0.len());
}

#[test]
fn a_file_in_one_gzip_member_is_read_whole() {
    let plain = nested(&Encoding::Plain, 20);
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    io::Write::write_all(&mut encoder, &plain).unwrap();
    let file = encoder.finish().unwrap();
    let (wanted, failed) = one_by_one(&file, Options::default());
    assert!(!failed && wanted.len() > 20);
    assert_eq!(together(&[InMemory(file)], Options::default(), 3), [(wanted, false)]);
}

#[test]
fn everything_stops_when_nobody_wants_more() {
    let files = [InMemory(nested(&Encoding::Gzip(1), 20)), InMemory(nested(&Encoding::Gzip(1), 1))];
    let work =
        |_: usize, section: &mut Section<Cursor<Vec<u8>>>, emit: &mut Emit<'_, u64>| -> Result<(), Error> {
            while let Some(record) = section.next_record()? {
                emit.send(record.offset())?;
            }
            Ok(())
        };
    let mut seen = 0;
    read_files(&files, Options::default(), 2, work, |_, _| {
        seen += 1;
        seen < 3
    });
    assert_eq!(seen, 3);
}
