//! Writes the made-up crawl of `testkit::corpus` as a WARC file of about so many bytes: `corpus FILE BYTES gzip|zstd|plain`.
//! With `one-record` as a fourth word: a file with a single record whose block has exactly so many bytes.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};

use testkit::corpus::{Corpus, Kind};
use warc::{
    Algorithm, Compression, Digest, Draft, Encoding, Hasher, HttpHead, Profile, RecordType, Version, Writer,
    warcinfo_block,
};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, bytes, compression, shape @ ..] = arguments.as_slice() else {
        std::process::exit(2);
    };
    let compression = match compression.as_str() {
        "plain" => Compression::None,
        "zstd" => Compression::Zstd,
        _ => Compression::Gzip,
    };
    let sink = BufWriter::with_capacity(1 << 20, File::create(path).unwrap());
    let mut writer = Writer::new(sink, &Encoding::usual(compression)).unwrap();
    let bytes: u64 = bytes.parse().unwrap();
    if !shape.is_empty() {
        return write_one_record(&mut writer, bytes);
    }
    let mut number = 0u64;
    let mut draft = |kind: &RecordType, date: &str| {
        number += 1;
        let id = format!("urn:uuid:00000000-0000-4000-8000-{number:012x}");
        let date = urlkey::time::parse_warc_date(date).unwrap().timestamp;
        Draft::new(Version::Warc1_1, kind, &id, date)
    };
    let info = draft(&RecordType::Warcinfo, "2026-03-02T06:00:00Z").content_type("application/warc-fields");
    writer
        .write(&info, &warcinfo_block(&[("software", "varve corpus"), ("format", "WARC File Format 1.1")]))
        .unwrap();
    let corpus = Corpus::new(1);
    for capture in corpus.captures() {
        if writer.position() >= bytes {
            break;
        }
        let address = capture.ip.parse().unwrap();
        let block = Digest::of(Algorithm::Sha1, &capture.response);
        if capture.kind == Kind::Dns {
            let dns =
                draft(&RecordType::Resource, &capture.date).target_uri(&capture.url).content_type("text/dns");
            writer.write(&dns.block_digest(&block).payload_digest(&block), &capture.response).unwrap();
            continue;
        }
        let (kind, original) = match capture.kind {
            Kind::Revisit { of } => (RecordType::Revisit, Some(corpus.capture(of))),
            _ => (RecordType::Response, None),
        };
        let digest = payload_digest(&original.as_ref().unwrap_or(&capture).response);
        let mut response = draft(&kind, &capture.date)
            .target_uri(&capture.url)
            .content_type("application/http; msgtype=response")
            .ip_address(address)
            .block_digest(&block)
            .payload_digest(&digest);
        if let Some(original) = original {
            let date = urlkey::time::parse_warc_date(&original.date).unwrap().timestamp;
            response = response.revisit_of(&Profile::IdenticalPayloadDigest, &original.url, date, None);
        }
        writer.write(&response, &capture.response).unwrap();
        let request = draft(&RecordType::Request, &capture.date)
            .target_uri(&capture.url)
            .content_type("application/http; msgtype=request")
            .ip_address(address)
            .block_digest(&Digest::of(Algorithm::Sha1, &capture.request));
        writer.write(&request, &capture.request).unwrap();
    }
    writer.flush().unwrap();
}

/// A record far larger than memory; its digest is computed in a first pass over the same made-up bytes.
fn write_one_record(writer: &mut Writer<impl Write>, length: u64) {
    let mut hasher = Hasher::new(Algorithm::Sha1);
    let piece = [b'v'; 1 << 16];
    let mut left = length;
    while left > 0 {
        let count = left.min(piece.len() as u64);
        hasher.update(piece.get(..usize::try_from(count).unwrap()).unwrap());
        left -= count;
    }
    let date = "2026-03-02T06:00:00Z".parse().unwrap();
    let draft = Draft::new(Version::Warc1_1, &RecordType::Resource, "urn:varve:one", date)
        .target_uri("urn:varve:large")
        .content_type("application/octet-stream")
        .block_digest(&hasher.finish());
    writer.write_from(&draft, length, io::repeat(b'v').take(length)).unwrap();
    writer.flush().unwrap();
}

/// Of the body as stored, chunk framing included: the reading of "payload" that all peers share.
fn payload_digest(response: &[u8]) -> Digest {
    let (_, length) = HttpHead::parse(response).unwrap();
    Digest::of(Algorithm::Sha1, response.get(length..).unwrap_or_default())
}
