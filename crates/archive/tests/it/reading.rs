//! Out again: the nearest capture, its payload in each form, and what is wrong with it told.

use std::io::Read as _;

use archive::{Archive, Error, Form};

use crate::world::{World, about, answer, at, page, raw, text};

const A: &str = "http://example.org/a";

#[test]
fn the_nearest_capture_is_found() {
    let world = World::new();
    for (job, seconds) in [("one", 0), ("two", 1000), ("three", 2000)] {
        world.job(job, &about(seconds), &[page(A, seconds, job)]);
    }
    for (seconds, expect) in [(-9, "one"), (400, "one"), (600, "two"), (1400, "two"), (9999, "three")] {
        assert_eq!(text(&world.get(A, seconds), Form::Decoded), expect, "{seconds}");
    }
    let newest = world.archive.get(A, None).unwrap().unwrap();
    assert_eq!(text(&newest, Form::Decoded), "three");
    assert_eq!(newest.at, at(2000).checked_add(std::time::Duration::from_millis(123)).unwrap());
    assert!(world.archive.get("http://example.org/b", None).unwrap().is_none());
}

#[test]
fn a_revisit_is_decoded_as_its_own_head_says() {
    let world = World::new();
    let packed = warc_gzip(b"words that were packed");
    let coded = "Content-Type: text/html\r\nContent-Encoding: gzip\r\n";
    let (file, document) = ("http://example.org/a.gz", "http://example.org/page");
    let exchanges = [
        answer(file, 0, "200 OK", "Content-Type: application/gzip\r\n", &packed),
        answer(document, 1, "200 OK", coded, &packed),
    ];
    let placed = world.job("one", &about(0), &exchanges);
    assert_eq!(placed[1].outcome, archive::Outcome::Revisit);
    assert_eq!(text(&world.get(document, 1), Form::Decoded), "words that were packed");
    let bytes = |url: &str, seconds, form| {
        let mut bytes = Vec::new();
        world.get(url, seconds).payload(form).unwrap().read_to_end(&mut bytes).unwrap();
        bytes
    };
    assert_eq!(bytes(file, 0, Form::Decoded), packed);
    assert_eq!(bytes(document, 1, Form::Sent), packed);
    // The other way round: the coded one is stored, and the file refers to it.
    let other = World::new();
    let [file_answer, page_answer] = exchanges;
    other.job("one", &about(0), &[page_answer]);
    other.job("two", &about(100), &[file_answer]);
    let found = other.archive.get(file, None).unwrap().unwrap();
    let mut bytes = Vec::new();
    found.payload(Form::Decoded).unwrap().read_to_end(&mut bytes).unwrap();
    assert!(found.is_revisit() && bytes == packed);
}

#[test]
fn notes_and_payloads_can_be_read_on_another_thread() {
    fn is_send(_: &(impl Send + ?Sized)) {}
    let world = World::new();
    world.job("job", &about(0), &[page(A, 0, "words")]);
    let note = world.archive.note("job", "captures.cdxj").unwrap().unwrap();
    is_send(&*note);
    is_send(&world.get(A, 0));
    is_send(&world.get(A, 0).payload(Form::Decoded).unwrap());
}

#[test]
fn a_payload_comes_in_the_form_that_is_asked_for() {
    let world = World::new();
    let packed = warc_gzip(b"words that were packed");
    let chunked = [format!("{:x}\r\n", packed.len()).as_bytes(), &packed, b"\r\n0\r\n\r\n"].concat();
    let fields = "Content-Type: text/html\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n";
    let exchange = answer(A, 0, "200 OK", fields, &chunked);
    // Once as it is, once as a revisit.
    world.job("one", &about(0), std::slice::from_ref(&exchange));
    world.job("two", &about(50), &[answer(A, 50, "200 OK", fields, &chunked)]);
    for seconds in [0, 50] {
        let found = world.get(A, seconds);
        let read = |form| {
            let mut bytes = Vec::new();
            found.payload(form).unwrap().read_to_end(&mut bytes).unwrap();
            bytes
        };
        assert_eq!(found.is_revisit(), seconds == 50);
        assert_eq!(read(Form::Sent), chunked);
        assert_eq!(read(Form::Unchunked), packed);
        assert_eq!(read(Form::Decoded), b"words that were packed");
        assert_eq!(read(Form::Sent), chunked, "as often as wanted");
    }
    world.check();
}

fn warc_gzip(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write as _;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn a_changed_byte_is_told_before_any_is_handed_out() {
    let world = World::new();
    let mut about = about(0);
    about.gzip_level = 0;
    let placed = world.job("job", &about, &[page(A, 0, &"words ".repeat(100))]);
    let path = world.folder.path().join("store").join(&placed[0].file);
    let mut bytes = std::fs::read(&path).unwrap();
    let place = bytes.windows(11).rposition(|window| window == b"words words").unwrap();
    bytes[place] = b'W';
    // The member's own checksum would tell as well; it is made to agree.
    let start = usize::try_from(placed[0].offset).unwrap();
    let end = start + usize::try_from(placed[0].length).unwrap();
    let mut inflated = Vec::new();
    let broken = flate2::read::DeflateDecoder::new(&bytes[start + 10..end]).read_to_end(&mut inflated);
    broken.unwrap();
    let mut crc = flate2::Crc::new();
    crc.update(&inflated);
    bytes[end - 8..end - 4].copy_from_slice(&crc.sum().to_le_bytes());
    let writable = std::os::unix::fs::PermissionsExt::from_mode(0o644);
    std::fs::set_permissions(&path, writable).unwrap();
    std::fs::write(&path, bytes).unwrap();

    let error = world.archive.get(A, None).unwrap_err();
    assert!(matches!(error, Error::Record(_)) && error.to_string().contains("digest"), "{error}");
    assert!(matches!(world.archive.store().verify(&placed[0].file).unwrap(), store::Verdict::Changed { .. }));
}

#[test]
fn what_cannot_be_had_is_passed_over_for_the_next_nearest() {
    let world = World::new();
    world.job("one", &about(0), &[page(A, 0, "one")]);
    let placed = world.job("two", &about(100), &[page(A, 100, "two")]);
    std::fs::remove_file(world.folder.path().join("store").join(&placed[0].file)).unwrap();
    assert_eq!(text(&world.get(A, 100), Form::Decoded), "one");
    // With nothing to fall back on, the reason is told.
    world.job("three", &about(200), &[page("http://example.org/b", 200, "three")]);
    let path = world.folder.path().join("store/three/three-00001.warc.gz");
    std::fs::remove_file(path).unwrap();
    let error = world.archive.get("http://example.org/b", None).unwrap_err();
    assert!(matches!(error, Error::Store(store::Error::Missing(_))), "{error}");
}

#[test]
fn a_revisit_without_its_payload_is_not_an_empty_page() {
    let world = World::new();
    let placed = world.job("one", &about(0), &[page("http://example.org/b", 0, "words")]);
    world.job("two", &about(100), &[page(A, 100, "words")]);
    std::fs::remove_file(world.folder.path().join("store").join(&placed[0].file)).unwrap();
    assert!(world.archive.get(A, None).unwrap().is_none());
}

#[test]
fn a_moved_original_is_found_by_what_the_record_says() {
    let world = World::new();
    world.job("one", &about(0), &[page("http://example.org/b", 0, "words")]);
    world.job("two", &about(100), &[page(A, 100, "words")]);
    let snapshot = world.archive.snapshot().unwrap();
    let row = world.rows().into_iter().find(|row| row.url.as_deref() == Some(A)).unwrap();
    for (has_place, has_names) in [(true, true), (false, true), (false, false)] {
        let mut row = row.clone();
        if !has_place {
            row.original = None;
        }
        if !has_names {
            row.extra.retain(|extra| !extra.name.starts_with("orig_"));
        }
        let found = world.archive.found(&row, &snapshot).unwrap().unwrap();
        assert_eq!(text(&found, Form::Decoded), "words");
        assert_eq!(found.original.unwrap().url, "http://example.org/b");
    }
}

#[test]
fn what_is_no_http_comes_back_as_it_came() {
    let world = World::new();
    let bytes = b"<html>an answer as before HTTP/1.0";
    let placed = world.job("job", &about(0), &[raw(A, 0, bytes), raw(A, 1, bytes)]);
    assert!(
        placed.iter().all(|placed| placed.outcome == archive::Outcome::New),
        "without a head it is kept whole"
    );
    assert_eq!(text(&world.get(A, 0), Form::Decoded).as_bytes(), bytes);
    world.check();
}

/// The length in a line only says how much is read ahead.
#[test]
fn a_line_that_lies_about_the_length_still_leads_to_its_payload() {
    let world = World::new();
    let long: String = (0..400_000).map(|number| format!("{number} ")).collect();
    world.job("one", &about(0), &[page(A, 0, &long), page("http://example.org/b", 1, "short")]);
    let snapshot = world.archive.snapshot().unwrap();
    for row in world.rows() {
        for length in [Some(0), Some(1), Some(17), Some(300), Some(1 << 40), Some(u64::MAX), None] {
            let mut row = row.clone();
            row.length = length;
            let found = world.archive.found(&row, &snapshot).unwrap().unwrap();
            let is_long = row.url.as_deref() == Some(A);
            assert!(
                text(&found, Form::Decoded) == if is_long { long.as_str() } else { "short" },
                "{length:?}"
            );
        }
    }
}

#[test]
fn nothing_is_no_capture() {
    let world = World::new();
    let mut nothing = raw(A, 0, b"");
    nothing.outcome = fetch::Outcome::Failed(fetch::Failure::EmptyReply);
    let placed = world.job("job", &about(0), &[nothing]);
    assert_eq!((placed[0].outcome, placed[0].bytes), (archive::Outcome::Nothing, 0));
    assert!(world.archive.get(A, None).unwrap().is_none());
    world.check();
}

#[test]
fn a_folder_without_an_archive_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let error = Archive::open(folder.path()).unwrap_err();
    assert!(error.to_string().starts_with("there is no archive in "), "{error}");
}

#[test]
fn a_long_answer_goes_through_a_file() {
    let world = World::new();
    let mut about = about(0);
    about.limits.memory_bytes = 1000;
    let body = "a long answer ".repeat(10_000);
    let mut job = world.begin("job", &about);
    // The second is appended first, so that it is packed by whoever appends.
    let packed = [page(A, 0, &body), page("http://example.org/b", 1, &body)].map(|page| job.pack(&page));
    let outcomes: Vec<_> =
        packed.into_iter().rev().map(|packed| job.intake.append(packed).unwrap().outcome).collect();
    assert_eq!(outcomes, [archive::Outcome::New, archive::Outcome::Revisit]);
    world.commit(job).unwrap();
    for url in [A, "http://example.org/b"] {
        assert_eq!(text(&world.get(url, 0), Form::Decoded), body);
    }
    world.check();
}

/// Whatever a server sends, it is there again byte for byte.
#[test]
fn any_answer_comes_back_as_it_was() {
    const PIECES: [&[u8]; 16] = [
        b"HTTP/1.1 200 OK\r\n",
        b"HTTP/1.1 404\n",
        b"ICY 200 OK\r\n",
        b"Content-Type: text/html\r\n",
        b"Content-Type: \xff\xfe\r\n",
        b"Content-Encoding: gzip\r\n",
        b"Transfer-Encoding: chunked\r\n",
        b"ETag: \x01\x02\r\n",
        b"Location: http://[\r\n",
        b"no colon\r\n",
        b"\r\n",
        b"\n\n",
        b"5\r\nwords\r\n0\r\n\r\n",
        b"\x1f\x8b\x08 no gzip",
        b"\0\0\0",
        b"WARC/1.1\r\nWARC-Type: warcinfo\r\n\r\n",
    ];
    let world = World::new();
    let mut job = world.begin("job", &about(0));
    let mut dice = testkit::corpus::Dice::new(&[7]);
    let mut answers = Vec::new();
    for number in 0..300 {
        let response: Vec<u8> = (0..dice.below(8))
            .flat_map(|_| PIECES[usize::try_from(dice.below(16)).unwrap()])
            .copied()
            .collect();
        let url = format!("http://example.org/{number}");
        job.take_in(&raw(&url, number, &response));
        answers.push((url, response));
    }
    world.commit(job).unwrap();
    for (url, response) in answers.iter().filter(|(_, response)| !response.is_empty()) {
        let found = world.archive.get(url, None).unwrap().unwrap();
        let mut read = found.head.as_ref().map_or(Vec::new(), |head| head.raw().to_vec());
        found.payload(Form::Sent).unwrap().read_to_end(&mut read).unwrap();
        assert_eq!(&read, response, "{url}");
    }
    world.check();
}
