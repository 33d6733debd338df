"""What verdicts cost, and no more than may be spent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from nlp_agent.llm.model import Usage

Cost = Callable[[Usage], float | None]
"""What some usage costs; None when the prices are not known."""


@dataclass
class Purse:
    """Money of one run, all models together, in the currency of the prices. ``budget`` None: any.

    What is being asked is counted as promised until it is paid for, so that many questions at once cannot overspend by
    more than their answers are longer than expected.
    """

    budget: float | None = None
    money: float = 0.0
    promised: float = 0.0

    def promise(self, money: float) -> bool:
        """Whether ``money`` may be spent; if so it is set aside."""
        if self.budget is not None and self.money + self.promised + money > self.budget:
            return False
        self.promised += money
        return True


@dataclass
class Account:
    """One model's part of a purse; listens to its calls, failed ones included."""

    purse: Purse
    cost: Cost
    usage: Usage = field(default_factory=Usage)

    def spent(self, usage: Usage) -> None:
        self.usage += usage
        self.purse.money += self.cost(usage) or 0.0

    def heard(self, text: str, sure: bool) -> None: ...

    def told_to_wait(self) -> None: ...
