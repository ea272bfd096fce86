//! Servers that lie, fall silent, or send too much: nothing of it makes a change where there is none, and each is told.

use testkit::changing::not_modified;
use testkit::server::reply;
use watch::{Fault, Outcome};

use crate::world::World;

const TEXT: (&str, &str) = ("Content-Type", "text/plain");

/// "Some servers answer with the current time in Last-Modified."
pub(crate) async fn e1_last_modified_that_is_always_now_is_no_change() {
    let world = World::new().await;
    world.site.answer("/", |_, count| {
        let now = format!("Mon, 16 Nov 2026 08:00:{count:02} GMT");
        reply("200 OK", &[TEXT, ("Last-Modified", &now)], b"the same")
    });
    assert_eq!(world.outcome("/").await, Outcome::First);
    for _ in 0..3 {
        assert_eq!(world.outcome("/").await, Outcome::Unchanged);
    }
    // And nobody is asked by it alone.
    assert_eq!(world.site.last("/").fields("if-modified-since"), Vec::<String>::new());
}

/// Nor is one believed that stays the same.
pub(crate) async fn e1_last_modified_that_never_changes_hides_no_change() {
    let world = World::new().await;
    for text in [&b"one"[..], b"two"] {
        world.site.plain("/", "200 OK", &[TEXT, ("Last-Modified", "Mon, 16 Nov 2026 08:00:00 GMT")], text);
        assert!(matches!(world.outcome("/").await, Outcome::First | Outcome::Changed));
    }
}

pub(crate) async fn e1_a_tag_that_changes_each_time_is_no_change() {
    let world = World::new().await;
    world
        .site
        .answer("/", |_, count| reply("200 OK", &[TEXT, ("ETag", &format!("\"{count}\""))], b"the same"));
    assert_eq!(world.outcome("/").await, Outcome::First);
    for count in 0..3 {
        assert_eq!(world.outcome("/").await, Outcome::Unchanged);
        assert_eq!(world.site.last("/").fields("if-none-match"), [format!("\"{count}\"")]);
    }
    assert_eq!(world.resource("/").versions(0, 10).await.unwrap().len(), 1);
}

pub(crate) async fn e1_304_to_an_unconditional_request_is_told_and_no_change() {
    let world = World::new().await;
    world.site.answer("/never", |_, _| not_modified(&[]));
    let check = world.check("/never").await;
    assert_eq!((check.outcome, check.version), (Outcome::Unchanged, None));
    assert_eq!(check.faults, [Fault::UnaskedNotModified]);
    // The same where a document is known that has no tag.
    world.site.plain("/", "200 OK", &[TEXT], b"one");
    assert_eq!(world.outcome("/").await, Outcome::First);
    world.site.answer("/", |_, _| not_modified(&[("ETag", "\"made up\"")]));
    let check = world.check("/").await;
    assert_eq!((check.outcome, check.version, check.status), (Outcome::Unchanged, Some(1), Some(304)));
    assert_eq!(check.faults, [Fault::UnaskedNotModified]);
    // A tag that comes with it is not believed.
    world.check("/").await;
    assert!(world.site.last("/").fields("if-none-match").is_empty());
}

/// A page that says 200 and means an error is a document like any other: whoever compares may have rules for it. That it was there is seen.
pub(crate) async fn a_200_with_the_text_of_an_error_is_a_change_that_can_be_looked_at() {
    let world = World::new().await;
    world.site.page("/", "the page");
    world.check("/").await;
    world.site.plain("/", "200 OK", &[TEXT], b"Internal server error");
    let check = world.check("/").await;
    assert_eq!((check.outcome, check.is_available()), (Outcome::Changed, true));
    world.site.page("/", "the page");
    assert_eq!(world.outcome("/").await, Outcome::Changed);
    let versions = world.resource("/").versions(0, 10).await.unwrap();
    assert_eq!((versions.len(), versions[0].digest), (3, versions[2].digest));
}

/// More is announced than comes: the answer breaks off, and nobody knows what is missing. If it breaks off there again, that is all there is.
pub(crate) async fn a_length_that_is_too_large_is_told() {
    let world = World::new().await;
    let lie = |body: &str| {
        format!("HTTP/1.1 200 OK\r\nContent-Length: 100\r\nConnection: close\r\n\r\n{body}").into_bytes()
    };
    world.site.answer("/", move |_, _| lie("short"));
    let check = world.check("/").await;
    assert_eq!((check.outcome, check.version), (Outcome::Incomplete, None));
    assert_eq!(check.faults, [Fault::WrongLength]);
    assert!(check.is_available() && check.why.is_some());
    let check = world.check("/").await;
    assert_eq!((check.outcome, check.faults.as_slice()), (Outcome::First, &[Fault::WrongLength][..]));
    let version = world.resource("/").version(1).await.unwrap();
    assert_eq!(world.text("/", &version).await, "short");
}

/// A connection that breaks in the middle of a document is no change.
pub(crate) async fn an_answer_that_breaks_off_once_is_no_change() {
    let world = World::new().await;
    world.site.plain("/", "200 OK", &[TEXT], b"the whole text");
    world.check("/").await;
    world.site.answer("/", |_, _| {
        b"HTTP/1.1 200 OK\r\nContent-Length: 14\r\nConnection: close\r\n\r\nthe wh".to_vec()
    });
    assert_eq!(world.outcome("/").await, Outcome::Incomplete);
    world.site.plain("/", "200 OK", &[TEXT], b"the whole text");
    assert_eq!(world.outcome("/").await, Outcome::Unchanged);
}

pub(crate) async fn a_length_that_is_too_small_is_told() {
    let world = World::new().await;
    world.site.answer("/", |_, _| {
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nshort and more".to_vec()
    });
    let check = world.check("/").await;
    assert_eq!((check.outcome, check.length), (Outcome::First, Some(5)));
    assert_eq!(check.faults, [Fault::WrongLength]);
}

pub(crate) async fn a_wrong_content_md5_is_told_and_not_believed() {
    let world = World::new().await;
    // That of "abc".
    let md5 = ("Content-MD5", "kAFQmDzST7DWlj99KOF/cg==");
    world.site.plain("/", "200 OK", &[TEXT, md5], b"abc");
    let check = world.check("/").await;
    assert!(check.faults.is_empty(), "{check:?}");
    world.site.plain("/", "200 OK", &[TEXT, md5], b"xyz");
    let check = world.check("/").await;
    assert_eq!((check.outcome, check.faults.as_slice()), (Outcome::Changed, &[Fault::WrongDigest][..]));
    // By HEAD nothing is concluded from it.
    world.later();
    let how = watch::How { head_first: true, ..watch::How::default() };
    let check = world.resource("/").check_as(how).await.unwrap();
    assert_eq!((check.outcome, check.digest.is_some()), (Outcome::Unchanged, true));
}

pub(crate) async fn a_host_that_comes_and_goes_leaves_its_versions_alone() {
    let world = World::new().await;
    world.site.answer("/", |_, count| match count % 3 {
        // A kept connection that breaks would be tried anew.
        0 => reply("200 OK", &[TEXT, ("Connection", "close")], b"the same"),
        1 => Vec::new(),
        _ => reply("503 Service Unavailable", &[("Retry-After", "0"), ("Connection", "close")], b""),
    });
    let mut outcomes = Vec::new();
    for _ in 0..6 {
        outcomes.push(world.outcome("/").await.code());
    }
    assert_eq!(outcomes, ["first", "unreachable", "unavailable", "unchanged", "unreachable", "unavailable"]);
    assert_eq!(world.resource("/").versions(0, 10).await.unwrap().len(), 1);
    let check = world.resource("/").checks(0, 10).await.unwrap().remove(1);
    assert!(check.why.is_some() && check.status.is_none(), "{check:?}");
}

pub(crate) async fn e5_redirects_in_a_circle_are_found() {
    let world = World::new().await;
    world.site.redirect("/a", "302 Found", "/b");
    world.site.redirect("/b", "302 Found", "/a");
    world.site.redirect("/self", "302 Found", "/self");
    for path in ["/a", "/self"] {
        let check = world.check(path).await;
        assert_eq!((check.outcome, check.version), (Outcome::Unreachable, None));
        assert!(check.why.as_ref().unwrap().contains("circle"), "{check:?}");
    }
    assert!(world.site.seen().len() <= 4);
}

/// E5: "Such a file is not taken; only its headers are checked", unless that is forced.
pub(crate) async fn e5_eleven_megabytes_are_compared_by_headers_unless_forced() {
    let world = World::new().await;
    let serve = |letter: u8, tag: &'static str| {
        let body = vec![letter; 11_000_000];
        move |_: &testkit::server::Request, _: u64| reply("200 OK", &[TEXT, ("ETag", tag)], &body)
    };
    world.site.answer("/", serve(b'a', "\"1\""));
    let check = world.check("/").await;
    assert_eq!((check.outcome, check.version), (Outcome::TooLarge { has_changed: false }, None));
    assert!(check.head.unwrap().starts_with(b"HTTP/1.1 200 OK"));
    assert!(check.why.unwrap().contains("larger than 10000000 bytes"));
    // From here on HEAD tells.
    let check = world.check("/").await;
    assert_eq!(check.outcome, Outcome::TooLarge { has_changed: false });
    assert!(world.site.last("/").request.starts_with(b"HEAD "));
    world.site.answer("/", serve(b'b', "\"2\""));
    assert_eq!(world.outcome("/").await, Outcome::TooLarge { has_changed: true });
    assert!(matches!(world.resource("/").last_version().await, Err(watch::Error::NotHad(_))));
    // Forced, also at once: it is another question.
    let check = world.resource("/").check_forced().await.unwrap();
    assert_eq!((check.outcome, check.length), (Outcome::First, Some(11_000_000)));
    let version = world.resource("/").version(1).await.unwrap();
    assert_eq!(world.text("/", &version).await.len(), 11_000_000);
    assert_eq!(world.site.seen().iter().filter(|seen| seen.request.starts_with(b"HEAD")).count(), 2);
    // Not forced any more, it is held against the headers of what was taken.
    assert_eq!(world.outcome("/").await, Outcome::TooLarge { has_changed: false });
    world.site.answer("/", serve(b'c', "\"3\""));
    assert_eq!(world.outcome("/").await, Outcome::TooLarge { has_changed: true });
}

/// A length is not needed to be too large; nor is one of packed bytes that unfold.
pub(crate) async fn e5_what_unfolds_beyond_the_limit_is_too_large() {
    let world = World::with(|settings| settings.limits.document_bytes = 100_000).await;
    let packed = zstd::encode_all(vec![b'a'; 200_000].as_slice(), 3).unwrap();
    world.site.plain("/bomb", "200 OK", &[TEXT, ("Content-Encoding", "zstd")], &packed);
    assert_eq!(world.outcome("/bomb").await, Outcome::TooLarge { has_changed: false });
    let long = testkit::server::chunked("200 OK", &[TEXT], &[&[b'a'; 60_000], &[b'b'; 60_000]]);
    world.site.answer("/chunks", move |_, _| long.clone());
    assert_eq!(world.outcome("/chunks").await, Outcome::TooLarge { has_changed: false });
}

pub(crate) async fn e4_a_binary_that_is_called_text_is_compared_like_any_other() {
    let world = World::new().await;
    let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01".to_vec();
    world.site.plain("/", "200 OK", &[TEXT], &png);
    let check = world.check("/").await;
    assert_eq!((check.outcome, check.faults.as_slice()), (Outcome::First, &[Fault::WrongType][..]));
    assert_eq!(world.resource("/").version(1).await.unwrap().media_type, "image/png");
    png.push(0);
    world.site.plain("/", "200 OK", &[TEXT], &png);
    assert_eq!(world.outcome("/").await, Outcome::Changed);
}

pub(crate) async fn a_coding_that_is_not_the_one_named_is_told() {
    let world = World::new().await;
    let mut packed = zstd::encode_all(&b"some text"[..], 3).unwrap();
    packed.truncate(packed.len() - 4);
    world.site.plain("/", "200 OK", &[TEXT, ("Content-Encoding", "zstd")], &packed);
    let check = world.check("/").await;
    assert_eq!((check.outcome, check.faults.as_slice()), (Outcome::First, &[Fault::BrokenCoding][..]));
    assert_eq!(world.outcome("/").await, Outcome::Unchanged);
    // Its version is what was sent.
    let version = world.resource("/").version(1).await.unwrap();
    assert_eq!(version.length, packed.len() as u64);
    assert_eq!(world.text("/", &version).await, String::from_utf8_lossy(&packed));
}
