//! A job becomes visible in one step, and stays for good: A5, A10, A11.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use archive::{About, Error, Form, Mark, Outcome};

use crate::world::{World, about, at, page, text};

const A: &str = "http://example.org/a";

#[test]
fn a11_nothing_of_a_job_is_seen_before_its_commit() {
    let world = World::new();
    world.job("one", &about(0), &[page(A, 0, "one")]);
    // Another process that reads.
    let reader = archive::Archive::open(world.folder.path()).unwrap();
    let before = reader.snapshot().unwrap();
    let mut job = world.begin("two", &about(100));
    for number in 0..50 {
        job.take_in(&page(&format!("http://example.org/{number}"), 100, &format!("page {number}")));
    }
    job.take_in(&page(A, 100, "two"));
    job.intake.flush().unwrap();
    job.intake.sync().unwrap();
    assert_eq!(text(&reader.get(A, None).unwrap().unwrap(), Form::Decoded), "one");
    assert_eq!(reader.store().files().unwrap().count(), 2);

    world.commit(job).unwrap();
    assert_eq!(text(&reader.get(A, None).unwrap().unwrap(), Form::Decoded), "two");
    assert_eq!(reader.snapshot().unwrap().commits().len(), 2);
    // Who looked before still sees what was there then.
    assert_eq!((before.commits().len(), before.rows()), (1, 1));
    world.check();
}

#[test]
fn a11_readers_see_whole_commits_while_others_come_in() {
    let world = World::new();
    let pages = 20;
    let stop = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..2)
            .map(|_| {
                let archive = archive::Archive::open(world.folder.path()).unwrap();
                let stop = &stop;
                scope.spawn(move || {
                    let mut seen = 0;
                    while !stop.load(std::sync::atomic::Ordering::SeqCst) {
                        let snapshot = archive.snapshot().unwrap();
                        assert_eq!(snapshot.rows(), snapshot.commits().len() as u64 * pages);
                        if let Some(found) = archive.get("http://example.org/7", None).unwrap() {
                            assert!(text(&found, Form::Decoded).starts_with("page 7 of "));
                            seen += 1;
                        }
                    }
                    seen
                })
            })
            .collect();
        for number in 0..8 {
            let job = format!("job-{number}");
            let exchange =
                |of| page(&format!("http://example.org/{of}"), number, &format!("page {of} of {job}"));
            let exchanges: Vec<_> = (0..pages).map(exchange).collect();
            world.job(&job, &about(number), &exchanges);
        }
        stop.store(true, std::sync::atomic::Ordering::SeqCst);
        for reader in readers {
            reader.join().unwrap();
        }
    });
    world.check();
}

#[test]
fn a11_nothing_is_seen_of_a_job_whose_files_cannot_be_sealed() {
    for at_once_bytes in [0, u64::MAX] {
        let mut about = about(0);
        about.limits.at_once_bytes = at_once_bytes;
        check_not_seen(&about);
    }
}

fn check_not_seen(about: &About) {
    let world = World::new();
    let mut job = world.begin("job", about);
    let placed = job.take_in(&page(A, 0, "words"));
    let mark = job.intake.flush().unwrap();
    // Somebody has put another file where this one belongs.
    let taken = world.folder.path().join("store").join(&placed.file);
    std::fs::create_dir_all(taken.parent().unwrap()).unwrap();
    std::fs::write(&taken, "another").unwrap();
    let error = world.commit(job).unwrap_err();
    assert!(matches!(&error, Error::Store(store::Error::Taken(name)) if *name == placed.file), "{error:?}");
    assert!(world.rows().is_empty());
    assert!(world.archive.get(A, None).unwrap().is_none());
    // Nor does it take any room in the index.
    let entries = std::fs::read_dir(world.folder.path().join("index")).into_iter().flatten().flatten();
    let names: Vec<_> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
    assert!(!names.iter().any(|name| name.contains("segment")), "{names:?}");

    std::fs::remove_file(&taken).unwrap();
    world.commit(world.resume("job", about, &mark)).unwrap();
    assert_eq!(text(&world.get(A, 0), Form::Decoded), "words");
    world.check();
}

#[test]
fn a5_a_discarded_job_leaves_nothing() {
    let world = World::new();
    let mut job = world.begin("job", &about(0));
    job.take_in(&page(A, 0, "words"));
    job.intake.flush().unwrap();
    drop(job);
    world.archive.discard("job").unwrap();
    assert!(!world.folder.path().join("work/job").exists());
    assert_eq!(world.archive.store().files().unwrap().count(), 0);
    assert!(world.rows().is_empty());
    // And its name is free again.
    world.job("job", &about(0), &[page(A, 0, "words")]);
    world.archive.discard("never-begun").unwrap();
}

#[test]
fn a5_a_committed_job_leaves_no_work() {
    let world = World::new();
    world.job("job", &about(0), &[page(A, 0, "words")]);
    let left: Vec<_> = std::fs::read_dir(world.folder.path().join("work/job")).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a10_what_is_committed_is_never_changed() {
    let world = World::new();
    let placed = world.job("job", &about(0), &[page(A, 0, "words")]);
    let path = world.folder.path().join("store").join(&placed[0].file);
    assert!(std::fs::metadata(&path).unwrap().permissions().readonly());
    let before = std::fs::read(&path).unwrap();
    assert!(matches!(world.archive.begin("job", &about(9)), Err(Error::JobExists(_))));
    let mark = Mark::from_bytes(vec![1; 21]);
    assert!(matches!(world.archive.resume("job", &about(9), &mark), Err(Error::IsCommitted(_))));
    assert!(matches!(world.archive.discard("job"), Err(Error::IsCommitted(_))));
    world.job("next", &about(100), &[page(A, 100, "other")]);
    assert_eq!(std::fs::read(&path).unwrap(), before);
    assert_eq!(text(&world.get(A, 0), Form::Decoded), "words");
    world.check();
}

#[test]
fn a_name_that_leads_elsewhere_is_refused() {
    let world = World::new();
    for name in ["", "../x", "a/b", ".hidden", "a b"] {
        assert!(world.archive.begin(name, &about(0)).is_err(), "{name}");
        assert!(world.archive.discard(name).is_err(), "{name}");
    }
}

#[test]
fn files_are_begun_when_one_is_full_each_with_its_warcinfo() {
    let world = World::new();
    let mut about = about(0);
    about.file_bytes_max = 10_000;
    about.warcinfo =
        vec![("operator".to_owned(), "Jane Doe".to_owned()), ("isPartOf".to_owned(), "series".to_owned())];
    // Noise, so that it cannot be packed.
    let mut noise = 1_u64;
    let mut body = || -> String {
        (0..3000)
            .map(|_| {
                noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                char::from(b'!' + u8::try_from((noise >> 33) % 90).unwrap())
            })
            .collect()
    };
    let exchanges: Vec<_> =
        (0..20).map(|number| page(&format!("http://example.org/{number}"), number, &body())).collect();
    let placed = world.job("job", &about, &exchanges);
    let files = world.archive.store().files_of("job").unwrap();
    assert!(files.len() > 5, "{files:?}");
    assert!(files.iter().all(|file| file.bytes <= 10_000), "{files:?}");
    for file in &files {
        let source = world.archive.store().read(&file.name, 0).unwrap();
        let mut reader = warc::Reader::new(source, warc::Options::default()).unwrap();
        let mut record = reader.next_record().unwrap().unwrap();
        assert_eq!(record.head().record_type(), &warc::RecordType::Warcinfo);
        assert_eq!(record.head().filename().map(|name| format!("job/{name}")).as_ref(), Some(&file.name));
        let mut block = String::new();
        std::io::Read::read_to_string(&mut record, &mut block).unwrap();
        for line in
            ["operator: Jane Doe", "isPartOf: series", "format: WARC File Format 1.1", "software: varve/"]
        {
            assert!(block.contains(line), "{block}");
        }
        assert!(!block.contains("isPartOf: job"), "{block}");
    }
    assert!(placed.iter().all(|placed| placed.outcome == Outcome::New));
    world.check();
    // One that is too long for any file gets one of its own.
    let long = page(A, 100, &(0..10).map(|_| body()).collect::<String>());
    let placed = world.job("long", &about, &[long]);
    assert!(placed[0].length > 10_000);
    world.check();
}

#[test]
fn records_of_a_capture_stand_together() {
    let world = World::new();
    let mut about = about(0);
    about.metadata = true;
    let mut job = world.begin("job", &about);
    let exchange = page(A, 0, "words");
    let outlinks = [archive::Outlink { url: "http://example.org/b", hop: 'L', context: "a/@href" }];
    let answer = fetch::dns::Answer {
        name: "example.org".to_owned(),
        at: at(0),
        addresses: Vec::new(),
        records: Vec::new(),
        server: None,
    };
    let mut capture = crate::world::capture(&exchange);
    (capture.outlinks, capture.dns) = (Some(&outlinks[..]), Some(&answer));
    let placed = job.intake.append(job.packer.pack(&capture).unwrap()).unwrap();
    world.commit(job).unwrap();

    let source = world.archive.store().read(&placed.file, 0).unwrap();
    let mut reader = warc::Reader::new(source, warc::Options::default()).unwrap();
    let mut kinds = Vec::new();
    let mut ids = Vec::new();
    while let Some(mut record) = reader.next_record().unwrap() {
        kinds.push(record.head().record_type().name().to_owned());
        ids.push(record.head().record_id().unwrap().into_owned());
        let concurrent: Vec<_> = record.head().concurrent_to().map(|id| id.into_owned()).collect();
        let mut block = String::new();
        std::io::Read::read_to_string(&mut record, &mut block).unwrap();
        match kinds.len() {
            3 => assert_eq!(record.offset(), placed.offset),
            4 => assert_eq!(concurrent, [ids[2].clone()]),
            5 => {
                assert_eq!(concurrent, [ids[2].clone()]);
                let expect = "via: http://example.org/\r\nhopsFromSeed: L\r\nfetchTimeMs: 20\r\n\
                              outlink: http://example.org/b L a/@href\r\n";
                assert_eq!(block, expect);
            }
            _ => {}
        }
    }
    assert_eq!(kinds, ["warcinfo", "response", "response", "request", "metadata"]);
    let keys: Vec<_> = world.rows().into_iter().map(|row| row.key.unwrap().into_owned()).collect();
    assert_eq!(keys, ["dns:example.org", "org,example)/a"]);
    world.check();
}

#[test]
fn lines_say_what_the_contract_lists() {
    let world = World::new();
    let fields = "Content-Type: text/html\r\nETag: \"x\"\r\nLast-Modified: then\r\n";
    world.job("one", &about(0), &[crate::world::answer(A, 0, "200 OK", fields, b"words")]);
    world.job("two", &about(60), &[page("http://example.org/b", 60, "words")]);
    let rows = world.rows();
    let extras = |row: &cdx::Capture<'_>| -> Vec<String> {
        let shown = |extra: &cdx::Extra<'_>| format!("{}={}", extra.name, extra.value.as_str());
        let is_stable = |text: &String| !text.starts_with("rid=") && !text.starts_with("orig_rid=");
        row.extra.iter().map(shown).filter(is_stable).collect()
    };
    assert_eq!(
        extras(&rows[0]),
        ["date=2026-11-16T08:00:00.123Z", "etag=\"x\"", "lastmod=then", "hops=L", "commit=one"]
    );
    assert_eq!(
        extras(&rows[1]),
        [
            "date=2026-11-16T08:01:00.123Z",
            "hops=L",
            "commit=two",
            "mime-detected=text/html",
            "orig_url=http://example.org/a",
            "orig_date=2026-11-16T08:00:00.123Z"
        ]
    );
    assert_eq!(rows[0].filename.as_deref(), Some("one/one-00001.warc.gz"));
    assert_eq!(rows[0].digest, rows[1].digest);
    assert!(rows[0].digest.as_deref().unwrap().starts_with("sha256:"));
    assert_eq!(rows[1].original.as_ref().unwrap().filename, rows[0].filename);
    let taken = rows[0].timestamp.unwrap();
    assert_eq!((taken.to_string().as_str(), rows[0].status), ("20261116080000", Some(200)));
    assert_eq!((rows[0].mime.as_deref(), rows[1].mime.as_deref()), (Some("text/html"), Some("warc/revisit")));
}

/// Threads pack, one appends, any may read.
#[test]
fn what_is_handed_between_threads_may_be() {
    fn may_be_shared<T: Send + Sync>() {}
    fn may_be_sent<T: Send>() {}
    may_be_shared::<archive::Archive>();
    may_be_shared::<archive::Packer>();
    may_be_shared::<archive::Packed>();
    may_be_shared::<archive::Found>();
    may_be_sent::<archive::Intake>();
}

#[test]
fn what_is_committed_is_never_discarded() {
    let world = World::new();
    world.job("job", &about(0), &[page("http://example.org/a", 0, "words")]);
    // Left by a crash between the commit and the tidying up, or back from a copy.
    let left = world.folder.path().join("work/job/logs");
    std::fs::create_dir_all(&left).unwrap();
    assert!(matches!(world.archive.discard("job"), Err(Error::IsCommitted(_))));
    assert!(left.exists());
    world.check();
}

#[test]
fn a_way_of_any_length_is_committed() {
    let world = World::new();
    let mut about = about(0);
    about.metadata = true;
    let mut job = world.begin("job", &about);
    let hops = "L".repeat(2 << 20);
    let exchange = page("http://example.org/a", 0, "words");
    let capture = archive::Capture { hops: &hops, ..crate::world::capture(&exchange) };
    let packed = job.packer.pack(&capture).unwrap();
    job.intake.append(packed).unwrap();
    world.commit(job).unwrap();
    let expect = format!("{}+{}", (2 << 20) - 50, "L".repeat(50));
    assert_eq!(world.rows()[0].extra("hops").unwrap().as_str(), expect);
    world.check();
}

#[test]
fn a_line_that_could_not_be_read_again_is_refused_at_once() {
    let world = World::new();
    let mut about = about(0);
    about.limits.url_bytes = usize::MAX;
    let mut job = world.begin("job", &about);
    let exchange = page(&format!("http://example.org/{}", "a".repeat(1 << 20)), 0, "words");
    let refused = job.packer.pack(&crate::world::capture(&exchange));
    assert!(matches!(refused, Err(Error::UrlTooLong { .. })));
    job.take_in(&page("http://example.org/a", 0, "words"));
    world.commit(job).unwrap();
    world.check();
}

/// Whoever is told that there is none makes a new one.
#[test]
fn an_archive_of_a_later_version_is_not_taken_for_none() {
    let world = World::new();
    let folder = world.folder.path();
    std::fs::write(folder.join("store/FORMAT"), "varve-store 2\n").unwrap();
    assert!(matches!(archive::Archive::open(folder), Err(Error::Store(store::Error::Format { .. }))));
    let none = archive::Archive::open(&folder.join("none"));
    assert!(matches!(none, Err(Error::NoArchive { .. })));
}

#[test]
fn other_users_enter_no_work_folder_and_still_read_sealed_files() {
    let world = World::new();
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o7777;
    let work = world.archive.work();
    // As an earlier version made it.
    fs::set_permissions(&work, fs::Permissions::from_mode(0o755)).unwrap();
    let mut job = world.begin("one", &about(0));
    assert_eq!([mode(&work), mode(&work.join("one")), mode(&work.join("one/warc"))], [0o700; 3]);
    job.take_in(&page(A, 0, "one"));
    world.commit(job).unwrap();
    let store = world.folder.path().join("store");
    // What the umask of these tests leaves to others.
    let probe = world.folder.path().join("probe");
    fs::write(&probe, "").unwrap();
    let readable = mode(&probe) & 0o044;
    let sealed: Vec<_> =
        fs::read_dir(store.join("one")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(!sealed.is_empty() && sealed.iter().all(|file| mode(file) & 0o044 == readable), "{sealed:?}");
}

#[test]
fn a_job_folder_that_is_a_link_is_not_written_to() {
    let world = World::new();
    let outside = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(outside.path(), world.archive.work().join("one")).unwrap();
    let error = world.archive.begin("one", &about(0)).err().unwrap();
    assert!(std::error::Error::source(&error).unwrap().to_string().contains("symbolic link"), "{error}");
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
}
