"""The charts of the searches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fourcast.study.charts import LOOKS, draw_bars, draw_lines, finish, log_counts, log_seconds, whole_steps
from fourcast.study.search.figures import RANDOM, Both, Growth

Draw = Callable[[Any], None]
Sets = Mapping[str, Mapping[int, Both]]

_NAMES = ("minimax", "alpha-beta")
_PUBLISHED = {"fewer nodes": (50, 70), "less time": (40, 60)}


def nodes(sets: Sets) -> Draw:
    """Nodes by depth, a panel for each set of positions."""

    def draw(figure: Any) -> None:
        for panel, (name, by_depth) in _panels(figure, sets):
            series = {
                label: [each.nodes[index] for each in by_depth.values()] for index, label in enumerate(_NAMES)
            }
            draw_lines(panel, list(by_depth), series)
            log_counts(panel)
            _finish(panel, name, "nodes")

    return draw


def times(sets: Sets) -> Draw:
    """Time by depth, a panel for each set of positions."""

    def draw(figure: Any) -> None:
        for panel, (name, by_depth) in _panels(figure, sets):
            series = {
                label: [each.seconds[index] for each in by_depth.values()]
                for index, label in enumerate(_NAMES)
            }
            draw_lines(panel, list(by_depth), series)
            log_seconds(panel)
            _finish(panel, name, "time")

    return draw


def improvement(sets: Sets) -> Draw:
    """The shares of nodes and of time that alpha-beta saves, by depth, with what was published."""

    def draw(figure: Any) -> None:
        panels = figure.subplots(1, 2, sharey=True)
        for panel, (words, band), shares in zip(
            panels,
            _PUBLISHED.items(),
            (
                {name: [100 * each.pruned for each in rows.values()] for name, rows in sets.items()},
                {name: [100 * each.saved for each in rows.values()] for name, rows in sets.items()},
            ),
            strict=True,
        ):
            panel.axhspan(
                *band, facecolor="#EEEEEE", edgecolor="#999999", hatch="//", label="published", zorder=0
            )
            depths = list(next(iter(sets.values())))
            draw_lines(panel, depths, shares)
            panel.set_ylim(min(0, *(min(each) for each in shares.values())) - 3, 103)
            whole_steps(panel)
            finish(panel, "depth (plies)", f"{words} (%)", legend="lower right")

    return draw


def growth(by_depth: Mapping[int, Both], fitted: Sequence[Growth]) -> Draw:
    """Nodes by depth as marks, and the fitted growth as lines."""

    def draw(figure: Any) -> None:
        panel = figure.subplots()
        depths = list(by_depth)
        for index, (look, name) in enumerate(zip(LOOKS, _NAMES, strict=False)):
            fit = fitted[index]
            counts = [each.nodes[index] for each in by_depth.values()]
            style = {"color": look.colour, "zorder": 3}
            panel.plot(depths, counts, marker=look.mark, linestyle="none", markersize=7, label=name, **style)
            line = [fit.start * fit.factor**depth for depth in depths]
            words = f"fitted: times {fit.factor:.2f} a ply"
            panel.plot(depths, line, linestyle=look.line, label=words, color=look.colour)
        log_counts(panel)
        whole_steps(panel)
        finish(panel, "depth (plies)", "nodes", legend="upper left")

    return draw


def stages(by_stage: Sets, growths: Mapping[str, Sequence[Growth]]) -> Draw:
    """What is pruned by stage and depth, and the effective branching factors by stage."""

    def draw(figure: Any) -> None:
        left, right = figure.subplots(1, 2)
        depths = list(next(iter(by_stage.values())))
        shares = {name: [100 * each.pruned for each in rows.values()] for name, rows in by_stage.items()}
        draw_lines(left, depths, shares)
        whole_steps(left)
        finish(left, "depth (plies)", "fewer nodes than minimax (%)", legend="lower right")
        factors = {
            label: [each[index].factor for each in growths.values()] for index, label in enumerate(_NAMES)
        }
        draw_bars(right, list(growths), factors, words=lambda factor: f"{factor:.2f}")
        right.set_ylim(0, 1.3 * max(max(each) for each in factors.values()))
        finish(right, "stage of the game", "effective branching factor", legend="upper right")

    return draw


def orders(depths: Sequence[int], sums: Mapping[str, Mapping[int, Mapping[str, Any]]]) -> Draw:
    """Nodes of each order by depth, as multiples of those from the centre out."""

    def draw(figure: Any) -> None:
        panel = figure.subplots()
        series = {
            name: [by_depth[depth]["nodes"] / sums["centre"][depth]["nodes"] for depth in depths]
            for name, by_depth in sums.items()
        }
        draw_lines(panel, depths, series)
        whole_steps(panel)
        finish(panel, "depth (plies)", "nodes, beside centre-first", legend="upper left")

    return draw


def helpers(depths: Sequence[int], sums: Mapping[str, Mapping[int, Mapping[str, Any]]]) -> Draw:
    """Nodes and time of alpha-beta by depth, helped and not."""

    def draw(figure: Any) -> None:
        left, right = figure.subplots(1, 2)
        for panel, field, words, scale in (
            (left, "nodes", "nodes a position", log_counts),
            (right, "seconds", "time a position", log_seconds),
        ):
            series = {
                name: [by_depth[depth][field] / len(by_depth[depth]["scores"]) for depth in depths]
                for name, by_depth in sums.items()
            }
            draw_lines(panel, depths, series)
            scale(panel)
            whole_steps(panel)
            finish(panel, "depth (plies)", words, legend="upper left" if panel is left else False)

    return draw


def _panels(figure: Any, sets: Sets) -> Any:
    panels = figure.subplots(1, len(sets), sharey=True)
    return zip(panels, sets.items(), strict=True)


def _finish(panel: Any, name: str, words: str) -> None:
    whole_steps(panel)
    first = name == "early"
    title = "random (mean)" if name == RANDOM else name
    finish(
        panel, "depth (plies)", words if first else "", title=title, legend="upper left" if first else False
    )
