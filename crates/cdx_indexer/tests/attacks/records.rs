//! Any bytes as an archive file to index: every capture that comes out lies in the file and stands on a line.

use cdx::{Capture, Limits};
use cdx_indexer::{Indexer, Options, Records, Style};

pub(crate) fn attack(bytes: &[u8]) {
    for style in [Style::CdxjIndexer, Style::Pywb] {
        index(bytes, Options { style, post_append: true, ..Options::default() });
        index(bytes, Options { style, records: Records::All, verify_http: true, ..Options::default() });
    }
}

fn index(bytes: &[u8], options: Options) {
    let limits = warc::Limits { member_bytes: 1 << 20, head_bytes: 16 << 10, ..warc::Limits::default() };
    let Ok(mut reader) = warc::Reader::new(bytes, warc::Options { lenient: true, verify: false, limits })
    else {
        return;
    };
    let mut indexer = Indexer::new("file.warc", options).unwrap();
    let mut sink = |capture: Capture<'static>| {
        let end = capture.offset.unwrap_or(0) + capture.length.unwrap_or(0);
        assert!(end <= bytes.len() as u64, "a capture ends behind its file");
        let mut line = Vec::new();
        capture.write_cdxj(&mut line);
        let read = Capture::parse_cdxj(&line, &Limits::default()).unwrap();
        assert_eq!((&read.url, read.offset, read.length), (&capture.url, capture.offset, capture.length));
    };
    while let Ok(Some(record)) = reader.next_record() {
        // A refused record is one that the caller passes over.
        let _ = indexer.push(record, &mut sink);
    }
    indexer.finish(&mut sink);
}
