"""Group chat by the referee alone: a clock of the test's, and guests that are a list of (second, seat, words)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from nlp_agent.arena.chance import SeededChance
from nlp_agent.arena.engine import Game, Listen, ReceivedFrame
from nlp_agent.arena.events import GuestFault, Silence, Talked
from nlp_agent.arena.logs import game_log
from nlp_agent.arena.report import report_on
from nlp_agent.arena.views import PacketViews
from nlp_agent.arena.village import Village, contest_village
from nlp_agent.game import SeatState
from nlp_agent.protocol import Packet, Request
from tests.arena.seats import other
from tests.effort import examples

MINUTES = 600_000
Script = Iterable[tuple[float, int, str | Silence]]


class Room:
    """Plays one game by the script of each phase; collects what went out."""

    def __init__(self, village: Village, *phases: Script) -> None:
        self.now, self.sent = 1_000_000, list[tuple[int, Packet]]()
        self.lengths: list[int] = []
        self.game = Game(
            village, [f"t{n}" for n in range(village.players)], SeededChance(1), now_ms=lambda: self.now, game_id="g"
        )
        scripts = [list(phase) for phase in phases]
        step, opened, script = self.game.start(), 0, list[tuple[float, int, str | Silence]]()
        while step is not None:
            if isinstance(step, Listen):
                step = self.game.answer(self._next(script, opened, step.until))
                continue
            kind = step.packet.kind
            if kind in (Request.TALK_PHASE_START, Request.WHISPER_PHASE_START) and opened < self.now:
                script, opened = scripts.pop(0) if scripts else [], self.now
            elif kind in (Request.TALK_PHASE_END, Request.WHISPER_PHASE_END) and opened:
                self.lengths.append(self.now - opened)
                self.now += 1
                opened = 0
            self.sent.append((step.seat, step.packet))
            step = self.game.answer(other(step.packet) if step.needs_reply else None)

    def _next(self, script: list[tuple[float, int, str | Silence]], opened: int, until: int) -> ReceivedFrame | None:
        if script and opened + script[0][0] * 1000 < until:
            second, seat, what = script.pop(0)
            self.now = max(self.now, opened + int(second * 1000))
            return ReceivedFrame(seat, what)
        self.now = until
        return None

    def to(self, seat: int, request: str) -> list[Packet]:
        return [packet for idx, packet in self.sent if idx == seat and packet.request == request]

    def talks(self, day: int = 0) -> list[Talked]:
        return [e for e in self.game.events if isinstance(e, Talked) and e.day == day and e.request is Request.TALK]

    def faults(self) -> dict[GuestFault, int]:
        total: dict[GuestFault, int] = {}
        for seat in report_on(self.game.events).seats:
            for fault, count in seat.faults.items():
                total[fault] = total.get(fault, 0) + count
        return total


def _village(length: int | None = None) -> Village:
    return contest_village(5, max_day=0, duration=MINUTES, length=length)


def _overs(second: float = 9.0) -> list[tuple[float, int, str | Silence]]:
    return [(second, seat, "Over") for seat in range(5)]


def test_a_ten_minute_phase_ends_by_the_clock() -> None:
    """Nobody says Over: the phase takes its ten minutes, and not one more."""
    room = Room(_village(), [(3, 0, "Good morning."), (599.9, 1, "At the last moment."), (600.1, 2, "Too late.")])
    assert [talk.text for talk in room.talks()] == ["Good morning.", "At the last moment."]
    assert room.lengths == [MINUTES]


def test_everybody_hears_every_talk_the_speaker_too() -> None:
    """A broadcast goes to all living: the talk, the speaker's own count, the time, and what one has left."""
    room = Room(_village(), [(1, 2, "One."), (2, 0, "Two."), (4, 2, "Three."), *_overs()])
    for seat in range(5):
        heard = [packet.new_talk for packet in room.to(seat, "TALK_BROADCAST") if packet.new_talk]
        assert [(talk.idx, talk.turn, talk.text) for talk in heard[:3]] == [
            (0, 0, "One."),
            (1, 0, "Two."),
            (2, 1, "Three."),
        ]
        assert heard[0].time == 1_001_000
    remain = [packet.info.remain_count for packet in room.to(2, "TALK_BROADCAST") if packet.info]
    assert remain[:3] == [3, 3, 2]


def test_phase_ends_when_everybody_is_done() -> None:
    """Four talks used up or Over: as soon as that is true of everybody the phase is over."""
    script = [(float(n), 0, f"Talk {n}.") for n in range(4)]
    script += [(5.0 + seat, seat, "Over") for seat in range(1, 5)]
    assert Room(_village(), script).lengths == [9_000]


def test_fifth_talk_is_dropped_and_over_is_not() -> None:
    """Nobody hears of a talk beyond the limit or after Over; Over itself may still be said, and costs no talk."""
    script = [(float(n), 3, f"Talk {n}.") for n in range(6)] + [(7.0, 3, "Over"), (8.0, 3, "One more."), *_overs()]
    room = Room(_village(), script)
    assert [talk.text for talk in room.talks() if talk.seat == 3] == [*(f"Talk {n}." for n in range(4)), "Over"]
    assert room.faults() == {GuestFault.DROPPED: 4}, "two talks, one after Over, one Over too many"
    assert report_on(room.game.events).seats[3].dropped == 4


def test_a_skip_beyond_the_limit_ends_ones_talking() -> None:
    """With the usual limit of none a Skip counts as Over; only Over itself may still follow it."""
    room = Room(_village(), [(1, 1, "Skip"), (2, 1, "Wait!"), *_overs()])
    assert [talk.text for talk in room.talks() if talk.seat == 1] == ["Over", "Over"]
    assert room.faults() == {GuestFault.SKIP_BECAME_OVER: 1, GuestFault.DROPPED: 1}


def test_skips_count_as_talks_and_words_restore_them() -> None:
    """A Skip within the limit costs a talk, and words give the Skips back.

    ``max_skip`` of 1: Skip, words, Skip, and a second Skip in a row is Over.
    """
    village = _village()
    village = replace(village, talk=village.talk.model_copy(update={"max_skip": 1}))
    script = [(1, 1, "Skip"), (2, 1, "I am here."), (3, 1, "Skip"), (4, 1, "Skip"), (5, 1, "Wait!"), *_overs()]
    room = Room(village, script)
    assert [talk.text for talk in room.talks() if talk.seat == 1][:4] == ["Skip", "I am here.", "Skip", "Over"]
    remain = [packet.info.remain_count for packet in room.to(1, "TALK_BROADCAST") if packet.info]
    assert remain[:4] == [3, 2, 1, 0]


def test_talks_are_trimmed_and_cut_by_length_rules() -> None:
    """White space around a talk goes, an empty one is ignored, a long one is cut."""
    script = [(1, 0, "  Hello.\n"), (2, 0, " \n "), (3, 0, "12345678901"), *_overs()]
    room = Room(_village(length=10), script)
    assert [talk.text for talk in room.talks() if talk.seat == 0] == ["Hello.", "1234567890", "Over"]
    assert room.faults() == {GuestFault.DROPPED: 1, GuestFault.TRIMMED: 1}


def test_days_talks_are_repeated_but_heard_once() -> None:
    """DAILY_FINISH repeats the whole day's talks; a seat's state is none the richer for it."""
    room = Room(_village(), [(1, 0, "One."), (2, 1, "Two."), *_overs()])
    for seat in range(5):
        (finish,) = room.to(seat, "DAILY_FINISH")
        assert [talk.text for talk in finish.talk_history or ()][:2] == ["One.", "Two."]
        state = SeatState()
        for packet in (packet for idx, packet in room.sent if idx == seat):
            state.apply(packet)
        assert [talk.text for talk in state.talks] == ["One.", "Two.", *["Over"] * 5]
        assert (state.phase, state.phase_no) == ("", 1)


def test_lost_guest_makes_a_phase_run_full_time() -> None:
    """With a lost guest a phase runs its full time.

    Its talks are never used up, so nothing ends the phase but the clock, as on the official server.
    """
    room = Room(_village(), [(1, 4, Silence.LOST), *_overs()[:4]])
    assert room.lengths == [MINUTES]
    assert room.game.lost == {4}
    assert report_on(room.game.events).aborted


def test_whisper_numbers_continue_over_a_days_phases() -> None:
    """The evening of day 0 goes on where its morning ended, so day and number are unique."""
    village = contest_village(9, duration=MINUTES, max_day=0)
    wolves = [seat.idx for seat in Room(village).game.seats if seat.role == "WEREWOLF"]
    overs: list[tuple[float, int, str | Silence]] = [(3, wolf, "Over") for wolf in wolves]
    whispers = [(1, wolves[0], "Whom?"), *overs]
    room = Room(village, whispers, [(1, seat, "Over") for seat in range(9)], whispers)
    heard = [packet.new_whisper.idx for packet in room.to(wolves[0], "WHISPER_BROADCAST") if packet.new_whisper]
    assert heard == list(range(6))


def test_wolves_whisper_in_their_own_group_chat() -> None:
    """Only living wolves hear it; the day's end repeats it to them."""
    village = contest_village(9, duration=MINUTES, max_day=0)
    seats = Room(village).game.seats
    wolves = [seat.idx for seat in seats if seat.role == "WEREWOLF"]
    script = [(1, wolves[0], "Whom?"), (2, wolves[1], "Any."), *((3, wolf, "Over") for wolf in wolves)]
    room = Room(village, script)
    assert room.lengths[0] == 3_000
    for seat in range(9):
        heard = [packet.new_whisper for packet in room.to(seat, "WHISPER_BROADCAST")]
        (finish,) = room.to(seat, "DAILY_FINISH")
        assert len(heard) == (4 if seat in wolves else 0)
        assert list(finish.whisper_history or ()) == heard


def test_packets_and_logs_follow_from_the_events() -> None:
    """The log gives every packet again, and each talk line ends with the Unix second it was said."""
    room = Room(_village(), [(1, 2, "One."), *_overs()])
    views = PacketViews()
    assert [p for e in room.game.events if (p := views.apply(e)) is not None] == [packet for _, packet in room.sent]
    assert "\n0,talk,0,0,3,One.,1001\n" in game_log(room.game.events)


@examples(20)
@given(
    st.lists(
        st.tuples(st.floats(0, 700), st.integers(0, 4), st.text(max_size=30) | st.sampled_from(["Over", "Skip"])),
        max_size=60,
    )
)
def test_whatever_is_said_the_phase_keeps_its_rules(said: list[tuple[float, int, str]]) -> None:
    """At most four talks each, no words after Over, nothing empty, never longer than the phase may be."""
    room = Room(_village(), sorted(said), sorted(said))
    for seat in range(5):
        texts = [talk.text for talk in room.talks() if talk.seat == seat]
        assert len([text for text in texts if text != "Over"]) <= 4
        assert "Over" not in texts or set(texts[texts.index("Over") :]) == {"Over"}
        assert all(text.strip() for text in texts)
        assert [talk.turn for talk in room.talks() if talk.seat == seat] == list(range(len(texts)))
    assert all(length <= MINUTES for length in room.lengths)
