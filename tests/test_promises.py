"""What docs/en/trouble.md and the front page promise of failures: every row has its tests, and the figures are true."""

from __future__ import annotations

import re
from pathlib import Path

from nlp_agent.app.cli import checks, stopping
from nlp_agent.app.config import DeadlineConfig
from nlp_agent.arena.village import LONGEST_GAME
from nlp_agent.llm import failover
from nlp_agent.llm.failover import FailoverPolicy
from nlp_agent.seat import own_strategy
from tests.faults.catalogue import BY_NAME, chosen

ROOT = Path(__file__).parents[1]
TROUBLE = (ROOT / "docs" / "en" / "trouble.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (?!what goes wrong)(.+?) \| (.+) \|$", TROUBLE, re.MULTILINE)

KEPT: dict[str, tuple[str, ...]] = {
    "the model is slow": (
        "llm/test_llm_failover.py::test_late_in_the_day_the_first_complete_sentence_is_taken_as_soon_as_it_is_there",
        "llm/test_llm_failover.py::test_a_second_request_overtakes_one_that_hangs",
        "llm/test_llm_failover.py::test_the_best_complete_sentences_of_both_streams_are_taken_when_time_runs_out",
        "llm/test_llm_failover.py::test_both_hang_and_the_ready_made_answer_is_left_in_time",
        "net/test_session.py::test_an_answer_after_the_last_moment_is_not_sent",
    ),
    "the model fails": (
        "llm/test_llm_failover.py::test_the_next_endpoint_follows_a_failure",
        "llm/test_llm_failover.py::test_an_endpoint_that_keeps_failing_is_left_alone_for_a_while",
        "llm/test_llm_failover.py::test_endpoints_that_fail_are_asked_all_the_same_where_there_is_no_better_one",
        "llm/test_llm_failover.py::test_retry_after_beyond_the_deadline_is_not_waited_for_and_is_kept_to",
        "net/test_model_news.py::test_an_endpoint_that_dies_and_comes_back_is_told_once_each",
        *("401", "404", "429", "500", "not-json", "hang-before-headers"),
    ),
    "an endpoint refuses a feature": (
        "llm/test_llm_failures.py::test_a_step_down_is_made_once_and_remembered",
        "llm/test_llm_failures.py::test_the_other_token_field_is_used",
        *("400-schema", "400-max-tokens", "400-seed"),
    ),
    "the model spends its tokens": ("llm/test_llm_failures.py::test_an_empty_answer_is_asked_again", "reasoning-only"),
    "the model wraps its words": (
        "attacks/test_answers.py::test_an_answer_is_unwrapped_whole_or_refused",
        *("html", "code", "tool-text", "versions"),
    ),
    "the model copies another": (
        "attacks/test_imitations.py::test_words_of_somebody_else_are_left_out",
        *("script-of-all", "system-note", "prompt-told"),
    ),
    "the model says something illegal": (
        "seat/test_retry.py::test_the_second_attempt_names_the_sentence_and_the_fact",
        "seat/test_retry.py::test_a_target_that_is_none_is_told_the_names",
        *("dead-name", "secret-knowledge", "half-claim"),
    ),
    "somebody at the table gives orders": (
        "attacks/test_attacks.py::test_an_obedient_model_cannot_be_made_to_leak_to_break_the_form_or_to_move_a_target",
        "seat/test_advised_secrets.py::test_orders_are_noted_and_a_choice_is_made_twice",
        "prompting/test_prompting_quote_hard.py::test_a_name_cannot_carry_orders_into_a_prompt",
        "hostile-talk",
    ),
    "the server asks NAME": (
        "net/test_session.py::test_name_in_mid_thought_is_answered_at_once_and_the_thought_is_never_sent",
        *("name-in-talk", "name-in-any"),
    ),
    "the server repeats itself": (
        "net/test_session.py::test_what_is_no_packet_is_noted_and_survived",
        "faults/test_faults_session.py::test_a_request_that_comes_twice_is_answered_once",
        "protocol/test_packet.py::test_lists_names_and_texts_are_cut_to_what_a_game_can_hold",
        *("repeat-requests", "malformed-json", "unknown-requests", "history-one", "day-of-a-billion"),
    ),
    "an endpoint sends without end": (
        "llm/test_llm_bounds.py::test_no_answer_is_read_beyond_all_bounds",
        "llm/test_llm_bounds.py::test_events_without_end_that_say_nothing_are_left",
        *("packed-bomb", "error-bomb", "endless-line", "endless-events"),
    ),
    "half letters": (
        "protocol/test_packet.py::test_half_letters_become_question_marks",
        *("half-letters", "half-letter-answer"),
    ),
    "names, talks or errors hold": (
        "app/cli/test_cli_screen.py::test_no_way_onto_the_screen_lets_a_sequence_through",
        "app/cli/test_cli_logs.py::test_what_strangers_write_stays_on_its_line",
        "names-that-steer",
    ),
    "the connection is lost": (
        "net/test_session.py::test_a_lost_connection_is_told_by_when_it_was_lost",
        "net/test_stay.py::test_it_comes_back_for_the_next_game_until_enough_were_played",
        "net/test_stay.py::test_attempts_at_a_silent_address_are_spaced_further_and_further_apart",
        *("drop-at-vote", "drop-at-night", "drop-in-thought"),
    ),
    "a strategy of your own": (
        "planning/test_strategy.py::test_a_bad_strategy_costs_only_its_answers",
        "planning/test_strategy.py::test_a_strategy_named_in_the_config_plays",
        "planning/test_strategy.py::test_a_strategy_that_never_returns_costs_its_answers_and_not_the_game",
        "planning/test_strategy.py::test_a_check_before_a_match_makes_ten_decisions",
        "endless-strategy",
    ),
    "work takes longer": (
        "seat/test_turn.py::test_a_model_given_up_for_lack_of_time_does_not_end_the_talk",
        "seat/test_turn.py::test_a_long_thought_is_not_broken_off",
        "seat/test_turn.py::test_late_and_lost_are_counted_by_their_names",
        "net/test_arrival.py::test_the_deadline_counts_from_the_arrival",
    ),
    "code in C": (
        "app/cli/test_stopping.py::test_code_that_lets_no_thread_run_hears_nothing_and_ends_by_kill_9",
        "faults/test_faults_leaving.py::test_kill_9_leaves_the_journals_whole_up_to_the_last_decision",
    ),
    "our own code fails": (
        "planning/test_strategy.py::test_failures_of_our_own_code_are_counted_in_the_summary",
        *("crash-mind", "crash-everything"),
    ),
    "a guest at your table": (
        "arena/test_arena_limits.py::test_a_guest_that_floods_is_told_why_and_the_others_play_on",
        "arena/test_arena_limits.py::test_who_reads_nothing_is_not_waited_for",
        "arena/test_arena_limits.py::test_nobody_waits_for_ever",
        "arena/test_arena_limits.py::test_only_so_many_guests_have_one_name",
        "arena/test_arena_limits.py::test_votes_for_nobody_end_a_game_all_the_same",
        *("guest-floods", "guest-stalls", "guest-huge-frame"),
    ),
    "a classic server breaks a set off": (
        "app/test_classic_play.py::test_a_set_that_is_broken_off_between_two_games_is_told",
    ),
    "a changed prompt": (
        "prompting/test_prompting_pack.py::test_a_broken_change_is_reported_once_and_the_last_good_state_stays",
    ),
    "Ctrl-C or SIGTERM": (
        "faults/test_faults_leaving.py::test_the_first_signal_finishes_the_running_game",
        "faults/test_faults_leaving.py::test_the_second_signal_leaves_at_once_with_whole_journals",
        "faults/test_faults_leaving.py::test_kill_9_leaves_the_journals_whole_up_to_the_last_decision",
        "app/cli/test_stopping.py::test_two_signals_end_a_process_whose_loop_is_held",
    ),
    "Keys and tokens": (
        "app/test_config.py::test_keys_in_the_file_are_refused_and_not_repeated",
        "test_secrets.py::test_a_game_with_an_endpoint_that_repeats_the_key_shows_none",
        "test_secrets.py::test_the_process_of_a_page_is_told_no_key",
        "test_secrets.py::test_the_process_of_a_local_model_is_told_no_key",
        "test_secrets.py::test_processes_that_only_count_are_told_no_key",
        "test_secrets.py::test_no_command_leaves_a_core_dump",
        "tournament/test_at_table.py::test_a_foreign_agent_sees_the_keys_it_was_given_and_no_other",
    ),
    "README: check --seat sits down for two seconds": (
        "app/cli/test_cli_seating.py::test_the_place_is_left_after_two_seconds",
        "app/cli/test_cli_check_all.py::test_each_fault_is_one_line_that_says_what_to_do",
    ),
    "README: Ctrl-C leaves after the running game": (
        "app/cli/test_cli_real.py::test_first_interrupt_finishes_the_game",
        "net/test_stay.py::test_one_stop_lets_the_running_game_finish_and_two_do_not",
    ),
    "README: a tournament goes on after kill -9": ("tournament/test_crashes.py::",),
}
"""A row of the page by its first words -> what holds it: tests, and games of the table of faults."""


def test_every_row_is_held_by_something() -> None:
    """A promise that nothing tries does not stay one."""
    assert [what for what, _ in ROWS if sum(what.startswith(begin) for begin in KEPT) != 1] == []


def test_what_holds_a_row_is_there() -> None:
    """Each row kept is on the page, each test in its file, each fault in the table."""
    assert [begin for begin in KEPT if begin not in TROUBLE and not begin.startswith("README: ")] == []
    names = {name for held_by in KEPT.values() for name in held_by}
    assert sorted(name for name in names if name not in BY_NAME and not _is_test(name)) == []


def _is_test(name: str) -> bool:
    file, _, test = name.partition("::")
    return file.endswith(".py") and f"def {test}" in (ROOT / "tests" / file).read_text(encoding="utf-8")


def test_the_figures_of_the_page_are_those_of_the_code() -> None:
    """Seconds, counts, and how many faults and attacks there are."""
    rows = {begin: told for what, told in ROWS for begin in KEPT if what.startswith(begin)}
    after = DeadlineConfig()
    moments = [after.soft, after.hedge, after.partial, after.fallback, after.ceiling]
    assert re.findall(r"(\d+) s\b", rows["the model is slow"]) == [f"{moment:g}" for moment in moments]
    policy = FailoverPolicy()
    assert (policy.failures, policy.rest, failover.LONGEST_REST) == (3, 30, 120)
    assert "three times in a row is left alone for 30 s" in rows["the model fails"]
    assert "up to 120 s" in rows["the model fails"]
    assert own_strategy.SHARE == 0.25
    assert "a quarter of the time that is left" in rows["a strategy of your own"]
    assert f"after {stopping.LAST_SECONDS:g} s at the latest" in rows["Ctrl-C or SIGTERM"]
    assert f"after day {LONGEST_GAME} ends" in rows["a guest at your table"]
    assert checks.SEAT_SECONDS == 2
    assert f"# {len(chosen('attacks'))} attacks:" in TROUBLE
    assert f"all {len(chosen('all'))} faults" in TROUBLE
