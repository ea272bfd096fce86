//! How much a module may use. Users bring modules along, and anybody makes mistakes.

/// Bounds on modules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a module's file.
    pub module_bytes_max: usize,
    /// Bytes of memory of one instance. Each file that is worked on has one.
    pub memory_bytes_max: usize,
    /// Steps of one call; one is about one instruction, and some hundred million are a second. Between calls the clock is looked at.
    pub fuel_per_call: u64,
    /// Calls within each other.
    pub recursion_max: usize,
    /// Bytes of what is told of a record; of one with more the fields of its HTTP head are left out, and then its own.
    pub head_bytes_max: usize,
    /// Bytes of a payload that are handed over at once.
    pub piece_bytes_max: usize,
    /// Bytes of a line of the log; the rest is cut off.
    pub text_bytes_max: usize,
    /// Lines that are logged for one file; the rest is left out.
    pub log_lines_max: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            module_bytes_max: 16 << 20,
            memory_bytes_max: 64 << 20,
            fuel_per_call: 200_000_000,
            recursion_max: 1000,
            head_bytes_max: 1 << 20,
            piece_bytes_max: 64 << 10,
            text_bytes_max: 1 << 10,
            log_lines_max: 100,
        }
    }
}
