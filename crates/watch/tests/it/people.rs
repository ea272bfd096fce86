//! Whoever asks has a memory of its own: E3.

use watch::{Error, How};

use crate::world::World;

pub(crate) async fn e3_a_name_can_be_tested_for_being_taken() {
    let world = World::new().await;
    assert!(!world.monitor.is_name_taken("rrs_deliverables").await.unwrap());
    let person = world.monitor.person(" rrs_deliverables").await.unwrap();
    assert_eq!(person.name(), "rrs_deliverables");
    assert!(world.monitor.is_name_taken("rrs_deliverables").await.unwrap());
    assert_eq!(world.monitor.person("rrs_deliverables").await.unwrap(), person);
    for name in ["", "\n", &"a".repeat(101)] {
        assert!(matches!(world.monitor.person(name).await, Err(Error::Name(_))), "{name}");
        assert!(world.monitor.is_name_taken(name).await.is_err());
    }
}

pub(crate) async fn e3_memory_outlives_the_program() {
    let world = World::new().await;
    let me = world.monitor.person("me").await.unwrap();
    world.site.page("/", "one");
    world.resource("/").check_for(&me, How::default()).await.unwrap();
    world.site.page("/", "two");
    let world = world.reopen().await;
    world.later();
    let me = world.monitor.person("me").await.unwrap();
    assert_eq!(world.resource("/").changed_since_my_last_check(&me).await.unwrap(), Some(true));
}

/// A check that somebody else made, or nobody, is not mine.
pub(crate) async fn e3_checks_of_others_are_not_mine() {
    let world = World::new().await;
    let me = world.monitor.person("me").await.unwrap();
    world.site.page("/", "one");
    world.resource("/").check_for(&me, How::default()).await.unwrap();
    world.site.page("/", "two");
    world.check("/").await;
    world.later();
    assert_eq!(world.resource("/").changed_since_my_last_check(&me).await.unwrap(), Some(true));
}
