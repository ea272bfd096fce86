//! The nine use cases of the source, each with its conditions and outcomes: E2.

use watch::{Error, Outcome};

use crate::world::{World, at};

/// Three versions, first seen 60, 120 and 180 seconds after the beginning.
async fn three_versions() -> World {
    let world = World::new().await;
    for (number, text) in ["one", "two", "three"].into_iter().enumerate() {
        world.site.page("/", text);
        let check = world.check("/").await;
        assert_eq!(check.version, Some(number as u32 + 1));
    }
    world
}

/// A document that is not stored is an error, and nothing is asked.
pub(crate) async fn uc1_a_document_that_is_not_stored_is_an_error() {
    let world = World::new().await;
    world.site.page("/", "one");
    let error = world.resource("/").version(at(0)).await.unwrap_err();
    assert!(matches!(error, Error::Unknown(_)), "{error}");
    assert_eq!(world.site.count("/"), 0);
}

pub(crate) async fn uc1_a_time_before_all_gives_the_oldest() {
    let world = three_versions().await;
    let version = world.resource("/").version(at(1)).await.unwrap();
    assert_eq!((version.number, version.at), (1, at(60)));
    assert_eq!(world.text("/", &version).await, "one");
}

pub(crate) async fn uc1_the_youngest_that_was_made_before_the_time() {
    let world = three_versions().await;
    let resource = world.resource("/");
    let asked = world.site.count("/");
    for (seconds, number, text) in
        [(60, 1, "one"), (119, 1, "one"), (120, 2, "two"), (179, 2, "two"), (180, 3, "three")]
    {
        let version = resource.version(at(seconds)).await.unwrap();
        assert_eq!(version.number, number, "{seconds}");
        assert_eq!(world.text("/", &version).await, text);
    }
    assert_eq!(world.site.count("/"), asked, "the past is known");
}

/// "If the time is newer than the newest version, the system uses UC6."
pub(crate) async fn uc1_a_time_after_the_newest_has_it_checked_first() {
    let world = three_versions().await;
    world.turn_to(1_000);
    world.site.page("/", "four");
    let version = world.resource("/").version(at(1_000)).await.unwrap();
    assert_eq!((version.number, version.at), (4, at(1_000)));
    // A time between the newest version and the check: what held then.
    world.turn_to(2_000);
    world.site.page("/", "five");
    let version = world.resource("/").version(at(1_500)).await.unwrap();
    assert_eq!(version.number, 4);
    assert_eq!(world.resource("/").last_checked().await.unwrap(), Some(at(2_000)));
}

/// "An error within UC6 is passed on to the user, and the use case ends."
pub(crate) async fn uc1_an_error_of_that_check_is_passed_on() {
    let world = three_versions().await;
    world.turn_to(1_000);
    world.site.remove("/");
    let error = world.resource("/").version(at(1_000)).await.unwrap_err();
    assert!(matches!(&error, Error::NotHad(check) if check.status == Some(404)), "{error}");
    assert!(error.to_string().contains("status 404"), "{error}");
}

pub(crate) async fn uc1_by_number() {
    let world = three_versions().await;
    let version = world.resource("/").version(2).await.unwrap();
    assert_eq!(world.text("/", &version).await, "two");
    assert!(matches!(world.resource("/").version(4).await, Err(Error::NoVersion(_))));
    assert!(matches!(world.resource("/").version(0).await, Err(Error::NoVersion(_))));
    let numbers: Vec<u32> =
        world.resource("/").versions(1, 10).await.unwrap().iter().map(|version| version.number).collect();
    assert_eq!(numbers, [2, 3]);
}

pub(crate) async fn uc2_the_current_version_after_a_check() {
    let world = World::new().await;
    world.site.page("/", "one");
    let version = world.resource("/").last_version().await.unwrap();
    assert_eq!((version.number, version.length, version.media_type.as_str()), (1, 3, "text/html"));
    world.later();
    world.site.page("/", "another");
    let version = world.resource("/").last_version().await.unwrap();
    assert_eq!(world.text("/", &version).await, "another");
}

pub(crate) async fn uc2_what_is_not_available_is_an_error() {
    let world = three_versions().await;
    world.later();
    world.site.plain("/", "503 Service Unavailable", &[], b"later");
    let error = world.resource("/").last_version().await.unwrap_err();
    assert!(matches!(error, Error::NotHad(check) if check.outcome == Outcome::Unavailable));
}

pub(crate) async fn uc3_changed_since_my_last_check() {
    let world = World::new().await;
    let (mine, yours) =
        (world.monitor.person("me").await.unwrap(), world.monitor.person("you").await.unwrap());
    let page = world.resource("/");
    world.site.page("/", "one");
    // Whoever asks for the first time has no last check.
    assert_eq!(page.changed_since_my_last_check(&mine).await.unwrap(), None);
    world.later();
    assert_eq!(page.changed_since_my_last_check(&mine).await.unwrap(), Some(false));
    world.later();
    world.site.page("/", "two");
    assert_eq!(page.changed_since_my_last_check(&mine).await.unwrap(), Some(true));
    assert_eq!(page.changed_since_my_last_check(&mine).await.unwrap(), Some(false));
    // Another's memory is another's.
    assert_eq!(page.changed_since_my_last_check(&yours).await.unwrap(), None);
}

/// What changed and changed back is as it was.
pub(crate) async fn uc3_there_and_back_again_is_no_change() {
    let world = World::new().await;
    let me = world.monitor.person("me").await.unwrap();
    world.site.page("/", "one");
    world.resource("/").changed_since_my_last_check(&me).await.unwrap();
    world.site.page("/", "two");
    assert_eq!(world.outcome("/").await, Outcome::Changed);
    world.site.page("/", "one");
    world.later();
    assert_eq!(world.resource("/").changed_since_my_last_check(&me).await.unwrap(), Some(false));
    assert_eq!(
        world.resource("/").version(3).await.unwrap().digest,
        world.resource("/").version(1).await.unwrap().digest
    );
}

pub(crate) async fn uc3_what_is_not_available_is_an_error_and_no_last_check() {
    let world = World::new().await;
    let me = world.monitor.person("me").await.unwrap();
    let page = world.resource("/");
    world.site.page("/", "one");
    page.changed_since_my_last_check(&me).await.unwrap();
    world.later();
    world.site.remove("/");
    assert!(matches!(page.changed_since_my_last_check(&me).await, Err(Error::NotHad(_))));
    world.later();
    world.site.page("/", "two");
    assert_eq!(page.changed_since_my_last_check(&me).await.unwrap(), Some(true));
}

pub(crate) async fn uc4_what_changed_since_my_last_check() {
    let world = World::new().await;
    let me = world.monitor.person("me").await.unwrap();
    let page = world.resource("/");
    world.site.page("/", "one");
    let change = page.changes_since_my_last_check(&me).await.unwrap();
    assert!(change.is_first && change.is_empty());
    for text in ["two", "three"] {
        world.site.page("/", text);
        world.check("/").await;
    }
    world.later();
    let change = page.changes_since_my_last_check(&me).await.unwrap();
    assert!(!change.is_first && !change.is_empty());
    assert_eq!((change.before.number, change.after.number), (1, 3));
    assert_eq!(world.text("/", &change.before).await, "one");
    assert_eq!(world.text("/", &change.after).await, "three");
}

/// The source's note: "The sequence UC3, UC4 gives the empty change."
pub(crate) async fn uc4_asking_again_at_once_gives_the_empty_change() {
    let world = World::new().await;
    let me = world.monitor.person("me").await.unwrap();
    let page = world.resource("/");
    world.site.page("/", "one");
    page.changed_since_my_last_check(&me).await.unwrap();
    world.later();
    world.site.page("/", "two");
    assert_eq!(page.changed_since_my_last_check(&me).await.unwrap(), Some(true));
    let again = page.changes_since_my_last_check(&me).await.unwrap();
    assert!(again.is_empty() && !again.is_first);
    world.later();
    assert!(page.changes_since_my_last_check(&me).await.unwrap().is_empty());
    world.later();
    world.site.remove("/");
    assert!(matches!(page.changes_since_my_last_check(&me).await, Err(Error::NotHad(_))));
}

pub(crate) async fn uc5_the_difference_between_two_times() {
    let world = three_versions().await;
    let page = world.resource("/");
    let change = page.difference(at(0), at(130)).await.unwrap();
    assert_eq!((change.before.number, change.after.number, change.is_empty()), (1, 2, false));
    assert!(page.difference(at(121), at(130)).await.unwrap().is_empty());
    let change = page.difference(3, 1).await.unwrap();
    assert_eq!((change.before.number, change.after.number), (3, 1));
    // Errors of either are passed on.
    assert!(matches!(page.difference(1, 9).await, Err(Error::NoVersion(_))));
    world.later();
    world.site.remove("/");
    assert!(matches!(page.difference(at(0), at(5_000)).await, Err(Error::NotHad(_))));
    assert!(matches!(world.resource("/other").difference(at(0), at(1)).await, Err(Error::Unknown(_))));
}

pub(crate) async fn uc6_a_check_says_whether_it_changed() {
    let world = World::new().await;
    world.site.page("/", "one");
    assert_eq!(world.outcome("/").await, Outcome::First);
    assert_eq!(world.outcome("/").await, Outcome::Unchanged);
    world.site.page("/", "two");
    let check = world.check("/").await;
    assert_eq!((check.outcome, check.status, check.version), (Outcome::Changed, Some(200), Some(2)));
    assert!(check.faults.is_empty() && check.why.is_none() && !check.is_repeated, "{check:?}");
    // What is not available is told, and when it was checked is known all the same.
    world.site.remove("/");
    let check = world.check("/").await;
    assert_eq!((check.outcome, check.status, check.version), (Outcome::Unavailable, Some(404), Some(2)));
    assert_eq!(world.resource("/").last_checked().await.unwrap(), Some(check.at));
    let history: Vec<&str> =
        world.resource("/").checks(0, 10).await.unwrap().iter().map(|check| check.outcome.code()).collect();
    assert_eq!(history, ["first", "unchanged", "changed", "unavailable"]);
}

pub(crate) async fn uc7_is_it_available_now() {
    let world = World::new().await;
    let page = world.resource("/");
    assert!(!page.available().await.unwrap());
    world.later();
    world.site.plain("/", "200 OK", &[("Connection", "close")], b"one");
    assert!(page.available().await.unwrap());
    world.later();
    // Nobody answers.
    world.site.answer("/", |_, _| Vec::new());
    assert!(!page.available().await.unwrap());
    assert_eq!(world.site.count("/"), 3);
}

pub(crate) async fn uc8_the_history_of_availability() {
    let world = World::new().await;
    let page = world.resource("/");
    assert!(matches!(page.availability().await, Err(Error::Unknown(_))));
    world.check("/").await;
    world.site.page("/", "one");
    world.check("/").await;
    world.site.plain("/", "500 Oh", &[], b"");
    world.check("/").await;
    world.site.page("/", "one");
    world.check("/").await;
    let asked = world.site.count("/");
    let history = page.availability().await.unwrap();
    assert_eq!(history, [(at(60), false), (at(120), true), (at(180), false), (at(240), true)]);
    assert_eq!(page.available_at(at(59)).await.unwrap(), None);
    assert_eq!(page.available_at(at(130)).await.unwrap(), Some(true));
    assert_eq!(page.available_at(at(239)).await.unwrap(), Some(false));
    assert_eq!(world.site.count("/"), asked, "nothing is asked for that");
}

pub(crate) async fn uc9_the_last_reachable_version() {
    let world = three_versions().await;
    world.later();
    world.site.plain("/", "410 Gone", &[], b"gone");
    let asked = world.site.count("/");
    let version = world.resource("/").last_reachable_version().await.unwrap();
    assert_eq!((version.number, world.text("/", &version).await.as_str()), (3, "three"));
    assert_eq!(world.site.count("/"), asked + 1, "a check comes first");
    // Where there has never been one, that is an error.
    let never = world.resource("/never").last_reachable_version().await.unwrap_err();
    assert!(matches!(never, Error::NoVersion(_)), "{never}");
    // Where it is reachable, it is the current one.
    world.later();
    world.site.page("/", "four");
    assert_eq!(world.resource("/").last_reachable_version().await.unwrap().number, 4);
}
