//! The public face of the catalogue.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::expect_used,
    clippy::disallowed_methods
)]

mod copies;
mod events;
mod opening;
mod world;

testkit::on_both_databases! {
    copies:
        d11_a_file_of_another_content_is_refused,
        d11_a_file_is_accepted_when_every_replica_has_it,
        jobs_are_told_once_each,
        who_is_slower_changes_nothing,
        there_are_ways_that_nothing_goes,
        what_failed_is_due_later,
        the_longest_unchecked_is_audited_first,
        a_new_replica_wants_all_files,
        d13_audits_are_kept;
    events:
        a_log_that_nobody_touched_is_sound,
        an_event_with_a_zero_byte_is_logged_without_it,
        every_field_counts,
        what_is_left_out_or_put_in_shows,
        what_was_noted_elsewhere_must_be_there,
        the_database_itself_refuses_changes;
    opening:
        what_was_put_in_is_there_again,
        a_later_version_is_left_alone,
        d12_a_corrected_file_is_wanted_again_everywhere,
        a_change_that_fails_leaves_nothing,
        d21_a_copy_is_made_while_it_is_used,
        a_copy_has_its_name_when_it_is_whole,
        changes_of_several_wait_for_each_other,
        a_replica_does_not_change_its_kind;
}
