//! How much of anything is taken in before we say "enough".

/// Bounds on what is read. Whatever passes one of them is told as [`Kind::Limit`](crate::Kind::Limit), never a full memory.
/// Content of files has no bound: it streams through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Files and folders of a package, and files that its manifests name.
    pub entries: usize,
    /// Bytes of a path.
    pub path_bytes: usize,
    /// Manifests of a bag, of the payload and of tag files each: one for a way to compute digests.
    pub manifests: usize,
    /// Bytes of all manifests of a bag, and of its list of files to fetch.
    pub manifest_bytes: u64,
    /// Bytes of `bagit.txt` and `bag-info.txt`.
    pub tag_bytes: u64,
    /// Bytes of a line of a tag file.
    pub line_bytes: usize,
    /// Bytes of an inventory.
    pub inventory_bytes: u64,
    /// Versions of an object.
    pub versions: usize,
    /// Problems that a report lists; further ones are counted.
    pub problems: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            entries: 1_000_000,
            path_bytes: 4 << 10,
            manifests: 32,
            manifest_bytes: 256 << 20,
            tag_bytes: 1 << 20,
            line_bytes: 16 << 10,
            inventory_bytes: 256 << 20,
            versions: 10_000,
            problems: 1000,
        }
    }
}
