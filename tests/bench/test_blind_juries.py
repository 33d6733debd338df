"""The marks of juries that read games beside those of the contest."""

from __future__ import annotations

import pytest

from tests.bench.blind_juries import main


def test_every_source_has_a_line_in_each_jury(capsys: pytest.CaptureFixture[str]) -> None:
    """Each jury tells its games and jurors, and our players stand beside those of the contest."""
    main()
    juries = capsys.readouterr().out.split("jury ")[1:]
    assert len(juries) == 14
    assert all("2 jurors" in jury and "contest 2026" in jury and "ours, no model" in jury for jury in juries)
    assert sum("official sample, model" in jury for jury in juries) == 7
