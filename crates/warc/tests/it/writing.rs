//! What is written reads back the same, is the same each time, and can be cut off exactly.

use std::io::{self, Read, Write};

use warc::{
    Algorithm, Compression, Digest, Draft, Durable, Encoding, Error, Extent, Name, Options, Profile, Reader,
    RecordType, Version, Writer, rules, sound_part, warcinfo_block,
};

fn encodings() -> Vec<Encoding> {
    let dictionary = b"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:".repeat(20);
    vec![
        Encoding::Plain,
        Encoding::Gzip(6),
        Encoding::Gzip(0),
        Encoding::Zstd(3, Vec::new()),
        Encoding::Zstd(19, dictionary),
    ]
}

fn date() -> jiff::Timestamp {
    "2026-11-15T10:11:12.5Z".parse().unwrap()
}

fn draft(kind: &RecordType, number: usize) -> Draft {
    let id = format!("urn:uuid:00000000-0000-4000-8000-{number:012}");
    Draft::new(Version::Warc1_1, kind, &id, date())
}

/// A small file with a record of each kind that we write.
fn write_all(writer: &mut Writer<impl Write>) -> Vec<(u64, u64)> {
    let info = warcinfo_block(&[("software", "varve"), ("description", "two\nlines")]);
    let body = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nvarve";
    let payload = Digest::of(Algorithm::Sha1, b"varve");
    let response = draft(&RecordType::Response, 2)
        .target_uri("http://example.org/")
        .content_type("application/http; msgtype=response")
        .ip_address("192.0.2.1".parse().unwrap())
        .warcinfo_id("urn:uuid:00000000-0000-4000-8000-000000000001")
        .block_digest(&Digest::of(Algorithm::Sha256, body))
        .payload_digest(&payload);
    let head = &body[..body.len() - 5];
    let revisit = draft(&RecordType::Revisit, 3)
        .target_uri("http://example.org/again")
        .content_type("application/http; msgtype=response")
        .payload_digest(&payload)
        .revisit_of(&Profile::IdenticalPayloadDigest, "http://example.org/", date(), Some("urn:uuid:x:2"));
    let not_modified = draft(&RecordType::Revisit, 4)
        .target_uri("http://example.org/")
        .content_type("application/http; msgtype=response")
        .revisit_of(&Profile::ServerNotModified, "http://example.org/", date(), None);
    let large = vec![b'x'; 3 << 20];
    let resource = draft(&RecordType::Resource, 5)
        .target_uri("urn:large")
        .content_type("application/octet-stream")
        .block_digest(&Digest::of(Algorithm::Blake3, &large))
        .concurrent_to("urn:uuid:a:1")
        .concurrent_to("urn:uuid:a:2")
        .with_named("X-Ours", "kept");
    let warcinfo = draft(&RecordType::Warcinfo, 1).content_type("application/warc-fields");
    let records: [(&Draft, &[u8]); 5] = [
        (&warcinfo, &info),
        (&response, body),
        (&revisit, head),
        (&not_modified, b"HTTP/1.1 304 Not Modified\r\n\r\n"),
        (&resource, &large),
    ];
    records
        .iter()
        .map(|(draft, block)| {
            let extent = writer.write(draft, block).unwrap();
            (extent.offset, extent.length)
        })
        .collect()
}

fn written(encoding: &Encoding) -> (Vec<u8>, Vec<(u64, u64)>) {
    let mut writer = Writer::new(Vec::new(), encoding).unwrap();
    let extents = write_all(&mut writer);
    assert_eq!(writer.position(), extents.last().map(|(offset, length)| offset + length).unwrap());
    (writer.into_inner(), extents)
}

#[test]
fn what_is_written_reads_back_without_a_fault() {
    for encoding in encodings() {
        let (file, extents) = written(&encoding);
        let options = Options { verify: true, ..Options::default() };
        let mut reader = Reader::new(file.as_slice(), options).unwrap();
        let mut found = Vec::new();
        while let Some(record) = reader.next_record().unwrap() {
            assert_eq!(rules::faults(record.head(), record.offset()), [], "{encoding:?}");
            let extent = record.finish().unwrap();
            found.push((extent.offset, extent.length));
        }
        assert_eq!(reader.take_faults(), []);
        match encoding {
            // In a plain file the line breaks behind the block belong to nobody.
            Encoding::Plain => {
                assert_eq!(found, extents.iter().map(|(at, len)| (*at, len - 4)).collect::<Vec<_>>())
            }
            _ => assert_eq!(found, extents),
        }
    }
}

#[test]
fn what_is_pressed_reads_back_whatever_the_level() {
    let noise: Vec<u8> =
        (0..100_000_u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let blocks: [&[u8]; 4] = [b"", b"a layer of sediment", &[b'x'; 70_000], &noise];
    let mut press = warc::Press::default();
    for level in [0, 1, 6, 12, 99] {
        let mut file = Vec::new();
        let mut lengths = Vec::new();
        for (number, block) in blocks.iter().enumerate() {
            let digest = Digest::of(Algorithm::Sha256, block);
            let one =
                draft(&RecordType::Resource, number).target_uri("urn:pressed").content_type("text/plain");
            lengths.push(press.pack(&one.block_digest(&digest), block, level, &mut file).unwrap());
        }
        let bad = draft(&RecordType::Resource, 9).target_uri("urn:one\r\nWARC-Type: request");
        let before = file.len();
        assert!(press.pack(&bad, b"", level, &mut file).is_err());
        assert_eq!(file.len(), before, "what cannot be written leaves nothing");
        let options = Options { verify: true, ..Options::default() };
        let mut reader = Reader::new(file.as_slice(), options).unwrap();
        let mut found = Vec::new();
        while let Some(record) = reader.next_record().unwrap() {
            assert_eq!(rules::faults(record.head(), record.offset()), [], "level {level}");
            found.push(record.finish().unwrap().length);
        }
        assert_eq!((found, reader.take_faults()), (lengths, vec![]), "level {level}");
    }
}

#[test]
fn a_field_that_is_set_again_keeps_its_place() {
    let one =
        draft(&RecordType::Resource, 1).target_uri("urn:a").content_type("text/plain").target_uri("urn:b");
    let bytes = one.to_bytes(0).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    assert_eq!(text.matches("WARC-Target-URI").count(), 1);
    assert!(text.contains("WARC-Target-URI: urn:b\r\nContent-Type: text/plain\r\n"), "{text}");
}

#[test]
fn fields_survive() {
    let (file, _) = written(&Encoding::Gzip(6));
    let mut reader = Reader::new(file.as_slice(), Options::default()).unwrap();
    reader.next_record().unwrap();
    let response = reader.next_record().unwrap().unwrap();
    let head = response.head();
    assert_eq!(head.version(), Version::Warc1_1);
    assert_eq!(head.date(), Some(date()));
    assert_eq!(head.ip_address(), Some("192.0.2.1".parse().unwrap()));
    assert_eq!(head.target_uri().as_deref(), Some("http://example.org/"));
    let revisit = reader.next_record().unwrap().unwrap();
    assert_eq!(revisit.head().profile(), Some(Profile::IdenticalPayloadDigest));
    assert_eq!(revisit.head().refers_to_date(), Some(date()));
    assert_eq!(revisit.head().refers_to().as_deref(), Some("urn:uuid:x:2"));
    assert_eq!(revisit.head().refers_to_target_uri().as_deref(), Some("http://example.org/"));
    reader.next_record().unwrap();
    let resource = reader.next_record().unwrap().unwrap();
    assert_eq!(resource.head().concurrent_to().collect::<Vec<_>>(), ["urn:uuid:a:1", "urn:uuid:a:2"]);
    assert_eq!(resource.head().get_named("x-ours"), Some(&b"kept"[..]));
}

#[test]
fn every_named_field_has_an_accessor_of_its_type() {
    let draft = draft(&RecordType::Continuation, 1)
        .with(Name::WarcinfoId, "<urn:info>")
        .with(Name::Filename, "a.warc")
        .with(Name::IdentifiedPayloadType, "text/html")
        .with(Name::Protocol, "h2")
        .with(Name::Protocol, "tls/1.3")
        .with(Name::SegmentNumber, "2")
        .with(Name::SegmentOriginId, "<urn:origin>")
        .with(Name::SegmentTotalLength, "99")
        .with(Name::Truncated, "time");
    let mut writer = Writer::new(Vec::new(), &Encoding::Plain).unwrap();
    writer.write(&draft, b"").unwrap();
    let file = writer.into_inner();
    let mut reader = Reader::new(file.as_slice(), Options::default()).unwrap();
    let record = reader.next_record().unwrap().unwrap();
    let head = record.head();
    assert_eq!(head.record_type(), &RecordType::Continuation);
    assert_eq!(head.warcinfo_id().as_deref(), Some("urn:info"));
    assert_eq!(head.filename().as_deref(), Some("a.warc"));
    assert_eq!(head.identified_payload_type().as_deref(), Some("text/html"));
    assert_eq!(head.protocols().collect::<Vec<_>>(), ["h2", "tls/1.3"]);
    assert_eq!((head.segment_number(), head.segment_total_length()), (Some(2), Some(99)));
    assert_eq!(head.segment_origin_id().as_deref(), Some("urn:origin"));
    assert_eq!(head.truncated(), Some(warc::Truncated::Time));
}

#[test]
fn the_same_inputs_give_the_same_bytes() {
    for encoding in encodings() {
        assert!(written(&encoding).0 == written(&encoding).0, "{encoding:?}");
    }
}

#[test]
fn every_record_can_be_read_by_its_offset() {
    for encoding in encodings() {
        let (file, extents) = written(&encoding);
        let nature = warc::Nature::of(file.as_slice(), warc::Limits::default()).unwrap();
        for (offset, _) in extents {
            let source = &file[usize::try_from(offset).unwrap()..];
            let mut reader = Reader::at(source, offset, &nature, Options::default()).unwrap();
            let record = reader.next_record().unwrap().unwrap();
            assert_eq!(record.offset(), offset);
        }
    }
}

/// Records of all sizes, read by themselves: in one go, step by step, and with a length that is wrong.
#[test]
fn a_reader_of_one_record_gives_what_was_written() {
    // Of five bits in eight nothing is left to compress.
    let mut noise = 1_u32;
    let noise = std::iter::repeat_with(|| {
        noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        noise.to_be_bytes()[0] & 0x1f
    });
    let noise: Vec<u8> = noise.take(5_000_000).collect();
    let draft = draft(&RecordType::Resource, 1).target_uri("urn:one").content_type("text/plain");
    for encoding in encodings() {
        let mut writer = Writer::new(Vec::new(), &encoding).unwrap();
        let blocks = [0, 1, 70_000, 300_000, 1_100_000, 5_000_000].map(|size| &noise[..size]);
        let extents = blocks.map(|block| writer.write(&draft, block).unwrap());
        let file = writer.into_inner();
        let nature = warc::Nature::of(file.as_slice(), warc::Limits::default()).unwrap();
        for (extent, block) in extents.into_iter().zip(blocks) {
            for length in [extent.length, 0, extent.length / 2, extent.length + 50, u64::MAX] {
                let source = &file[usize::try_from(extent.offset).unwrap()..];
                let said = Extent { length, ..extent };
                let mut reader = Reader::one(source, said, &nature, Options::default()).unwrap();
                let mut record = reader.next_record().unwrap().unwrap();
                let mut read = Vec::new();
                record.read_to_end(&mut read).unwrap();
                record.finish().unwrap();
                assert!(read == block, "{encoding:?}, {} bytes, said to be {length}", block.len());
            }
        }
    }
}

/// A crash may leave any number of bytes behind the last sync; each such tail is cut off at the same place.
#[test]
fn a_partly_written_tail_is_cut_off_exactly() {
    for encoding in encodings() {
        let mut writer = Writer::new(Vec::new(), &encoding).unwrap();
        let one = draft(&RecordType::Resource, 1).target_uri("urn:one").content_type("text/plain");
        writer.write(&one, b"first").unwrap();
        writer.write(&one, b"second").unwrap();
        let durable = writer.sync().unwrap();
        writer.write(&one, b"third, which is cut").unwrap();
        let file = writer.into_inner();
        let durable_length = usize::try_from(durable).unwrap();
        for length in durable_length..file.len() {
            let part = sound_part(&file[..length], Options::default()).unwrap();
            assert_eq!((part.length, part.records), (durable, 2), "{encoding:?} cut at {length}");
            assert_eq!(part.fault.is_some(), length > durable_length, "{encoding:?} cut at {length}");
        }
        let whole = sound_part(file.as_slice(), Options::default()).unwrap();
        assert_eq!((whole.length, whole.records, whole.fault), (file.len() as u64, 3, None));
    }
}

#[test]
fn a_cut_file_goes_on_as_if_nothing_had_been() {
    let one = draft(&RecordType::Resource, 1).target_uri("urn:one").content_type("text/plain");
    let mut whole = Writer::new(Vec::new(), &Encoding::Gzip(6)).unwrap();
    whole.write(&one, b"first").unwrap();
    let first = whole.position();
    whole.write(&one, b"second").unwrap();
    let whole = whole.into_inner();

    let mut cut = whole.clone();
    cut.truncate(whole.len() - 3);
    let part = sound_part(cut.as_slice(), Options::default()).unwrap();
    assert_eq!(part.length, first);
    cut.truncate(usize::try_from(part.length).unwrap());
    let mut resumed = Writer::resume(cut, &Encoding::Gzip(6), part.length).unwrap();
    resumed.write(&one, b"second").unwrap();
    assert_eq!(resumed.into_inner(), whole);
}

/// A disk that has so many bytes left, and lies about nothing.
struct SmallDisk(usize, bool);

impl Write for SmallDisk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0 == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let count = bytes.len().min(self.0);
        self.0 -= count;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Durable for SmallDisk {
    fn sync(&mut self) -> io::Result<()> {
        if self.1 { Ok(()) } else { Err(io::Error::other("the disk is gone")) }
    }
}

#[test]
fn a_full_disk_poisons_the_writer_and_durable_stays() {
    let one = draft(&RecordType::Resource, 1).target_uri("urn:one");
    let mut writer = Writer::new(SmallDisk(600, true), &Encoding::Plain).unwrap();
    writer.write(&one, b"fits").unwrap();
    let durable = writer.sync().unwrap();
    assert!(matches!(writer.write(&one, &[0; 1000]), Err(Error::Write(_))));
    assert!(matches!(writer.write(&one, b""), Err(Error::Poisoned)));
    assert!(matches!(writer.sync(), Err(Error::Poisoned)));
    assert_eq!(writer.durable(), durable);
}

#[test]
fn a_failed_sync_poisons_the_writer() {
    let one = draft(&RecordType::Resource, 1).target_uri("urn:one");
    let mut writer = Writer::new(SmallDisk(6000, false), &Encoding::Plain).unwrap();
    writer.write(&one, b"fits").unwrap();
    assert!(matches!(writer.sync(), Err(Error::Write(_))));
    assert!(matches!(writer.write(&one, b""), Err(Error::Poisoned)));
    assert_eq!(writer.durable(), 0);
}

#[test]
fn a_block_that_is_too_short_is_refused() {
    let one = draft(&RecordType::Resource, 1).target_uri("urn:one");
    let mut writer = Writer::new(Vec::new(), &Encoding::Plain).unwrap();
    let result = writer.write_from(&one, 10, io::repeat(b'x').take(4));
    assert!(matches!(result, Err(Error::BlockLength { expected: 10, found: 4 })));
}

#[test]
fn a_header_cannot_be_smuggled_in() {
    let mut writer = Writer::new(Vec::new(), &Encoding::Plain).unwrap();
    let bad = draft(&RecordType::Resource, 1).target_uri("urn:one\r\nWARC-Type: request");
    assert!(matches!(writer.write(&bad, b""), Err(Error::FieldValue { .. })));
    for name in ["X: y\r\nZ", "WARC/1.1", ""] {
        let bad = draft(&RecordType::Resource, 1).with_named(name, "1");
        assert!(matches!(writer.write(&bad, b""), Err(Error::FieldValue { .. })), "{name}");
    }
    assert_eq!(writer.position(), 0, "nothing has been written, and the writer goes on");
    writer.write(&draft(&RecordType::Resource, 1), b"").unwrap();
}

#[test]
fn a_file_cut_before_its_first_record_gets_its_dictionary_again() {
    let encoding = encodings().pop().unwrap();
    let mut writer = Writer::resume(Vec::new(), &encoding, 0).unwrap();
    write_all(&mut writer);
    assert_eq!(writer.into_inner(), written(&encoding).0);
}

#[test]
fn zero_bytes_behind_the_last_record_are_not_sound() {
    let (mut file, _) = written(&Encoding::Gzip(6));
    let length = file.len() as u64;
    file.extend([0; 5000]);
    let part = sound_part(file.as_slice(), Options::default()).unwrap();
    assert_eq!(part.length, length);
    assert_eq!(part.fault.unwrap().kind, warc::FaultKind::ZeroPadding);
}

#[test]
fn a_header_that_was_read_is_written_byte_for_byte() {
    let head = b"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: urn:caf\xe9\r\nX: \xff\xfe\r\nContent-Length: 2\r\n\r\n";
    let file = [&head[..], b"ab\r\n\r\n"].concat();
    let mut reader = Reader::new(file.as_slice(), Options::default()).unwrap();
    let record = reader.next_record().unwrap().unwrap();
    let mut writer = Writer::new(Vec::new(), &Encoding::Plain).unwrap();
    writer.write(&Draft::like(record.head()), b"ab").unwrap();
    assert_eq!(writer.into_inner(), file);
}

#[test]
fn compression_shows_in_the_first_bytes() {
    for encoding in encodings() {
        let (file, _) = written(&encoding);
        let wanted = match encoding {
            Encoding::Plain => Compression::None,
            Encoding::Gzip(_) => Compression::Gzip,
            Encoding::Zstd(..) => Compression::Zstd,
        };
        assert_eq!(Compression::detect(&file), wanted);
    }
}

/// Names the file that [`a_child_that_writes_until_it_is_killed`] writes to; unset in an ordinary run.
const KILLED_FILE: &str = "VARVE_TEST_KILLED_FILE";

/// Not a test by itself: what [`what_was_acknowledged_survives_kill_9`] starts and kills.
#[test]
fn a_child_that_writes_until_it_is_killed() {
    let Some(path) = std::env::var_os(KILLED_FILE) else { return };
    let mut writer = Writer::new(std::fs::File::create(path).unwrap(), &Encoding::Gzip(6)).unwrap();
    for number in 0.. {
        let block = format!("record {number} ").repeat(number % 500);
        let record = draft(&RecordType::Resource, number).target_uri("urn:killed").content_type("text/plain");
        let record = record.block_digest(&Digest::of(Algorithm::Sha1, block.as_bytes()));
        writer.write(&record, block.as_bytes()).unwrap();
        if number % 3 == 0 {
            let durable = writer.sync().unwrap();
            println!("durable {durable} {}", number + 1);
        }
    }
}

#[test]
fn what_was_acknowledged_survives_kill_9() {
    use std::io::BufRead as _;
    let folder = std::env::temp_dir().join(format!("varve-killed-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("killed.warc.gz");
    for lines in [1, 2, 17, 60] {
        let mut child = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "writing::a_child_that_writes_until_it_is_killed", "--nocapture"])
            .env(KILLED_FILE, &path)
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let said = io::BufReader::new(child.stdout.take().unwrap()).lines();
        let acknowledged = said
            .map(Result::unwrap)
            .filter_map(|line| line.split_once("durable ").map(|(_, numbers)| numbers.to_owned()))
            .nth(lines)
            .unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        let (length, records) = acknowledged.split_once(' ').unwrap();
        let (length, records): (u64, u64) = (length.parse().unwrap(), records.parse().unwrap());

        let options = Options { verify: true, ..Options::default() };
        let part = sound_part(std::fs::File::open(&path).unwrap(), options).unwrap();
        assert!(part.length >= length && part.records >= records, "{part:?}, acknowledged {acknowledged}");
        let file = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
        file.set_len(part.length).unwrap();
        let mut writer = Writer::resume(file, &Encoding::Gzip(6), part.length).unwrap();
        writer.write(&draft(&RecordType::Resource, 0).target_uri("urn:after"), b"").unwrap();
        let whole = sound_part(std::fs::File::open(&path).unwrap(), options).unwrap();
        assert_eq!((whole.records, whole.fault), (part.records + 1, None));
    }
    std::fs::remove_dir_all(folder).unwrap();
}
