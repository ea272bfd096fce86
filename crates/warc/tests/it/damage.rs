//! Damaged files: strict reading names the first fault, lenient reading goes on, nothing panics or fills the memory.

use std::io::Read;

use warc::{
    Draft, Encoding, Error, FaultKind, Limits, Options, Reader, RecordType, Severity, Version, Writer,
};

fn lenient() -> Options {
    Options { lenient: true, verify: true, ..Options::default() }
}

/// Three records of these blocks.
fn file(encoding: &Encoding) -> (Vec<u8>, Vec<usize>) {
    let mut writer = Writer::new(Vec::new(), encoding).unwrap();
    let mut starts = Vec::new();
    for block in [&b"first block"[..], b"second block", b"third block"] {
        let date = "2026-11-15T10:11:12Z".parse().unwrap();
        let id = format!("urn:test:{}", starts.len());
        let draft = Draft::new(Version::Warc1_1, &RecordType::Resource, &id, date)
            .target_uri("urn:test")
            .content_type("text/plain")
            .block_digest(&warc::Digest::of(warc::Algorithm::Sha1, block));
        starts.push(usize::try_from(writer.write(&draft, block).unwrap().offset).unwrap());
    }
    (writer.into_inner(), starts)
}

/// The blocks that a lenient reader finds, and the kinds of faults that it tells.
fn read(file: &[u8]) -> (Vec<String>, Vec<FaultKind>) {
    let mut reader = Reader::new(file, lenient()).unwrap();
    let mut blocks = Vec::new();
    let mut faults = Vec::new();
    while let Some(mut record) = reader.next_record().unwrap() {
        let mut block = Vec::new();
        record.read_to_end(&mut block).unwrap();
        blocks.push(String::from_utf8_lossy(&block).into_owned());
        faults.extend(record.finish_with_faults().unwrap().1.into_iter().map(|fault| fault.kind));
    }
    faults.extend(reader.take_faults().into_iter().map(|fault| fault.kind));
    (blocks, faults)
}

fn strict_fault(file: &[u8]) -> (u64, FaultKind) {
    let mut reader = Reader::new(file, Options::default()).unwrap();
    loop {
        let step = reader.next_record().and_then(|record| record.map(|record| record.finish()).transpose());
        match step {
            Ok(Some(_)) => {}
            Ok(None) => panic!("no fault"),
            Err(Error::Fault(fault)) => return (fault.offset, fault.kind),
            Err(error) => panic!("{error}"),
        }
    }
}

#[track_caller]
fn check(file: &[u8], offset: usize, kind: FaultKind, blocks: &[&str]) {
    assert_eq!(strict_fault(file), (offset as u64, kind), "strict");
    let (found, faults) = read(file);
    assert_eq!(found, blocks, "{faults:?}");
    assert!(faults.contains(&kind), "{faults:?}");
}

#[test]
fn a_damaged_gzip_member_costs_itself_only() {
    let (file, starts) = file(&Encoding::Gzip(6));
    for at in starts[1] + 12..starts[2] - 8 {
        let mut bad = file.clone();
        bad[at] ^= 0x55;
        let (blocks, faults) = read(&bad);
        assert_eq!(blocks.first().map(String::as_str), Some("first block"), "byte {at}");
        assert_eq!(blocks.last().map(String::as_str), Some("third block"), "byte {at}: {faults:?}");
        assert!(faults.iter().any(|kind| kind.severity() == Severity::Damage), "byte {at}: {faults:?}");
        assert_eq!(strict_fault(&bad).0, starts[1] as u64, "byte {at}");
    }
}

#[test]
fn a_damaged_zstd_frame_costs_itself_only() {
    let (file, starts) = file(&Encoding::Zstd(3, Vec::new()));
    for at in starts[1] + 4..starts[2] - 4 {
        let mut bad = file.clone();
        bad[at] ^= 0x55;
        let (blocks, faults) = read(&bad);
        assert_eq!(blocks.first().map(String::as_str), Some("first block"), "byte {at}");
        // A wrong frame header may claim the frame behind it too.
        assert!(!faults.is_empty() && blocks.len() <= 3, "byte {at}: {blocks:?}");
    }
}

#[test]
fn truncated_at_every_byte_nothing_panics_and_whole_records_stay() {
    for encoding in [Encoding::Plain, Encoding::Gzip(6), Encoding::Zstd(3, Vec::new())] {
        let (file, starts) = file(&encoding);
        for length in 1..file.len() {
            let (blocks, _) = read(&file[..length]);
            let whole = starts.iter().skip(1).filter(|&&start| start <= length).count();
            assert!(blocks.len() >= whole, "{encoding:?} cut at {length}");
            let _ = Reader::new(&file[..length], Options::default())
                .map(|mut reader| reader.next_record().is_ok());
        }
    }
}

#[test]
fn a_length_that_is_too_long_is_mended_from_the_next_record() {
    let (file, _) = file(&Encoding::Plain);
    let text = String::from_utf8(file).unwrap().replacen("Content-Length: 11", "Content-Length: 99", 1);
    check(text.as_bytes(), 0, FaultKind::WrongLength, &["first block", "second block", "third block"]);
}

#[test]
fn a_length_that_is_too_short_costs_the_rest_of_its_block() {
    let (file, _) = file(&Encoding::Plain);
    let text = String::from_utf8(file).unwrap().replacen("Content-Length: 11", "Content-Length: 5", 1);
    let (blocks, faults) = read(text.as_bytes());
    assert_eq!(blocks, ["first", "second block", "third block"]);
    assert!(faults.contains(&FaultKind::WrongLength) && faults.contains(&FaultKind::Garbage));
}

#[test]
fn garbage_between_records_is_stepped_over() {
    let (file, starts) = file(&Encoding::Plain);
    let bad = [&file[..starts[1]], b"these bytes belong to nobody\r\n", &file[starts[1]..]].concat();
    check(&bad, starts[1], FaultKind::Garbage, &["first block", "second block", "third block"]);
    let (file, starts) = self::file(&Encoding::Gzip(6));
    let bad = [&file[..starts[1]], b"these bytes belong to nobody", &file[starts[1]..]].concat();
    check(&bad, starts[1], FaultKind::Garbage, &["first block", "second block", "third block"]);
}

#[test]
fn what_stands_in_front_of_a_sound_archive_does_not_hide_it() {
    for encoding in [Encoding::Plain, Encoding::Gzip(6), Encoding::Zstd(3, Vec::new())] {
        let (file, starts) = file(&encoding);
        for front in [&b"x"[..], &[0; 512], b"HTTP/1.1 200 OK\r\n\r\n"] {
            let (blocks, faults) = read(&[front, &file].concat());
            // In a plain file a record starts with a line of its own.
            let hidden = usize::from(encoding == Encoding::Plain && front == b"x");
            assert_eq!(blocks.len(), 3 - hidden, "{encoding:?} behind {front:?}: {faults:?}");
            assert!(!faults.is_empty(), "{encoding:?} behind {front:?}");
        }
        assert_eq!(read(&file[starts[0] + 9..]).0.len(), 2, "{encoding:?} without its first bytes");
    }
}

/// Every line break lost its return, so every length is too long by as many bytes.
#[test]
fn text_mode_transfers_that_dropped_the_returns_cost_no_record() {
    let mut writer = Writer::new(Vec::new(), &Encoding::Plain).unwrap();
    for number in 0..200 {
        let date = "2026-11-15T10:11:12Z".parse().unwrap();
        let id = format!("urn:test:{number}");
        let draft = Draft::new(Version::Warc1_1, &RecordType::Resource, &id, date).target_uri("urn:test");
        writer.write(&draft, "line\r\n".repeat(number).as_bytes()).unwrap();
    }
    let text = String::from_utf8(writer.into_inner()).unwrap().replace('\r', "");
    assert_eq!(read(text.as_bytes()).0.len(), 200);
}

#[test]
fn zero_padding_is_told_and_stops_nobody() {
    for encoding in [Encoding::Plain, Encoding::Gzip(6)] {
        let (file, starts) = file(&encoding);
        let bad = [&file[..starts[1]], &[0; 5000], &file[starts[1]..], &[0; 100_000]].concat();
        let (blocks, faults) = read(&bad);
        assert_eq!(blocks.len(), 3, "{encoding:?}");
        assert_eq!(faults, [FaultKind::ZeroPadding, FaultKind::ZeroPadding], "{encoding:?}");
    }
}

#[test]
fn text_mode_transfers_that_doubled_the_returns_are_survived() {
    let (file, _) = file(&Encoding::Plain);
    let text = String::from_utf8(file).unwrap().replace("\r\n", "\r\r\n");
    assert_eq!(read(text.as_bytes()).0.len(), 3);
    let text = text.replace("\r\r\n", "\n");
    let (blocks, faults) = read(text.as_bytes());
    assert_eq!(blocks, ["first block", "second block", "third block"]);
    assert!(faults.contains(&FaultKind::LineEnding) && faults.contains(&FaultKind::Trailer));
}

#[test]
fn concatenated_files_of_one_compression_are_one_file() {
    for encoding in [Encoding::Plain, Encoding::Gzip(6), Encoding::Zstd(3, Vec::new())] {
        let (file, _) = file(&encoding);
        let (blocks, faults) = read(&[file.as_slice(), &file].concat());
        assert_eq!((blocks.len(), faults.len()), (6, 0), "{encoding:?}");
    }
}

#[test]
fn a_file_in_one_gzip_member_is_detected() {
    let (plain, _) = file(&Encoding::Plain);
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut encoder, &plain).unwrap();
    let (blocks, faults) = read(&encoder.finish().unwrap());
    assert_eq!(blocks.len(), 3);
    assert_eq!(faults, [FaultKind::SharedMember]);
}

#[test]
fn a_wrong_digest_is_told() {
    let (file, _) = file(&Encoding::Plain);
    let text = String::from_utf8(file).unwrap().replace("second block", "sekond block");
    let (blocks, faults) = read(text.as_bytes());
    assert_eq!((blocks.len(), faults), (3, vec![FaultKind::BlockDigest]));
}

#[test]
fn a_payload_digest_with_or_without_chunk_framing_is_right() {
    let body = "5\r\nvarve\r\n0\r\n\r\n";
    for payload in [body, "varve"] {
        let digest = warc::Digest::of(warc::Algorithm::Sha1, payload.as_bytes());
        let block = format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{body}");
        let file = format!(
            "WARC/1.1\r\nWARC-Type: response\r\nContent-Type: application/http\r\nWARC-Payload-Digest: {digest}\r\n\
             Content-Length: {}\r\n\r\n{block}\r\n\r\n",
            block.len()
        );
        assert_eq!(read(file.as_bytes()).1, []);
        assert_eq!(read(file.replace("varve", "barve").as_bytes()).1, [FaultKind::PayloadDigest]);
    }
}

#[test]
fn a_header_without_end_stops_at_its_limit() {
    let file = format!("WARC/1.1\r\nX: {}", "x".repeat(2 << 20));
    assert_eq!(strict_fault(file.as_bytes()), (0, FaultKind::Limit));
    assert!(read(file.as_bytes()).0.is_empty());
    let many = format!("WARC/1.1\r\n{}Content-Length: 0\r\n\r\n\r\n\r\n", "a: b\r\n".repeat(5000));
    assert_eq!(strict_fault(many.as_bytes()), (0, FaultKind::Limit));
}

#[test]
fn a_member_that_unfolds_too_far_stops_at_its_limit() {
    let head = "WARC/1.1\r\nWARC-Type: resource\r\nContent-Length: 100000000\r\n\r\n";
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    std::io::Write::write_all(&mut encoder, head.as_bytes()).unwrap();
    std::io::copy(&mut std::io::repeat(0).take(100_000_000), &mut encoder).unwrap();
    let bomb = encoder.finish().unwrap();
    let limits = Limits { member_bytes: 10 << 20, ..Limits::default() };
    let mut reader = Reader::new(bomb.as_slice(), Options { limits, ..Options::default() }).unwrap();
    let error = reader.next_record().unwrap().unwrap().finish().unwrap_err();
    assert_eq!(error.fault().unwrap().kind, FaultKind::Limit);
}

/// Files made to be looked through again and again. Each is a few megabytes, and a reader that does so takes minutes.
#[test]
fn hostile_files_take_no_longer_than_their_length_asks() {
    let head = |length: usize| format!("WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: {length}\r\n\r\n");
    let files = [
        b"WARC/1.0\r\nA: b\r\n".repeat(200_000),
        head(1_000_000).repeat(30_000).into_bytes(),
        head(3_000_000).repeat(30_000).into_bytes(),
        [b"\x1f\x8b", [0x1f, 0x8b, 0x08].repeat(700_000).as_slice()].concat(),
        [0x28, 0xb5, 0x2f, 0xfd].repeat(500_000),
        b"http://a.b/ 1.2.3.4 20200101000000 text/html 9999999\n".repeat(60_000),
        b"\n".repeat(3 << 20),
        b"WARC/2.0\nA:\n".repeat(150_000),
        [b"WARC/1.0\r\nContent-Length: 0\r\nA: b\r\n", b" c\r\n".repeat(100_000).as_slice(), b"\r\n"]
            .concat(),
        [head(0).as_bytes(), b"\r\n\r\nWARC/1.0\r\nX: ", b"y".repeat(3 << 20).as_slice()].concat(),
    ];
    for (number, file) in files.iter().enumerate() {
        let (blocks, faults) = read(file);
        assert!(!faults.is_empty(), "{number}: {}", blocks.len());
    }
}

/// What is lost is told in bytes, whatever it was: a line, some members, the end of one.
#[test]
fn lost_bytes_are_counted() {
    let lost = |file: &[u8]| {
        let mut reader = Reader::new(file, lenient()).unwrap();
        let mut lost = 0;
        loop {
            let more = reader.next_record().unwrap().map(|record| record.finish_with_faults().unwrap().1);
            let last = more.is_none();
            let faults = more.unwrap_or_else(|| reader.take_faults());
            lost += faults.iter().map(|fault| fault.lost_bytes).sum::<u64>();
            if last {
                return lost;
            }
        }
    };
    let (plain, starts) = file(&Encoding::Plain);
    let garbage = b"these bytes belong to nobody\r\n";
    assert_eq!(lost(&plain), 0);
    assert_eq!(lost(&[&plain[..starts[1]], garbage, &plain[starts[1]..]].concat()), garbage.len() as u64);

    let (gzip, starts) = file(&Encoding::Gzip(6));
    let mut bad = gzip.clone();
    // The first bytes behind the member's header: nothing of it can be read.
    bad[starts[1] + 10..starts[1] + 30].fill(0xff);
    assert_eq!(lost(&bad), (starts[2] - starts[1]) as u64);
    let middle = [&gzip[..starts[1]], &[b'?'; 4000], &gzip[starts[1]..]].concat();
    assert_eq!(lost(&middle), 4000);
}

#[test]
fn damage_is_told_even_where_much_else_is_wrong() {
    let lines = "no colon\r\n".repeat(200);
    let file = format!("WARC/1.0\r\n{lines}Content-Length: 5\r\n\r\nblock and more than it says");
    let (_, faults) = read(file.as_bytes());
    assert!(faults.contains(&FaultKind::WrongLength) && faults.contains(&FaultKind::Unlisted), "{faults:?}");
    assert!(faults.len() < 100);
}

/// A block longer than can be looked at whole may hold an archive; that is no reason to doubt its length.
#[test]
fn an_archive_in_a_long_block_is_left_in_it() {
    let (inner, _) = file(&Encoding::Plain);
    let block = inner.repeat(6000);
    let mut writer = Writer::new(Vec::new(), &Encoding::Plain).unwrap();
    let date = "2026-11-15T10:11:12Z".parse().unwrap();
    let draft = Draft::new(Version::Warc1_1, &RecordType::Resource, "urn:long", date).target_uri("urn:long");
    writer.write(&draft, &block).unwrap();
    writer.write(&draft, b"after").unwrap();
    let (blocks, faults) = read(&writer.into_inner());
    assert_eq!((blocks.len(), blocks[0].len(), blocks[1].as_str()), (2, block.len(), "after"), "{faults:?}");
}

#[test]
fn every_file_of_the_vectors_is_read_without_panic() {
    let Some(dir) = testkit::vectors::dir() else { return };
    let (mut files, mut records, mut lost) = (0, 0, 0);
    for line in testkit::vectors::jsonl(dir.join("01-warc-arc/expected/files.jsonl")) {
        let path = dir.join("01-warc-arc").join(line["file"].as_str().unwrap());
        let bytes = std::fs::read(&path).unwrap();
        let (blocks, faults) = read(&bytes);
        files += 1;
        records += blocks.len();
        lost += faults.iter().filter(|kind| **kind == FaultKind::Garbage).count();
        let counted =
            line["warcio_records"].as_u64().unwrap_or(0).min(line["fastwarc_records"].as_u64().unwrap_or(0));
        assert!(blocks.len() as u64 >= counted, "{path:?}: {} records, peers find {counted}", blocks.len());
        // Half of it, as a crash would leave it.
        read(&bytes[..bytes.len() / 2]);
    }
    assert!(files >= 130);
    eprintln!("{files} files, {records} records read, {lost} stretches that belong to no record");
}

/// Every file there, be it an archive, an index or damaged gzip: lenient reading ends, strict reading names a fault or
/// reads it all.
#[test]
fn whatever_lies_among_the_vectors_is_survived() {
    let Some(dir) = testkit::vectors::dir() else { return };
    let mut folders = vec![dir.join("01-warc-arc")];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            files += 1;
            let bytes = std::fs::read(&path).unwrap();
            read(&bytes);
            let mut reader = Reader::new(bytes.as_slice(), Options::default()).unwrap();
            let stopped = loop {
                match reader.next_record().and_then(|record| record.map(|record| record.finish()).transpose())
                {
                    Ok(Some(_)) => {}
                    Ok(None) => break None,
                    Err(error) => break Some(error),
                }
            };
            if let Some(error) = stopped {
                let fault = error.fault().unwrap_or_else(|| panic!("{path:?}: {error}"));
                assert!(fault.offset <= bytes.len() as u64 && !fault.message.is_empty(), "{path:?}: {fault}");
            }
        }
    }
    assert!(files > 180, "{files}");
}

/// A caller that passes over an error while reading the block still learns of it.
#[test]
fn a_strict_reader_does_not_forget_that_a_block_breaks_off() {
    let (file, _) = file(&Encoding::Plain);
    let mut reader = Reader::new(&file[..file.len() - 8], Options::default()).unwrap();
    reader.next_record().unwrap();
    reader.next_record().unwrap();
    let mut record = reader.next_record().unwrap().unwrap();
    assert!(record.read_to_end(&mut Vec::new()).is_err());
    assert_eq!(record.finish().unwrap_err().fault().unwrap().kind, FaultKind::TruncatedBlock);
}
