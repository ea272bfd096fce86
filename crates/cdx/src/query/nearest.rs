//! Keeps the captures nearest to a time, nearest first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::keep_error;
use crate::{Capture, Error, Timestamp};

/// Gathers the captures nearest to a time, at most so many. Of two as near, the one that came first is nearer.
#[derive(Debug)]
pub struct Nearest {
    seconds: i64,
    limit: usize,
    /// The farthest on top, so that it can make room.
    ranks: BinaryHeap<(u64, usize, usize)>,
    captures: Vec<Option<Capture<'static>>>,
    count: usize,
}

impl Nearest {
    /// Nothing yet.
    #[must_use]
    pub fn new(time: Timestamp, limit: usize) -> Nearest {
        let (ranks, captures) = (BinaryHeap::new(), Vec::new());
        Nearest { seconds: time.seconds(), limit, ranks, captures, count: 0 }
    }

    /// Takes a capture, if it is near enough, and gives back the one that there is no room for. One without a time is farther than
    /// all others.
    pub fn push(&mut self, capture: Capture<'static>) -> Option<Capture<'static>> {
        let distance = capture.timestamp.map_or(u64::MAX, |time| time.seconds().abs_diff(self.seconds));
        self.count += 1;
        if self.captures.len() < self.limit {
            self.ranks.push((distance, self.count, self.captures.len()));
            self.captures.push(Some(capture));
            return None;
        }
        let Some(mut farthest) = self.ranks.peek_mut().filter(|farthest| distance < farthest.0) else {
            return Some(capture);
        };
        let slot = farthest.2;
        *farthest = (distance, self.count, slot);
        self.captures.get_mut(slot).and_then(|place| place.replace(capture))
    }

    /// Takes all captures and gives back the errors among them.
    pub fn take_all(
        &mut self,
        captures: impl Iterator<Item = Result<Capture<'static>, Error>>,
    ) -> Vec<Error> {
        let mut errors = Vec::new();
        for capture in captures {
            match capture {
                Ok(capture) => drop(self.push(capture)),
                Err(error) => keep_error(&mut errors, error),
            }
        }
        errors
    }

    /// The captures, nearest first.
    #[must_use]
    pub fn into_captures(mut self) -> Vec<Capture<'static>> {
        let mut ranks: Vec<_> = self.ranks.into_iter().collect();
        ranks.sort_unstable_by_key(|rank| Reverse(*rank));
        let mut nearest = Vec::with_capacity(ranks.len());
        while let Some((_, _, slot)) = ranks.pop() {
            nearest.extend(self.captures.get_mut(slot).and_then(Option::take));
        }
        nearest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(limit: usize, expect: &[u64]) {
        let mut nearest = Nearest::new(Timestamp::from_number(20_140_126_200_010).unwrap(), limit);
        for time in [
            20_140_126_195_959,
            20_140_126_200_008,
            20_140_126_200_012,
            20_140_126_200_100,
            20_140_126_200_011,
        ] {
            let _ = nearest.push(Capture { timestamp: Timestamp::from_number(time), ..Capture::default() });
        }
        let _ = nearest.push(Capture::default());
        let found: Vec<u64> = nearest
            .into_captures()
            .iter()
            .filter_map(|capture| Some(capture.timestamp?.as_number()))
            .collect();
        assert_eq!(found, expect);
    }

    #[test]
    fn the_nearest_come_first() {
        check(3, &[20_140_126_200_011, 20_140_126_200_008, 20_140_126_200_012]);
        check(2, &[20_140_126_200_011, 20_140_126_200_008]);
        check(0, &[]);
        let all = [
            20_140_126_200_011,
            20_140_126_200_008,
            20_140_126_200_012,
            20_140_126_195_959,
            20_140_126_200_100,
        ];
        check(9, &all);
    }
}
