//! Notifiers with real channels, folders and threads, and a clock that is turned by hand.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use notify::{
    Allowed, Channel, Error, Flushed, Limits, Mail, Message, Notice, Notifier, Pace, Relay, Roots, Route,
    Screen, Security, Settings, Severity,
};
use testkit::post_office::{Manner, Mischief, PostOffice};

/// Long enough for any machine; nothing here waits for its end.
const LONG: Duration = Duration::from_secs(60);

/// What a test turns and hears.
#[derive(Clone, Default)]
struct Bench {
    seconds: Arc<AtomicI64>,
    shown: Arc<Mutex<Vec<String>>>,
    heard: Arc<Mutex<Vec<String>>>,
}

impl Bench {
    fn now(&self) -> Timestamp {
        let start: Timestamp = "2026-11-18T03:00:00Z".parse().unwrap();
        start + SignedDuration::from_secs(self.seconds.load(Ordering::SeqCst))
    }

    fn turn(&self, seconds: i64) {
        self.seconds.fetch_add(seconds, Ordering::SeqCst);
    }

    fn screen(&self) -> Arc<dyn Channel> {
        let shown = Arc::clone(&self.shown);
        Arc::new(Screen::new(move |message| {
            shown.lock().unwrap().push(message.subject());
            Ok(())
        }))
    }

    fn mail(&self, office: &PostOffice) -> Arc<dyn Channel> {
        Arc::new(self.mail_by(office))
    }

    fn mail_by(&self, office: &PostOffice) -> Mail {
        Mail {
            relay: Relay {
                host: "127.0.0.1".to_owned(),
                port: office.address().port(),
                security: Security::None,
            },
            login: None,
            from: "varve@archive.example".parse().unwrap(),
            to: vec!["ann@library.example".parse().unwrap()],
            allowed: Allowed::private(),
            roots: Roots::Given(Vec::new()),
            limits: Limits::default(),
        }
    }

    fn notifier(&self, channels: &[Arc<dyn Channel>], pace: Pace, folder: Option<&Path>) -> Notifier {
        let (clock, heard) = (self.clone(), Arc::clone(&self.heard));
        let route = |channel: &Arc<dyn Channel>| Route {
            channel: Arc::clone(channel),
            least: Severity::Warning,
            pace,
        };
        Notifier::new(Settings {
            routes: channels.iter().map(route).collect(),
            folder: folder.map(Path::to_owned),
            clock: Arc::new(move || clock.now()),
            voice: Arc::new(move |trouble: &str| heard.lock().unwrap().push(trouble.to_owned())),
        })
    }

    fn tell(&self, notifier: &Notifier, kind: &str, severity: Severity, count: usize) {
        for number in 0..count {
            notifier.notify(&Notice::new(self.now(), kind, severity, format!("{kind} {number}")));
        }
    }

    fn shown(&self) -> Vec<String> {
        self.shown.lock().unwrap().clone()
    }

    fn heard(&self) -> Vec<String> {
        self.heard.lock().unwrap().clone()
    }
}

fn flushed(sent: u64, left: u64) -> Flushed {
    Flushed { sent, left, late: Vec::new() }
}

/// The subjects of all letters.
fn subjects(office: &PostOffice) -> Vec<String> {
    let subject =
        |text: &str| text.lines().find_map(|line| line.strip_prefix("Subject: ").map(str::to_owned));
    office.letters().iter().filter_map(|letter| subject(&letter.text)).collect()
}

/// The messages in the folder.
fn kept(folder: &Path) -> usize {
    let sessions =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    let files = sessions.flat_map(|session| fs::read_dir(session).unwrap());
    files.filter(|entry| entry.as_ref().unwrap().path().extension().is_some_and(|end| end == "json")).count()
}

#[test]
fn notices_are_grouped_and_what_matters_too_little_is_not_told() {
    let bench = Bench::default();
    let notifier = bench.notifier(&[bench.screen()], Pace::default(), None);
    bench.tell(&notifier, "audit", Severity::Info, 3);
    bench.tell(&notifier, "audit", Severity::Alarm, 1205);
    bench.tell(&notifier, "disk", Severity::Warning, 1);
    assert_eq!(notifier.flush(LONG), flushed(2, 0));
    assert_eq!(bench.shown(), ["audit 0 (and 1,204 more)", "disk 0"]);
}

#[test]
fn one_channel_that_fails_does_not_keep_the_others_from_it() {
    let bench = Bench::default();
    let office = PostOffice::open(Manner { mischief: Mischief::Cut(""), ..Manner::default() });
    let notifier = bench.notifier(&[bench.mail(&office), bench.screen()], Pace::default(), None);
    bench.tell(&notifier, "repair", Severity::Warning, 2);
    assert_eq!(notifier.flush(LONG), flushed(1, 2));
    assert_eq!(bench.shown(), ["repair 0 (and 1 more)"]);
    let heard = bench.heard();
    assert_eq!(heard.len(), 1);
    assert!(heard[0].starts_with("mail to ann@library.example: 127.0.0.1:"), "{heard:?}");
    assert!(heard[0].ends_with("; it is tried again later"), "{heard:?}");
}

#[test]
fn what_could_not_be_sent_is_sent_by_the_next_program_once() {
    let (bench, folder) = (Bench::default(), tempfile::tempdir().unwrap());
    let office =
        PostOffice::open(Manner { mischief: Mischief::Answer("DATA", "451 later"), ..Manner::default() });
    let first = bench.notifier(&[bench.mail(&office)], Pace::default(), Some(folder.path()));
    bench.tell(&first, "audit", Severity::Alarm, 30);
    assert_eq!(first.flush(LONG), flushed(0, 30));
    assert_eq!(kept(folder.path()), 1);
    ended(first, folder.path());
    office.set_mischief(Mischief::None);
    let second = bench.notifier(&[bench.mail(&office)], Pace::default(), Some(folder.path()));
    second.flush(LONG);
    assert_eq!(subjects(&office), ["[varve] alarm: audit 0 (and 29 more)"]);
    assert_eq!(kept(folder.path()), 0);
    ended(second, folder.path());
    let third = bench.notifier(&[bench.mail(&office)], Pace::default(), Some(folder.path()));
    assert_eq!(third.flush(LONG), flushed(0, 0));
    assert_eq!(office.letters().len(), 1);
}

#[test]
fn what_waits_for_more_of_its_kind_survives_a_program_that_is_killed() {
    let (bench, folder) = (Bench::default(), tempfile::tempdir().unwrap());
    let office = PostOffice::open(Manner::default());
    let first = bench.notifier(&[bench.mail(&office)], Pace::default(), Some(folder.path()));
    bench.tell(&first, "audit", Severity::Alarm, 1);
    testkit::until("the message is kept", || folder.path().exists() && kept(folder.path()) > 0);
    // Nobody flushes.
    ended(first, folder.path());
    let second = bench.notifier(&[bench.mail(&office)], Pace::default(), Some(folder.path()));
    second.flush(LONG);
    assert_eq!(subjects(&office), ["[varve] alarm: audit 0"]);
}

#[test]
fn the_limit_holds_for_all_programs_together() {
    let (bench, folder) = (Bench::default(), tempfile::tempdir().unwrap());
    let office = PostOffice::open(Manner::default());
    let pace = Pace { group_for: Duration::ZERO, at_most_per_hour: Some(2) };
    for _ in 0..5 {
        let notifier = bench.notifier(&[bench.mail(&office)], pace, Some(folder.path()));
        bench.tell(&notifier, "audit", Severity::Alarm, 1);
        notifier.flush(LONG);
        ended(notifier, folder.path());
    }
    assert_eq!(office.letters().len(), 2);
    bench.turn(3600);
    let notifier = bench.notifier(&[bench.mail(&office)], pace, Some(folder.path()));
    bench.tell(&notifier, "disk", Severity::Alarm, 1);
    notifier.flush(LONG);
    assert!(office.letters().len() > 2);
}

#[test]
fn a_final_no_is_told_and_kept() {
    let (bench, folder) = (Bench::default(), tempfile::tempdir().unwrap());
    let office =
        PostOffice::open(Manner { mischief: Mischief::Answer("RCPT", "550 unknown"), ..Manner::default() });
    let notifier = bench.notifier(&[bench.mail(&office)], Pace::default(), Some(folder.path()));
    bench.tell(&notifier, "audit", Severity::Alarm, 1);
    assert_eq!(notifier.flush(LONG), flushed(0, 1));
    assert!(bench.heard()[0].ends_with("it is kept, and tried again every hour"), "{:?}", bench.heard());
    assert_eq!((kept(folder.path()), office.connections()), (1, 1));
    assert_eq!(notifier.flush(LONG), flushed(0, 1));
    assert_eq!(office.connections(), 1);
    // Somebody puts it right, and the program need not be started anew.
    office.set_mischief(Mischief::None);
    bench.turn(3600);
    notifier.flush(LONG);
    assert_eq!((office.letters().len(), kept(folder.path())), (1, 0));
}

#[test]
fn one_who_is_not_taken_is_told_and_the_letter_goes_to_the_others_once() {
    let bench = Bench::default();
    let office = PostOffice::open(Manner {
        mischief: Mischief::Answer("RCPT TO:<ann", "550 unknown"),
        ..Manner::default()
    });
    let to = ["ann@library.example", "ben@library.example"].map(|address| address.parse().unwrap());
    let mail = Mail { to: to.to_vec(), ..bench.mail_by(&office) };
    let notifier = bench.notifier(&[Arc::new(mail)], Pace::default(), None);
    bench.tell(&notifier, "audit", Severity::Alarm, 1);
    assert_eq!(notifier.flush(LONG), flushed(1, 0));
    let heard = bench.heard();
    assert!(
        heard.len() == 1 && heard[0].ends_with("`550 unknown` to `RCPT TO:<ann@library.example>`"),
        "{heard:?}"
    );
    assert_eq!(office.letters().len(), 1);
}

#[test]
fn what_waits_for_a_channel_that_is_not_set_any_more_is_dropped_after_a_week() {
    let (bench, folder) = (Bench::default(), tempfile::tempdir().unwrap());
    let office =
        PostOffice::open(Manner { mischief: Mischief::Answer("RCPT", "550 unknown"), ..Manner::default() });
    let first = bench.notifier(&[bench.mail(&office)], Pace::default(), Some(folder.path()));
    bench.tell(&first, "audit", Severity::Alarm, 1);
    first.flush(LONG);
    ended(first, folder.path());
    for (days, left) in [(6, 1), (2, 0)] {
        bench.turn(days * 24 * 3600);
        let next = bench.notifier(&[bench.screen()], Pace::default(), Some(folder.path()));
        assert_eq!(kept(folder.path()), left);
        ended(next, folder.path());
    }
    assert!(bench.heard().iter().any(|trouble| trouble.contains("not set any more are dropped")));
}

/// A channel that takes what it is given when it is let.
#[derive(Debug)]
struct Stuck(Mutex<std::sync::mpsc::Receiver<()>>);

impl Channel for Stuck {
    fn name(&self) -> String {
        "stuck".to_owned()
    }

    fn send(&self, _: &Message) -> Result<(), Error> {
        let _ = self.0.lock().unwrap().recv();
        Ok(())
    }
}

#[test]
fn whoever_tells_never_waits_and_what_is_too_much_is_counted() {
    let bench = Bench::default();
    let (let_go, gate) = std::sync::mpsc::channel();
    let notifier = bench.notifier(&[Arc::new(Stuck(Mutex::new(gate)))], Pace::AT_ONCE, None);
    bench.tell(&notifier, "audit", Severity::Alarm, 50_000);
    let late = Flushed { sent: 0, left: 0, late: vec!["stuck".to_owned()] };
    assert_eq!(notifier.flush(Duration::ZERO), late);
    drop(let_go);
    assert_eq!(notifier.flush(LONG).left, 0);
}

#[test]
fn a_folder_that_cannot_be_written_is_told_and_holds_nothing_up() {
    let (bench, folder) = (Bench::default(), tempfile::tempdir().unwrap());
    let blocked = folder.path().join("a file");
    fs::write(&blocked, "").unwrap();
    let office = PostOffice::open(Manner::default());
    let notifier = bench.notifier(&[bench.mail(&office)], Pace::default(), Some(&blocked));
    bench.tell(&notifier, "audit", Severity::Alarm, 1);
    assert_eq!(notifier.flush(LONG), flushed(1, 0));
    assert!(
        bench.heard().iter().any(|trouble| trouble.starts_with("notices cannot be kept")),
        "{:?}",
        bench.heard()
    );
}

#[test]
fn who_tells_nobody_tells_nobody() {
    let notifier = Notifier::silent();
    assert!(notifier.is_silent());
    notifier.notify(&Notice::new(Timestamp::UNIX_EPOCH, "a", Severity::Alarm, "s"));
    assert_eq!(notifier.flush(Duration::ZERO), Flushed::default());
}

/// Ends a notifier, and waits until its threads let go of the folder, as the end of a program does.
fn ended(notifier: Notifier, folder: &Path) {
    drop(notifier);
    let is_free = |session: &Path| {
        let lock = fs::File::options().append(true).open(session.join("lock"));
        lock.map_or(true, |lock| lock.try_lock().is_ok())
    };
    testkit::until("no session is locked", || {
        let mut sessions = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        sessions.all(|path| !path.is_dir() || is_free(&path))
    });
}
