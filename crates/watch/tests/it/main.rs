//! The public face of the monitor.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::expect_used,
    clippy::disallowed_methods
)]

mod archived;
mod asking;
mod clock;
mod crashes;
mod liars;
mod logins;
mod many;
mod news;
mod opening;
mod people;
mod posting;
mod remaking;
mod rounds;
mod use_cases;
mod watches;
mod week;
mod world;

testkit::on_both_databases_async! {
    crate::world::wait;
    archived:
        versions_are_found_in_the_archive_after_a_commit,
        not_modified_after_a_failure_means_the_version_before_it,
        e4_the_same_under_several_urls_is_stored_once,
        payloads_come_from_the_archive_where_the_cache_has_none,
        a_lost_cache_is_no_loss_before_the_commit_either,
        every_check_is_noted_in_the_jobs_metadata,
        failures_alone_are_committed_too,
        two_monitors_of_one_archive_do_not_hinder_each_other,
        an_answer_that_comes_late_is_no_new_version;
    asking:
        e1_a_known_tag_is_asked_by_with_the_date_beside_it,
        e1_head_is_enough_where_length_and_digest_are_as_before,
        e1_a_server_that_refuses_head_is_asked_by_get,
        e5_asking_within_ten_seconds_gives_the_last_result_and_says_so,
        e5_two_who_ask_at_once_are_one_request,
        e5_redirects_of_every_kind_are_followed_and_shorteners_lead_on,
        e5_thirty_redirects_are_followed_and_no_more,
        e5_cookies_are_kept_along_the_way,
        what_is_not_on_the_web_cannot_be_watched;
    clock:
        a_check_made_while_the_clock_was_ahead_does_not_stop_the_watch,
        the_rounds_that_begin_after_the_clock_was_ahead_check_everything,
        a_watch_that_could_not_be_checked_while_the_clock_was_ahead_is_checked,
        a_watch_that_is_resumed_after_the_clock_was_ahead_is_checked,
        a_change_found_after_the_clock_was_a_little_ahead_counts,
        a_message_that_failed_while_the_clock_was_ahead_is_tried_again,
        an_e_mail_digest_that_was_begun_while_the_clock_was_ahead_is_sent,
        quiet_hours_that_were_met_while_the_clock_was_ahead_end,
        a_long_digest_is_not_sent_early;
    crashes:
        a_crash_at_any_write_loses_nothing_and_doubles_nothing,
        a_full_disk_is_told_and_survived;
    liars:
        e1_last_modified_that_is_always_now_is_no_change,
        e1_last_modified_that_never_changes_hides_no_change,
        e1_a_tag_that_changes_each_time_is_no_change,
        e1_304_to_an_unconditional_request_is_told_and_no_change,
        a_200_with_the_text_of_an_error_is_a_change_that_can_be_looked_at,
        a_length_that_is_too_large_is_told,
        an_answer_that_breaks_off_once_is_no_change,
        a_length_that_is_too_small_is_told,
        a_wrong_content_md5_is_told_and_not_believed,
        a_host_that_comes_and_goes_leaves_its_versions_alone,
        e5_redirects_in_a_circle_are_found,
        e5_eleven_megabytes_are_compared_by_headers_unless_forced,
        e5_what_unfolds_beyond_the_limit_is_too_large,
        e4_a_binary_that_is_called_text_is_compared_like_any_other,
        a_coding_that_is_not_the_one_named_is_told;
    many:
        e6_many_are_checked_at_once_and_told_in_their_order,
        a_host_is_asked_by_as_many_at_once_as_the_gate_allows,
        a_thousand_of_one_host_are_asked_one_by_one;
    news:
        a_change_is_told_once,
        whoever_comes_later_is_not_told_of_what_was_before,
        rules_say_what_counts,
        a_trigger_is_set_off_each_time_by_one_step,
        small_changes_pass_a_threshold_together,
        what_changes_at_every_visit_is_learned,
        a_page_that_is_gone_is_told_once_and_once_that_it_is_back,
        what_a_crash_has_left_is_judged_version_by_version,
        two_who_judge_at_once_tell_it_once,
        a_document_that_is_no_text_is_told_by_its_size,
        only_what_is_worth_telling_sets_the_pace,
        chosen_parts_are_no_noise;
    people:
        e3_a_name_can_be_tested_for_being_taken,
        e3_memory_outlives_the_program,
        e3_checks_of_others_are_not_mine;
    posting:
        mails_are_put_together_and_programs_are_told_each,
        what_fails_is_tried_again_as_the_same_message,
        a_message_keeps_its_id_and_its_news_over_a_crash,
        what_can_never_be_sent_is_given_up_and_shown,
        nobody_is_told_in_hours_of_quiet,
        a_digest_waits_and_tells_all_of_it_at_once,
        whoever_removes_a_watch_is_not_told_of_it_any_more,
        what_goes_along_is_what_may,
        whoever_is_away_is_not_asked_for_each,
        what_failed_together_is_tried_again_once;
    rounds:
        what_is_due_is_checked_once,
        several_who_watch_one_page_share_its_checks,
        one_process_makes_the_rounds,
        what_is_overdue_is_spread_and_not_stampeded,
        a_few_that_are_overdue_are_checked_at_once,
        what_is_not_asked_is_put_off,
        what_was_asked_just_now_is_not_asked_again,
        a_large_host_keeps_nobody_waiting,
        rounds_end_when_they_are_told_to,
        a_pace_faster_than_pages_may_be_asked_waits,
        once_checks_each_watch_once,
        a_thousand_watches_of_one_host_are_polite;
    use_cases:
        uc1_a_document_that_is_not_stored_is_an_error,
        uc1_a_time_before_all_gives_the_oldest,
        uc1_the_youngest_that_was_made_before_the_time,
        uc1_a_time_after_the_newest_has_it_checked_first,
        uc1_an_error_of_that_check_is_passed_on,
        uc1_by_number,
        uc2_the_current_version_after_a_check,
        uc2_what_is_not_available_is_an_error,
        uc3_changed_since_my_last_check,
        uc3_there_and_back_again_is_no_change,
        uc3_what_is_not_available_is_an_error_and_no_last_check,
        uc4_what_changed_since_my_last_check,
        uc4_asking_again_at_once_gives_the_empty_change,
        uc5_the_difference_between_two_times,
        uc6_a_check_says_whether_it_changed,
        uc7_is_it_available_now,
        uc8_the_history_of_availability,
        uc9_the_last_reachable_version;
    watches:
        a_watch_is_due_at_once_and_again_after_its_pause,
        an_adaptive_watch_follows_the_page,
        watches_are_listed_changed_paused_and_removed;
    remaking:
        a_copy_is_made_while_it_is_used_and_restored_into_an_empty_place;
}
