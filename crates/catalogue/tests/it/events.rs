//! The log: whatever is done to it shows.

use catalogue::{Happened, Verified};

use crate::opening::{tamper, try_to_tamper};
use crate::world::{World, at};

fn world_with(events: u64) -> World {
    let world = World::new();
    for number in 1..=events {
        let happened = Happened {
            kind: "audited".to_owned(),
            file: format!("job/{number}"),
            replica: "one".to_owned(),
            who: "test".to_owned(),
            what: "sound".to_owned(),
        };
        world.catalogue.change(|change| change.log(at(number.try_into().unwrap()), happened)).unwrap();
    }
    world
}

/// Opened for whoever has the file in his hands: no trigger stops him.
fn unlock(world: &World) {
    let statements = match world.url {
        None => "DROP TRIGGER event_kept; DROP TRIGGER event_stays",
        Some(_) => "DROP TRIGGER event_kept ON event; DROP TRIGGER event_stays ON event",
    };
    tamper(world, statements);
}

#[track_caller]
fn check_broken(statements: &'static str, number: u64) {
    let world = world_with(5);
    unlock(&world);
    tamper(&world, statements);
    assert_eq!(world.catalogue.verify_log(None).unwrap(), Verified::Broken { number }, "{statements}");
}

pub(crate) fn a_log_that_nobody_touched_is_sound() {
    let world = world_with(5);
    let events = world.catalogue.events(0, 10).unwrap();
    let hash = events[4].hash;
    assert_eq!(world.catalogue.verify_log(None).unwrap(), Verified::Sound { events: 5, hash });
    assert_eq!(world.catalogue.newest_events(2).unwrap(), [events[4].clone(), events[3].clone()]);
    assert_eq!(world.catalogue.events_of("job/2", 10).unwrap(), [events[1].clone()]);
    assert!(matches!(World::new().catalogue.verify_log(None).unwrap(), Verified::Sound { events: 0, .. }));
}

/// PostgreSQL stores no zero bytes in texts; the log is sound all the same.
pub(crate) fn an_event_with_a_zero_byte_is_logged_without_it() {
    let world = World::new();
    let happened = Happened { kind: "found".to_owned(), what: "a\0b".to_owned(), ..Happened::default() };
    world.catalogue.change(|change| change.log(at(1), happened)).unwrap();
    assert_eq!(world.catalogue.newest_events(1).unwrap()[0].happened.what, "a\u{fffd}b");
    assert!(matches!(world.catalogue.verify_log(None).unwrap(), Verified::Sound { events: 1, .. }));
}

pub(crate) fn every_field_counts() {
    check_broken("UPDATE event SET what = 'damaged' WHERE number = 3", 3);
    check_broken("UPDATE event SET at_us = 1794960000000000 WHERE number = 1", 1);
    check_broken("UPDATE event SET who = 'tes', what = 'tsound' WHERE number = 2", 2);
    check_broken("UPDATE event SET kind = 'repaired' WHERE number = 5", 5);
    check_broken("UPDATE event SET file = 'job/9' WHERE number = 4", 4);
    check_broken("UPDATE event SET replica = 'two' WHERE number = 4", 4);
    check_broken("UPDATE event SET hash = (SELECT hash FROM event WHERE number = 1) WHERE number = 4", 4);
}

pub(crate) fn what_is_left_out_or_put_in_shows() {
    check_broken("DELETE FROM event WHERE number = 1", 1);
    check_broken("DELETE FROM event WHERE number = 3", 3);
    check_broken(
        "DELETE FROM event WHERE number = 3; UPDATE event SET number = number - 1 WHERE number > 3",
        3,
    );
    check_broken(
        "INSERT INTO event (number, at_us, kind, file, replica, who, what, hash) SELECT 6, at_us, kind, file, replica, who, what, hash FROM event WHERE number = 5",
        6,
    );
}

pub(crate) fn what_was_noted_elsewhere_must_be_there() {
    let world = world_with(5);
    let noted = world.catalogue.events(2, 1).unwrap().remove(0);
    assert!(matches!(world.catalogue.verify_log(Some((3, noted.hash))).unwrap(), Verified::Sound { .. }));
    // The end is cut off, and the rest is a sound log.
    unlock(&world);
    tamper(&world, "DELETE FROM event WHERE number > 2");
    assert!(matches!(world.catalogue.verify_log(None).unwrap(), Verified::Sound { events: 2, .. }));
    assert_eq!(world.catalogue.verify_log(Some((3, noted.hash))).unwrap(), Verified::Broken { number: 3 });
    // It was written anew with other content.
    let other = Happened { kind: "other".to_owned(), ..Happened::default() };
    world.catalogue.change(|change| change.log(at(3), other)).unwrap();
    assert!(matches!(world.catalogue.verify_log(None).unwrap(), Verified::Sound { events: 3, .. }));
    assert_eq!(world.catalogue.verify_log(Some((3, noted.hash))).unwrap(), Verified::Broken { number: 3 });
}

pub(crate) fn the_database_itself_refuses_changes() {
    let world = world_with(1);
    for statement in ["UPDATE event SET what = 'x'", "DELETE FROM event"] {
        let refusal = try_to_tamper(&world, statement).unwrap_err().to_string();
        assert!(refusal.contains("events are never"), "{refusal}");
    }
    assert!(matches!(world.catalogue.verify_log(None).unwrap(), Verified::Sound { events: 1, .. }));
}
