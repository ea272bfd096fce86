//! Payloads that are there already: D8.

use archive::{Dedup, DedupTypes, Form, Outcome};
use fetch::Cut;
use warc::{Options, Profile, Reader, RecordType};

use crate::world::{World, about, answer, at, capture, not_modified, page, text};

const A: &str = "http://example.org/a";
const B: &str = "http://example.org/b";

/// What becomes of two captures, in two jobs or in one.
#[track_caller]
fn check(dedup: Dedup, which: DedupTypes, url: &str, mime: &str, expect: Outcome) {
    let fields = format!("Content-Type: {mime}\r\n");
    let one = answer(A, 0, "200 OK", &fields, b"the same");
    let other = answer(url, 5, "200 OK", &fields, b"the same");
    let mut about = about(0);
    (about.dedup, about.which) = (dedup, which);

    let world = World::new();
    world.job("first", &about, std::slice::from_ref(&one));
    let placed = world.job("second", &about, std::slice::from_ref(&other));
    assert_eq!(placed[0].outcome, expect, "two jobs: {dedup:?} {which:?} {url} {mime}");
    world.check();

    let world = World::new();
    let placed = world.job("both", &about, &[one, other]);
    assert_eq!(placed[1].outcome, expect, "one job: {dedup:?} {which:?} {url} {mime}");
    assert_eq!(placed[1].original.is_some(), expect == Outcome::Revisit);
    world.check();
}

#[test]
fn d8_what_counts_as_the_same() {
    use Outcome::{New, Revisit};
    for (dedup, same_url, other_url) in
        [(Dedup::Off, New, New), (Dedup::Url, Revisit, New), (Dedup::Content, Revisit, Revisit)]
    {
        check(dedup, DedupTypes::All, A, "text/html", same_url);
        check(dedup, DedupTypes::All, B, "text/html", other_url);
        check(dedup, DedupTypes::NonText, A, "image/png", same_url);
        check(dedup, DedupTypes::NonText, A, "text/html", New);
    }
}

#[test]
fn d8_a_revisit_names_the_record_with_the_payload() {
    let world = World::new();
    let first = world.job("first", &about(0), &[page(A, 0, "the same")]);
    let second = world.job("second", &about(100), &[page(B, 100, "the same")]);
    // A revisit of a URL whose newest capture is a revisit refers to the original as well.
    let third = world.job("third", &about(200), &[page(B, 200, "the same")]);
    for placed in [&second[0], &third[0]] {
        let original = placed.original.as_ref().unwrap();
        assert_eq!((original.url.as_str(), original.file.as_ref()), (A, Some(&first[0].file)));
        assert_eq!(original.offset, Some(first[0].offset));
        assert_eq!(placed.digest, first[0].digest);

        let source = world.archive.store().read(&placed.file, 0).unwrap();
        let mut reader = Reader::new(source, Options::default()).unwrap();
        reader.next_record().unwrap();
        let mut record = reader.next_record().unwrap().unwrap();
        assert_eq!(record.http().unwrap().unwrap().status(), Some(200));
        let head = record.head();
        assert_eq!(head.record_type(), &RecordType::Revisit);
        assert_eq!(head.profile(), Some(Profile::IdenticalPayloadDigest));
        assert_eq!(head.refers_to_target_uri().as_deref(), Some(A));
        assert_eq!(head.refers_to_date(), Some(original.date));
        assert_eq!(head.refers_to().as_deref(), original.record_id.as_deref());
        assert_eq!(head.target_uri().as_deref(), Some(B));
        assert_eq!(head.payload_digest().unwrap().unwrap().to_string(), *placed.digest.as_ref().unwrap());
        assert_eq!(record.left(), 0, "the block is the head");
    }
    assert_eq!(text(&world.get(B, 100), Form::Decoded), "the same");
    world.check();
}

#[test]
fn what_is_not_whole_or_empty_is_never_the_same() {
    let world = World::new();
    let mut cut = page(A, 1, "the same");
    cut.outcome = fetch::Outcome::Truncated(Cut::Disconnect);
    let empty = answer(A, 2, "204 No Content", "", b"");
    let again = answer(A, 3, "204 No Content", "", b"");
    let placed = world.job("job", &about(0), &[page(A, 0, "the same"), cut, empty, again]);
    assert!(placed.iter().all(|placed| placed.outcome == Outcome::New), "{placed:?}");
    assert_eq!(placed[2].digest, None);
    world.check();
}

#[test]
fn error_answers_are_captures_like_others() {
    let world = World::new();
    let error = |seconds| answer(A, seconds, "500 Oh", "Content-Type: text/plain\r\n", b"broken");
    let placed = world.job("job", &about(0), &[error(0), error(1)]);
    assert_eq!([placed[0].outcome, placed[1].outcome], [Outcome::New, Outcome::Revisit]);
    assert_eq!(world.get(A, 1).status(), Some(500));
    assert_eq!(world.rows().iter().map(|row| row.status).collect::<Vec<_>>(), [Some(500); 2]);
    world.check();
}

#[test]
fn d8_not_modified_refers_to_the_last_capture() {
    let world = World::new();
    let fields = "Content-Type: text/html\r\nETag: \"x\"\r\nLast-Modified: Mon, 16 Nov 2026 08:00:00 GMT\r\n";
    world.job("first", &about(0), &[answer(A, 0, "200 OK", fields, b"words")]);
    // Said twice, so the second refers to a revisit's original; the first does not repeat the date.
    for (job, seconds) in [("second", 100), ("third", 200)] {
        let running = world.begin(job, &about(seconds));
        let last = running.packer.last(A).unwrap().unwrap();
        assert_eq!(last.etag.as_deref(), Some("\"x\""));
        assert_eq!(last.last_modified.as_deref(), Some("Mon, 16 Nov 2026 08:00:00 GMT"));
        assert_eq!((last.mime.as_str(), last.was_there), ("text/html", true));
        drop(running);
        let answer = not_modified(A, seconds, "ETag: \"x\"\r\n");
        let placed = world.job(job, &about(seconds), &[answer]);
        assert_eq!(placed[0].outcome, Outcome::NotModified);
        assert_eq!(placed[0].original.as_ref().unwrap().date.as_second(), at(0).as_second());
        let found = world.get(A, seconds);
        assert_eq!((found.status(), found.mime.as_str()), (Some(200), "text/html"));
        assert_eq!(text(&found, Form::Decoded), "words");
        assert_eq!(found.at.as_second(), at(seconds).as_second());
    }
    world.check();
}

/// Whoever keeps a job open for long knows more than the index: what this very job has, and what was there before a failure.
#[test]
fn not_modified_can_mean_a_capture_of_the_same_job() {
    let world = World::new();
    let mut job = world.begin("job", &about(0));
    let placed = job.take_in(&page(A, 0, "words"));
    let unpacked = not_modified(A, 100, "");
    let last = archive::Last {
        at: at(0),
        status: Some(200),
        mime: "text/html".to_owned(),
        digest: placed.digest.clone(),
        etag: None,
        last_modified: None,
        was_there: true,
        original: archive::Original {
            url: A.to_owned(),
            date: at(0),
            record_id: None,
            file: Some(placed.file.clone()),
            offset: Some(placed.offset),
            length: Some(placed.length),
        },
    };
    let packed = job.packer.pack_against(&capture(&unpacked), Some(last.clone())).unwrap();
    assert_eq!(job.intake.append(packed).unwrap().outcome, Outcome::NotModified);
    let gone = answer(A, 200, "404 Not Found", "", b"no");
    let packed = job.packer.pack_against(&capture(&gone), Some(last.clone())).unwrap();
    assert_eq!(job.intake.append(packed).unwrap().outcome, Outcome::Gone);
    // Not to somebody who did not ask.
    let unasked = answer(A, 300, "304 Not Modified", "", b"");
    let packed = job.packer.pack_against(&capture(&unasked), Some(last)).unwrap();
    assert_eq!(job.intake.append(packed).unwrap().outcome, Outcome::New);
    world.commit(job).unwrap();
    let found = world.get(A, 100);
    assert_eq!((found.status(), text(&found, Form::Decoded).as_str()), (Some(200), "words"));
    world.check();
}

#[test]
fn not_modified_without_a_last_capture_is_an_answer_like_any_other() {
    let world = World::new();
    let placed = world.job("job", &about(0), &[answer(A, 0, "304 Not Modified", "", b"")]);
    assert_eq!(placed[0].outcome, Outcome::New);
    world.check();
}

#[test]
fn not_modified_to_somebody_who_did_not_ask_is_an_answer_like_any_other() {
    let world = World::new();
    world.job("one", &about(0), &[page(A, 0, "words")]);
    let placed = world.job("two", &about(100), &[answer(A, 100, "304 Not Modified", "", b"")]);
    assert_eq!(placed[0].outcome, Outcome::New);
    assert_eq!(world.get(A, 100).status(), Some(304));
    world.check();
}

#[test]
fn an_error_or_a_cut_answer_is_nothing_to_compare_with() {
    let world = World::new();
    let fields = "ETag: \"x\"\r\n";
    let mut cut = answer(B, 0, "200 OK", fields, b"half of");
    cut.outcome = fetch::Outcome::Truncated(Cut::Length);
    world.job("job", &about(0), &[answer(A, 0, "404 Not Found", fields, b"no"), cut]);
    let running = world.begin("next", &about(9));
    for url in [A, B] {
        let last = running.packer.last(url).unwrap().unwrap();
        assert_eq!((last.etag, last.last_modified), (None, None), "{url}");
    }
    assert_eq!(running.packer.last("http://example.org/never").unwrap(), None);
}

/// Two equal payloads at the same moment: whichever is appended first holds it.
#[test]
fn one_of_two_at_the_same_moment_is_stored() {
    for swapped in [false, true] {
        let world = World::new();
        let mut job = world.begin("job", &about(0));
        let mut packed = [page(A, 0, "the same"), page(B, 1, "the same")].map(|page| job.pack(&page));
        if swapped {
            packed.reverse();
        }
        let [first, second] = packed.map(|packed| job.intake.append(packed).unwrap());
        assert_eq!([first.outcome, second.outcome], [Outcome::New, Outcome::Revisit], "swapped: {swapped}");
        let original = second.original.unwrap();
        assert_eq!((original.file, original.offset), (Some(first.file), Some(first.offset)));
        // And one that comes later refers to the same.
        let later = job.take_in(&page(B, 2, "the same"));
        assert_eq!(later.original.unwrap().offset, Some(first.offset));
        job.intake.flush().unwrap();
        let last = job.take_in(&page(B, 3, "the same"));
        assert_eq!(last.original.unwrap().offset, Some(first.offset));
        world.commit(job).unwrap();
        for seconds in 0..4 {
            let url = if seconds == 0 { A } else { B };
            assert_eq!(text(&world.get(url, seconds), Form::Decoded), "the same");
        }
        world.check();
    }
}

#[test]
fn a_claim_that_is_dropped_is_released() {
    let world = World::new();
    let mut job = world.begin("job", &about(0));
    let first = job.pack(&page(A, 0, "the same"));
    let second = job.pack(&page(B, 1, "the same"));
    drop(first);
    assert_eq!(job.intake.append(second).unwrap().outcome, Outcome::New);
    drop(job.pack(&page(A, 2, "other")));
    assert_eq!(job.take_in(&page(B, 3, "other")).outcome, Outcome::New);
    world.commit(job).unwrap();
    world.check();
}

#[test]
fn many_threads_store_a_payload_once() {
    let world = World::new();
    let mut job = world.begin("job", &about(0));
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (packer, sender) = (job.packer.clone(), sender.clone());
            scope.spawn(move || {
                for number in 0..100 {
                    let url = format!("http://example.org/{thread}/{number}");
                    let exchange = page(&url, number, &format!("page {}", number % 10));
                    sender.send(packer.pack(&crate::world::capture(&exchange)).unwrap()).unwrap();
                }
            });
        }
        drop(sender);
        let mut stored = 0;
        for (number, packed) in receiver.into_iter().enumerate() {
            stored += usize::from(job.intake.append(packed).unwrap().outcome == Outcome::New);
            if number % 7 == 0 {
                job.intake.flush().unwrap();
            }
        }
        assert_eq!(stored, 10);
    });
    world.commit(job).unwrap();
    assert_eq!(world.rows().len(), 400);
    world.check();
}
