//! The metadata file that each job leaves: D9.

use archive::{Content, Dedup, Note, note_uri};

use crate::world::{World, about, page};

fn records(world: &World, job: &str) -> Vec<(String, String, String)> {
    let name = format!("{job}/{job}-metadata.warc.gz");
    let source = world.archive.store().read(&name, 0).unwrap();
    let mut reader = warc::Reader::new(source, warc::Options { verify: true, ..Default::default() }).unwrap();
    let mut records = Vec::new();
    while let Some(mut record) = reader.next_record().unwrap() {
        let uri = record.head().target_uri().unwrap_or_default().into_owned();
        let media = record.head().content_type().unwrap_or_default().into_owned();
        let mut block = String::new();
        std::io::Read::read_to_string(&mut record, &mut block).unwrap();
        record.finish().unwrap();
        records.push((uri, media, block));
    }
    records
}

#[test]
fn d9_notes_index_and_the_jobs_compared_with_are_kept() {
    let world = World::new();
    world.job("before", &about(0), &[page("http://example.org/a", 0, "words")]);
    let mut job = world.begin("job", &about(60));
    job.take_in(&page("http://example.org/b", 60, "words"));
    job.take_in(&page("http://example.org/a", 61, "other words"));
    let log = world.folder.path().join("crawl.log");
    std::fs::write(&log, "a line\n").unwrap();
    let notes = vec![
        Note::new("job", "setup", "job.toml", "application/toml", Content::Bytes(b"depth = 3\n".to_vec())),
        Note::new("job", "logs", "crawl.log", "text/plain", Content::File(log)),
        Note::new("job", "logs", "none.log", "text/plain", Content::File("there/is/none".into())),
    ];
    let committed = world.commit_with(job, notes).unwrap();
    assert_eq!(committed.files.last().unwrap().name, "job/job-metadata.warc.gz");
    assert_eq!((committed.captures, committed.files.len()), (2, 2));

    let records = records(&world, "job");
    let uris: Vec<&str> = records.iter().map(|(uri, _, _)| uri.as_str()).collect();
    let uri = |section, name| note_uri("job", section, name);
    assert_eq!(
        uris,
        [
            "",
            &uri("setup", "job.toml"),
            &uri("logs", "crawl.log"),
            &uri("setup", "commit"),
            &uri("setup", "duplicatereductionjobs"),
            &uri("index", "captures.cdxj"),
        ]
    );
    assert_eq!(records[1].1, "application/toml");
    assert_eq!(records[1].2, "depth = 3\n");
    assert_eq!(records[2].2, "a line\n");
    assert_eq!(records[4].2, "before\n");
    let lines: Vec<&str> = records[5].2.lines().filter(|line| !line.starts_with('!')).collect();
    let keys: Vec<_> = lines.iter().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(keys, ["org,example)/a", "org,example)/b"]);
    // The very lines that were published.
    let published: Vec<String> = world
        .rows()
        .iter()
        .filter(|row| row.extra("commit").is_some_and(|job| job.as_str() == "job"))
        .map(|row| {
            let mut line = Vec::new();
            row.write_cdxj(&mut line);
            String::from_utf8(line).unwrap()
        })
        .collect();
    assert_eq!(lines, published);
    world.check();
}

#[test]
fn d9_a_job_that_compared_nothing_names_no_jobs() {
    let world = World::new();
    let mut about = about(0);
    about.dedup = Dedup::Off;
    world.job("job", &about, &[page("http://example.org/a", 0, "words")]);
    assert!(!records(&world, "job").iter().any(|(uri, _, _)| uri.contains("duplicatereductionjobs")));
}

#[test]
fn a_job_without_captures_still_leaves_its_notes() {
    let world = World::new();
    let job = world.begin("job", &about(0));
    let committed = world.commit(job).unwrap();
    assert_eq!((committed.captures, committed.files.len()), (0, 1));
    assert_eq!(world.archive.snapshot().unwrap().commits().len(), 1);
    world.check();
}

#[test]
fn what_the_commit_is_published_under_stands_in_the_files() {
    let world = World::new();
    let mut job = world.begin("job", &about(0));
    job.take_in(&page("http://example.org/a", 0, "words"));
    let facts = vec![("label".to_owned(), "100 %\nof it".to_owned()), ("a=b".to_owned(), "é".to_owned())];
    let commit = index::Commit { name: "job".to_owned(), at: job.about.started, facts };
    world.archive.commit(job.intake, Vec::new(), commit).unwrap();
    let mut said = String::new();
    let mut note = world.archive.note("job", "commit").unwrap().unwrap();
    std::io::Read::read_to_string(&mut note, &mut said).unwrap();
    let expect = "version: 2\r\nname: job\r\nat: 2026-11-16T08:00:00Z\r\ncollection: web\r\nfact: label=100 %25%0Aof it\r\nfact: a%3Db=é\r\n";
    assert_eq!(said, expect);
}
