//! Jobs in the order in which they were committed, because of two captures of one URL and one second the older commit's comes first.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use crate::card::Card;

/// Each behind the one that it says it came after; otherwise as their times say, and then their names.
pub(crate) fn in_order(cards: Vec<Card>) -> Vec<Card> {
    let places: HashMap<&str, usize> =
        cards.iter().enumerate().map(|(place, card)| (card.job.as_str(), place)).collect();
    let mut followers: Vec<Vec<usize>> = vec![Vec::new(); cards.len()];
    let mut free: Vec<bool> = vec![true; cards.len()];
    for (place, card) in cards.iter().enumerate() {
        let before = card.after.as_deref().and_then(|after| places.get(after)).filter(|at| **at != place);
        if let Some((followers, free)) = before.and_then(|at| followers.get_mut(*at)).zip(free.get_mut(place))
        {
            followers.push(place);
            *free = false;
        }
    }
    let key = |place: usize| cards.get(place).map(|card| (card.at, card.job.clone()));
    let of = |place: usize| Reverse((key(place), place));
    let mut next: BinaryHeap<_> =
        free.iter().enumerate().filter(|(_, free)| **free).map(|(place, _)| of(place)).collect();
    let mut order = Vec::with_capacity(cards.len());
    while let Some(Reverse((_, place))) = next.pop() {
        order.push(place);
        next.extend(followers.get(place).into_iter().flatten().map(|follower| of(*follower)));
    }
    // Those that came after each other in a ring, which no commit has written.
    let mut is_in = vec![false; cards.len()];
    order.iter().for_each(|place| is_in.get_mut(*place).into_iter().for_each(|is_in| *is_in = true));
    let mut rest: Vec<usize> = (0..cards.len()).filter(|place| is_in.get(*place) == Some(&false)).collect();
    rest.sort_by_key(|place| key(*place));
    order.extend(rest);
    let mut cards: Vec<Option<Card>> = cards.into_iter().map(Some).collect();
    order.into_iter().filter_map(|place| cards.get_mut(place)?.take()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(jobs: &[(&str, i64, Option<&str>)], expect: &str) {
        let cards = jobs.iter().map(|(job, at, after)| Card {
            at: jiff::Timestamp::from_second(*at).unwrap(),
            after: after.map(str::to_owned),
            ..Card::of(job)
        });
        let order: Vec<String> = in_order(cards.collect()).into_iter().map(|card| card.job).collect();
        assert_eq!(order.concat(), expect);
    }

    #[test]
    fn what_came_after_comes_after_whatever_the_times() {
        check(&[("a", 3, None), ("b", 2, Some("a")), ("c", 1, Some("b"))], "abc");
        check(&[("c", 1, Some("b")), ("b", 2, Some("a")), ("a", 3, None)], "abc");
    }

    #[test]
    fn those_that_came_after_the_same_go_by_time_and_name() {
        check(&[("a", 9, None), ("d", 1, Some("a")), ("c", 2, Some("a")), ("b", 2, Some("a"))], "adbc");
        check(&[("b", 1, None), ("a", 1, None), ("c", 0, None)], "cab");
    }

    #[test]
    fn one_that_came_after_what_is_not_there_goes_by_its_time() {
        check(&[("a", 3, Some("gone")), ("b", 2, None)], "ba");
    }

    #[test]
    fn a_ring_has_an_end() {
        check(&[("a", 2, Some("b")), ("b", 1, Some("a")), ("c", 3, Some("c"))], "cba");
    }
}
