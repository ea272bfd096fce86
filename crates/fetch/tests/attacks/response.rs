//! Any bytes as what a server sends: in whatever pieces they come, the same response is read, within its limits.

use std::io::Read as _;

use fetch::http1::{Asked, Oddity, Reader, Step, Version};
use fetch::{Failure, Limits, Outcome};
use warc::{Dechunk, HttpHead};

/// What was read from the bytes.
#[derive(Debug, PartialEq)]
struct Read {
    outcome: Outcome,
    /// What is kept of them.
    kept: Vec<u8>,
    /// How many were looked at.
    used: usize,
    content: Vec<u8>,
    head_bytes: u64,
    status: Option<u16>,
    version: Option<Version>,
    interims: Vec<Vec<u8>>,
    oddities: Vec<Oddity>,
    keeps_alive: bool,
}

pub(crate) fn attack(bytes: &[u8]) {
    for (asked, limits) in
        [(Asked::Other, Limits::default()), (Asked::Head, Limits::default()), (Asked::Other, tight())]
    {
        let whole = read(bytes, asked, &limits, bytes.len().max(1));
        hold(&whole, bytes, &limits);
        for piece in [1, 2, 3, 7, 64] {
            let pieces = read(bytes, asked, &limits, piece);
            // Of what is no HTTP as much is kept as came at once.
            if whole.outcome == Outcome::Failed(Failure::NotHttp) {
                assert_eq!(pieces.outcome, whole.outcome);
                continue;
            }
            assert_eq!(pieces, whole, "in pieces of {piece}");
        }
    }
}

fn tight() -> Limits {
    Limits { head_bytes: 64, head_lines: 4, interims: 1, body_bytes: 32, ..Limits::default() }
}

fn read(bytes: &[u8], asked: Asked, limits: &Limits, piece: usize) -> Read {
    let mut reader = Reader::new(asked, limits);
    let (mut content, mut kept, mut used) = (Vec::new(), Vec::new(), 0);
    let mut sink = |part: &[u8]| content.extend_from_slice(part);
    'all: for piece in bytes.chunks(piece) {
        let mut rest = piece;
        loop {
            let fed = reader.feed(rest, &mut sink);
            let (taken, behind) = rest.split_at(fed.taken);
            kept.extend_from_slice(taken);
            used += taken.len();
            rest = behind;
            match fed.step {
                Step::More => {
                    assert!(rest.is_empty(), "more is wanted, and not all was taken");
                    break;
                }
                Step::Drop => kept.clear(),
                Step::Head => assert!(reader.head().is_some()),
                Step::Done => break 'all,
            }
        }
    }
    // A head without a body is done without another byte.
    if reader.feed(&[], &mut sink).step != Step::Done {
        reader.close(&mut sink);
    }
    let outcome = reader.outcome().unwrap().clone();
    let keeps_alive = reader.keeps_alive();
    let message = reader.into_message();
    Read {
        outcome,
        kept,
        used,
        content,
        head_bytes: message.head_bytes,
        status: message.head.as_ref().and_then(HttpHead::status),
        version: message.version,
        interims: message.interims.iter().map(|interim| interim.to_vec()).collect(),
        oddities: message.oddities,
        keeps_alive,
    }
}

fn hold(read: &Read, bytes: &[u8], limits: &Limits) {
    assert!(read.used <= bytes.len());
    assert!(bytes[..read.used].ends_with(&read.kept), "what is kept is not what came");
    assert!(read.head_bytes <= limits.head_bytes as u64);
    assert!(read.interims.len() <= limits.interims + 1);
    let body = &read.kept[usize::try_from(read.head_bytes).unwrap()..];
    if read.head_bytes > 0 {
        // Up to 17 bytes are needed to see that there is no head.
        assert!(body.len() as u64 <= limits.body_bytes, "a body of {} bytes", body.len());
    } else if read.version == Some(Version::Http09) {
        assert!(body.len() as u64 <= limits.body_bytes.max(17), "a document of {} bytes", body.len());
    } else {
        assert!(body.len() <= limits.head_bytes.max(bytes.len()));
    }
    if read.head_bytes == 0 {
        return;
    }
    // Whoever reads the record finds the same head, and the same content behind it.
    let (head, length) = HttpHead::parse(&read.kept).unwrap();
    assert_eq!((length as u64, head.status()), (read.head_bytes, read.status));
    if head.is_chunked() && !body.is_empty() {
        let mut content = Vec::new();
        Dechunk::new(body).read_to_end(&mut content).unwrap();
        assert!(content == read.content, "content differs from what the archive's readers see");
    } else {
        assert!(read.content == body);
    }
    assert!(!read.keeps_alive || read.outcome.is_complete());
}
