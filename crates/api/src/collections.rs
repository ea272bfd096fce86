//! The collections beside the archive's own, and how much each has.

use archive::WEB;
use axum::extract::State;
use axum::response::Response;
use serde::Serialize;

use crate::Api;
use crate::answer::{answer, blocking};
use crate::error::Error;

/// A collection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Collection {
    /// Its name, which is the first part of its addresses in replay.
    pub name: String,
    /// Captures in its index.
    pub captures: u64,
}

impl Api {
    /// All collections but the archive's own, by name.
    ///
    /// # Errors
    /// When the index of one cannot be read.
    pub fn collections(&self) -> Result<Vec<Collection>, Error> {
        let archive = self.archive();
        let mut collections = Vec::new();
        for name in archive.collections()?.into_iter().filter(|name| name != WEB) {
            if let Some(found) = archive.collection(&name)? {
                let captures = found.snapshot()?.rows();
                collections.push(Collection { name, captures });
            }
        }
        Ok(collections)
    }
}

/// `GET /api/v1/collections`
pub(crate) async fn list(State(api): State<Api>) -> Result<Response, Error> {
    blocking(move || api.collections()).await.and_then(|collections| answer(&collections))
}
