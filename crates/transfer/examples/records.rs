//! How fast single records come out: `records [FILES] [RECORDS]`. Made-up pages in so many WARC files, read in no order, each verified;
//! the last word printed is records a second, on one thread.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::print_stdout, clippy::disallowed_methods)]

use std::fs::File;
use std::io::{BufWriter, Read as _, Write as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use archive::{About, Archive, Form};
use flate2::Compression;
use flate2::write::GzEncoder;
use testkit::corpus::Dice;
use transfer::import::{Settings, import_files};

/// How long is read.
const TIME: Duration = Duration::from_secs(5);

fn main() {
    let mut numbers = std::env::args().skip(1).map(|word| word.parse::<u64>().unwrap());
    let (files, records) = (numbers.next().unwrap_or(1000), numbers.next().unwrap_or(50));
    let folder = tempfile::tempdir().unwrap();
    let paths: Vec<PathBuf> = (0..files)
        .map(|number| write(&folder.path().join(format!("{number}.warc.gz")), number, records))
        .collect();
    let archive = Archive::create(&folder.path().join("archive")).unwrap();
    let next = AtomicU64::new(0);
    let id =
        move || format!("urn:uuid:00000000-0000-4000-9000-{:012x}", next.fetch_add(1, Ordering::Relaxed));
    let about = About::new("2026-11-18T08:00:00Z".parse().unwrap(), Arc::new(id));
    let report = import_files(&archive, "import", &paths, &Settings::default(), &about, &|_| ()).unwrap();
    assert!(report.is_sound());

    let snapshot = archive.snapshot().unwrap();
    let mut dice = Dice::new(&[7]);
    let urls: Vec<String> =
        (0..files * records).map(|_| url(dice.below(files), dice.below(records))).collect();
    let rows: Vec<_> = urls.iter().map(|url| snapshot.latest(url).unwrap().unwrap().into_owned()).collect();
    let (started, mut count, mut bytes) = (Instant::now(), 0_u64, 0_u64);
    let mut body = Vec::new();
    for row in rows.iter().cycle() {
        if count.is_multiple_of(100) && started.elapsed() > TIME {
            break;
        }
        let found = archive.found(row, &snapshot).unwrap().unwrap();
        body.clear();
        found.payload(Form::Sent).unwrap().read_to_end(&mut body).unwrap();
        bytes += body.len() as u64;
        count += 1;
    }
    let seconds = started.elapsed().as_secs_f64();
    println!("{count} records, {bytes} bytes, in {seconds:.1} s: {:.0}", count as f64 / seconds);
}

fn url(file: u64, record: u64) -> String {
    format!("http://site-{file}.example/page/{record}")
}

/// A file of pages of some 10 kB, a gzip member each, with their digests.
fn write(path: &std::path::Path, number: u64, records: u64) -> PathBuf {
    let mut out = BufWriter::new(File::create(path).unwrap());
    for record in 0..records {
        let mut dice = Dice::new(&[number, record]);
        let words: Vec<String> = (0..1500).map(|_| format!("w{:x}", dice.below(4000))).collect();
        let body = format!("<title>{number}</title><p>{}", words.join(" "));
        let block = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        let digest = |bytes: &[u8]| warc::Digest::of(warc::Algorithm::Sha1, bytes).base32();
        let head = format!(
            "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{:012x}>\r\n\
             WARC-Date: 2026-11-16T08:00:00Z\r\nWARC-Target-URI: {}\r\nWARC-Block-Digest: sha1:{}\r\n\
             WARC-Payload-Digest: sha1:{}\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n",
            number * records + record,
            url(number, record),
            digest(block.as_bytes()),
            digest(body.as_bytes()),
            block.len()
        );
        let mut member = GzEncoder::new(Vec::new(), Compression::fast());
        member.write_all(head.as_bytes()).unwrap();
        member.write_all(block.as_bytes()).unwrap();
        member.write_all(b"\r\n\r\n").unwrap();
        out.write_all(&member.finish().unwrap()).unwrap();
    }
    out.flush().unwrap();
    path.to_owned()
}
