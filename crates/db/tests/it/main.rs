//! The public face of `db`, on both databases.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::expect_used,
    clippy::disallowed_methods
)]

mod copying;
mod opening;
mod values;
mod world;
mod writing;

testkit::on_both_databases! {
    opening:
        rows_are_there_again,
        tables_of_an_earlier_version_are_migrated,
        tables_of_a_later_version_are_left_alone,
        a_migration_that_fails_changes_nothing,
        several_migrate_at_once;
    values:
        values_come_back_as_they_were,
        absent_values_are_absent,
        columns_are_read_by_name_and_checked;
    writing:
        a_change_is_seen_when_it_is_committed,
        a_change_that_is_dropped_leaves_nothing,
        writers_wait_for_each_other,
        retry_ends_with_the_last_conflict;
    copying:
        a_backup_is_restored_whole,
        a_backup_is_restored_only_into_an_empty_place,
        a_damaged_backup_is_refused,
        a_sound_database_is_whole;
}
