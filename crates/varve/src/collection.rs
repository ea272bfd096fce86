//! `--collection`: which of an archive's indexes a verb is about.

use archive::{Collection, WEB};

use crate::hint::{WithHint as _, with_hint};
use crate::session::Session;

/// Which collection is meant.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Which {
    /// The index of this collection instead of the archive's own
    #[arg(short, long, value_name = "NAME", default_value = WEB)]
    pub(crate) collection: String,
}

impl Which {
    /// The collection, which must be there.
    pub(crate) fn open(&self, session: &Session) -> anyhow::Result<Collection> {
        let archive = session.archive()?;
        match archive.collection(&self.collection)? {
            Some(collection) => Ok(collection),
            None => {
                let error = anyhow::anyhow!("there is no collection `{}`", self.collection);
                let names = archive.collections()?.join(", ");
                Err(with_hint(error, format!("there are: {names}; `varve index add` makes others")))
            }
        }
    }

    /// The collection, which is made if need be.
    pub(crate) fn open_or_make(&self, session: &Session) -> anyhow::Result<Collection> {
        let archive = session.archive()?;
        archive
            .create_collection(&self.collection)
            .hint("a collection's name is letters, digits and hyphens, such as `news-2026`")
    }

    /// What to call it in a sentence.
    pub(crate) fn place(&self) -> String {
        match self.collection.as_str() {
            WEB => "the archive".to_owned(),
            name => format!("the collection `{name}`"),
        }
    }

    /// What a command line needs to mean the same.
    pub(crate) fn option(&self) -> String {
        match self.collection.as_str() {
            WEB => String::new(),
            name => format!(" -c {name}"),
        }
    }
}
