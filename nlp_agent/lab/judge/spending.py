"""What verdicts cost, and no more than may be spent."""

from __future__ import annotations

from dataclasses import dataclass, field

from nlp_agent.llm.model import Prices, Usage


@dataclass
class Spending:
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
class Bill:
    """What one question has cost so far, on somebody's account."""

    account: Account
    usage: Usage = field(default_factory=Usage)

    def spent(self, usage: Usage) -> None:
        self.usage += usage
        self.account.spent(usage)

    def heard(self, text: str, sure: bool) -> None: ...

    def told_to_wait(self) -> None: ...


@dataclass
class Account:
    """One model's part of a purse; all its calls, failed ones included."""

    purse: Spending
    prices: Prices | None
    usage: Usage = field(default_factory=Usage)

    def expects(self, usage: Usage) -> float:
        """What ``usage`` will cost; 0 where nobody said."""
        return self.prices.of(usage) if self.prices else 0.0

    def spent(self, usage: Usage) -> None:
        self.usage += usage
        self.purse.money += usage.money or 0.0
