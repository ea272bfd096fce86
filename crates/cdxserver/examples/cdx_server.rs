//! A CDX server over rows that are made up, to measure how fast it answers.
//!
//! ```text
//! cargo run --release -p cdxserver --example cdx_server -- FOLDER ROWS [PORT [ROWS_AT_ONCE]]
//! wrk -t2 -c16 -d10s 'http://127.0.0.1:8480/cdx?url=http://site42.example.org/page/7'
//! ```
//! With 0 rows at once every answer is made on a thread beside those that take requests, to see what that costs. Prints the rows as
//! CDXJ to `FOLDER/rows.cdxj` too, so that other servers can be asked the same.
#![allow(clippy::print_stdout, clippy::disallowed_methods)]

use std::error::Error;
use std::fs;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::sync::Arc;

use api::{Api, Keys, Settings};
use archive::Archive;
use cdx::{Capture, Timestamp};
use cdxserver::CdxServer;
use index::Commit;
use policy::CurrentRules;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = arguments.first().map_or("cdx-server", String::as_str);
    let rows: u64 = arguments.get(1).map_or(Ok(100_000), |text| text.parse())?;
    let port: u16 = arguments.get(2).map_or(Ok(8480), |text| text.parse())?;
    let archive = filled(Path::new(folder), rows)?;
    let now = Arc::new(jiff::Timestamp::now);
    let keys = Keys::random(port)?;
    let mut settings = Settings::new(archive, CurrentRules::default(), now, testkit::ids::record_ids(), keys);
    if let Some(text) = arguments.get(3) {
        settings.limits.rows_at_once = text.parse()?;
    }
    let router = cdxserver::router(CdxServer::new(Api::new(settings)));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
        println!("{rows} rows at http://{}/cdx?url=http://site42.example.org/page/7", listener.local_addr()?);
        axum::serve(listener, router).await
    })?;
    Ok(())
}

/// An archive with so many rows: pages of sites, each captured ten times.
fn filled(folder: &Path, count: u64) -> Result<Archive, Box<dyn Error>> {
    let archive = Archive::create(folder)?;
    if archive.snapshot()?.rows() == count {
        return Ok(archive);
    }
    let mut rows: Vec<Capture<'static>> = (0..count).map(row).collect();
    rows.sort_by(|a, b| (&a.key, a.timestamp).cmp(&(&b.key, b.timestamp)));
    let mut text = BufWriter::new(fs::File::create(folder.join("rows.cdxj"))?);
    let mut line = Vec::new();
    for row in &rows {
        line.clear();
        row.write_cdxj(&mut line);
        line.push(b'\n');
        text.write_all(&line)?;
    }
    let web = archive.create_collection(archive::WEB)?;
    let commit =
        Commit { name: "made-up".to_owned(), at: "2026-11-16T08:00:00Z".parse()?, facts: Vec::new() };
    web.index().publish(&commit, rows.into_iter().map(Ok))?;
    Ok(archive)
}

fn row(number: u64) -> Capture<'static> {
    let (page, version) = (number / 10, number % 10);
    let url = format!("http://site{}.example.org/page/{}", page % 100, page / 100);
    Capture {
        key: Some(urlkey::key(&url).into()),
        timestamp: Timestamp::from_number(20_200_101_000_000 + version * 100_000_000),
        url: Some(url.into()),
        mime: Some("text/html".into()),
        status: Some(200),
        digest: Some(format!("sha1:{:032}", number.wrapping_mul(0x9e37_79b9_7f4a_7c15)).into()),
        length: Some(4000 + number % 5000),
        offset: Some(number * 4500),
        filename: Some(format!("job-{:04}/data-{:05}.warc.gz", number / 100_000, number / 10_000).into()),
        ..Capture::default()
    }
}
