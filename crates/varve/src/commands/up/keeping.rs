//! What the pages and the API ask of whoever looks after the files.

use std::sync::Arc;

use api::jobs::{RefusalKind, Refused};
use api::vault::{Doing, Habits, Keeper, Last, Remedied, Room, Task};
use vault::Vault;

use super::caretaker::Caretaker;
use super::rooms::Rooms;
use settings::Repairs;

/// The caretaker, and what replicas say about their room.
pub(super) struct Keeping {
    caretaker: Arc<Caretaker>,
    rooms: Rooms,
}

impl Keeping {
    pub(super) fn start(caretaker: Arc<Caretaker>) -> Keeping {
        let rooms = Rooms::watch(caretaker.kept().vault.places());
        Keeping { caretaker, rooms }
    }
}

impl Keeper for Keeping {
    fn vault(&self) -> &Vault {
        &self.caretaker.kept().vault
    }

    fn ask(&self, task: Task) -> Result<(), Refused> {
        match self.caretaker.ask(task) {
            true => Ok(()),
            false => {
                let message = "the server is ending".to_owned();
                Err(Refused { message, hint: None, kind: RefusalKind::Conflict })
            }
        }
    }

    fn doing(&self) -> Vec<Doing> {
        self.caretaker.doing()
    }

    fn waiting(&self) -> Vec<Task> {
        self.caretaker.waiting()
    }

    fn last(&self) -> Option<Last> {
        self.caretaker.last()
    }

    fn remedies(&self) -> Vec<Remedied> {
        self.caretaker.remedies()
    }

    fn rooms(&self) -> Vec<Room> {
        self.rooms.told()
    }

    fn habits(&self) -> Habits {
        let settings = &self.caretaker.kept().settings;
        Habits { repairs: settings.repair == Repairs::Auto, backups: settings.backups.0 }
    }
}
