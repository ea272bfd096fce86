//! Crawls that are killed twenty times over end as if nothing had been. (Issue 4; `cargo xtask torture crawl` does it longer.) And of
//! the files that are kept none is lost, whatever goes wrong. (Issue 6; `cargo xtask torture store` does it longer.)

use std::path::Path;

use testkit::torture::{Round, Torture};
use testkit::vault_torture::VaultTorture;

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

/// Of the vault.
const VAULT_ROUNDS: u64 = 30;

/// D11, D12, D14.
#[test]
fn whatever_goes_wrong_no_kept_file_is_lost_or_given_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_varve"));
    let Some(mut torture) = VaultTorture::start(program, folder.path()) else { return };
    for seed in 0..VAULT_ROUNDS {
        torture.round(seed).unwrap_or_else(|fault| panic!("round {seed}: {fault}"));
    }
    let figures = torture.figures();
    assert_eq!(figures.rounds, VAULT_ROUNDS);
    assert!(figures.files >= VAULT_ROUNDS && figures.kills > 0 && figures.repaired > 0, "{figures}");
}
