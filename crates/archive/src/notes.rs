//! What a job leaves besides captures: settings, seeds, logs, reports. They become records of its metadata file.

use std::path::PathBuf;

/// A file or text that belongs to a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// What it is called: see [`note_uri`].
    pub uri: String,
    /// Its media type.
    pub media_type: String,
    /// What it says.
    pub content: Content,
}

/// Where a note's text is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// In a file; one that is not there is left out.
    File(PathBuf),
    /// Here.
    Bytes(Vec<u8>),
}

/// The URI of a note: `metadata://varve/crawl/<section>/<name>?job=<job>`, with the sections that NetarchiveSuite has: `setup`,
/// `reports`, `logs`, `index`.
#[must_use]
pub fn note_uri(job: &str, section: &str, name: &str) -> String {
    format!("metadata://varve/crawl/{section}/{name}?job={job}")
}

impl Note {
    /// A note of one of the usual sections.
    #[must_use]
    pub fn new(job: &str, section: &str, name: &str, media_type: &str, content: Content) -> Note {
        Note { uri: note_uri(job, section, name), media_type: media_type.to_owned(), content }
    }
}
