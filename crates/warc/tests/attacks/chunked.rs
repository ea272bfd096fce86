//! Any bytes as a chunked body, and as a body that is cut into chunks.

use std::io::{BufRead, BufReader, Read};

use warc::Dechunk;

pub(crate) fn attack(bytes: &[u8]) {
    let body = decode(bytes);
    assert!(body.len() <= bytes.len(), "a body longer than its framing");
    for capacity in [1, 2, 7] {
        let pieces = decode(BufReader::with_capacity(capacity, bytes));
        assert!(pieces == body, "in pieces of {capacity} the body is another one");
    }
    for length in [1, 3, 4096] {
        assert!(
            decode(encode(bytes, length).as_slice()) == bytes,
            "chunks of {length} do not give the body back"
        );
    }
}

fn decode(source: impl BufRead) -> Vec<u8> {
    let mut body = Vec::new();
    Dechunk::new(source).read_to_end(&mut body).unwrap();
    body
}

fn encode(bytes: &[u8], length: usize) -> Vec<u8> {
    let mut chunked = Vec::new();
    for chunk in bytes.chunks(length) {
        chunked.extend_from_slice(format!("{:x};a=b\r\n", chunk.len()).as_bytes());
        chunked.extend_from_slice(chunk);
        chunked.extend_from_slice(b"\r\n");
    }
    chunked.extend_from_slice(b"0\r\nTrailer: x\r\n\r\n");
    chunked
}
