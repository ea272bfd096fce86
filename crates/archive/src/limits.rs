//! How much of anything is taken before we say "enough".

/// Bounds on what goes in and comes out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a URL; a capture of a longer one is refused.
    pub url_bytes: usize,
    /// Bytes of an `ETag` or `Last-Modified` that are kept for asking again; longer ones are not.
    pub validator_bytes: usize,
    /// Bytes of a response that are packed in memory; a longer one goes through a temporary file.
    pub memory_bytes: u64,
    /// Digests of a job's payloads that are held in memory, some 50 bytes each; when there are more, all go to the disk.
    pub digests_in_memory: usize,
    /// Bytes of a job's files, lines and notes up to which its commit does all at once; others who commit wait for that.
    pub at_once_bytes: u64,
    /// Captures of one URL that are tried when the nearest cannot be had, and records that are opened to find the payload of a revisit.
    pub candidates: usize,
    /// Index lines that one request examines to find the payload of a revisit; further ones are an error.
    pub examined_captures: usize,
    /// Bytes of a payload, as it was sent, up to which all of it is checked before the first byte is handed out. So much is held in
    /// memory for each that is being read.
    pub checked_bytes: u64,
    /// Bytes that a payload may unfold to when its content coding is taken off.
    pub payload_bytes: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            url_bytes: 64 << 10,
            validator_bytes: 1 << 10,
            memory_bytes: 8 << 20,
            digests_in_memory: 50_000,
            at_once_bytes: 2 << 30,
            candidates: 64,
            examined_captures: 10_000,
            checked_bytes: 256 << 10,
            payload_bytes: 1 << 34,
        }
    }
}
