//! Whom a question makes work, and whom it does not.

use std::path::Path;

use archive::Archive;
use jiff::Timestamp;
use settings::File;
use testkit::changing::Changing;
use watch::Wish;

use super::*;

/// A site, and a desk that is asked about it at once.
struct World {
    site: Changing,
    desk: Desk,
    _folder: tempfile::TempDir,
}

impl World {
    async fn new() -> World {
        let (site, folder) = (Changing::start(), tempfile::tempdir().unwrap());
        site.page("/", "<p>one");
        let desk = desk(folder.path()).await;
        World { site, desk, _folder: folder }
    }

    /// Whether somebody has had something checked since this was last asked.
    fn has_checked(&self) -> bool {
        self.desk.has_checked.swap(false, Ordering::SeqCst)
    }
}

async fn desk(folder: &Path) -> Desk {
    let archive = Archive::create(folder).unwrap();
    let mut settings = watch::Settings::new(fetch::Clock::new(crate::clock::now), testkit::ids::record_ids());
    settings.fetch.allowed = fetch::Allowed::private();
    settings.again_after = std::time::Duration::ZERO;
    settings.gate.delay_min = std::time::Duration::ZERO;
    settings.gate.delay_max = std::time::Duration::ZERO;
    let monitor = Monitor::open(&archive, settings).await.unwrap();
    let usual = Arc::new(Usual::of(&File::default().watch.values()));
    let session = crate::session::Session::new(crate::args::Globals::default());
    Desk { monitor, usual, keychain: session.keychain(folder), has_checked: Arc::default() }
}

/// A question that asks no server leaves the job of the rounds open, and judges nothing for others.
#[tokio::test]
async fn looking_at_versions_is_no_check() {
    let world = World::new().await;
    let (desk, url) = (&world.desk, world.site.url("/"));
    let me = desk.person(None).await.unwrap();
    world.site.page("/other", "<p>one");
    let other = desk.monitor.resource(&world.site.url("/other")).unwrap();
    desk.monitor.add_watch(&me, other.url(), &Wish::default()).await.unwrap();
    desk.check(&url, None, How::default()).await.unwrap();
    other.check().await.unwrap();
    assert!(world.has_checked());
    for path in ["/", "/other"] {
        world.site.page(path, "<p>two");
    }
    desk.check(&url, None, How::default()).await.unwrap();
    // Nobody has judged this one yet.
    other.check().await.unwrap();
    assert!(world.has_checked());
    let asked = world.site.seen().len();
    for _ in 0..3 {
        desk.version(&url, Which::Number(1)).await.unwrap();
        desk.version(&url, Which::At(Timestamp::UNIX_EPOCH)).await.unwrap();
        desk.document(&url, 2).await.unwrap();
        desk.patch(&url, Which::Number(1), Which::Number(2)).await.unwrap();
        desk.difference(&url, Which::Number(1), Which::Number(2), &Looking::default()).await.unwrap();
    }
    assert_eq!((world.has_checked(), world.site.seen().len()), (false, asked));
    // Nor is it by a check of something else.
    desk.version(&url, Which::Current).await.unwrap();
    assert!(world.has_checked());
    assert_eq!(desk.monitor.last_news().await.unwrap(), 0);
}

/// A question that takes a check says so, whatever becomes of it; those who watch the page hear of it.
#[tokio::test]
async fn a_question_that_takes_a_check_is_one() {
    let world = World::new().await;
    let (desk, url) = (&world.desk, world.site.url("/"));
    // What changes every time would be left out.
    let rules = RuleSet { noise: true, ..RuleSet::default() };
    let wish = api::watches::WatchWish { url: url.clone(), rules, ..Default::default() };
    desk.preview(&wish).await.unwrap();
    assert!(world.has_checked());
    // What is known is not asked for again.
    desk.preview(&wish).await.unwrap();
    assert!(!world.has_checked());
    let watch = desk.add(&wish).await.unwrap().id;
    let news = async || desk.monitor.last_news().await.unwrap();
    let mut told = 0;
    for (number, text) in ["two", "three", "four", "five"].into_iter().enumerate() {
        world.site.page("/", &format!("<p>{text}"));
        match number {
            0 => drop(desk.version(&url, Which::Current).await.unwrap()),
            1 => drop(desk.changes(&url, None, &Looking::default()).await.unwrap()),
            2 => drop(desk.check_many(std::slice::from_ref(&url), None, How::default()).await.unwrap()),
            _ => drop(desk.check_watch(watch).await.unwrap()),
        }
        assert!(world.has_checked(), "{text}");
        assert!(news().await > told, "{text}");
        told = news().await;
    }
    world.site.remove("/");
    assert!(desk.version(&url, Which::Current).await.is_err());
    assert!(world.has_checked());
}

/// A watch is found by its URL however many others have that in theirs.
#[tokio::test]
async fn a_watch_is_found_among_many() {
    let world = World::new().await;
    let desk = &world.desk;
    let (me, wish) = (desk.person(None).await.unwrap(), Wish::default());
    let urls: Vec<String> = (0..10_001).map(|number| format!("http://a.test/{number}")).collect();
    let many: Vec<_> = urls.iter().map(|url| (url.as_str(), &wish, Timestamp::MAX)).collect();
    desk.monitor.add_watches(&me, &many).await.unwrap();
    let last = desk.monitor.add_watch(&me, "http://a.test/", &wish).await.unwrap();
    let found = desk.watch_of(me.name(), "http://a.test/#part").await.unwrap();
    assert_eq!(found.map(|watch| watch.id), Some(last.id));
    assert_eq!(desk.watches_of("http://a.test/", None).await.unwrap().len(), 1);
    assert_eq!(desk.watches_of("http://a.test/", Some("ben")).await.unwrap().len(), 0);
}

/// Issue 20, point 5: pages and API come through here, and what they are told has no password in it.
#[tokio::test]
async fn passwords_of_urls_are_stored_by_whoever_fetches_and_by_nobody_else() {
    let world = World::new().await;
    let (desk, url) = (&world.desk, world.site.url("/"));
    let secret = |user: &str| url.replace("http://", &format!("http://{user}:sentinel@"));
    let users = || -> Vec<Vec<u8>> {
        let entries = desk.keychain.secrets().list().unwrap();
        let login = |entry: secrets::Entry| match entry.state {
            secrets::EntryState::Readable(login) => Some(login.user),
            _ => None,
        };
        entries.into_iter().filter_map(login).collect()
    };
    let wish = |user: &str| api::watches::WatchWish { url: secret(user), ..Default::default() };
    // Looking is no reason to store anything: anybody may ask for that by a link.
    assert!(desk.versions(&secret("looker"), None, 1).await.is_err());
    desk.read_wish(&wish("reader")).unwrap();
    assert_eq!(users(), [b""; 0]);
    desk.preview(&wish("a")).await.unwrap();
    assert_eq!(users(), [b"a"]);
    let row = desk.add(&wish("b")).await.unwrap();
    assert_eq!((row.wish.url.as_str(), users()), (url.as_str(), vec![b"b".to_vec()]));
    let check = desk.check(&secret("c"), None, How::default()).await.unwrap();
    assert_eq!((check.url.as_str(), users()), (url.as_str(), vec![b"c".to_vec()]));
    let checks = desk.check_many(&[secret("d")], None, How::default()).await.unwrap();
    assert_eq!((checks[0].as_ref().unwrap().0.url.as_str(), users()), (url.as_str(), vec![b"d".to_vec()]));
    // Who cannot store it does not go on.
    let key = desk.keychain.secrets().key_file().to_owned();
    std::fs::write(&key, "no key").unwrap();
    let fault = desk.add(&wish("e")).await.unwrap_err();
    let text = fault.to_string();
    assert!(matches!(fault, Fault::NotStored(_)) && !text.contains("sentinel"), "{text}");
}
