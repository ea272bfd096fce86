//! Bodies under every content coding that the web uses.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};

use super::content::long_page;
use crate::server::reply;

/// The page below `/coded/` that this path names.
pub(super) fn reply_for(path: &str) -> Option<Vec<u8>> {
    let coding = path.strip_prefix("/coded/")?;
    let body = match coding {
        "gzip" => gzip(&long_page()),
        "deflate" => deflate(&long_page()),
        "br" => brotli(&long_page()),
        "zstd" => zstd::bulk::compress(&long_page(), 3).expect("memory does not fail"),
        _ => return None,
    };
    let fields = [
        ("Content-Type", "text/html; charset=utf-8"),
        ("Content-Encoding", coding),
        ("Vary", "Accept-Encoding"),
    ];
    Some(reply("200 OK", &fields, &body))
}

pub(super) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory does not fail")
}

fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory does not fail")
}

fn brotli(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    let mut encoder = brotli::CompressorWriter::new(&mut packed, 4096, 5, 20);
    encoder.write_all(bytes).expect("memory does not fail");
    drop(encoder);
    packed
}
