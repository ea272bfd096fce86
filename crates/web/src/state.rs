//! What all pages share: what the API says, and the token of their forms.

use std::fmt;
use std::sync::Arc;

use api::{Api, Secret};

use crate::error::Fault;

/// What the pages need. A clone is cheap and is the same.
#[derive(Clone)]
pub struct Pages {
    inside: Arc<Settings>,
}

/// What there is to say beforehand.
pub struct Settings {
    /// What they show.
    pub api: Api,
    /// Forms carry it, so that no page elsewhere can send one in a user's name.
    pub token: Secret,
    /// Names that the server may be called by, besides those of this machine for itself.
    pub names: Vec<String>,
}

impl Pages {
    /// The pages over an API.
    #[must_use]
    pub fn new(settings: Settings) -> Pages {
        Pages { inside: Arc::new(settings) }
    }

    pub(crate) fn api(&self) -> &Api {
        &self.inside.api
    }

    pub(crate) fn token(&self) -> &str {
        self.inside.token.reveal()
    }

    pub(crate) fn names(&self) -> &[String] {
        &self.inside.names
    }

    /// Fails unless a form came from one of our pages.
    pub(crate) fn check(&self, token: &str) -> Result<(), Fault> {
        if self.inside.token.matches(token) { Ok(()) } else { Err(Fault::stale()) }
    }

    /// Asks the API on a thread that may wait.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Api) -> Result<T, api::Error> + Send + 'static,
    ) -> Result<T, Fault> {
        let api = self.api().clone();
        match tokio::task::spawn_blocking(move || question(&api)).await {
            Ok(answer) => Ok(answer?),
            Err(_) => Err(Fault::broken()),
        }
    }
}

impl fmt::Debug for Pages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pages").field("api", self.api()).finish_non_exhaustive()
    }
}
