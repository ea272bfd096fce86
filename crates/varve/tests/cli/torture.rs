//! Crawls that are killed twenty times over end as if nothing had been. (Issue 4; `cargo xtask torture crawl` does it longer.)

use std::path::Path;

use testkit::torture::{Round, Torture};

/// With all that belongs to them some hundred documents.
const PAGES: u64 = 60;
const ROUNDS: u64 = 20;

#[test]
fn a_killed_crawl_ends_as_if_nothing_had_been() {
    let folder = tempfile::tempdir().unwrap();
    let torture = Torture::start(Path::new(env!("CARGO_BIN_EXE_varve")), folder.path(), PAGES).unwrap();
    let mut all = Round::default();
    for seed in 0..ROUNDS {
        let round = torture.round(seed).unwrap_or_else(|fault| panic!("round {seed}: {fault}"));
        all.kills += round.kills;
        all.in_commit += round.in_commit;
    }
    assert!(all.kills >= ROUNDS && all.in_commit > 0, "{all:?}");
}
