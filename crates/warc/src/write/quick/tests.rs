//! What was packed reads back as it was, by two readers that are not ours, and is never much longer than it was.

use std::io::Read;

use super::{Quick, Stream, bound, stored};
use crate::member::{Deflater, Inflated, Inflater};

const WORDS: &str =
    "<li class=\"entry\"><a href=\"/layers/2026/sediment.html\">A layer of sediment, year by year</a></li>\n";

/// Packs with one that has packed other things before, and with a new one.
#[track_caller]
fn check(quick: &mut Quick, input: &[u8]) -> usize {
    let packed = pack(quick, input);
    assert!(packed == pack(&mut Quick::new(), input), "{} bytes: what was before shows", input.len());
    check_member(&packed, input, 24);
    packed.len()
}

/// Two readers get it back, and it is hardly longer.
#[track_caller]
fn check_member(packed: &[u8], input: &[u8], more: usize) {
    assert!(
        packed.len() <= input.len() + more + input.len() / 2000,
        "{} bytes became {}",
        input.len(),
        packed.len()
    );
    let mut back = Vec::new();
    let mut reader = flate2::bufread::GzDecoder::new(packed);
    reader.read_to_end(&mut back).unwrap();
    assert!(back == input, "{} bytes: zlib-rs reads others", input.len());
    assert_eq!(reader.into_inner().len(), 0, "bytes behind the member");
    let mut back = vec![0; input.len() + 1];
    let outcome = Inflater::new().unwrap().gzip(packed, &mut back);
    assert_eq!(outcome, Inflated::Whole(packed.len(), input.len()));
    back.truncate(input.len());
    assert!(back == input, "{} bytes: libdeflate reads others", input.len());
}

fn pack(quick: &mut Quick, input: &[u8]) -> Vec<u8> {
    let mut out = vec![0xaa; bound(input.len())];
    let length = quick.gzip(input, &mut out).expect("the bound suffices");
    out.truncate(length);
    out
}

/// Bytes without any order, and always the same.
fn noise(length: usize, seed: u64) -> Vec<u8> {
    let mut state = seed;
    let step = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    (0..length).map(step).collect()
}

fn text(length: usize) -> Vec<u8> {
    let lines = (0..).flat_map(|number| format!("{number} {}", WORDS).into_bytes());
    lines.take(length).collect()
}

#[test]
fn every_short_length_reads_back() {
    let mut quick = Quick::new();
    for length in 0..600 {
        check(&mut quick, &text(length));
        check(&mut quick, &noise(length, 7));
        check(&mut quick, &vec![b'a'; length]);
    }
}

#[test]
fn what_repeats_becomes_small() {
    let mut quick = Quick::new();
    for (input, most) in [
        (text(100_000), 10_000),
        (vec![0; 1 << 20], 6_000),
        (b"ab".repeat(200_000), 3_000),
        (noise(1000, 1).repeat(300), 8_000),
        // From so far up, and of so many places, most are forgotten when they come again.
        (noise(31_000, 2).repeat(20), 100_000),
    ] {
        let length = check(&mut quick, &input);
        assert!(length <= most, "{} bytes became {length}", input.len());
    }
}

#[test]
fn bytes_of_every_value_read_back() {
    let mut quick = Quick::new();
    let all: Vec<u8> = (0..=255).collect();
    for input in
        [all.clone(), all.repeat(2), all.repeat(300), all.iter().flat_map(|byte| [*byte; 300]).collect()]
    {
        check(&mut quick, &input);
    }
}

#[test]
fn noise_is_stored() {
    let mut quick = Quick::new();
    for length in [1, 100, 4095, 12_287, 12_288, 65_535, 65_536, 65_537, 300_000, 1_100_000] {
        check(&mut quick, &noise(length, 3));
    }
}

/// Copies come from at most 32,768 bytes further up, and places are told by 16 bits.
#[test]
fn periods_near_the_bounds_read_back() {
    let mut quick = Quick::new();
    for bound in [256, 32_768, 65_536] {
        for period in bound - 20..bound + 20 {
            check(&mut quick, &noise(period, 4).repeat(3));
        }
    }
}

#[test]
fn lengths_near_the_window_read_back() {
    let mut quick = Quick::new();
    for bound in [2048, 32_768, 65_536, 98_304, 131_072] {
        for length in bound - 24..bound + 24 {
            check(&mut quick, &text(length));
        }
    }
}

#[test]
fn mixtures_read_back() {
    let mut quick = Quick::new();
    for seed in 0..12 {
        let sizes = noise(40, seed);
        let parts = sizes.iter().enumerate().map(|(number, size)| {
            let length = usize::from(*size) * 60;
            match number % 4 {
                0 => text(length),
                1 => noise(length, seed),
                2 => vec![*size; length],
                _ => noise(17, seed).repeat(length / 17),
            }
        });
        check(&mut quick, &parts.collect::<Vec<_>>().concat());
    }
}

/// Counts as the numbers of Fibonacci make the deepest tree there is: its codes must be cut to fifteen bits.
#[test]
fn the_deepest_codes_read_back() {
    let mut quick = Quick::new();
    let (mut count, mut next) = (1, 1);
    let mut input = Vec::new();
    for byte in 0..20 {
        input.extend(vec![byte; count]);
        (count, next) = (next, count + next);
    }
    // Shuffled, so that few bytes are copies.
    let order = noise(4 * input.len(), 5);
    let (order, _) = order.as_chunks::<4>();
    let mut shuffled: Vec<_> = order.iter().zip(&input).collect();
    shuffled.sort_unstable();
    check(&mut quick, &shuffled.into_iter().map(|(_, byte)| *byte).collect::<Vec<_>>());
}

#[test]
fn too_little_room_is_said() {
    let mut quick = Quick::new();
    for input in [text(5000), noise(5000, 6)] {
        let needed = pack(&mut quick, &input).len();
        for room in [0, 9, 10, 17, needed - 1] {
            assert_eq!(quick.gzip(&input, &mut vec![0; room]), None, "{room} bytes of {needed}");
        }
        assert_eq!(quick.gzip(&input, &mut vec![0; needed]), Some(needed));
    }
}

/// Made in one go or piece by piece: what is short is the same, what is long reads back the same.
#[test]
fn members_made_piece_by_piece_read_back() {
    let mut stream = Stream::new();
    let piece = 512 << 10;
    for length in [0, 1, 700, 65_536, piece - 1, piece, piece + 1, 3 * piece, 3 * piece + 77] {
        for input in [text(length), noise(length, 8)] {
            let packed = by_pieces(&mut stream, &input);
            check_member(&packed, &input, 24);
            if length <= piece {
                assert!(packed == pack(&mut Quick::new(), &input), "{length} bytes: pieces show");
            }
        }
    }
}

/// A member that broke off leaves nothing for the next.
#[test]
fn a_member_that_was_not_ended_is_forgotten() {
    let mut stream = Stream::new();
    let expect = by_pieces(&mut stream, b"varve");
    stream.begin();
    stream.push(&text(1 << 20), &mut Vec::new()).unwrap();
    assert_eq!(by_pieces(&mut stream, b"varve"), expect);
}

fn by_pieces(stream: &mut Stream, input: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    stream.begin();
    let mut written = 0;
    for part in input.chunks(10_000) {
        written += stream.push(part, &mut packed).unwrap();
    }
    written += stream.end(&mut packed).unwrap();
    assert_eq!(written, packed.len() as u64);
    packed
}

/// Short records have codes that were made for such, and what is quite different does without them.
#[test]
fn short_inputs_are_hardly_longer_than_by_others() {
    let mut quick = Quick::new();
    let letters = "слой ила за год, год за годом, и так тысячу лет подряд: лента времени на дне озера. ";
    let [request, ..] = super::sample::RECORDS;
    for input in [
        request.replace(
            "e86eb0f5f57aa481224b18359fe982b4388d3a9adeee",
            "5cf3762b8864e2b0d6deab9a8a338da1894720e8cb7",
        ),
        format!("{request}{letters}"),
        letters.repeat(2),
        "{\"id\":17,\"name\":\"layer\",\"depth\":[1,2,3]},".repeat(20),
    ] {
        let length = check(&mut quick, input.as_bytes());
        let mut theirs = vec![0; 4096];
        let theirs = Deflater::new(1).unwrap().gzip(input.as_bytes(), &mut theirs).unwrap();
        assert!(20 * length <= 21 * theirs, "{} bytes became {length}, {theirs} by libdeflate", input.len());
    }
}

#[test]
fn what_is_stored_in_parts_reads_back() {
    for (head, block) in [(0, 0), (1, 0), (300, 65_535), (65_535, 65_536), (700, 200_000)] {
        let (head, block) = (text(head), noise(block, 9));
        let mut packed = b"before".to_vec();
        let length = stored(&[&head, &block, b"\r\n\r\n"], &mut packed);
        let member = &packed[6..];
        assert_eq!(member.len() as u64, length);
        let expect = [head.as_slice(), &block, b"\r\n\r\n"].concat();
        // Each of the three parts begins a block of its own, and there is an empty one behind them.
        check_member(member, &expect, 24 + 15);
    }
}

/// Requests of two crawlers begin with the same codes; what is long or no such text does not.
#[test]
fn codes_of_the_sample_are_taken_where_they_fit() {
    let mut quick = Quick::new();
    let mut codes = |input: &str| pack(&mut quick, input.as_bytes())[10..60].to_vec();
    let [request, ..] = super::sample::RECORDS;
    let another = "WARC/1.1\r\nWARC-Type: request\r\n\
        WARC-Record-ID: <urn:uuid:0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0>\r\nWARC-Date: 2031-02-03T04:05:06.789Z\r\n\
        WARC-Target-URI: http://bibliothek.uni.example/katalog/suche.php?q=seen&seite=12\r\n\
        WARC-IP-Address: 2001:db8::17\r\nContent-Type: application/http; msgtype=request\r\n\
        WARC-Block-Digest: sha256:9a3bc81586054271589ccaab3cfe3d8e598133be12734e6b3337e90b469da021\r\n\
        Content-Length: 177\r\n\r\nGET /katalog/suche.php?q=seen&seite=12 HTTP/1.1\r\nHost: bibliothek.uni.example\r\n\
        User-Agent: Mozilla/5.0 (compatible; somebot/2.1)\r\nAccept: */*\r\nAccept-Encoding: gzip\r\n\
        Connection: close\r\n\r\n\r\n\r\n";
    let first = codes(request);
    assert_eq!(codes(another), first);
    let long: String = (0..40).map(|number| format!("{number} {request:.60}")).collect();
    assert!(long.len() > 2048);
    assert_ne!(codes(&long), first);
    assert_ne!(codes(&format!("{request}\u{fc}")), first);
}
