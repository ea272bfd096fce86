//! How much of anything a reader takes before it says "enough".
//!
//! Archives hold what strangers sent, and archive files themselves come from strangers too.

/// Bounds on what is read. Whatever passes one of them is a fault, never a full memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one record's header block.
    pub head_bytes: usize,
    /// Named fields in one record's header block.
    pub head_fields: usize,
    /// Bytes of one HTTP head inside a record.
    pub http_head_bytes: usize,
    /// Bytes that one gzip member or zstd frame may unfold to.
    pub member_bytes: u64,
    /// Bytes that a payload may unfold to when its content-encoding is removed.
    pub payload_bytes: u64,
    /// Bytes of a zstd dictionary at the head of a file.
    pub dictionary_bytes: usize,
    /// Largest zstd window as a power of two; it is memory that the file asks us to set aside.
    pub zstd_window_log: u32,
    /// Faults kept for one record; further ones are only counted.
    pub faults_per_record: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            head_bytes: 1 << 20,
            head_fields: 1 << 12,
            http_head_bytes: 1 << 20,
            member_bytes: 1 << 40,
            payload_bytes: 1 << 30,
            dictionary_bytes: 1 << 24,
            zstd_window_log: 25,
            faults_per_record: 64,
        }
    }
}
