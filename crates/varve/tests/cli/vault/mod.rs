//! `varve vault`: every bit is kept, in three replicas: a folder, a bucket on a real server, and checksums.

mod careful;
mod commits;
mod end_to_end;
mod log;
mod one_replica;
mod packages;
mod plain_words;
mod world;

use insta::assert_snapshot;

use crate::run::varve;

#[test]
fn help_of_vault() {
    assert_snapshot!("help_of_vault", varve(["vault", "--help"]).shown());
    for verb in [
        "status", "replicas", "bring", "audit", "repair", "put", "get", "log", "backup", "adopt", "correct",
        "forget", "export", "check",
    ] {
        assert_snapshot!(format!("help_of_vault_{verb}"), varve(["vault", verb, "--help"]).shown());
    }
}
