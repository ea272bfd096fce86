//! A clock that was ahead for a while: whatever it has scheduled is due at once when the clock is right again.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use watch::{Courier, Made, Message, Outcome, Pace, Rounds, Telling, Tempo, Undelivered, Wish};

use crate::world::{World, at};

const FIVE_YEARS: i64 = 5 * 365 * 86_400;
const HOUR: Duration = Duration::from_secs(3600);

/// A world that watches `/` every hour and tells somebody.
async fn watched(telling: Telling) -> World {
    let world = World::new().await;
    world.site.page("/", "<p>one");
    let me = world.monitor.person("me").await.unwrap();
    let wish = Wish { pace: Pace::Every(HOUR), telling, ..Wish::default() };
    world.monitor.add_watch(&me, &world.site.url("/"), &wish).await.unwrap();
    world
}

async fn rounds(world: &World) -> Rounds {
    Rounds::begin(&world.monitor, Tempo::default()).await.unwrap().unwrap()
}

async fn due(world: &World) -> jiff::Timestamp {
    world.monitor.watch(1).await.unwrap().due_at
}

pub(crate) async fn a_check_made_while_the_clock_was_ahead_does_not_stop_the_watch() {
    let world = watched(Telling::default()).await;
    let mut rounds = rounds(&world).await;
    world.turn_to(FIVE_YEARS);
    assert_eq!(rounds.once().await.unwrap().checks, 1);
    assert_eq!(due(&world).await, at(FIVE_YEARS + 3600));
    world.site.page("/", "<p>two things");
    world.turn_to(60);
    assert_eq!(rounds.once().await.unwrap(), Made { checks: 1, changed: 1, news: 1, ..Made::default() });
    assert_eq!(due(&world).await, at(60 + 3600));
    assert_eq!(rounds.once().await.unwrap(), Made::default());
    world.turn_to(60 + 3600);
    assert_eq!(rounds.once().await.unwrap().checks, 1);
}

pub(crate) async fn the_rounds_that_begin_after_the_clock_was_ahead_check_everything() {
    let world = watched(Telling::default()).await;
    world.turn_to(FIVE_YEARS);
    assert_eq!(rounds(&world).await.once().await.unwrap().checks, 1);
    world.turn_to(60);
    let world = world.reopen().await;
    assert_eq!(rounds(&world).await.once().await.unwrap().checks, 1);
}

pub(crate) async fn a_watch_that_could_not_be_checked_while_the_clock_was_ahead_is_checked() {
    let world = World::with(|settings| settings.fetch.allowed = fetch::Allowed::default()).await;
    let me = world.monitor.person("me").await.unwrap();
    world.monitor.add_watch(&me, &world.site.url("/"), &Wish::default()).await.unwrap();
    let mut rounds = rounds(&world).await;
    world.turn_to(FIVE_YEARS);
    assert_eq!(rounds.once().await.unwrap().failed, 1);
    world.turn_to(60);
    assert_eq!(rounds.once().await.unwrap().failed, 1);
    assert_eq!(rounds.once().await.unwrap().failed, 0);
}

pub(crate) async fn a_watch_that_is_resumed_after_the_clock_was_ahead_is_checked() {
    let world = watched(Telling::default()).await;
    let mut rounds = rounds(&world).await;
    let mut watch = world.monitor.watch(1).await.unwrap();
    watch.wish.is_paused = true;
    world.monitor.change_watch(&watch).await.unwrap();
    watch.wish.is_paused = false;
    watch.due_at = at(FIVE_YEARS);
    world.monitor.change_watch(&watch).await.unwrap();
    assert_eq!(rounds.once().await.unwrap().checks, 1);
}

/// A page that changed after a check of a few minutes from the future has changed; the answer is not a late one.
pub(crate) async fn a_change_found_after_the_clock_was_a_little_ahead_counts() {
    let world = watched(Telling::default()).await;
    world.turn_to(300);
    assert_eq!(world.resource("/").check().await.unwrap().outcome, Outcome::First);
    world.site.page("/", "<p>two things");
    world.turn_to(0);
    assert_eq!(world.resource("/").check().await.unwrap().outcome, Outcome::Changed);
}

/// Counts messages, and fails as often as it is told.
#[derive(Default)]
struct Mailbox {
    fails: Mutex<u32>,
}

impl Courier for Mailbox {
    fn deliver(&self, _: &Message) -> Result<(), Undelivered> {
        let mut fails = self.fails.lock().unwrap();
        if *fails == 0 {
            return Ok(());
        }
        *fails -= 1;
        Err(Undelivered { why: "the server is away".to_owned(), is_final: false })
    }
}

/// A change that was found while the clock was five years ahead, and somebody who is to be told. Says how many messages go then, one
/// minute after the right time, and after a longer time.
async fn sent_after(telling: Telling, fails: u32, later: i64) -> [u64; 3] {
    let world = watched(Telling { to: vec!["mailto:ann@example.org".to_owned()], ..telling }).await;
    world.check("/").await;
    world.site.page("/", "<p>two things");
    world.turn_to(FIVE_YEARS);
    world.resource("/").check().await.unwrap();
    assert_eq!(world.monitor.judge().await.unwrap().len(), 1);
    let courier: Arc<dyn Courier> = Arc::new(Mailbox { fails: Mutex::new(fails) });
    let mut sent = [0; 3];
    for (time, sent) in [FIVE_YEARS, 60, later].into_iter().zip(&mut sent) {
        world.turn_to(time);
        *sent = world.monitor.post(&courier).await.unwrap().sent;
    }
    sent
}

pub(crate) async fn a_message_that_failed_while_the_clock_was_ahead_is_tried_again() {
    assert_eq!(sent_after(Telling::default(), 1, 120).await, [0, 1, 0]);
}

pub(crate) async fn an_e_mail_digest_that_was_begun_while_the_clock_was_ahead_is_sent() {
    let week = Duration::from_secs(7 * 86_400);
    assert_eq!(sent_after(Telling { digest: week, ..Telling::default() }, 0, 120).await, [0, 1, 0]);
}

pub(crate) async fn quiet_hours_that_were_met_while_the_clock_was_ahead_end() {
    // The world begins at 2026-11-18 00:00 UTC, in the quiet hours, and so does the time five years later.
    let quiet = Telling { quiet: Some("22:00-07:00 UTC".parse().unwrap()), ..Telling::default() };
    assert_eq!(sent_after(quiet, 0, 7 * 3600).await, [0, 0, 1]);
}

/// What waits for as long as it should is left alone.
pub(crate) async fn a_long_digest_is_not_sent_early() {
    let week = Duration::from_secs(7 * 86_400);
    let telling =
        Telling { to: vec!["mailto:ann@example.org".to_owned()], digest: week, ..Telling::default() };
    let world = watched(telling).await;
    world.check("/").await;
    world.site.page("/", "<p>two things");
    world.check("/").await;
    assert_eq!(world.monitor.judge().await.unwrap().len(), 1);
    let courier: Arc<dyn Courier> = Arc::new(Mailbox::default());
    let mut sent = Vec::new();
    for time in [180, 6 * 86_400, 7 * 86_400 + 180] {
        world.turn_to(time);
        sent.push(world.monitor.post(&courier).await.unwrap().sent);
    }
    assert_eq!(sent, [0, 0, 1]);
}
