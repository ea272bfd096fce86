//! What the users of a gate want of one host, and where each user's hosts stand in line.

use std::collections::BTreeSet;

use super::host::Turn;

/// One of those who share a gate: a job, mostly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct User(pub(super) u32);

/// How many requests each user wants of a host. Nearly always there is one user.
#[derive(Debug, Default)]
pub(super) struct Wants {
    first: Option<(User, u32)>,
    others: Vec<(User, u32)>,
}

impl Wants {
    pub(super) fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    /// How many this user wants.
    pub(super) fn of(&self, user: User) -> u32 {
        self.each().find(|(wanting, _)| *wanting == user).map_or(0, |(_, count)| count)
    }

    /// All that want something.
    pub(super) fn users(&self) -> impl Iterator<Item = User> {
        self.each().map(|(user, _)| user)
    }

    /// This user wants so many from now on.
    pub(super) fn set(&mut self, user: User, count: u32) {
        if count == 0 {
            self.others.retain(|(wanting, _)| *wanting != user);
            if self.first.is_some_and(|(wanting, _)| wanting == user) {
                self.first = self.others.pop();
            }
            return;
        }
        let mut known = self.first.iter_mut().chain(&mut self.others);
        if let Some(known) = known.find(|(wanting, _)| *wanting == user) {
            known.1 = count;
        } else if self.first.is_none() {
            self.first = Some((user, count));
        } else {
            self.others.push((user, count));
        }
    }

    fn each(&self) -> impl Iterator<Item = (User, u32)> {
        self.first.iter().chain(&self.others).copied()
    }
}

/// One user's hosts.
#[derive(Debug, Default)]
pub(super) struct Line {
    /// Those that go in when their time has come. A host that several users want stands in the line of each.
    pub(super) ready: BTreeSet<Turn>,
    /// How many hosts the user wants something of, wherever they stand.
    pub(super) wanting: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_user_has_a_number_of_its_own() {
        let mut wants = Wants::default();
        for (user, count) in [(1, 5), (2, 6), (3, 7), (1, 0), (2, 8), (9, 0)] {
            wants.set(User(user), count);
        }
        assert_eq!([1, 2, 3].map(|user| wants.of(User(user))), [0, 8, 7]);
        assert_eq!(wants.users().count(), 2);
        wants.set(User(2), 0);
        wants.set(User(3), 0);
        assert!(wants.is_empty() && wants.users().next().is_none());
    }
}
