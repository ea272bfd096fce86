//! Files that are not as they were written: an error that says where, or the right answer; never a panic, never a wrong one.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::sample::{all, capture, line, open, publish, small};
use index::{Error, Index};

/// A small index of one segment, and the path of that.
fn sample(folder: &Path) -> PathBuf {
    let index = open(folder);
    let rows =
        (0..8).map(|page| capture(&format!("a.org/{page}"), 20_260_101_000_000, &format!("d{page}"), "one"));
    publish(&index, "one", rows.collect()).unwrap();
    segments(folder).remove(0)
}

fn segments(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|extension| extension == "segment")).collect()
}

/// Every answer that the index gives, or the first error. The caches are new, so that all of it comes from the disk.
fn answers(folder: &Path) -> Result<Vec<String>, Error> {
    let snapshot = Index::open_with(folder, small())?.snapshot()?;
    let everything = urlkey::KeyRange { start: String::new(), end: String::new() };
    let mut answers = Vec::new();
    for capture in snapshot.range(&everything) {
        answers.push(line(&capture?));
    }
    for page in 0..9 {
        let (key, url) = (format!("org,a)/{page}"), format!("http://a.org/{page}"));
        let found = [
            snapshot.nearest(&key, "2026-01-01T00:00:00Z".parse().unwrap())?,
            snapshot.latest(&url)?,
            snapshot.by_digest(&format!("sha256:d{page}"))?,
        ];
        answers.extend(found.iter().map(|found| found.as_ref().map_or("none".to_owned(), line)));
    }
    Ok(answers)
}

#[track_caller]
fn check_bytes(folder: &Path, file: &Path, spoil: impl Fn(&mut Vec<u8>, usize)) {
    #[allow(clippy::disallowed_methods)]
    let sound = fs::read(file).unwrap();
    let expect = answers(folder).unwrap();
    let mut errors = 0;
    for at in 0..sound.len() {
        let mut bytes = sound.clone();
        spoil(&mut bytes, at);
        fs::write(file, &bytes).unwrap();
        match answers(folder) {
            Ok(found) => assert_eq!(found, expect, "a wrong answer, byte {at} of {}", file.display()),
            Err(error) => {
                errors += 1;
                let text = error.to_string();
                assert!(text.contains(file.file_name().unwrap().to_str().unwrap()), "{text}");
                assert!(
                    error.is_damage() && text.contains("makes it again")
                        || matches!(error, Error::Future { .. }),
                    "{text}"
                );
            }
        }
    }
    fs::write(file, &sound).unwrap();
    assert_eq!(answers(folder).unwrap(), expect);
    assert!(errors * 10 > sound.len() * 9, "only {errors} of {} damages were noticed", sound.len());
}

#[test]
fn a_flipped_bit_in_a_segment_is_an_error_or_makes_no_difference() {
    let folder = tempfile::tempdir().unwrap();
    let segment = sample(folder.path());
    check_bytes(folder.path(), &segment, |bytes, at| bytes[at] ^= 1 << (at % 8));
}

#[test]
fn a_flipped_bit_in_the_manifest_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    sample(folder.path());
    check_bytes(folder.path(), &folder.path().join("MANIFEST"), |bytes, at| bytes[at] ^= 1 << (at % 8));
}

#[test]
fn a_file_cut_short_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let segment = sample(folder.path());
    check_bytes(folder.path(), &segment, Vec::truncate);
    check_bytes(folder.path(), &folder.path().join("MANIFEST"), Vec::truncate);
}

/// The error names file and offset, and the way out.
#[test]
fn damage_is_told_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let segment = sample(folder.path());
    #[allow(clippy::disallowed_methods)]
    let mut bytes = fs::read(&segment).unwrap();
    bytes[40] ^= 1;
    fs::write(&segment, bytes).unwrap();
    let error = answers(folder.path()).unwrap_err();
    let expect = format!(
        "{}: damaged at byte 12: the checksum of a page is wrong; the index is derived from the WARC files, and `varve \
         rebuild` makes it again from them",
        segment.display()
    );
    assert_eq!(error.to_string(), expect);
    // The rest of the index is still there, and may be added to.
    let index = open(folder.path());
    let warnings = warnings(|| {
        publish(&index, "two", vec![capture("b.org/", 20_260_101_000_000, "x", "two")]).unwrap();
    });
    assert!(warnings.iter().any(|text| text.contains("could not be merged")), "{warnings:?}");
    assert_eq!(index.snapshot().unwrap().versions("org,b)/").count(), 1);
    assert!(index.merge().is_err_and(|error| error.is_damage()), "a merge must not hide damage");
}

#[test]
fn a_segment_or_manifest_that_is_gone_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let segment = sample(folder.path());
    let aside = folder.path().join("aside");
    for path in [segment, folder.path().join("MANIFEST")] {
        fs::rename(&path, &aside).unwrap();
        let error = Index::open(folder.path()).unwrap_err();
        assert!(matches!(&error, Error::Gone { path: gone } if *gone == path), "{error}");
        fs::rename(&aside, &path).unwrap();
    }
    assert_eq!(all(&open(folder.path())).len(), 8);
}

#[test]
fn another_segment_of_the_same_name_is_an_error() {
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (segment, same) = (sample(folder.path()), sample(other.path()));
    assert_eq!(segment.file_name(), same.file_name());
    fs::copy(same, segment).unwrap();
    assert!(
        Index::open(folder.path())
            .is_err_and(|error| error.to_string().contains("not the segment that the manifest names"))
    );
}

#[test]
fn a_format_of_the_future_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let segment = sample(folder.path());
    #[allow(clippy::disallowed_methods)]
    let mut bytes = fs::read(&segment).unwrap();
    let at = bytes.len() - 12;
    bytes[at] = 7;
    fs::write(&segment, bytes).unwrap();
    let expect = |path: &Path| {
        format!(
            "{} has format version 7, and this program knows versions up to 2: use a newer one",
            path.display()
        )
    };
    assert_eq!(Index::open(folder.path()).unwrap_err().to_string(), expect(&segment));
    let manifest = folder.path().join("MANIFEST");
    fs::write(&manifest, "varve index 7 0123456789abcdef\nsomething else").unwrap();
    assert_eq!(Index::open(folder.path()).unwrap_err().to_string(), expect(&manifest));
    let row = capture("a.org/", 20_260_101_000_000, "x", "two");
    let lazy = Index::open(&folder.path().join("elsewhere")).unwrap();
    publish(&lazy, "two", vec![row]).unwrap();
}

/// Whoever has an index open while it is deleted and built again must not mix the two.
#[test]
fn an_index_built_again_under_a_reader_is_another() {
    let folder = tempfile::tempdir().unwrap();
    let index = open(folder.path());
    for round in 0..3 {
        let rows = (0..30).map(|page| {
            capture(&format!("a.org/{page}"), 20_260_101_000_000, &format!("{round}-{page}"), "one")
        });
        publish(&open(folder.path()), "one", rows.collect()).unwrap();
        assert_eq!(all(&index).len(), 30);
        let snapshot = index.snapshot().unwrap();
        assert!(snapshot.by_digest(&format!("sha256:{round}-7")).unwrap().is_some());
        assert!(snapshot.by_digest(&format!("sha256:{}-7", round + 1)).unwrap().is_none());
        assert!(
            snapshot
                .versions("org,a)/7")
                .all(|capture| capture.unwrap().digest.unwrap() == format!("sha256:{round}-7"))
        );
        fs::remove_dir_all(folder.path()).unwrap();
        assert!(all(&index).is_empty());
    }
}

/// What was warned of on this thread while something was done.
fn warnings(act: impl FnOnce()) -> Vec<String> {
    let listener = Listener::default();
    let heard = Arc::clone(&listener.0);
    tracing::subscriber::with_default(listener, act);
    std::mem::take(&mut *heard.lock().unwrap())
}

#[derive(Default)]
struct Listener(Arc<Mutex<Vec<String>>>);

impl tracing::Subscriber for Listener {
    fn enabled(&self, about: &tracing::Metadata<'_>) -> bool {
        *about.level() == tracing::Level::WARN
    }

    fn new_span(&self, _: &tracing::span::Attributes<'_>) -> tracing::span::Id {
        tracing::span::Id::from_u64(1)
    }

    fn record(&self, _: &tracing::span::Id, _: &tracing::span::Record<'_>) {}

    fn record_follows_from(&self, _: &tracing::span::Id, _: &tracing::span::Id) {}

    fn event(&self, event: &tracing::Event<'_>) {
        struct Words(String);
        impl tracing::field::Visit for Words {
            fn record_debug(&mut self, _: &tracing::field::Field, value: &dyn std::fmt::Debug) {
                self.0.push_str(&format!("{value:?}"));
            }
        }
        let mut words = Words(String::new());
        event.record(&mut words);
        self.0.lock().unwrap().push(words.0);
    }

    fn enter(&self, _: &tracing::span::Id) {}

    fn exit(&self, _: &tracing::span::Id) {}
}
