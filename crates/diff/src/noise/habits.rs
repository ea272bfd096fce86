//! Noise that is learned: places that are different at every visit.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Finding, Limits, Noise};

/// A place must have been looked at so often before it can be a habit.
const VISITS_MIN: u32 = 3;

/// How often out of so many visits it must have changed.
const OFTEN: (u32, u32) = (3, 4);

/// So many places of a kind must have changed before others of the kind are expected to.
const SIBLINGS_MIN: usize = 3;

/// What the places of one document are wont to do, learned from one comparison after the other. Kept by whoever watches it.
///
/// ```
/// use diff::{Document, Habits, Limits, Rules, compare};
///
/// let limits = Limits::default();
/// let rules = Rules::none(&limits);
/// let page = |cited: &str| Document::page(&format!("<h1>Fish</h1><p id=quote>{cited}</p>"), &limits);
/// let mut habits = Habits::default();
/// let quotes = ["To fish is to be", "Eels have no feet", "Cod knows", "Herring aid"];
/// for pair in quotes.windows(2) {
///     let outcome = compare(&page(pair[0]), &page(pair[1]), &rules, &habits)?;
///     assert!(outcome.is_meaningful());
///     habits.learn(outcome.all(), &limits);
/// }
/// let outcome = compare(&page("Herring aid"), &page("A whale of a time"), &rules, &habits)?;
/// assert!(!outcome.is_meaningful());
/// assert_eq!(outcome.left_out().count(), 1);
/// # Ok::<(), diff::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Habits {
    /// Comparisons so far.
    visits: u32,
    /// Places that changed, by their paths.
    places: BTreeMap<String, Place>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Place {
    /// Visits when it was first seen to change, that one not counted.
    since: u32,
    /// How often it changed since then.
    changed: u32,
}

impl Habits {
    /// Takes in what one comparison found; also if it found nothing. What is known to be noise by itself teaches nothing.
    pub fn learn<'a>(&mut self, findings: impl Iterator<Item = &'a Finding>, limits: &Limits) {
        let before = self.visits;
        self.visits = self.visits.saturating_add(1);
        let open = findings.filter(|finding| finding.noise.is_none_or(|noise| noise == Noise::Habit));
        let mut keys: Vec<String> = open.flat_map(|finding| [place(finding), kind(finding)]).collect();
        keys.sort_unstable();
        keys.dedup();
        for key in keys {
            let place = self.places.entry(key).or_insert(Place { since: before, changed: 0 });
            place.changed = place.changed.saturating_add(1);
        }
        self.forget(limits.habits_max);
    }

    /// Takes in so many visits at which nothing was different.
    pub fn rest(&mut self, visits: u32, limits: &Limits) {
        self.visits = self.visits.saturating_add(visits);
        self.forget(limits.habits_max);
    }

    /// Whether the place of a change is different at every visit.
    #[must_use]
    pub fn expects(&self, finding: &Finding) -> bool {
        if self.is_habit(&place(finding)) {
            return true;
        }
        // What rotates is now the second of its kind and now the third; a paragraph beside a quotation of the day is none of that.
        let kind_of_it = kind(finding);
        let siblings = || self.places.keys().filter(|key| *key != &kind_of_it && kind_of(key) == kind_of_it);
        self.is_habit(&kind_of_it) && siblings().take(SIBLINGS_MIN).count() == SIBLINGS_MIN
    }

    fn is_habit(&self, key: &str) -> bool {
        self.places.get(key).is_some_and(|place| {
            let visits = self.visits - place.since.min(self.visits);
            visits >= VISITS_MIN && place.changed.saturating_mul(OFTEN.1) >= visits.saturating_mul(OFTEN.0)
        })
    }

    /// Comparisons so far.
    #[must_use]
    pub fn visits(&self) -> u32 {
        self.visits
    }

    /// Forgets places that have been quiet, and then the ones that are least known, until there are not too many.
    fn forget(&mut self, max: usize) {
        let visits = self.visits;
        // What changed once in ten visits is news, and is told; to remember it serves nobody.
        self.places.retain(|_, place| {
            visits - place.since.min(visits) < 10 || place.changed.saturating_mul(10) > visits - place.since
        });
        if self.places.len() > max {
            let mut places: Vec<(String, Place)> = std::mem::take(&mut self.places).into_iter().collect();
            places.sort_by_key(|(_, place)| std::cmp::Reverse(place.changed));
            places.truncate(max);
            self.places = places.into_iter().collect();
        }
    }
}

/// A place: its path, and the attribute if it is one.
fn place(finding: &Finding) -> String {
    match &finding.attribute {
        Some(attribute) => format!("{}@{attribute}", finding.path),
        None => finding.path.clone(),
    }
}

/// All places like this one, by a name that no place has.
fn kind(finding: &Finding) -> String {
    kind_of(&place(finding))
}

fn kind_of(place: &str) -> String {
    format!("{}[]", without_numbers(place))
}

fn without_numbers(path: &str) -> String {
    let mut key = String::with_capacity(path.len());
    let mut depth = 0_u32;
    for char in path.chars() {
        match char {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            char if depth == 0 => key.push(char),
            _ => {}
        }
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::What;

    fn finding(path: &str) -> Finding {
        Finding {
            what: What::Changed,
            path: path.to_owned(),
            attribute: None,
            region: None,
            old: "a".into(),
            new: "b".into(),
            noise: None,
        }
    }

    #[test]
    fn what_changes_now_and_then_is_no_habit() {
        let (mut habits, limits) = (Habits::default(), Limits::default());
        let (always, once) = (finding("body/p[3]"), finding("body/div"));
        for visit in 0..8 {
            let mut found = vec![always.clone()];
            if visit == 4 {
                found.push(once.clone());
            }
            habits.learn(found.iter(), &limits);
        }
        assert!(habits.expects(&always) && !habits.expects(&finding("body/p[2]")));
        assert!(!habits.expects(&once) && !habits.expects(&finding("body/p")));
    }

    #[test]
    fn what_rotates_is_a_habit_of_its_kind() {
        let (mut habits, limits) = (Habits::default(), Limits::default());
        for number in [2, 5, 3, 7, 4] {
            habits.learn([&finding(&format!("body/li[{number}]"))].into_iter(), &limits);
        }
        assert!(habits.expects(&finding("body/li[9]")) && !habits.expects(&finding("body/p[2]")));
    }

    #[test]
    fn what_is_noise_by_itself_teaches_nothing() {
        let (mut habits, limits) = (Habits::default(), Limits::default());
        let counter = Finding { noise: Some(Noise::Counter), ..finding("p") };
        (0..9).for_each(|_| habits.learn([&counter].into_iter(), &limits));
        assert!(!habits.expects(&finding("p")));
    }

    #[test]
    fn a_habit_that_ends_is_forgotten() {
        let (mut habits, limits) = (Habits::default(), Limits::default());
        let place = finding("p");
        (0..3).for_each(|_| habits.learn([&place].into_iter(), &limits));
        assert!(habits.expects(&place));
        (0..40).for_each(|_| habits.learn([].into_iter(), &limits));
        assert!(!habits.expects(&place));
        assert!(habits.places.is_empty());
    }

    #[test]
    fn places_are_bounded() {
        let mut habits = Habits::default();
        let limits = Limits { habits_max: 5, ..Limits::default() };
        let found: Vec<Finding> = ('a'..='z').map(|name| finding(&name.to_string())).collect();
        habits.learn(found.iter(), &limits);
        assert_eq!(habits.places.len(), 5);
    }
}
