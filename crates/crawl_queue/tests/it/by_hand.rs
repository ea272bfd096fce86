//! What a person expects of a queue of crawls.

use std::time::Duration;

use crawl_queue::{Counts, Crawl, Next, Turns};
use jiff::Timestamp;

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(seconds).unwrap()
}

#[test]
fn a4_no_more_than_the_maximum_run_and_the_next_starts_when_one_ends() {
    let mut turns = Turns::new(2);
    let [a, b, c] = ["a.example", "b.example", "c.example"].map(|name| turns.add(Crawl::of([name]), at(0)));
    assert_eq!(turns.next(at(0)), Next::Start(a));
    assert_eq!(turns.next(at(0)), Next::Start(b));
    assert_eq!(turns.next(at(0)), Next::Busy);
    assert_eq!(turns.counts(), Counts { running: 2, waiting: 1 });
    turns.ended(b, at(5));
    assert_eq!(turns.next(at(5)), Next::Start(c));
    turns.ended(a, at(6));
    turns.ended(c, at(7));
    assert_eq!(turns.next(at(7)), Next::Done);
}

#[test]
fn a4_the_same_domain_is_never_crawled_twice_at_once() {
    let mut turns = Turns::new(10);
    let first = turns.add(Crawl::of(["example.org"]), at(0));
    let second = turns.add(Crawl::of(["EXAMPLE.org."]), at(0));
    assert_eq!(turns.next(at(0)), Next::Start(first));
    assert_eq!(turns.next(at(0)), Next::Busy);
    turns.ended(first, at(1));
    assert_eq!(turns.next(at(1)), Next::Start(second));
}

#[test]
fn a4_a_crawl_repeats_at_its_interval_and_does_not_pile_up() {
    let mut turns = Turns::new(1);
    let crawl = turns.add(Crawl::of(["example.org"]).every(Duration::from_secs(10)), at(0));
    assert_eq!(turns.next(at(0)), Next::Start(crawl));
    // It takes three and a half intervals.
    assert_eq!(turns.ended(crawl, at(35)), Some(at(40)));
    assert_eq!(turns.next(at(35)), Next::WaitUntil(at(40)));
    assert_eq!(turns.next(at(40)), Next::Start(crawl));
    assert_eq!(turns.next(at(41)), Next::Busy);
}

#[test]
fn one_who_cannot_have_all_its_domains_holds_up_nobody() {
    let mut turns = Turns::new(10);
    let a = turns.add(Crawl::of(["a.example"]), at(0));
    let both = turns.add(Crawl::of(["a.example", "b.example"]), at(0));
    let b = turns.add(Crawl::of(["b.example"]), at(0));
    assert_eq!(turns.next(at(0)), Next::Start(a));
    assert_eq!(turns.next(at(0)), Next::Start(b));
    turns.ended(a, at(1));
    assert_eq!(turns.next(at(1)), Next::Busy);
    turns.ended(b, at(2));
    assert_eq!(turns.next(at(2)), Next::Start(both));
}

#[test]
fn one_that_met_somebody_elses_lock_comes_again() {
    let mut turns = Turns::new(1);
    let crawl = turns.add(Crawl::of(["example.org"]), at(0));
    let other = turns.add(Crawl::of(["example.com"]), at(0));
    assert_eq!(turns.next(at(0)), Next::Start(crawl));
    turns.postpone(crawl, at(60));
    assert_eq!(turns.next(at(0)), Next::Start(other));
    turns.ended(other, at(1));
    assert_eq!(turns.next(at(1)), Next::WaitUntil(at(60)));
    assert_eq!(turns.next(at(60)), Next::Start(crawl));
}

const YEAR: i64 = 365 * 86_400;

#[test]
fn a_crawl_that_ended_while_the_clock_was_ahead_comes_again_within_its_interval() {
    let mut turns = Turns::new(1);
    let crawl = turns.add(Crawl::of(["example.org"]).every(Duration::from_secs(3600)), at(0));
    assert_eq!(turns.next(at(0)), Next::Start(crawl));
    turns.ended(crawl, at(5 * YEAR)).unwrap();
    // The clock is right again, and stays so.
    assert_eq!(turns.next(at(60)), Next::Start(crawl));
    assert_eq!(turns.ended(crawl, at(70)), Some(at(60 + 3600)));
}

#[test]
fn a_crawl_that_began_while_the_clock_was_ahead_comes_again_within_its_interval() {
    let mut turns = Turns::new(1);
    let crawl = turns.add(Crawl::of(["example.org"]).every(Duration::from_secs(3600)), at(5 * YEAR));
    assert_eq!(turns.next(at(5 * YEAR)), Next::Start(crawl));
    assert_eq!(turns.ended(crawl, at(70)), Some(at(70 + 3600)));
    assert_eq!(turns.next(at(70 + 3600)), Next::Start(crawl));
}

#[test]
fn a_crawl_that_waits_for_a_domain_or_a_lock_starts_after_the_clock_went_back() {
    let mut turns = Turns::new(2);
    let [first, second] = [(); 2].map(|()| turns.add(Crawl::of(["example.org"]), at(5 * YEAR)));
    let other = turns.add(Crawl::of(["example.com"]), at(5 * YEAR));
    assert_eq!(turns.next(at(5 * YEAR)), Next::Start(first));
    assert_eq!(turns.next(at(5 * YEAR)), Next::Start(other));
    turns.postpone(other, at(5 * YEAR + 10));
    assert_eq!(turns.next(at(60)), Next::Start(other));
    turns.ended(first, at(60));
    assert_eq!(turns.next(at(60)), Next::Start(second));
}

#[test]
fn what_does_not_run_cannot_end() {
    let mut turns = Turns::new(1);
    let crawl = turns.add(Crawl::of(["example.org"]), at(0));
    assert_eq!(turns.ended(crawl, at(0)), None);
    turns.postpone(crawl, at(100));
    assert_eq!(turns.next(at(0)), Next::Start(crawl));
    turns.ended(crawl, at(1));
    turns.ended(crawl, at(1));
    assert_eq!(turns.next(at(1)), Next::Done);
}
