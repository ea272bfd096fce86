//! A bucket of a real server is a replica like any other; and whatever the network does, nothing wrong is taken for right.

use std::fs;
use std::io::Read as _;
use std::ops::ControlFlow;
use std::time::Duration;

use proptest::prelude::*;
use store::replica::{Bucket, BucketLimits, BucketSettings, Replica};
use store::{Error, Sealed, Store};
use testkit::s3::{ACCESS_KEY, BUCKET, Fault, Faults, S3, SECRET_KEY};

/// Servers take no smaller parts but the last.
const PART_BYTES: usize = 5 << 20;

fn settings(endpoint: String) -> BucketSettings {
    let limits = BucketLimits {
        part_bytes: PART_BYTES,
        answer: Duration::from_secs(20),
        pause: Duration::from_millis(1),
        ..BucketLimits::default()
    };
    BucketSettings {
        prefix: "archive/first".to_owned(),
        endpoint: Some(endpoint),
        access_key: Some(ACCESS_KEY.to_owned()),
        secret_key: Some(SECRET_KEY.to_owned()),
        limits,
        ..BucketSettings::new(BUCKET)
    }
}

/// Through the faults, and without much patience for a server that says nothing.
fn hasty(faults: &Faults) -> BucketSettings {
    let mut hasty = settings(faults.endpoint());
    hasty.limits.answer = Duration::from_millis(1500);
    hasty
}

/// So many bytes that do not repeat, and what a store would say of them.
fn file(name: &str, bytes: usize) -> (Sealed, Vec<u8>) {
    let mut state = 0x2545_f491_u32;
    let content: Vec<u8> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    })
    .take(bytes)
    .collect();
    let folder = tempfile::tempdir().unwrap();
    let work = folder.path().join("a");
    fs::write(&work, &content).unwrap();
    let sealed = Store::create(&folder.path().join("store")).unwrap().seal("job", &work).unwrap();
    (Sealed { name: name.to_owned(), ..sealed }, content)
}

fn go_on(_: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn put(bucket: &Bucket, file: &Sealed, mut content: &[u8]) -> Result<(), Error> {
    bucket.put(file, &mut content, &mut go_on)
}

fn names(bucket: &Bucket) -> Vec<String> {
    let mut names = Vec::new();
    let gathered = bucket.each_name(&mut |name| {
        names.push(name.to_owned());
        Ok(())
    });
    gathered.unwrap();
    names
}

fn rest(bucket: &Bucket, name: &str, offset: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    bucket.open(name, offset).unwrap().read_to_end(&mut bytes).unwrap();
    bytes
}

#[test]
fn d11_what_is_put_into_a_bucket_is_there_from_any_byte_on() {
    let Some(server) = S3::start() else { return };
    let bucket = Bucket::open(&settings(server.endpoint())).unwrap();
    // Empty, in one piece, just one part, a byte more, and several parts.
    for bytes in [0, 5, PART_BYTES, PART_BYTES + 1, 4 * PART_BYTES + 77] {
        let (sealed, content) = file(&format!("job/{bytes}.warc.gz"), bytes);
        assert_eq!(bucket.look(&sealed.name).unwrap(), None);
        assert_eq!(bucket.read(&sealed.name, &mut go_on).unwrap(), None);
        assert!(matches!(bucket.open(&sealed.name, 0), Err(Error::Missing(name)) if name == sealed.name));
        put(&bucket, &sealed, &content).unwrap();
        put(&bucket, &sealed, &content).unwrap();
        let found = bucket.read(&sealed.name, &mut go_on).unwrap().unwrap();
        assert_eq!((found.sha256, found.bytes), (sealed.sha256.clone(), Some(sealed.bytes)));
        assert_eq!(bucket.look(&sealed.name).unwrap(), Some(Some(sealed.bytes)));
        for offset in [0, 1, bytes / 2, bytes.saturating_sub(1), bytes, bytes + 1] {
            let expected = content.get(offset..).unwrap_or_default();
            assert_eq!(rest(&bucket, &sealed.name, offset as u64), expected, "{bytes} from {offset}");
        }
        let on_disk = server.folder().join("archive/first").join(&sealed.name);
        assert_eq!(fs::read(on_disk).unwrap(), content);
    }
    assert_eq!(server.leftovers(), Vec::<String>::new());
}

#[test]
fn d11_nothing_in_a_bucket_is_overwritten() {
    let Some(server) = S3::start() else { return };
    let bucket = Bucket::open(&settings(server.endpoint())).unwrap();
    let ((first, content), (second, other)) = (file("job/a", 100), file("job/a", PART_BYTES + 77));
    put(&bucket, &first, &content).unwrap();
    put(&bucket, &second, &other).unwrap();
    assert_eq!(bucket.read("job/a", &mut go_on).unwrap().unwrap().sha256, first.sha256);
}

#[test]
fn what_is_not_what_it_should_be_never_gets_its_name_in_a_bucket() {
    let Some(server) = S3::start() else { return };
    let bucket = Bucket::open(&settings(server.endpoint())).unwrap();
    for bytes in [100, PART_BYTES + 77] {
        let (sealed, content) = file("job/a", bytes);
        let mut changed = content.clone();
        changed[bytes / 2] ^= 1;
        let longer = [content.as_slice(), b"x"].concat();
        for wrong in [&content[..bytes - 1], &changed, &longer, &[]] {
            assert!(matches!(put(&bucket, &sealed, wrong), Err(Error::Source(_))));
        }
        let mut broken = content.take_some(bytes / 2);
        assert!(matches!(bucket.put(&sealed, &mut broken, &mut go_on), Err(Error::Copy { .. })));
        let stopped = bucket.put(&sealed, &mut content.as_slice(), &mut |_| ControlFlow::Break(()));
        assert!(matches!(stopped, Err(Error::Stopped)));
        assert_eq!((names(&bucket), bucket.look("job/a").unwrap()), (Vec::new(), None));
        assert_eq!(server.leftovers(), Vec::<String>::new());
    }
}

#[test]
fn names_in_a_bucket_come_page_by_page_those_of_a_job_together() {
    let Some(server) = S3::start() else { return };
    let bucket = Bucket::open(&settings(server.endpoint())).unwrap();
    let place = server.folder().join("archive/first");
    // More than a page, brought behind the server's back, because that is quicker.
    for job in ["a", "a-1", "a.b"] {
        fs::create_dir_all(place.join(job)).unwrap();
        (0..500).for_each(|number| fs::write(place.join(job).join(format!("{number:03}")), "x").unwrap());
    }
    fs::create_dir_all(place.join(".aside/a")).unwrap();
    fs::write(place.join(".aside/a/b"), "x").unwrap();
    fs::create_dir_all(server.folder().join("archive/firsthand/job")).unwrap();
    fs::write(server.folder().join("archive/firsthand/job/a"), "x").unwrap();
    let names = names(&bucket);
    assert_eq!(names.len(), 1500);
    let mut jobs: Vec<&str> = names.iter().map(|name| name.split_once('/').unwrap().0).collect();
    jobs.dedup();
    assert_eq!(jobs.len(), 3);
    let mut seen = 0;
    let stopped = bucket.each_name(&mut |_| {
        seen += 1;
        if seen == 3 { Err(Error::Stopped) } else { Ok(()) }
    });
    assert!(matches!(stopped, Err(Error::Stopped)) && seen == 3);
}

#[test]
fn d13_a_bad_object_is_kept_aside_if_it_is_the_one_that_was_named() {
    let Some(server) = S3::start() else { return };
    let bucket = Bucket::open(&settings(server.endpoint())).unwrap();
    let (sealed, content) = file("job/a", PART_BYTES + 77);
    put(&bucket, &sealed, &content).unwrap();
    let path = server.folder().join("archive/first/job/a");
    let mut damaged = content.clone();
    damaged[PART_BYTES / 2] ^= 1;
    fs::write(&path, &damaged).unwrap();
    let bad = bucket.read("job/a", &mut go_on).unwrap().unwrap().sha256;
    assert_ne!(bad, sealed.sha256);
    assert!(
        matches!(bucket.set_aside("job/a", &sealed.sha256), Err(Error::Other { found, .. }) if found == bad)
    );
    assert!(path.exists());
    bucket.set_aside("job/a", &bad).unwrap();
    assert_eq!((bucket.look("job/a").unwrap(), names(&bucket)), (None, Vec::new()));
    let aside = server.folder().join("archive/first/.aside/job").join(format!("a.{bad}"));
    assert_eq!(fs::read(aside).unwrap(), damaged);
    put(&bucket, &sealed, &content).unwrap();
    assert_eq!(bucket.read("job/a", &mut go_on).unwrap().unwrap().sha256, sealed.sha256);
    assert!(matches!(bucket.set_aside("job/b", &bad), Err(Error::Missing(_))));
}

#[test]
fn d13_an_object_is_set_aside_unread_and_nothing_aside_is_overwritten() {
    let Some(server) = S3::start() else { return };
    let bucket = Bucket::open(&settings(server.endpoint())).unwrap();
    for bytes in [100, 200] {
        let (sealed, content) = file("job/a", bytes);
        // A length that was written down wrong is no hindrance.
        put(&bucket, &Sealed { bytes: 1, ..sealed }, &content).unwrap();
        bucket.set_aside_unread("job/a").unwrap();
        assert_eq!(bucket.look("job/a").unwrap(), None);
    }
    let aside = server.folder().join("archive/first/.aside/job");
    let length = |name: &str| fs::metadata(aside.join(name)).unwrap().len();
    assert_eq!((length("a.unreadable"), length("a.unreadable-2")), (100, 200));
    assert!(matches!(bucket.set_aside_unread("job/a"), Err(Error::Missing(_))));
    let reserved = Sealed { name: "job/SHA256SUMS".to_owned(), ..file("job/a", 5).0 };
    assert!(matches!(put(&bucket, &reserved, b"12345"), Err(Error::Reserved(_))));
}

#[test]
fn a_bucket_that_is_something_else_is_left_alone() {
    let Some(server) = S3::start() else { return };
    let good = settings(server.endpoint());
    drop(Bucket::open(&good).unwrap());
    let format = server.folder().join("archive/first/FORMAT");
    assert_eq!(fs::read_to_string(&format).unwrap(), "varve-bucket 1\n");
    drop(Bucket::open(&good).unwrap());
    fs::write(&format, "varve-bucket 2\n").unwrap();
    assert!(matches!(Bucket::open(&good), Err(Error::Format { found, .. }) if found == "varve-bucket 2"));
    let stranger = BucketSettings { secret_key: Some("guess".to_owned()), ..good.clone() };
    assert!(matches!(Bucket::open(&stranger), Err(Error::Denied { .. })));
    let half = BucketSettings { secret_key: None, ..good.clone() };
    assert!(matches!(Bucket::open(&half), Err(Error::Bucket { .. })));
    let outside = BucketSettings { prefix: "../a".to_owned(), ..good.clone() };
    assert!(matches!(Bucket::open(&outside), Err(Error::Name(_))));
    let shown = format!("{good:?}");
    assert!(!shown.contains(SECRET_KEY) && !shown.contains(ACCESS_KEY), "{shown}");
}

#[test]
fn a_server_that_is_gone_is_told_in_time_and_found_again() {
    let Some(server) = S3::start() else { return };
    let mut settings = settings(server.endpoint());
    settings.limits.tries = 2;
    let bucket = Bucket::open(&settings).unwrap();
    let (sealed, content) = file("job/a", PART_BYTES + 77);
    put(&bucket, &sealed, &content).unwrap();
    server.stop();
    let (other, other_content) = file("job/b", PART_BYTES + 77);
    let errors = [
        bucket.look("job/a").map(drop).unwrap_err(),
        bucket.read("job/a", &mut go_on).map(drop).unwrap_err(),
        bucket.open("job/a", 0).map(drop).unwrap_err(),
        bucket.each_name(&mut |_| Ok(())).unwrap_err(),
        bucket.set_aside("job/a", &sealed.sha256).unwrap_err(),
        put(&bucket, &other, &other_content).unwrap_err(),
        Bucket::open(&settings).map(drop).unwrap_err(),
    ];
    for error in errors {
        assert!(matches!(error, Error::Unreachable { .. }) && error.is_unreachable(), "{error:?}");
    }
    let later = Bucket::later(&settings).unwrap();
    assert!(later.look("job/a").is_err());
    server.restart();
    assert_eq!(later.look("job/a").unwrap(), Some(Some(sealed.bytes)));
    assert_eq!(rest(&bucket, "job/a", 0), content);
    put(&bucket, &other, &other_content).unwrap();
}

#[test]
fn a_server_that_never_answers_is_given_up() {
    let Some(server) = S3::start() else { return };
    let faults = Faults::before(server.address());
    let mut settings = settings(faults.endpoint());
    let bucket = Bucket::open(&settings).unwrap();
    let (sealed, content) = file("job/a", PART_BYTES);
    put(&bucket, &sealed, &content).unwrap();
    settings.limits.tries = 2;
    settings.limits.answer = Duration::from_millis(100);
    let hasty = Bucket::later(&settings).unwrap();
    faults.next(Fault::Hang, usize::MAX);
    assert!(matches!(hasty.look("job/a"), Err(Error::Unreachable { .. })));
    assert!(matches!(hasty.open("job/a", 7).map(drop), Err(Error::Unreachable { .. })));
}

/// Whatever goes wrong once or twice is overcome, as long as the bytes themselves arrive as they were.
#[test]
fn d11_what_goes_wrong_for_a_while_is_overcome() {
    let Some(server) = S3::start() else { return };
    let faults = Faults::before(server.address());
    let bucket = Bucket::open(&hasty(&faults)).unwrap();
    for (number, fault) in Fault::ALL.into_iter().filter(|fault| *fault != Fault::FlipAnswer).enumerate() {
        let (sealed, content) = file(&format!("job/{number}"), 99);
        for method in ["HEAD", "PUT"] {
            faults.next_of(method, fault, 2);
        }
        put(&bucket, &sealed, &content).unwrap();
        faults.next_of("GET", fault, 2);
        let found = bucket.read(&sealed.name, &mut go_on).unwrap().unwrap();
        assert_eq!(found.sha256, sealed.sha256, "{fault:?}");
        faults.next_of("GET", fault, 2);
        assert_eq!(rest(&bucket, &sealed.name, 5), content[5..], "{fault:?}");
        faults.next_of("GET", fault, 2);
        assert_eq!(names(&bucket).len(), number + 1, "{fault:?}");
        // Of requests without a body some faults have nothing to spoil, and wait on.
        faults.calm();
    }
}

#[test]
fn d11_what_goes_wrong_for_a_while_with_some_parts_is_overcome() {
    let Some(server) = S3::start() else { return };
    let faults = Faults::before(server.address());
    let bucket = Bucket::open(&settings(faults.endpoint())).unwrap();
    // Nobody waits here for a server that says nothing: a part takes its time on a machine that has much to do.
    let overcome = |fault: &Fault| !matches!(fault, Fault::Hang | Fault::FlipAnswer);
    for (number, fault) in Fault::ALL.into_iter().filter(overcome).enumerate() {
        let (sealed, content) = file(&format!("job/{number}"), PART_BYTES + 77);
        // Of those that begin and complete it, and of parts.
        faults.next_of("POST", fault, 1);
        faults.next_of("PUT", fault, 1);
        put(&bucket, &sealed, &content).unwrap();
        assert_eq!(faults.waiting(), 0, "{fault:?}");
        let path = server.folder().join("archive/first").join(&sealed.name);
        assert_eq!(fs::read(path).unwrap(), content, "{fault:?}");
        faults.next_of("GET", fault, 2);
        let found = bucket.read(&sealed.name, &mut go_on).unwrap().unwrap();
        assert_eq!(found.sha256, sealed.sha256, "{fault:?}");
    }
}

#[test]
fn an_upload_whose_completion_was_done_and_not_told_is_complete() {
    let Some(server) = S3::start() else { return };
    let faults = Faults::before(server.address());
    let bucket = Bucket::open(&settings(faults.endpoint())).unwrap();
    let (sealed, content) = file("job/a", PART_BYTES + 77);
    // The first POST begins the upload, the second completes it.
    faults.next_of("POST", Fault::LoseAnswer, 2);
    put(&bucket, &sealed, &content).unwrap();
    assert_eq!(bucket.read("job/a", &mut go_on).unwrap().unwrap().sha256, sealed.sha256);
}

/// And what goes wrong for ever is told, with nothing half-done under the name.
#[test]
fn what_goes_wrong_for_ever_is_an_error_and_leaves_nothing() {
    let Some(server) = S3::start() else { return };
    let faults = Faults::before(server.address());
    drop(Bucket::open(&settings(server.endpoint())).unwrap());
    let mut settings = hasty(&faults);
    settings.limits.tries = 2;
    let bucket = Bucket::later(&settings).unwrap();
    let path = server.folder().join("archive/first/job/a");
    for fault in Fault::ALL {
        for (method, bytes) in [("PUT", 9), ("POST", PART_BYTES + 77)] {
            let (sealed, content) = file("job/a", bytes);
            faults.next_of(method, fault, usize::MAX);
            let sent = put(&bucket, &sealed, &content);
            faults.calm();
            match path.exists() {
                // Done, whether or not the answer came.
                true => assert_eq!(fs::read(&path).unwrap(), content, "{fault:?} of {method}"),
                false => assert!(sent.is_err(), "{fault:?} of {method}"),
            }
            let _ = fs::remove_file(&path);
        }
    }
}

#[test]
fn a_bit_that_changes_on_the_way_is_never_taken_for_the_file() {
    let Some(server) = S3::start() else { return };
    let faults = Faults::before(server.address());
    let bucket = Bucket::open(&settings(faults.endpoint())).unwrap();
    let (sealed, content) = file("job/a", PART_BYTES + 77);
    put(&bucket, &sealed, &content).unwrap();
    faults.next_of("GET", Fault::FlipAnswer, 1);
    assert_ne!(bucket.read("job/a", &mut go_on).unwrap().unwrap().sha256, sealed.sha256);
    // The copy is good, and is not taken out for what the way did to it.
    let seen = bucket.read("job/a", &mut go_on).unwrap().unwrap().sha256;
    assert_eq!(seen, sealed.sha256);
    faults.next_of("GET", Fault::FlipAnswer, 1);
    assert!(matches!(bucket.set_aside("job/a", &sealed.sha256), Err(Error::Other { .. })));
    assert_eq!(bucket.look("job/a").unwrap(), Some(Some(sealed.bytes)));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any faults, in any order, anywhere on the way: either it is said that it failed, or the right bytes are there.
    #[test]
    fn d11_no_order_of_faults_makes_wrong_bytes_right(
        plan in proptest::collection::vec((0..Fault::ALL.len(), 0..3_usize), 0..5),
        bytes in prop_oneof![0..1000_usize, PART_BYTES..PART_BYTES + 1000],
    ) {
        let Some(server) = S3::start() else { return Ok(()) };
        let faults = Faults::before(server.address());
        drop(Bucket::open(&self::settings(server.endpoint())).unwrap());
        let mut settings = hasty(&faults);
        settings.limits.tries = 3;
        let bucket = Bucket::later(&settings).unwrap();
        let (sealed, content) = file("job/a", bytes);
        plan.iter().for_each(|(fault, count)| faults.next(Fault::ALL[*fault], *count));
        let sent = put(&bucket, &sealed, &content);
        let found = bucket.read("job/a", &mut go_on);
        faults.calm();
        let path = server.folder().join("archive/first/job/a");
        if path.exists() {
            prop_assert_eq!(&fs::read(&path).unwrap(), &content);
        } else {
            prop_assert!(sent.is_err());
            prop_assert!(!matches!(found, Ok(Some(_))));
        }
        let bucket = Bucket::open(&self::settings(server.endpoint())).unwrap();
        put(&bucket, &sealed, &content).unwrap();
        prop_assert_eq!(bucket.read("job/a", &mut go_on).unwrap().unwrap().sha256, sealed.sha256);
    }
}

/// A source that fails after so many bytes.
trait TakeSome {
    fn take_some(&self, bytes: usize) -> Box<dyn std::io::Read>;
}

impl TakeSome for Vec<u8> {
    fn take_some(&self, bytes: usize) -> Box<dyn std::io::Read> {
        Box::new(std::io::Cursor::new(self[..bytes].to_vec()).chain(Broken))
    }
}

struct Broken;

impl std::io::Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
        Err(std::io::ErrorKind::ConnectionReset.into())
    }
}
