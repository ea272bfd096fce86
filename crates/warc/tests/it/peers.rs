//! Other people's programs accept every file that we write.

use std::path::Path;
use std::process::Command;

use testkit::corpus::{Corpus, Kind};
use warc::{
    Algorithm, Digest, Draft, Encoding, HttpHead, Profile, RecordType, Version, Writer, warcinfo_block,
};

/// A crawl of 150 captures, with every kind of record we write.
fn write(path: &Path, encoding: &Encoding, version: Version) {
    let mut writer = Writer::new(std::fs::File::create(path).unwrap(), encoding).unwrap();
    let mut number = 0;
    let mut draft = |kind: &RecordType, date: &str| {
        number += 1;
        let id = format!("urn:uuid:00000000-0000-4000-8000-{number:012}");
        Draft::new(version, kind, &id, date.parse().unwrap())
    };
    let info = draft(&RecordType::Warcinfo, "2026-03-02T06:00:00Z").content_type("application/warc-fields");
    writer.write(&info, &warcinfo_block(&[("software", "varve"), ("format", "WARC")])).unwrap();
    let corpus = Corpus::new(7);
    for capture in corpus.captures().take(150) {
        let block = Digest::of(Algorithm::Sha1, &capture.response);
        let base = |draft: Draft| draft.target_uri(&capture.url).block_digest(&block);
        match capture.kind {
            Kind::Dns => {
                let dns = base(draft(&RecordType::Resource, &capture.date)).content_type("text/dns");
                writer.write(&dns, &capture.response).unwrap();
                continue;
            }
            Kind::Revisit { of } => {
                let original = corpus.capture(of);
                let revisit = base(draft(&RecordType::Revisit, &capture.date))
                    .content_type("application/http; msgtype=response")
                    .payload_digest(&payload(&original.response))
                    .revisit_of(
                        &Profile::IdenticalPayloadDigest,
                        &original.url,
                        original.date.parse().unwrap(),
                        None,
                    );
                writer.write(&revisit, &capture.response).unwrap();
            }
            _ => {
                let response = base(draft(&RecordType::Response, &capture.date))
                    .content_type("application/http; msgtype=response")
                    .ip_address(capture.ip.parse().unwrap())
                    .payload_digest(&payload(&capture.response));
                writer.write(&response, &capture.response).unwrap();
            }
        }
        let request = draft(&RecordType::Request, &capture.date)
            .target_uri(&capture.url)
            .content_type("application/http; msgtype=request");
        writer.write(&request, &capture.request).unwrap();
        let outlinks = draft(&RecordType::Metadata, &capture.date)
            .target_uri(&capture.url)
            .content_type("application/warc-fields");
        writer.write(&outlinks, b"outlink: http://example.org/ L a/@href\r\n").unwrap();
    }
    let gone = draft(&RecordType::Revisit, "2026-03-03T06:00:00Z")
        .target_uri("http://example.org/")
        .content_type("application/http; msgtype=response")
        .revisit_of(
            &Profile::ServerNotModified,
            "http://example.org/",
            "2026-03-02T06:00:00Z".parse().unwrap(),
            None,
        );
    writer.write(&gone, b"HTTP/1.1 304 Not Modified\r\n\r\n").unwrap();
    writer.sync().unwrap();
}

fn payload(response: &[u8]) -> Digest {
    let (_, length) = HttpHead::parse(response).unwrap();
    Digest::of(Algorithm::Sha1, &response[length..])
}

#[track_caller]
fn accepted(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {said}{complaint}");
    said
}

const FASTWARC: &str = "\
import sys
from fastwarc.warc import ArchiveIterator
count = 0
for record in ArchiveIterator(sys.argv[1], parse_http=False):
    count += 1
    if 'WARC-Block-Digest' in record.headers:
        assert record.verify_block_digest(), record.record_id
    if record.headers['WARC-Type'] == 'response':
        record.parse_http()
        assert record.verify_payload_digest(), record.record_id
print(count)
";

#[test]
fn warcio_fastwarc_and_pywb_accept_what_we_write() {
    let Some(python) = testkit::peers::python() else { return };
    let folder = std::env::temp_dir().join(format!("varve-peers-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for version in [Version::Warc1_0, Version::Warc1_1] {
        let encodings = [
            ("a.warc", Encoding::Plain),
            ("a.warc.gz", Encoding::Gzip(6)),
            ("a.warc.zst", Encoding::Zstd(3, Vec::new())),
        ];
        let mut counts = Vec::new();
        for (name, encoding) in encodings {
            let path = folder.join(name);
            write(&path, &encoding, version);
            counts.push(accepted(Command::new(&python).args(["-c", FASTWARC]).arg(&path)));
            // warcio and pywb do not read zstd.
            if encoding != Encoding::Zstd(3, Vec::new()) {
                accepted(Command::new(testkit::peers::program("warcio").unwrap()).arg("check").arg(&path));
                let lines =
                    accepted(Command::new(testkit::peers::program("cdx-indexer").unwrap()).arg(&path));
                assert!(lines.lines().count() > 150, "{lines}");
            }
        }
        assert!(counts.iter().all(|count| *count == counts[0]), "{counts:?}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}
