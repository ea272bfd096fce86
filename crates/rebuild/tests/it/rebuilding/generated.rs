//! Archives that nobody has thought of, and those of the samples: after a rebuild every question is answered as before.

use std::path::{Path, PathBuf};

use archive::{About, Dedup, Removal};
use fetch::{Exchange, Outcome};
use proptest::collection::vec;
use proptest::prelude::*;
use transfer::import::Settings;
use warc::{Draft, Encoding, Name, RecordType, Version, Writer};

use super::check;
use crate::imports::Imports;
use crate::imports::package;
use crate::world::{about, answer, at, ids, not_modified, page, raw};

const URLS: [&str; 12] = [
    "http://example.org/",
    "http://example.org/a",
    "https://www.example.org:8443/a?b=2&a=1",
    "http://example.org/a?PHPSESSID=0123456789abcdef0123456789abcdef",
    "http://EXAMPLE.org/%7Euser/é ü",
    "http://xn--bcher-kva.example/",
    "http://[2001:db8::1]/x",
    "http://192.0.2.7/%00%ff",
    "http://example.com/a//b/../c;d=e",
    "http://user:secret@example.org/private",
    "http://example.org/{\"json\":[1,2]}",
    "http://a.very.long.example/",
];

/// URLs that only files from elsewhere have.
const ODD: [&str; 6] = [
    "urn:x:y",
    "dns:example.org",
    "ftp://example.org/f",
    "screenshot:http://example.org/",
    "no url",
    "http://example.org/a",
];

/// One exchange: which URL, when, what kind, which body.
type Visit = (usize, i64, usize, usize);

/// Something that is done with the archive.
#[derive(Debug, Clone)]
enum Deed {
    Harvest {
        began: i64,
        dedup: usize,
        metadata: bool,
        small: bool,
        visits: Vec<Visit>,
    },
    Import {
        how: usize,
        collection: usize,
        records: Vec<Visit>,
    },
    /// A file that was imported before, into another collection.
    Again {
        which: usize,
        collection: usize,
    },
    /// Captures are taken out: those of a URL, or of a whole job.
    Removal {
        which: usize,
        collection: usize,
        job: bool,
    },
}

const COLLECTIONS: [&str; 3] = ["web", "papers", "maps"];

fn deed() -> impl Strategy<Value = Deed> {
    let visits = || vec((0..20_usize, 0..6_i64, 0..9_usize, 0..4_usize), 1..8);
    prop_oneof![
        3 => (0..5_i64, 0..3_usize, any::<bool>(), any::<bool>(), visits())
            .prop_map(|(began, dedup, metadata, small, visits)| Deed::Harvest { began, dedup, metadata, small, visits }),
        2 => (0..5_usize, 0..3_usize, visits())
            .prop_map(|(how, collection, records)| Deed::Import { how, collection, records }),
        1 => (0..8_usize, 0..3_usize).prop_map(|(which, collection)| Deed::Again { which, collection }),
        2 => (0..8_usize, 0..3_usize, any::<bool>())
            .prop_map(|(which, collection, job)| Deed::Removal { which, collection, job }),
    ]
}

fn exchange((url, second, kind, body): Visit) -> Exchange {
    let long;
    let url = match URLS[url % URLS.len()] {
        "http://a.very.long.example/" => {
            long = format!("http://a.very.long.example/{}", "x".repeat(3000));
            &long
        }
        url => url,
    };
    let text = format!("body {body}");
    let typed = "Content-Type: text/plain\r\nETag: \"e\"\r\n";
    match kind {
        0 => answer(url, second, "404 Not Found", typed, text.as_bytes()),
        1 => answer(url, second, "302 Found", "Location: /elsewhere\r\n", b""),
        2 => not_modified(url, second, typed),
        3 => Exchange {
            outcome: Outcome::Truncated(fetch::Cut::Disconnect),
            ..answer(url, second, "200 OK", typed, text.as_bytes())
        },
        4 => raw(url, second, b"no head at all"),
        5 => answer(
            url,
            second,
            "200 OK",
            "Transfer-Encoding: chunked\r\n",
            format!("6\r\n{text}\r\n0\r\n\r\n").as_bytes(),
        ),
        _ => page(url, second, &text),
    }
}

/// A file with a record of every kind.
fn file(records: &[Visit], encoding: &Encoding) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), encoding).unwrap();
    let ids = ids();
    for (url, second, kind, body) in records {
        let url = if kind % 2 == 0 { ODD[url % ODD.len()] } else { URLS[url % URLS.len()] };
        let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nbody {body}");
        let (record, media, block) = match kind {
            0 => (RecordType::Resource, "text/plain", "a thing"),
            1 => (RecordType::Metadata, "application/warc-fields", "via: http://example.org/\r\n"),
            2 => (RecordType::Conversion, "text/plain", "another form"),
            3 => (RecordType::Request, "application/http; msgtype=request", "POST / HTTP/1.1\r\n\r\na=b"),
            4 => (RecordType::Warcinfo, "application/warc-fields", "software: none\r\n"),
            5 => (RecordType::Revisit, "application/http; msgtype=response", "HTTP/1.1 200 OK\r\n\r\n"),
            _ => (RecordType::Response, "application/http; msgtype=response", http.as_str()),
        };
        let mut draft = Draft::new(Version::Warc1_1, &record, &ids(), at(*second)).content_type(media);
        if record != RecordType::Warcinfo {
            draft = draft.target_uri(&url.replace(' ', "%20"));
        }
        let payload = warc::Digest::of(warc::Algorithm::Sha1, format!("body {body}").as_bytes());
        if matches!(record, RecordType::Response | RecordType::Revisit) {
            draft = draft.payload_digest(&payload);
        }
        if record == RecordType::Revisit {
            let profile = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest";
            draft = draft.with(Name::Profile, profile);
        }
        writer.write(&draft, block.as_bytes()).unwrap();
    }
    writer.into_inner()
}

struct Life {
    imports: Imports,
    files: Vec<PathBuf>,
    jobs: usize,
}

impl Life {
    fn live(deeds: &[Deed]) -> Life {
        let mut life = Life { imports: Imports::new(), files: Vec::new(), jobs: 0 };
        deeds.iter().for_each(|deed| life.go(deed));
        life
    }

    /// Names in no order, because that is not what jobs are ordered by.
    fn name(&mut self) -> String {
        self.jobs += 1;
        format!("{}-{}", ["m", "z", "a", "k"][self.jobs % 4], self.jobs)
    }

    fn go(&mut self, deed: &Deed) {
        let name = self.name();
        match deed {
            Deed::Harvest { began, dedup, metadata, small, visits } => {
                let dedup = [Dedup::Content, Dedup::Url, Dedup::Off][*dedup];
                let file_bytes_max = if *small { 2000 } else { 1 << 30 };
                let about = About { dedup, metadata: *metadata, file_bytes_max, ..about(*began) };
                let exchanges: Vec<Exchange> = visits.iter().copied().map(exchange).collect();
                self.imports.world.job(&name, &about, &exchanges);
            }
            Deed::Import { how, collection, records } => {
                let (ending, encoding) = [
                    ("warc.gz", Encoding::Gzip(6)),
                    ("warc", Encoding::Plain),
                    ("warc.zst", Encoding::usual(warc::Compression::Zstd)),
                    ("wacz", Encoding::Gzip(6)),
                    ("warc.gz", Encoding::Gzip(1)),
                ][*how]
                    .clone();
                let mut bytes = file(records, &encoding);
                if ending == "wacz" {
                    bytes = package(&[("data.warc.gz", bytes)]);
                }
                let path = self.imports.file(&format!("{name}.{ending}"), bytes);
                self.import(&name, &path, *collection, *how == 4);
                self.files.push(path);
            }
            Deed::Removal { which, collection, job } => {
                self.remove(*which, COLLECTIONS[*collection], *job);
            }
            Deed::Again { which, collection } => {
                if let Some(path) = self.files.get(*which).cloned() {
                    self.import(&name, &path, *collection, false);
                }
            }
        }
    }

    fn remove(&self, which: usize, collection: &str, job: bool) {
        let archive = self.imports.archive();
        let Some(collection) = archive.collection(collection).unwrap() else { return };
        let snapshot = collection.snapshot().unwrap();
        // Clocks may have been set back since.
        let about = about(1000 - self.jobs as i64);
        if job {
            let Some(commit) = snapshot.commits().get(which) else { return };
            archive.remove(&collection, Removal::Job(&commit.name), &about).unwrap();
        } else {
            let key = urlkey::key(URLS[which]);
            let rows: Vec<_> = snapshot.versions(&key).map(Result::unwrap).collect();
            let removed = archive.remove(&collection, Removal::Captures(&rows), &about).unwrap();
            assert_eq!((removed.captures, removed.job.is_some()), (rows.len() as u64, !rows.is_empty()));
        }
    }

    fn import(&self, name: &str, path: &Path, collection: usize, reference: bool) {
        let settings =
            Settings { collection: COLLECTIONS[collection].to_owned(), reference, ..Settings::default() };
        let report = self.imports.import(name, &[path], &settings);
        // Where nothing was new there is no commit, and the collection, if it is empty, stands nowhere.
        if report.committed.is_none() {
            let folder = self.imports.world.folder.path().join("collections").join(&settings.collection);
            if !folder.join("index").exists() {
                let _ = std::fs::remove_dir(folder);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, max_shrink_iters: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_was_done_all_questions_are_answered_as_before(deeds in vec(deed(), 1..9)) {
        let life = Life::live(&deeds);
        check(life.imports.world.folder.path(), "generated");
    }
}

/// All files of the samples that can be imported, whole or in part: WARC, ARC, packages, copied and by reference.
#[test]
fn all_questions_about_the_samples_are_answered_as_before() {
    let Some(vectors) = testkit::vectors::dir() else { return };
    for reference in [false, true] {
        let imports = Imports::new();
        let settings = |collection: &str| Settings {
            reference,
            salvage: true,
            collection: collection.to_owned(),
            ..Settings::default()
        };
        let whole = imports.import("whole", &[&vectors.join("01-warc-arc")], &settings("web"));
        let packages =
            imports.import("packages", &[&vectors.join("10-wacz-memento-oai")], &settings("packages"));
        let mut captures = [whole, packages].map(|report| report.committed.unwrap().captures).to_vec();
        if !reference {
            let again = imports.import("again", &[&vectors.join("01-warc-arc")], &settings("again"));
            captures.push(again.committed.unwrap().captures);
        }
        println!("archive: samples, by reference {reference}: {captures:?} captures, all as before");
        assert!(captures[0] > 1000 && captures[1] > 10, "{captures:?}");
        check(imports.world.folder.path(), "samples");
    }
}
