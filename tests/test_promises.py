"""What docs/en/trouble.md and the front page promise of failures: every row has its tests, and the figures are true."""

from __future__ import annotations

import re
from pathlib import Path

from nlp_agent.app.cli import checks, stopping
from nlp_agent.app.config import DeadlineConfig, LlmConfig
from nlp_agent.arena.village import LONGEST_GAME
from nlp_agent.llm import failover
from nlp_agent.seat import own_strategy
from tests.faults.catalogue import BY_NAME, chosen

ROOT = Path(__file__).parents[1]
TROUBLE = (ROOT / "docs" / "en" / "trouble.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (?!what goes wrong)(.+?) \| (.+) \|$", TROUBLE, re.MULTILINE)

KEPT: dict[str, tuple[str, ...]] = {
    "the model is slow": (
        "llm/test_llm_failover.py::test_late_question_takes_the_first_complete_sentence",
        "llm/test_llm_failover.py::test_a_second_request_overtakes_one_that_hangs",
        "llm/test_llm_failover.py::test_best_sentences_are_taken_at_the_deadline",
        "llm/test_llm_failover.py::test_two_hanging_endpoints_time_out_early_enough",
        "net/test_session.py::test_answer_after_the_last_moment_is_not_sent",
    ),
    "the model fails": (
        "llm/test_llm_failover.py::test_the_next_endpoint_follows_a_failure",
        "llm/test_llm_failover.py::test_failing_endpoint_rests_and_comes_back",
        "llm/test_llm_failover.py::test_failing_endpoints_are_asked_without_better_ones",
        "llm/test_llm_failover.py::test_retry_after_beyond_the_deadline_is_kept",
        "net/test_model_news.py::test_endpoint_death_and_return_are_each_told_once",
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
        "seat/test_retry.py::test_second_attempt_names_sentence_and_fact",
        "seat/test_retry.py::test_invalid_target_is_answered_with_names",
        *("dead-name", "secret-knowledge", "half-claim"),
    ),
    "somebody at the table gives orders": (
        "attacks/test_attacks.py::test_obedient_model_cannot_be_made_to_leak",
        "seat/test_advised_secrets.py::test_orders_are_noted_and_choices_made_twice",
        "prompting/test_prompting_quote_hard.py::test_a_name_cannot_carry_orders_into_a_prompt",
        "hostile-talk",
    ),
    "the server asks NAME": (
        "net/test_session.py::test_name_during_thought_is_answered_at_once",
        *("name-in-talk", "name-in-any"),
    ),
    "the server repeats itself": (
        "net/test_session.py::test_what_is_no_packet_is_noted_and_survived",
        "faults/test_faults_session.py::test_a_request_that_comes_twice_is_answered_once",
        "protocol/test_packet.py::test_oversized_lists_names_and_texts_are_cut",
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
        "app/cli/test_cli_screen.py::test_no_output_lets_a_control_sequence_through",
        "app/cli/test_cli_logs.py::test_what_strangers_write_stays_on_its_line",
        "names-that-steer",
    ),
    "the connection is lost": (
        "net/test_session.py::test_lost_connection_is_explained_by_its_time",
        "net/test_stay.py::test_it_returns_until_enough_games_are_played",
        "net/test_stay.py::test_attempts_at_silent_address_are_spaced_out",
        *("drop-at-vote", "drop-at-night", "drop-in-thought"),
    ),
    "a strategy of your own": (
        "planning/test_strategy.py::test_a_bad_strategy_costs_only_its_answers",
        "planning/test_strategy.py::test_a_strategy_named_in_the_config_plays",
        "planning/test_strategy.py::test_endless_strategy_costs_only_its_answers",
        "planning/test_strategy.py::test_a_check_before_a_match_makes_ten_decisions",
        "endless-strategy",
    ),
    "work takes longer": (
        "seat/test_turn.py::test_timed_out_model_does_not_end_talk",
        "seat/test_turn.py::test_a_long_thought_is_not_broken_off",
        "seat/test_turn.py::test_late_and_lost_are_counted_by_their_names",
        "net/test_arrival.py::test_the_deadline_counts_from_the_arrival",
    ),
    "code in C": (
        "app/cli/test_stopping.py::test_code_that_blocks_threads_needs_kill_9",
        "faults/test_faults_leaving.py::test_kill_9_leaves_the_journals_whole",
    ),
    "our own code fails": (
        "planning/test_strategy.py::test_internal_failures_are_counted_in_the_summary",
        *("crash-mind", "crash-everything"),
    ),
    "a guest at your table": (
        "arena/test_arena_limits.py::test_flooding_guest_is_told_why_it_is_dropped",
        "arena/test_arena_limits.py::test_who_reads_nothing_is_not_waited_for",
        "arena/test_arena_limits.py::test_nobody_waits_for_ever",
        "arena/test_arena_limits.py::test_only_so_many_guests_have_one_name",
        "arena/test_arena_limits.py::test_votes_for_nobody_still_end_a_game",
        *("guest-floods", "guest-stalls", "guest-huge-frame"),
    ),
    "a classic server breaks a set off": ("app/test_classic_play.py::test_set_broken_off_between_games_is_reported",),
    "a changed prompt": ("prompting/test_prompting_pack.py::test_broken_change_keeps_the_last_good_state",),
    "Ctrl-C or SIGTERM": (
        "faults/test_faults_leaving.py::test_the_first_signal_finishes_the_running_game",
        "faults/test_faults_leaving.py::test_second_signal_leaves_at_once_with_whole_journals",
        "faults/test_faults_leaving.py::test_kill_9_leaves_the_journals_whole",
        "app/cli/test_stopping.py::test_two_signals_end_a_process_that_is_busy",
    ),
    "Keys and tokens": (
        "app/test_config.py::test_keys_in_the_file_are_refused_and_hidden",
        "test_secrets.py::test_game_hides_a_key_that_an_endpoint_repeats",
        "test_secrets.py::test_process_of_a_page_gets_no_key",
        "test_secrets.py::test_process_of_a_local_model_gets_no_key",
        "test_secrets.py::test_processes_that_only_count_are_told_no_key",
        "test_secrets.py::test_no_command_leaves_a_core_dump",
        "tournament/test_at_table.py::test_foreign_agent_sees_only_given_keys",
    ),
    "README: check --seat sits down for two seconds": (
        "app/cli/test_cli_seating.py::test_the_place_is_left_after_two_seconds",
        "app/cli/test_cli_check_all.py::test_each_fault_is_one_line_with_its_remedy",
    ),
    "README: Ctrl-C leaves after the running game": (
        "app/cli/test_cli_real.py::test_first_interrupt_finishes_the_game",
        "net/test_stay.py::test_one_stop_finishes_the_game_and_two_abort",
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


def test_figures_of_the_page_match_the_code() -> None:
    """Seconds, counts, and how many faults and attacks there are."""
    rows = {begin: told for what, told in ROWS for begin in KEPT if what.startswith(begin)}
    after = DeadlineConfig()
    moments = [after.soft, after.hedge, after.partial, after.fallback, after.ceiling]
    assert re.findall(r"(\d+) s\b", rows["the model is slow"]) == [f"{moment:g}" for moment in moments]
    llm = LlmConfig()
    assert (llm.failures, llm.rest, failover.LONGEST_REST) == (3, 30, 120)
    assert "three times in a row is left alone for 30 s" in rows["the model fails"]
    assert "up to 120 s" in rows["the model fails"]
    assert own_strategy.SHARE == 0.25
    assert "a quarter of the time that is left" in rows["a strategy of your own"]
    assert f"after {stopping.LAST_SECONDS:g} s at the latest" in rows["Ctrl-C or SIGTERM"]
    assert f"after day {LONGEST_GAME} ends" in rows["a guest at your table"]
    assert checks.SEAT_SECONDS == 2
    assert f"# {len(chosen('attacks'))} attacks:" in TROUBLE
    assert f"all {len(chosen('all'))} faults" in TROUBLE
