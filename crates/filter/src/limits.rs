//! How much a module may use. Users bring modules along, and anybody makes mistakes.

/// Bounds on modules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a module's file.
    pub module_bytes_max: usize,
    /// Bytes of its settings.
    pub settings_bytes_max: usize,
    /// Bytes of memory of one instance. Each thread that filters has one.
    pub memory_bytes_max: usize,
    /// Steps for one document; one is about one instruction, and some hundred million are a second.
    pub fuel_per_document: u64,
    /// Steps for starting and reading the settings.
    pub fuel_at_start: u64,
    /// Calls within each other.
    pub recursion_max: usize,
    /// Bytes of the facts that are handed over; of a document with more the headers are left out.
    pub facts_bytes_max: usize,
    /// Bytes of a reason or a line of the log; the rest is cut off.
    pub text_bytes_max: usize,
    /// Lines that are logged for one document; the rest is left out.
    pub log_lines_max: u32,
    /// Instances that wait for work.
    pub idle_max: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            module_bytes_max: 16 << 20,
            settings_bytes_max: 1 << 20,
            memory_bytes_max: 32 << 20,
            fuel_per_document: 20_000_000,
            fuel_at_start: 200_000_000,
            recursion_max: 1000,
            facts_bytes_max: 1 << 20,
            text_bytes_max: 1 << 10,
            log_lines_max: 16,
            idle_max: 64,
        }
    }
}
