//! What the users of a gate have to do with one host, and where each user's hosts stand in line.

use std::collections::BTreeSet;

use super::host::{Nanos, Turn};

/// One of those who share a gate: a job, mostly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct User(pub(super) u32);

/// What one user has to do with a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Interest {
    pub(super) user: User,
    /// Requests that are wanted and were not let in yet.
    pub(super) waiting: u32,
    /// Requests that wait by themselves, outside the queue.
    pub(super) claims: u16,
    /// Requests that are under way.
    pub(super) active: u16,
}

impl Interest {
    fn none(user: User) -> Interest {
        Interest { user, waiting: 0, claims: 0, active: 0 }
    }

    /// Whether the user has nothing to do with the host.
    pub(super) fn is_none(&self) -> bool {
        !self.is_waiting() && self.active == 0
    }

    /// Whether the user waits for the host, in the queue or outside it.
    pub(super) fn is_waiting(&self) -> bool {
        self.waiting > 0 || self.claims > 0
    }
}

/// The interests of all users in a host. Nearly always there is one user.
#[derive(Debug, Default)]
pub(super) struct Interests {
    first: Option<Interest>,
    others: Vec<Interest>,
}

impl Interests {
    /// Whether something is wanted of the host.
    pub(super) fn has_waiting(&self) -> bool {
        self.each().any(|interest| interest.waiting > 0)
    }

    /// The interest of this user.
    pub(super) fn of(&self, user: User) -> Interest {
        self.each().find(|interest| interest.user == user).copied().unwrap_or(Interest::none(user))
    }

    /// All interests.
    pub(super) fn each(&self) -> impl Iterator<Item = &Interest> {
        self.first.iter().chain(&self.others)
    }

    /// All users that want something.
    pub(super) fn waiting_users(&self) -> impl Iterator<Item = User> {
        self.each().filter(|interest| interest.waiting > 0).map(|interest| interest.user)
    }

    /// Puts an interest in the place of what the user's was.
    pub(super) fn set(&mut self, interest: Interest) {
        if interest.is_none() {
            self.others.retain(|known| known.user != interest.user);
            if self.first.is_some_and(|known| known.user == interest.user) {
                self.first = self.others.pop();
            }
            return;
        }
        let mut known = self.first.iter_mut().chain(&mut self.others);
        if let Some(known) = known.find(|known| known.user == interest.user) {
            *known = interest;
        } else if self.first.is_none() {
            self.first = Some(interest);
        } else {
            self.others.push(interest);
        }
    }
}

/// One user's hosts.
#[derive(Debug, Default)]
pub(super) struct Line {
    /// Those that go in when their time has come. A host that several users want stands in the line of each.
    pub(super) ready: BTreeSet<Turn>,
    /// How many hosts the user wants something of, wherever they stand.
    pub(super) wanting: usize,
    /// When the user last asked whose turn it is.
    pub(super) asked_at: Nanos,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_user_has_an_interest_of_its_own() {
        let mut interests = Interests::default();
        for (user, waiting) in [(1, 5), (2, 6), (3, 7), (1, 0), (2, 8), (9, 0)] {
            interests.set(Interest { waiting, ..Interest::none(User(user)) });
        }
        assert_eq!([1, 2, 3].map(|user| interests.of(User(user)).waiting), [0, 8, 7]);
        assert_eq!(interests.waiting_users().count(), 2);
        interests.set(Interest { active: 1, ..Interest::none(User(2)) });
        interests.set(Interest::none(User(3)));
        assert!(!interests.has_waiting() && interests.each().count() == 1);
        interests.set(Interest::none(User(2)));
        assert_eq!(interests.each().count(), 0);
    }
}
