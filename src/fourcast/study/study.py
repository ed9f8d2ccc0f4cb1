"""What a study is: what was published, what is measured, and what is made of it.

A study is a value. Its tasks are measured one after the other and kept as they come (`study.running`); its
findings are made of what was measured, whenever they are wanted, and written as files (`study.files`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fourcast.study.findings import Findings

#: What a measurement has found, as JSON knows it.
Found = dict[str, Any]
Advance = Callable[[str, int, int], None]


def _silent(_what: str, _done: int, _total: int) -> None:
    """Nobody is told."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What is asked of a study.

    Attributes:
        quick: Whether it is to be done within two minutes, with less of everything.
        seed: Where chance starts.
    """

    quick: bool = False
    seed: int = 1

    def choose(self, quick: Any, full: Any) -> Any:
        """The first if it is to be quick, otherwise the second."""
        return quick if self.quick else full


@dataclass(frozen=True, slots=True)
class Desk:
    """What a measurement has at hand.

    Attributes:
        settings: What is asked of the study.
        folder: A folder for files of its own, like models, that later measurements of the study need; what
            is in it may be missing, and is then to be made again.
        jobs: How many processes it may use, if it is alone.
        earlier: What was found by the tasks that it needs, by name.
        advance: Told how far it is: what, how much is done, how much there is.
    """

    settings: Settings
    folder: Path
    jobs: int = 1
    earlier: Mapping[str, Found] = field(default_factory=dict)
    advance: Advance = _silent


Measure = Callable[[dict[str, Any], Desk], Found]


@dataclass(frozen=True, slots=True)
class Task:
    """One measurement: the unit in which a study is kept and goes on. Some seconds long, if it can be.

    Attributes:
        name: What it is called; no two of a study share it.
        measure: A function of a module, of the arguments and the desk, which finds something.
        arguments: All that its result depends on, as JSON knows it; the seed, if there is chance in it.
        alone: Whether nothing else may run beside it, as where time is taken. Otherwise those that follow
            each other are shared out among processes.
        needs: Names of tasks before it whose findings it is given.
    """

    name: str
    measure: Measure
    arguments: dict[str, Any] = field(default_factory=dict)
    alone: bool = True
    needs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Published:
    """A figure that was published, to be measured again.

    Attributes:
        name: What it is a figure of, in a few words; no two of a study share it.
        figure: What was published.
    """

    name: str
    figure: str


@dataclass(frozen=True, slots=True)
class Study:
    """A study.

    Attributes:
        name: What it is called on the command line.
        title: Its heading.
        about: What is asked, and how it is measured, in some sentences.
        tasks: What is to be measured, by the settings, in that order.
        findings: What it comes to, by the settings and what was found by each task.
        published: The figures that are measured again; the findings must have one beside each.
        extras: Modules that it cannot do without, and the extra that brings each.
        version: To be counted on when what is measured changes, so that nothing old is taken for it.
    """

    name: str
    title: str
    about: str
    tasks: Callable[[Settings], Sequence[Task]]
    findings: Callable[[Settings, Mapping[str, Found]], Findings]
    published: tuple[Published, ...] = ()
    extras: tuple[tuple[str, str], ...] = ()
    version: int = 1
