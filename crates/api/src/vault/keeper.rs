//! Whoever looks after the files for this server: what it is asked, and what it answers. The program that has the settings does it.

use supervisor::{Caretaker, Doing, Habits, Last, Refused, Remedied, Room, Task};
use vault::Vault;

/// Looks after files. None of its calls waits for what is under way, nor for a replica.
pub trait Keeper: Send + Sync {
    /// What is looked after.
    fn vault(&self) -> &Vault;

    /// Wants something done, behind what was wanted before. The same twice is once.
    ///
    /// # Errors
    /// When nothing more is begun.
    fn ask(&self, task: Task) -> Result<(), Refused>;

    /// What is being done.
    fn doing(&self) -> Vec<Doing>;

    /// What waits behind it, in its order.
    fn waiting(&self) -> Vec<Task>;

    /// What the last task came to.
    fn last(&self) -> Option<Last>;

    /// What was repaired, or would be, the newest first.
    fn remedies(&self) -> Vec<Remedied>;

    /// What each replica said when it was last asked for its room.
    fn rooms(&self) -> Vec<Room>;

    /// How it goes about it.
    fn habits(&self) -> Habits;
}

impl Keeper for Caretaker {
    fn vault(&self) -> &Vault {
        &self.kept().vault
    }

    fn ask(&self, task: Task) -> Result<(), Refused> {
        self.ask(task)
    }

    fn doing(&self) -> Vec<Doing> {
        self.doing()
    }

    fn waiting(&self) -> Vec<Task> {
        self.waiting()
    }

    fn last(&self) -> Option<Last> {
        self.last()
    }

    fn remedies(&self) -> Vec<Remedied> {
        self.remedies()
    }

    fn rooms(&self) -> Vec<Room> {
        self.rooms()
    }

    fn habits(&self) -> Habits {
        self.habits()
    }
}
