//! Watches: when they are due, and for whom.

use std::time::Duration;

use watch::{Error, How, Pace, Telling, Wish};

use crate::world::{World, at};

const HOUR: Duration = Duration::from_secs(3600);

pub(crate) async fn a_watch_is_due_at_once_and_again_after_its_pause() {
    let world = World::new().await;
    let me = world.monitor.person("me").await.unwrap();
    world.site.page("/", "one");
    let url = world.site.url("/");
    let rules = diff::RuleSet { only: vec!["css:#news".parse().unwrap()], ..diff::RuleSet::default() };
    let tags = vec!["harbour".to_owned(), "two words".to_owned()];
    let wish = Wish { pace: Pace::Every(HOUR), rules, tags, title: "Tides".to_owned(), ..Wish::default() };
    let watch = world.monitor.add_watch(&me, &url, &wish).await.unwrap();
    assert_eq!((watch.owner.as_str(), watch.url.as_str(), &watch.wish), ("me", url.as_str(), &wish));
    assert_eq!(world.monitor.due(10).await.unwrap(), std::slice::from_ref(&watch));
    assert!(matches!(world.monitor.add_watch(&me, &url, &wish).await, Err(Error::Watched { .. })));
    let check = world.check("/").await;
    assert_eq!(world.monitor.due(10).await.unwrap(), []);
    assert_eq!(world.monitor.watch(watch.id).await.unwrap().due_at, check.at + HOUR);
    world.turn_to(60 + 3600);
    assert_eq!(world.monitor.due(10).await.unwrap().len(), 1);
}

pub(crate) async fn an_adaptive_watch_follows_the_page() {
    let world = World::new().await;
    let me = world.monitor.person("me").await.unwrap();
    let pace = Pace::Adaptive { least: HOUR, most: 8 * HOUR, now: 4 * HOUR };
    let url = world.site.url("/");
    let id = world.monitor.add_watch(&me, &url, &Wish { pace, ..Wish::default() }).await.unwrap().id;
    let pause = async |text: &str| {
        if !text.is_empty() {
            world.site.page("/", text);
        }
        let check = world.check("/").await;
        world.monitor.judge().await.unwrap();
        let watch = world.monitor.watch(id).await.unwrap();
        assert_eq!(watch.due_at, check.at + watch.wish.pace.pause());
        watch.wish.pace.pause()
    };
    assert_eq!(pause("one").await, 4 * HOUR);
    assert_eq!(pause("two").await, 2 * HOUR);
    assert_eq!(pause("three").await, HOUR);
    assert_eq!(pause("four").await, HOUR);
    assert_eq!(pause("").await, HOUR + HOUR / 4);
    // What cannot be reached tells nothing of how often it changes.
    world.site.remove("/");
    assert_eq!(pause("").await, HOUR + HOUR / 4);
}

pub(crate) async fn watches_are_listed_changed_paused_and_removed() {
    let world = World::new().await;
    let (me, you) = (world.monitor.person("me").await.unwrap(), world.monitor.person("you").await.unwrap());
    let mut ids = Vec::new();
    for (owner, path) in [(&me, "/a"), (&me, "/b"), (&you, "/a")] {
        ids.push(world.monitor.add_watch(owner, &world.site.url(path), &Wish::default()).await.unwrap().id);
    }
    let list = async |owner, behind| -> Vec<i64> {
        world.monitor.watches(owner, behind, 10).await.unwrap().iter().map(|watch| watch.id).collect()
    };
    assert_eq!(list(None, 0).await, ids);
    assert_eq!(list(Some(&me), 0).await, ids[..2]);
    assert_eq!(list(None, ids[0]).await, ids[1..]);

    let mut watch = world.monitor.watch(ids[0]).await.unwrap();
    watch.wish = Wish {
        is_paused: true,
        telling: Telling { to: vec!["mailto:ann@example.org".to_owned()], ..Telling::default() },
        how: How { force: true, head_first: true },
        ..watch.wish
    };
    watch.due_at = at(500);
    world.monitor.change_watch(&watch).await.unwrap();
    assert_eq!(world.monitor.watch(ids[0]).await.unwrap(), watch);
    assert_eq!(world.monitor.due(10).await.unwrap().len(), 2);

    world.monitor.remove_watch(ids[1]).await.unwrap();
    assert_eq!(list(None, 0).await, [ids[0], ids[2]]);
    for gone in [world.monitor.remove_watch(ids[1]).await, world.monitor.watch(ids[1]).await.map(drop)] {
        assert!(matches!(gone, Err(Error::NoWatch(_))));
    }
    // Its number leads nowhere from then on, also if it was the last.
    world.monitor.remove_watch(ids[2]).await.unwrap();
    let next = world.monitor.add_watch(&you, &world.site.url("/a"), &Wish::default()).await.unwrap().id;
    assert_eq!(next, ids[2] + 1);
}
