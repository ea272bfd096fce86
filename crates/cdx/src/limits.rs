//! How much of anything is taken in before we say "enough".

/// Bounds on what is read. Whatever passes one of them is an error, never a full memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one line.
    pub line_bytes: usize,
    /// Depth to which the values of a CDXJ object may nest; the object itself is level 1.
    pub json_depth: usize,
    /// Members of a CDXJ object.
    pub json_members: usize,
    /// Bytes of one packed ZipNum block.
    pub block_packed_bytes: u64,
    /// Bytes that one ZipNum block may unfold to.
    pub block_bytes: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            line_bytes: 1 << 20,
            json_depth: 32,
            json_members: 1 << 10,
            block_packed_bytes: 1 << 24,
            block_bytes: 1 << 26,
        }
    }
}
