//! What the pages and the API ask of whoever looks after the files.

use api::jobs::Refused;
use api::vault::{Doing, Habits, Keeper, Last, Remedied, Task};
use vault::Vault;

use super::caretaker::Caretaker;
use crate::settings::Repairs;

impl Keeper for Caretaker {
    fn vault(&self) -> &Vault {
        &self.kept().vault
    }

    fn ask(&self, task: Task) -> Result<(), Refused> {
        match Caretaker::ask(self, task) {
            true => Ok(()),
            false => {
                let message = "the server is ending".to_owned();
                Err(Refused { message, hint: None, is_conflict: true })
            }
        }
    }

    fn doing(&self) -> Vec<Doing> {
        Caretaker::doing(self)
    }

    fn waiting(&self) -> Vec<Task> {
        Caretaker::waiting(self)
    }

    fn last(&self) -> Option<Last> {
        Caretaker::last(self)
    }

    fn remedies(&self) -> Vec<Remedied> {
        Caretaker::remedies(self)
    }

    fn habits(&self) -> Habits {
        let settings = &self.kept().settings;
        Habits { repairs: settings.repair == Repairs::Auto, backups: settings.backups.0 }
    }
}
