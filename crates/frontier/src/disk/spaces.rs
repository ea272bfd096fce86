//! The five keyspaces and how each is kept. Memory is small and fixed: it must not grow with the queues.

use std::path::Path;
use std::sync::Arc;

use fjall::compaction::Leveled;
use fjall::config::{
    BloomConstructionPolicy, CompressionPolicy, FilterPolicy, FilterPolicyEntry, PartitioningPolicy,
    PinningPolicy,
};
use fjall::{CompressionType, Database, DatabaseBuilder, KeyspaceCreateOptions};

use crate::settings::Settings;

/// One keyspace of the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Space {
    /// Fingerprints of everything that was ever queued.
    Seen,
    /// The entries of all hosts.
    Queue,
    /// Entries that wait for a time.
    Postponed,
    /// Hosts, and as of the last tables distances, mark and ledger.
    Hosts,
    /// Batches that are not in tables of the queue and the seen yet.
    Log,
}

impl Space {
    pub(crate) const ALL: [Space; 5] =
        [Space::Seen, Space::Queue, Space::Postponed, Space::Hosts, Space::Log];

    pub(super) fn name(self) -> &'static str {
        match self {
            Space::Seen => "seen",
            Space::Queue => "queue",
            Space::Postponed => "postponed",
            Space::Hosts => "hosts",
            Space::Log => "log",
        }
    }

    /// Bytes that are gathered in memory before they become a table.
    pub(super) fn memtable_bytes(self) -> u64 {
        match self {
            // These two never have any: their tables are written as a whole.
            Space::Seen | Space::Queue => 1 << 20,
            Space::Postponed | Space::Hosts => 2 << 20,
            Space::Log => 4 << 20,
        }
    }
}

/// Bytes of journals on disk, the least that the database allows: what is in them is read again when it is opened.
const JOURNAL_BYTES_MAX: u64 = 64 << 20;
/// The database's own limit, far beyond ours, which comes first.
const MEMTABLE_BYTES_NEVER: u64 = 1 << 30;
/// Bytes of a table. A level holds few of them, so that a merge touches little.
const TABLE_BYTES: u64 = 8 << 20;
/// Tables of the first level that are merged at once: the more, the less often all of the second is written again.
const UNMERGED: u8 = 4;
/// Threads that write and merge tables.
const THREADS: usize = 1;

pub(super) fn builder(folder: &Path, settings: &Settings) -> DatabaseBuilder<Database> {
    Database::builder(folder)
        .cache_size(settings.cache_bytes as u64)
        .max_journaling_size(JOURNAL_BYTES_MAX)
        .worker_threads(THREADS)
        .max_cached_files(Some(128))
}

pub(super) fn options(space: Space) -> KeyspaceCreateOptions {
    let options = KeyspaceCreateOptions::default()
        .max_memtable_size(MEMTABLE_BYTES_NEVER)
        .compaction_strategy(strategy())
        .index_block_pinning_policy(PinningPolicy::all(false))
        .filter_block_pinning_policy(PinningPolicy::all(false));
    match space {
        // Filters and indexes are cut in pieces, of which the cache holds what is asked for: whole, they would be large or
        // would have to stay in memory.
        Space::Seen => options
            .filter_policy(FilterPolicy::all(FilterPolicyEntry::Bloom(BloomConstructionPolicy::BitsPerKey(
                8.0,
            ))))
            .filter_block_partitioning_policy(PartitioningPolicy::all(true))
            .index_block_partitioning_policy(PartitioningPolicy::all(true))
            // Hashes do not compress.
            .data_block_compression_policy(CompressionPolicy::disabled()),
        // These are only walked through: a filter would never be asked.
        Space::Queue | Space::Postponed => options
            .filter_policy(FilterPolicy::disabled())
            .index_block_partitioning_policy(PartitioningPolicy::all(true))
            .data_block_compression_policy(CompressionPolicy::all(CompressionType::Lz4)),
        Space::Hosts | Space::Log => options,
    }
}

/// How tables are merged.
pub(super) fn strategy() -> Arc<Leveled> {
    Arc::new(Leveled::default().with_table_target_size(TABLE_BYTES).with_l0_threshold(UNMERGED))
}
