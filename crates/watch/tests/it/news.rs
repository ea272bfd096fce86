//! What is worth telling, and what is not.

use std::time::Duration;

use diff::{RuleSet, Trigger};
use watch::{News, NewsKind, Pace, Telling, Wish};

use crate::world::World;

async fn watched(world: &World, path: &str, rules: RuleSet) -> i64 {
    let me = world.monitor.person("me").await.unwrap();
    let wish = Wish { rules, title: "Fish".to_owned(), ..Wish::default() };
    world.monitor.add_watch(&me, &world.site.url(path), &wish).await.unwrap().id
}

/// A page says this from now on, and is checked; the news of that.
async fn says(world: &World, path: &str, text: &str) -> Vec<News> {
    world.site.page(path, text);
    world.check(path).await;
    world.monitor.judge().await.unwrap()
}

pub(crate) async fn a_change_is_told_once() {
    let world = World::new().await;
    let id = watched(&world, "/", RuleSet::default()).await;
    // What was there when it was first seen is no news.
    assert_eq!(says(&world, "/", "<p>Cod: 12 left").await, []);
    let news = says(&world, "/", "<p>Cod: sold out").await;
    let [one] = news.as_slice() else { panic!("{news:?}") };
    assert_eq!(
        (one.watch, one.owner.as_str(), one.title.as_str(), one.kind),
        (id, "me", "Fish", NewsKind::Changed)
    );
    assert_eq!((one.before.map(|v| v.0), one.after.map(|v| v.0)), (Some(1), Some(2)));
    assert!(one.text.contains("sold out") && one.html.contains("sold out"), "{one:?}");
    assert_eq!(world.monitor.judge().await.unwrap(), []);
    assert_eq!(says(&world, "/", "<p>Cod: sold out").await, []);
    assert_eq!(world.monitor.news(Some(id), None, None, 10).await.unwrap(), news);
    assert_eq!(world.monitor.news(None, Some("me"), None, 10).await.unwrap(), news);
    assert_eq!(world.monitor.news(None, Some("you"), None, 10).await.unwrap(), []);
    assert_eq!(world.monitor.news_behind(0, 10).await.unwrap(), news);
    assert_eq!(world.monitor.news_behind(one.id, 10).await.unwrap(), []);
}

pub(crate) async fn whoever_comes_later_is_not_told_of_what_was_before() {
    let world = World::new().await;
    world.site.page("/", "<p>one");
    world.check("/").await;
    watched(&world, "/", RuleSet::default()).await;
    assert_eq!(world.monitor.judge().await.unwrap(), []);
    assert_eq!(says(&world, "/", "<p>two things").await.len(), 1);
}

pub(crate) async fn rules_say_what_counts() {
    let world = World::new().await;
    let rules = RuleSet { only: vec!["css:#price".into()], ..RuleSet::default() };
    watched(&world, "/", rules).await;
    says(&world, "/", "<p id=price>10 crowns</p><p>Today: herring").await;
    assert_eq!(says(&world, "/", "<p id=price>10 crowns</p><p>Today: eel").await, []);
    assert_eq!(says(&world, "/", "<p id=price>about 12 crowns</p><p>Today: eel").await.len(), 1);
}

pub(crate) async fn a_trigger_is_set_off_each_time_by_one_step() {
    let world = World::new().await;
    let rules = RuleSet { triggers: vec![Trigger::Appears("sold out".into())], ..RuleSet::default() };
    watched(&world, "/", rules).await;
    says(&world, "/", "<p>Cod: fresh").await;
    assert_eq!(says(&world, "/", "<p>Cod: a few left").await, []);
    assert_eq!(says(&world, "/", "<p>Cod: sold out").await.len(), 1);
    assert_eq!(says(&world, "/", "<p>Cod: fresh again").await, []);
    assert_eq!(says(&world, "/", "<p>Cod: sold out").await.len(), 1);
}

/// Small steps add up: what is compared with is the last version that was told of.
pub(crate) async fn small_changes_pass_a_threshold_together() {
    let world = World::new().await;
    let rules = RuleSet { words_min: 3, ..RuleSet::default() };
    watched(&world, "/", rules).await;
    let page = |words: &str| format!("<p>alpha beta gamma delta {words}</p>");
    says(&world, "/", &page("epsilon zeta")).await;
    assert_eq!(says(&world, "/", &page("herring zeta")).await, []);
    assert_eq!(says(&world, "/", &page("herring eel")).await, []);
    let news = says(&world, "/", &page("herring eel cod")).await;
    assert_eq!(news.len(), 1);
    assert_eq!(news[0].before.map(|version| version.0), Some(1));
    assert_eq!(says(&world, "/", &page("herring eel pike")).await, []);
}

/// What is different at every visit is noise; what is different now and then is not, however often it has been.
pub(crate) async fn what_changes_at_every_visit_is_learned() {
    let world = World::new().await;
    watched(&world, "/quote", RuleSet::default()).await;
    watched(&world, "/news", RuleSet::default()).await;
    let quotes =
        ["Eels have no feet", "Cod knows", "Herring aid", "A whale of a time", "Sole survivor", "Pike a boo"];
    let mut told = (Vec::new(), Vec::new());
    for quote in quotes {
        told.0.push(says(&world, "/quote", &format!("<h1>Fish</h1><p id=q>{quote}</p>")).await.len());
        told.1.push(says(&world, "/news", &format!("<h1>Fish</h1><p id=q>{quote}</p>")).await.len());
        for _ in 0..6 {
            world.check("/news").await;
        }
    }
    assert_eq!(told.0, [0, 1, 1, 1, 0, 0]);
    assert_eq!(told.1, [0, 1, 1, 1, 1, 1]);
}

pub(crate) async fn a_page_that_is_gone_is_told_once_and_once_that_it_is_back() {
    let world = World::new().await;
    let me = world.monitor.person("me").await.unwrap();
    let telling = Telling { gone_after: 2, ..Telling::default() };
    world.monitor.add_watch(&me, &world.site.url("/"), &Wish { telling, ..Wish::default() }).await.unwrap();
    let never = Telling { gone_after: 0, ..Telling::default() };
    let you = world.monitor.person("you").await.unwrap();
    world
        .monitor
        .add_watch(&you, &world.site.url("/"), &Wish { telling: never, ..Wish::default() })
        .await
        .unwrap();
    says(&world, "/", "<p>one").await;
    let mut kinds = Vec::new();
    for is_there in [false, false, false, true, true, false, true] {
        if is_there {
            world.site.page("/", "<p>one")
        } else {
            world.site.remove("/")
        }
        world.check("/").await;
        let news = world.monitor.judge().await.unwrap();
        assert!(news.iter().all(|news| news.owner == "me"), "{news:?}");
        kinds.push(news.iter().map(|news| news.kind.code()).collect::<Vec<_>>().join(" "));
    }
    assert_eq!(kinds, ["", "gone", "", "back", "", "", ""]);
}

/// Several versions that nobody has judged are judged one by one, each once, also by somebody who comes after a crash.
pub(crate) async fn what_a_crash_has_left_is_judged_version_by_version() {
    let world = World::new().await;
    watched(&world, "/", RuleSet::default()).await;
    for text in ["<p>one", "<p>two things", "<p>three other things"] {
        world.site.page("/", text);
        world.check("/").await;
    }
    let world = world.reopen().await;
    let news = world.monitor.judge().await.unwrap();
    let steps: Vec<_> = news.iter().map(|n| (n.before.unwrap().0, n.after.unwrap().0)).collect();
    assert_eq!(steps, [(1, 2), (2, 3)]);
    assert_eq!(world.monitor.judge().await.unwrap(), []);
}

pub(crate) async fn two_who_judge_at_once_tell_it_once() {
    let world = World::new().await;
    watched(&world, "/", RuleSet::default()).await;
    says(&world, "/", "<p>one").await;
    world.site.page("/", "<p>two things");
    world.check("/").await;
    let (a, b) = tokio::join!(world.monitor.judge(), world.monitor.judge());
    assert_eq!(a.unwrap().len() + b.unwrap().len(), 1);
    assert_eq!(world.monitor.news(None, None, None, 10).await.unwrap().len(), 1);
}

pub(crate) async fn a_document_that_is_no_text_is_told_by_its_size() {
    let world = World::new().await;
    watched(&world, "/a.png", RuleSet::default()).await;
    for bytes in [b"\x89PNG\r\n\x1a\n\0\0one".as_slice(), b"\x89PNG\r\n\x1a\n\0\0longer"] {
        world.site.plain("/a.png", "200 OK", &[("Content-Type", "image/png")], bytes);
        world.check("/a.png").await;
    }
    let news = world.monitor.judge().await.unwrap();
    assert_eq!(news[0].summary, "another document: 16 bytes, was 13");
}

/// Noise does not make an adaptive watch faster.
pub(crate) async fn only_what_is_worth_telling_sets_the_pace() {
    let world = World::new().await;
    let hours = |count: u64| Duration::from_secs(3600 * count);
    let me = world.monitor.person("me").await.unwrap();
    let pace = Pace::Adaptive { least: hours(1), most: hours(8), now: hours(4) };
    let id = world
        .monitor
        .add_watch(&me, &world.site.url("/"), &Wish { pace, ..Wish::default() })
        .await
        .unwrap()
        .id;
    let pause = async || world.monitor.watch(id).await.unwrap().wish.pace.pause();
    says(&world, "/", "<p>Cod</p><p>1,201 visitors</p>").await;
    says(&world, "/", "<p>Cod</p><p>1,202 visitors</p>").await;
    assert_eq!(pause().await, hours(5));
    says(&world, "/", "<p>Cod is sold out</p><p>1,202 visitors</p>").await;
    assert_eq!(pause().await, hours(5) / 2);
}

/// What somebody has chosen counts, also if it is a time, or different at every visit.
pub(crate) async fn chosen_parts_are_no_noise() {
    let world = World::new().await;
    watched(&world, "/", RuleSet { only: vec!["css:#ferry".into()], ..RuleSet::default() }).await;
    let mut told = Vec::new();
    for time in ["08:40", "08:45", "09:10", "09:20", "10:00", "10:05"] {
        told.push(
            says(&world, "/", &format!("<p>11:02</p><p id=ferry>The ferry leaves at {time}</p>")).await.len(),
        );
    }
    assert_eq!(told, [0, 1, 1, 1, 1, 1]);
}
