//! Lanes, turned by hand.

use super::*;

/// A lane with a clock.
struct Turned {
    lane: Lane,
    now: Timestamp,
    ids: u32,
}

impl Turned {
    fn new(group_s: u64, at_most: u32) -> Turned {
        let pace = Pace { group_for: Duration::from_secs(group_s), at_most_per_hour: Some(at_most) };
        let now = "2026-11-18T03:00:00Z".parse().unwrap();
        Turned { lane: Lane::new(pace, []), now, ids: 0 }
    }

    fn take(&mut self, kind: &str) {
        self.ids += 1;
        let id = self.ids.to_string();
        let notice = Notice::new(self.now, kind, Severity::Warning, kind);
        assert_eq!(self.lane.take(notice, self.now, || id), 0);
    }

    fn later(&mut self, seconds: i64) {
        self.now += SignedDuration::from_secs(seconds);
    }

    /// Sends what is due, and says of which kinds how many.
    fn sent(&mut self) -> Vec<String> {
        let mut sent = Vec::new();
        while let Some(message) = self.lane.next(self.now, false) {
            let groups: Vec<String> =
                message.groups.iter().map(|group| format!("{} {}", group.count, group.kind)).collect();
            sent.push(groups.join(", "));
            self.lane.sent(&message.id, self.now);
        }
        sent
    }

    #[track_caller]
    fn wakes_in(&self, seconds: Option<i64>) {
        let wake = self.lane.wake(self.now).map(|at| at.duration_since(self.now).as_secs());
        assert_eq!(wake, seconds);
    }
}

#[test]
fn those_of_a_kind_that_come_within_the_window_are_one_message() {
    let mut turned = Turned::new(300, 12);
    turned.wakes_in(None);
    turned.take("audit");
    turned.wakes_in(Some(300));
    turned.later(299);
    turned.take("audit");
    turned.take("disk");
    assert!(turned.sent().is_empty());
    turned.later(1);
    assert_eq!(turned.sent(), ["2 audit"]);
    turned.wakes_in(Some(299));
    turned.later(299);
    assert_eq!(turned.sent(), ["1 disk"]);
    turned.take("audit");
    turned.later(300);
    assert_eq!(turned.sent(), ["1 audit"]);
    turned.wakes_in(None);
}

#[test]
fn beyond_the_limit_all_waits_and_goes_with_the_next() {
    let mut turned = Turned::new(0, 2);
    turned.take("a");
    assert_eq!(turned.sent(), ["1 a"]);
    turned.later(600);
    turned.take("b");
    assert_eq!(turned.sent(), ["1 b"]);
    for _ in 0..1204 {
        turned.take("a");
        turned.take("c");
    }
    assert!(turned.sent().is_empty());
    turned.wakes_in(Some(3000));
    turned.later(2999);
    assert!(turned.sent().is_empty());
    turned.later(1);
    assert_eq!(turned.sent(), ["1204 a, 1204 c"]);
    turned.wakes_in(None);
}

#[test]
fn the_last_message_of_an_hour_tells_all_that_is_there() {
    let mut turned = Turned::new(0, 3);
    for kind in ["a", "b", "c", "d"] {
        turned.take(kind);
    }
    assert_eq!(turned.sent(), ["1 a, 1 b, 1 c, 1 d"]);
}

#[test]
fn a_channel_that_fails_is_left_alone_for_longer_and_longer() {
    let mut turned = Turned::new(60, 12);
    turned.take("a");
    turned.later(60);
    for rest in [30, 60, 120, 240, 480, 960, 1920, 3600, 3600] {
        let message = turned.lane.next(turned.now, false).unwrap();
        assert_eq!(turned.lane.failed(&message.id, turned.now, false), Failed::Again);
        assert!(turned.lane.next(turned.now, false).is_none());
        turned.wakes_in(Some(rest));
        turned.later(rest);
    }
    let message = turned.lane.next(turned.now, false).unwrap();
    assert_eq!(message.id, "1");
    assert_eq!(turned.lane.failed(&message.id, turned.now, false), Failed::LaidAside);
    turned.later(3599);
    assert!(turned.lane.next(turned.now, true).is_none());
    turned.later(1);
    assert_eq!(turned.lane.next(turned.now, false), Some(message));
    assert_eq!(turned.lane.left(), 1);
}

#[test]
fn what_may_have_been_seen_is_not_changed_any_more() {
    let mut turned = Turned::new(0, 12);
    turned.take("a");
    let message = turned.lane.next(turned.now, false).unwrap();
    turned.lane.failed(&message.id, turned.now, false);
    turned.take("a");
    turned.later(30);
    assert_eq!(turned.lane.next(turned.now, false), Some(message));
    assert_eq!(turned.sent(), ["1 a", "1 a"]);
}

#[test]
fn a_final_no_lays_only_that_message_aside() {
    let mut turned = Turned::new(0, 12);
    turned.take("a");
    let message = turned.lane.next(turned.now, false).unwrap();
    assert_eq!(turned.lane.failed(&message.id, turned.now, true), Failed::LaidAside);
    turned.take("b");
    assert_eq!(turned.sent(), ["1 b"]);
}

#[test]
fn what_is_laid_aside_is_tried_again_every_hour() {
    let mut turned = Turned::new(0, 12);
    turned.take("a");
    let message = turned.lane.next(turned.now, false).unwrap();
    assert_eq!(turned.lane.failed(&message.id, turned.now, true), Failed::LaidAside);
    for _ in 0..200 {
        turned.wakes_in(Some(3600));
        turned.later(3599);
        assert!(turned.lane.next(turned.now, true).is_none());
        turned.later(1);
        assert_eq!(turned.lane.next(turned.now, false).as_ref(), Some(&message));
        assert_eq!(turned.lane.failed(&message.id, turned.now, true), Failed::StillAside);
    }
    // The clock was years ahead.
    turned.later(-100_000_000);
    turned.wakes_in(Some(0));
    assert_eq!(turned.sent(), ["1 a"]);
    turned.wakes_in(None);
}

#[test]
fn in_haste_nothing_waits_but_for_the_limit() {
    let mut turned = Turned::new(300, 1);
    turned.take("a");
    turned.take("b");
    let message = turned.lane.next(turned.now, true).unwrap();
    assert_eq!(message.count(), 2);
    turned.lane.sent(&message.id, turned.now);
    turned.take("c");
    assert!(turned.lane.next(turned.now, true).is_none());
}

#[test]
fn a_clock_that_is_set_back_holds_nothing_up() {
    let mut turned = Turned::new(300, 1);
    turned.take("a");
    turned.later(300);
    assert_eq!(turned.sent(), ["1 a"]);
    turned.take("b");
    turned.later(-1_000_000);
    // It was sent in a time that has not come: that does not count.
    turned.wakes_in(Some(0));
    assert_eq!(turned.sent(), ["1 b"]);
    turned.take("c");
    turned.wakes_in(Some(3600));
}

#[test]
fn a_channel_that_failed_while_the_clock_was_ahead_is_tried_at_once() {
    let mut turned = Turned::new(0, 12);
    turned.take("a");
    let five_years = 5 * 365 * 86_400;
    turned.later(five_years);
    let message = turned.lane.next(turned.now, false).unwrap();
    assert_eq!(turned.lane.failed(&message.id, turned.now, false), Failed::Again);
    turned.wakes_in(Some(30));
    turned.later(-five_years);
    turned.wakes_in(Some(0));
    assert_eq!(turned.sent(), ["1 a"]);
}

#[test]
fn what_was_left_is_tried_at_once_and_what_is_old_is_dropped_unless_it_is_an_alarm() {
    let mut turned = Turned::new(300, 12);
    let parcel = |id: &str, days: i64, tries, severity| Parcel {
        message: Message::of(
            id.to_owned(),
            Notice::new(turned.now - SignedDuration::from_hours(24 * days), "a", severity, "s"),
        ),
        since: turned.now,
        tries,
        aside_until: (tries > 5).then_some(turned.now),
        is_kept: true,
    };
    let parcels = vec![
        parcel("new", 1, 10, Severity::Warning),
        parcel("old", 8, 1, Severity::Warning),
        parcel("fresh", 0, 0, Severity::Info),
        parcel("old alarm", 400, 10, Severity::Alarm),
    ];
    assert_eq!(turned.lane.restore(parcels, turned.now), 1);
    assert_eq!(turned.lane.take_gone(), ["old"]);
    assert_eq!(turned.sent(), ["1 a", "1 a", "1 a"]);
}

#[test]
fn a_queue_that_nobody_empties_is_bounded() {
    let mut lane = Lane::new(Pace::AT_ONCE, []);
    let now = Timestamp::UNIX_EPOCH;
    let mut dropped = 0;
    for number in 0..PARCELS_MAX + 10 {
        let notice = Notice::new(now, &format!("kind{number}"), Severity::Info, "s");
        dropped += lane.take(notice, now, || number.to_string());
    }
    assert_eq!((dropped, lane.left()), (10, PARCELS_MAX as u64));
}
