//! Telling people: when, together with what, how often, and never twice.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use watch::{Courier, Message, Telling, Undelivered, Wish};

use crate::world::World;

/// Keeps what it is given, and fails as it is told.
#[derive(Default)]
struct Box_ {
    got: Mutex<Vec<Message>>,
    fails: Mutex<Vec<bool>>,
}

impl Courier for Box_ {
    fn deliver(&self, message: &Message) -> Result<(), Undelivered> {
        self.got.lock().unwrap().push(message.clone());
        match self.fails.lock().unwrap().pop() {
            None => Ok(()),
            Some(is_final) => Err(Undelivered { why: "the server is away".to_owned(), is_final }),
        }
    }
}

const ANN: &str = "mailto:ann@example.org";
const HOOK: &str = "https://hooks.example.org/x";

struct Post {
    world: World,
    mailbox: Arc<Box_>,
}

impl Post {
    async fn new(pages: &[(&str, Telling)]) -> Post {
        let world = World::new().await;
        let me = world.monitor.person("me").await.unwrap();
        for (path, telling) in pages {
            world.site.page(path, "<p>one");
            let wish = Wish { telling: telling.clone(), ..Wish::default() };
            world.monitor.add_watch(&me, &world.site.url(path), &wish).await.unwrap();
            world.check(path).await;
        }
        Post { world, mailbox: Arc::default() }
    }

    async fn changes(&self, path: &str, text: &str) {
        self.world.site.page(path, text);
        self.world.check(path).await;
        assert_eq!(self.world.monitor.judge().await.unwrap().len(), 1);
    }

    /// Sends what is due at so many seconds after the beginning; to whom, and how many news each.
    async fn sends(&self, at: i64) -> Vec<(String, usize)> {
        self.world.turn_to(at);
        let courier: Arc<dyn Courier> = self.mailbox.clone();
        self.world.monitor.post(&courier).await.unwrap();
        self.mailbox.got.lock().unwrap().drain(..).map(|m| (m.to, m.news.len())).collect()
    }
}

fn to(addresses: &[&str]) -> Telling {
    Telling { to: addresses.iter().map(|&address| address.to_owned()).collect(), ..Telling::default() }
}

fn told(expect: &[(&str, usize)]) -> Vec<(String, usize)> {
    expect.iter().map(|(to, count)| ((*to).to_owned(), *count)).collect()
}

pub(crate) async fn mails_are_put_together_and_programs_are_told_each() {
    let post = Post::new(&[
        ("/a", to(&[ANN, HOOK])),
        ("/b", to(&[ANN, HOOK])),
        ("/c", to(&["mailto:bo@example.org"])),
    ])
    .await;
    for path in ["/a", "/b", "/c"] {
        post.changes(path, "<p>two things").await;
    }
    let mut sent = post.sends(1000).await;
    sent.sort();
    assert_eq!(sent, told(&[(HOOK, 1), (HOOK, 1), (ANN, 2), ("mailto:bo@example.org", 1)]));
    assert_eq!(post.sends(2000).await, []);
    assert_eq!(post.world.monitor.next_post().await.unwrap(), None);
}

pub(crate) async fn what_fails_is_tried_again_as_the_same_message() {
    let post = Post::new(&[("/", to(&[ANN]))]).await;
    post.changes("/", "<p>two things").await;
    *post.mailbox.fails.lock().unwrap() = vec![false, false];
    let courier: Arc<dyn Courier> = post.mailbox.clone();
    let mut sent = Vec::new();
    for at in [1000, 1030, 1060, 1170, 1180, 5000] {
        post.world.turn_to(at);
        sent.push(post.world.monitor.post(&courier).await.unwrap().sent);
    }
    // After one minute, and then after two.
    assert_eq!(sent, [0, 0, 0, 0, 1, 0]);
    let got = post.mailbox.got.lock().unwrap();
    assert_eq!(got.len(), 3);
    assert!(got.iter().all(|message| message == &got[0]) && !got[0].id.is_empty());
}

/// A crash behind sending: the database does not know that it went. It goes again, with the same id and the same news.
pub(crate) async fn a_message_keeps_its_id_and_its_news_over_a_crash() {
    let mut post = Post::new(&[("/a", to(&[ANN])), ("/b", to(&[ANN]))]).await;
    post.changes("/a", "<p>two things").await;
    *post.mailbox.fails.lock().unwrap() = vec![false];
    post.sends(1000).await;
    // What comes later does not get into a message that may have been read.
    post.changes("/b", "<p>two things").await;
    post.world = post.world.reopen().await;
    let courier: Arc<dyn Courier> = post.mailbox.clone();
    post.world.turn_to(9000);
    post.world.monitor.post(&courier).await.unwrap();
    let got = post.mailbox.got.lock().unwrap();
    assert_eq!(got.iter().map(|m| m.news.len()).collect::<Vec<_>>(), [1, 1]);
    assert_ne!(got[0].id, got[1].id);
}

pub(crate) async fn what_can_never_be_sent_is_given_up_and_shown() {
    let post = Post::new(&[("/", to(&[ANN]))]).await;
    post.changes("/", "<p>two things").await;
    *post.mailbox.fails.lock().unwrap() = vec![true];
    assert_eq!(post.sends(1000).await.len(), 1);
    assert_eq!(post.sends(1_000_000).await, []);
    let state = post.world.monitor.state(1, 10).await.unwrap();
    let [untold] = state.untold.as_slice() else { panic!("{state:?}") };
    assert!(untold.is_given_up && untold.why.as_deref() == Some("the server is away"));
    assert_eq!((state.news, state.newest), (1, 2));
}

pub(crate) async fn nobody_is_told_in_hours_of_quiet() {
    // The world begins at 2026-11-18 00:00 UTC.
    let quiet = Telling { quiet: Some("22:00-07:00 Europe/Prague".parse().unwrap()), ..to(&[ANN, HOOK]) };
    let post = Post::new(&[("/", quiet)]).await;
    post.changes("/", "<p>two things").await;
    assert_eq!(post.sends(3600).await, []);
    let six = 6 * 3600;
    assert_eq!(post.world.monitor.next_post().await.unwrap(), Some(crate::world::at(six)));
    assert_eq!(post.sends(six - 1).await, []);
    assert_eq!(post.sends(six).await.len(), 2);
}

pub(crate) async fn a_digest_waits_and_tells_all_of_it_at_once() {
    let day = Telling { digest: Duration::from_secs(86_400), ..to(&[ANN, HOOK]) };
    let post = Post::new(&[("/a", day.clone()), ("/b", day), ("/c", to(&[ANN]))]).await;
    post.changes("/a", "<p>two things").await;
    post.changes("/c", "<p>two things").await;
    // What is no digest does not wait for it, and does not bring it out early; programs are told at once.
    let mut sent = post.sends(3600).await;
    sent.sort();
    assert_eq!(sent, told(&[(HOOK, 1), (ANN, 1)]));
    post.changes("/b", "<p>two things").await;
    assert_eq!(post.sends(80_000).await, told(&[(HOOK, 1)]));
    assert_eq!(post.sends(90_000).await, told(&[(ANN, 2)]));
    assert_eq!(post.sends(500_000).await, []);
}

pub(crate) async fn whoever_removes_a_watch_is_not_told_of_it_any_more() {
    let post = Post::new(&[("/", to(&[ANN]))]).await;
    post.changes("/", "<p>two things").await;
    post.world.monitor.remove_watch(1).await.unwrap();
    assert_eq!(post.sends(1000).await, []);
}

/// Each watch has its own hours of quiet and its own digest, also where they go to one address.
pub(crate) async fn what_goes_along_is_what_may() {
    let hour = Telling { digest: Duration::from_secs(3600), ..to(&[ANN]) };
    let day = Telling { digest: Duration::from_secs(86_400), ..to(&[ANN]) };
    let night = Telling { quiet: Some("00:00-07:00 UTC".parse().unwrap()), ..to(&[ANN]) };
    let post =
        Post::new(&[("/hour", hour.clone()), ("/day", day), ("/night", night), ("/hour2", hour)]).await;
    for path in ["/night", "/hour", "/day", "/hour2"] {
        post.changes(path, "<p>two things").await;
    }
    assert_eq!(post.sends(1000).await, []);
    assert_eq!(post.sends(2 * 3600).await, told(&[(ANN, 2)]));
    assert_eq!(post.sends(6 * 3600).await, []);
    assert_eq!(post.sends(7 * 3600).await, told(&[(ANN, 1)]));
    assert_eq!(post.sends(30 * 3600).await, told(&[(ANN, 1)]));
}

/// Whoever does not answer is asked once in a while, not once for each of hundreds.
pub(crate) async fn whoever_is_away_is_not_asked_for_each() {
    let pages: Vec<String> = (0..10).map(|number| format!("/{number}")).collect();
    let pages: Vec<(&str, Telling)> = pages.iter().map(|path| (path.as_str(), to(&[HOOK]))).collect();
    let post = Post::new(&pages).await;
    for (path, _) in &pages {
        post.changes(path, "<p>two things").await;
    }
    *post.mailbox.fails.lock().unwrap() = vec![false];
    assert_eq!(post.sends(10_000).await.len(), 1);
    assert_eq!(post.sends(10_060).await.len(), 10);
}

/// A message of several news that failed is tried again as one, not once for each of them.
pub(crate) async fn what_failed_together_is_tried_again_once() {
    let post = Post::new(&[("/a", to(&[ANN])), ("/b", to(&[ANN])), ("/c", to(&[ANN]))]).await;
    for path in ["/a", "/b", "/c"] {
        post.changes(path, "<p>two things").await;
    }
    *post.mailbox.fails.lock().unwrap() = vec![false];
    assert_eq!(post.sends(1000).await, told(&[(ANN, 3)]));
    assert_eq!(post.sends(2000).await, told(&[(ANN, 3)]));
    assert_eq!(post.sends(9000).await, []);
}
