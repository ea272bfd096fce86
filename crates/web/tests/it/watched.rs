//! Pages over watches that are only pretended.

use std::sync::Arc;

use archive::Archive;

use crate::pretended::Pretended;
use crate::served::{Served, TOKEN};

pub(crate) struct Watched {
    pub(crate) served: Served,
    pub(crate) pretended: Arc<Pretended>,
}

impl Watched {
    /// Nothing is watched.
    pub(crate) fn nothing() -> Watched {
        Watched::of(Arc::new(Pretended::default()))
    }

    /// Three months of a few watches.
    pub(crate) fn with_a_past() -> Watched {
        Watched::of(Pretended::with_a_past())
    }

    fn of(pretended: Arc<Pretended>) -> Watched {
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive::create(folder.path()).unwrap();
        let (watcher, clock) = (pretended.clone(), pretended.clone());
        let served = Served::set((folder, archive), |settings| {
            settings.watcher = Some(watcher);
            settings.now = Arc::new(move || clock.now());
        });
        Watched { served, pretended }
    }

    #[track_caller]
    pub(crate) fn page(&self, path: &str) -> String {
        let answer = self.served.get(path);
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        answer.body
    }

    /// Sends a form; the answer's status, place and page.
    pub(crate) fn send(&self, path: &str, form: &str) -> (u16, String, String) {
        let form = format!("token={TOKEN}&{form}");
        let answer = self.served.post(path, &self.served.origin(), &form);
        let place = answer.head.lines().find_map(|line| line.strip_prefix("location: "));
        (answer.status, place.unwrap_or_default().to_owned(), answer.body)
    }
}
