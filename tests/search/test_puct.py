"""Monte Carlo tree search that asks a network: like its twin, and within all limits."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourcast import BadModel, BadOption, Geometry, Limit, Position, Rules
from fourcast.agents import agent, new_game
from fourcast.evaluators.network import NetworkEvaluator
from fourcast.game.analysis import Analysis, score_at_end
from fourcast.kernels.batch import Batch
from fourcast.search import puct
from fourcast.search.pool import Node
from fourcast.search.puct import ENOUGH, NetworkSearch
from fourcast.solver import Solver
from tests import naive
from tests.boards import play_peacefully, twin
from tests.models.networks import save_network
from tests.naive_puct import Answer, Search, folded
from tests.search.test_uct import sign, unfinished

STANDARD = Geometry()
SMALL = Geometry.parse("3x4x3")


class Whims:
    """A network that has an opinion of every position, always the same, drawn by lot from its stones."""

    mirror = False

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def answer(self, position: Position) -> Answer:
        chance = np.random.default_rng([self.seed, position.first, position.second])
        logits = chance.normal(size=position.geometry.columns, scale=1.5).astype(np.float32)
        return logits.tolist(), float(np.float32(chance.uniform(-1, 1)))

    def ask(self, batch: Batch) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        found = [self.answer(position) for position in batch]
        return (
            np.array([logits for logits, _ in found], dtype=np.float32),
            np.array([value for _, value in found], dtype=np.float32),
        )


def by_steps(
    position: Position, slip: float = 0.0, *, limit: Limit | None = None, seed: int = 1, **options: Any
) -> Analysis:
    """The same search, asked for step by step."""
    network = Whims(0)
    steps = NetworkSearch(Rules(position.geometry, slip), network, **options).asking(
        position, limit or Limit(), seed
    )
    try:
        batch = next(steps)
        while True:
            batch = steps.send(network.ask(batch))
    except StopIteration as end:
        found: Analysis = end.value
        return found


def search(
    position: Position, slip: float = 0.0, *, limit: Limit | None = None, seed: int = 1, **options: Any
) -> Analysis:
    made = NetworkSearch(Rules(position.geometry, slip), Whims(0), **options)
    return made.search(position, limit or Limit(), seed)


@pytest.mark.parametrize("board", ["6x7x4", "4x4x3", pytest.param("8x10x5", marks=pytest.mark.slow)])
@settings(max_examples=15)
@given(
    seed=st.integers(0, 2**32),
    simulations=st.integers(1, 300),
    at_once=st.integers(1, 12),
    explore=st.sampled_from([0.5, 1.5, 4.0]),
)
def test_the_tree_is_that_of_the_naive_twin(
    board: str, seed: int, simulations: int, at_once: int, explore: float
) -> None:
    geometry = Geometry.parse(board)
    position = play_peacefully(geometry, seed, seed % (geometry.cells // 2))
    if position.is_over:
        return
    whims = Whims(seed % 7)
    slow = Search(whims.answer, explore, at_once, puct._RAMP, puct._KEPT_ANSWERS)
    fast = NetworkSearch(Rules(geometry), whims, explore=explore, at_once=at_once, tree=1, proof=0)
    check_tree(fast, slow, position, simulations)


@pytest.mark.parametrize(
    ("board", "plies"), [("3x4x3", range(6)), ("4x4x3", range(6)), ("4x4x4", range(6, 9))]
)
@settings(max_examples=15)
@given(seed=st.integers(0, 2**32), simulations=st.integers(1, 60), at_once=st.integers(1, 5))
@pytest.mark.slow
def test_with_proofs_it_is_that_of_the_naive_twin_as_well(
    board: str, plies: range, seed: int, simulations: int, at_once: int
) -> None:
    """With as many nodes as it takes, every leaf is proven, so that just the root is asked about."""
    geometry = Geometry.parse(board)
    position = play_peacefully(geometry, seed, plies[seed % len(plies)])
    if position.is_over:
        return
    whims = Whims(seed % 7)
    slow = Search(whims.answer, 1.5, at_once, puct._RAMP, puct._KEPT_ANSWERS, outcome)
    fast = NetworkSearch(Rules(geometry), whims, explore=1.5, at_once=at_once, tree=1, proof=10**9)
    check_tree(fast, slow, position, simulations)


def outcome(position: Position) -> int:
    return sign(naive.score(*twin(position)))


def check_tree(fast: NetworkSearch, slow: Search, position: Position, simulations: int) -> None:
    root = slow.run(position, simulations)
    found = fast.search(position, Limit(simulations=simulations))
    assert found.leaves == slow.asked
    assert found.tree is not None
    expected = {column: (child.visits, child.proven) for column, child in (root.children or {}).items()}
    nodes = fast._pool.children(fast._pool.node(0))
    assert {node.column: (node.visits, node.value if node.proven else None) for node in nodes} == expected
    for node in nodes:
        child = (root.children or {})[node.column]
        assert fast._liked()[node.index] == pytest.approx(child.liked, abs=1e-6)
        if child.visits and child.proven is None:
            assert node.value == pytest.approx(child.total / child.visits)
    awaited = fast._notes.view(np.float32).reshape(-1, 2)[: found.nodes, 1]
    assert (awaited == 0).all(), "nobody waits any more"


# --- proofs ---


def proven_nodes(made: NetworkSearch, position: Position) -> Iterator[tuple[Position, Node]]:
    """What is proven in a tree, and the positions of that."""
    waiting = [(position, made._pool.node(0))]
    while waiting:
        place, node = waiting.pop()
        if node.proven:
            yield place, node
        waiting.extend((place.play(child.column), child) for child in made._pool.children(node))


@pytest.mark.slow
@settings(max_examples=40)
@given(
    board=st.sampled_from(["3x4x3", "4x4x3", "4x4x4", "8x10x5"]),
    seed=st.integers(0, 2**32),
    proof=st.sampled_from([1, 2, 5, 20, 1000]),
    simulations=st.integers(1, 100),
)
def test_every_proof_is_right_and_its_plies_are_enough(
    board: str, seed: int, proof: int, simulations: int
) -> None:
    geometry = Geometry.parse(board)
    fewest = {"4x4x4": 6, "8x10x5": 72}.get(board, 0)  # so that the slow search comes to an end
    position = play_peacefully(geometry, seed, fewest + seed % (geometry.cells - fewest))
    if position.is_over:
        return
    made = NetworkSearch(Rules(geometry), Whims(seed % 5), proof=proof)
    found = made.search(position, Limit(simulations=simulations))
    for place, node in proven_nodes(made, position):
        if place.is_over:
            continue
        score = naive.score(*twin(place))
        assert node.value == -sign(score)
        if score:
            assert abs(score_at_end(place, node.plies, won=score > 0)) <= abs(score)
            assert node.plies % 2 == (score > 0)
    score = naive.score(*twin(position))
    if found.bounds is not None:
        assert found.bounds[0] <= score <= found.bounds[1]
        assert sign(-naive.score(*twin(position.play(found.column)))) == sign(score)
    if found.exact:
        assert found.score == score


def test_proofs_save_asking_and_a_win_that_is_proven_has_no_score() -> None:
    position = Position.from_moves("4453334352")
    limit = Limit(simulations=300)
    asked = search(position, limit=limit, proof=0)
    found = search(position, limit=limit)
    assert asked.bounds is None
    assert found.leaves < asked.leaves / 2
    assert found.value in (-1, 0, 1)
    assert found.bounds is not None
    if found.value:
        assert not found.exact
        assert found.score is None


def test_who_wins_is_known_of_a_node_but_its_column_is_looked_for_all_the_same() -> None:
    """A node that was proven outright becomes the root: its children are looked at."""
    made = NetworkSearch(Rules(SMALL), Whims(0), proof=10**9)
    limit = Limit(simulations=200)
    checked = 0
    for position in unfinished(SMALL, 30, range(2, 6)):
        made.forget()
        made.search(position, limit)
        for child in made._pool.children(made._pool.node(0)):
            place = position.play(child.column)
            if child.proven and not child.count and not place.winning_columns(place.turn):
                found = made.search(place, limit)
                score = naive.score(*twin(place))
                assert found.value == sign(score)
                assert sign(-naive.score(*twin(place.play(found.column)))) == sign(score)
                checked += 1
                break
    assert checked > 10


def test_with_slip_proofs_make_no_difference() -> None:
    for position in unfinished(SMALL, 5, range(3, 8)):
        limit = Limit(simulations=100)
        found, without = (search(position, 0.2, limit=limit, proof=proof) for proof in (1000, 0))
        assert (found.values, found.policy, found.leaves) == (without.values, without.policy, without.leaves)


@pytest.mark.parametrize(("board", "plies"), [("3x4x3", range(8)), ("4x4x4", range(8, 13))])
def test_what_it_proves_is_so(board: str, plies: range) -> None:
    proven = 0
    for position in unfinished(Geometry.parse(board), 40, plies):
        found = search(position, limit=Limit(simulations=20_000), explore=4.0)
        score = naive.score(*twin(position))
        if found.bounds is None:
            continue
        proven += 1
        assert found.value == sign(score)
        assert found.bounds[0] <= score <= found.bounds[1]
        assert sign(-naive.score(*twin(position.play(found.column)))) == sign(score)
    assert proven >= 15


@pytest.mark.parametrize(("slip", "least"), [(0.2, 12), (0.9, 5)])
def test_with_slip_what_it_proves_is_what_enumeration_says(slip: float, least: int) -> None:
    proven = 0
    for position in unfinished(SMALL, 20, range(6, 11)):
        found = search(position, slip, limit=Limit(simulations=50_000), explore=4.0)
        exact = naive.aims_with_slip(*twin(position), slip)
        if found.simulations < 50_000:
            proven += 1
            assert found.value == pytest.approx(max(exact.values()), abs=1e-12)
            assert exact[found.column] == pytest.approx(max(exact.values()), abs=1e-12)
        assert not found.exact
    assert proven >= least


def test_with_slip_values_draw_near_to_those_of_best_play() -> None:
    for position in unfinished(SMALL, 4, range(4, 6)):
        found = search(position, 0.2, limit=Limit(simulations=60_000))
        exact = naive.aims_with_slip(*twin(position), 0.2)
        assert exact[found.column] > max(exact.values()) - 0.05


def test_what_a_glance_tells_needs_no_network() -> None:
    found = search(Position.from_moves("121314"))
    assert (found.column, found.leaves, found.value) == (0, 0, 1.0)
    forced = search(Position.from_moves("41424"), limit=Limit(simulations=1))
    assert (forced.column, forced.policy) == (3, (0, 0, 0, 1, 0, 0, 0))
    assert forced.leaves == 1, "the network is asked of what follows"
    assert forced.depth == 1


# --- what it may spend ---


def test_simulations_are_kept_exactly() -> None:
    for simulations in (1, 2, 7, 100, 333):
        found = search(Position(), limit=Limit(simulations=simulations))
        assert found.simulations == simulations
        assert found.leaves <= simulations
    assert search(Position()).simulations == ENOUGH
    assert search(Position(), simulations=50, limit=Limit(simulations=60)).simulations == 50


def test_the_first_answer_is_what_the_network_likes() -> None:
    position = Position.from_moves("17")
    asked, turned = folded(position)
    logits, value = Whims(0).answer(asked)
    shares = np.exp(logits[::-1] if turned else logits)
    found = search(position, limit=Limit(simulations=1))
    assert found.policy == pytest.approx(shares / shares.sum())
    assert found.column == int(np.argmax(shares))
    assert found.value == pytest.approx(value)


def test_a_tree_that_is_full_ends_the_search() -> None:
    for nodes in (1, 2, 7, 8, 100):
        found = search(Position(), limit=Limit(nodes=nodes, simulations=5000))
        assert found.nodes <= nodes < found.nodes + 8
        assert found.column in range(7)
        assert found.value is not None
    full = search(Position(), memory_mb=1, limit=Limit(simulations=10_000))
    assert full.nodes <= 2**20 // 40


@pytest.mark.parametrize("seconds", [1e-9, 0.001, 0.05])
def test_in_any_time_there_is_a_column(seconds: float) -> None:
    made = NetworkSearch(Rules(), Whims(0))
    for moves in ("", "44", "4435"):
        found = made.search(Position.from_moves(moves), Limit(seconds=seconds))
        assert found.column in range(7)
        assert found.simulations > 0


@pytest.mark.usefixtures("tiny_networks")
def test_another_thread_can_watch_and_stop_it() -> None:
    player: Any = agent("mcts:net=auto", seed=1)
    answers: list[Analysis] = []
    limit = Limit(simulations=10**12)
    thread = threading.Thread(target=lambda: answers.append(player.analyze(Position(), limit)), daemon=True)
    thread.start()
    while player.progress.simulations < 1000:
        assert thread.is_alive()
        time.sleep(0.01)
    assert player.progress.column in range(7)
    assert player.progress.nodes > 100
    player.stop()
    thread.join(timeout=60)
    assert not thread.is_alive()
    assert 1000 <= answers[0].simulations < 10**12


# --- chance, and what is kept ---


@pytest.mark.usefixtures("tiny_networks")
def test_the_tree_grows_on_with_the_game_and_what_was_asked_before_does_not_matter() -> None:
    limit = Limit(simulations=300)
    place = Position.from_moves("4453")
    fresh = agent("mcts:net=auto", seed=1).analyze(place, limit)
    player = agent("mcts:net=auto", seed=1)
    player.analyze(Position.from_moves("44"), Limit(simulations=2000))
    kept = player.analyze(place, limit)
    assert kept.simulations == 300
    assert kept.nodes > fresh.nodes
    for spec, moves in (("mcts:net=auto", "5"), ("mcts:net=auto,reuse=no", "44"), ("mcts:net=auto", "4453")):
        player = agent(spec, seed=1)
        player.analyze(Position.from_moves(moves), limit)
        found = player.analyze(place, limit)
        assert (found.values, found.nodes) == (fresh.values, fresh.nodes)
    new_game(player)
    assert player.analyze(place, limit).values == fresh.values


def test_a_position_and_its_mirror_image_are_alike() -> None:
    for moves in ("17", "1744", "174435", "17562"):  # nothing that follows can be its own mirror image
        position = Position.from_moves(moves)
        found, image = (search(each, limit=Limit(simulations=200)) for each in (position, position.mirror()))
        assert found.policy is not None
        assert image.policy == found.policy[::-1]
        assert image.value == found.value
        assert image.column == 6 - found.column


def test_noise_makes_games_differ_and_temperature_draws_columns() -> None:
    place, limit = Position.from_moves("44"), Limit(simulations=60)
    plain = [search(place, limit=limit, seed=seed) for seed in range(4)]
    assert len({found.policy for found in plain}) == 1, "without them there is no chance in it"
    noisy = [search(place, limit=limit, seed=seed, noise=0.5) for seed in range(4)]
    assert len({found.policy for found in noisy}) > 2
    assert noisy[2].policy == search(place, limit=limit, seed=2, noise=0.5).policy
    made = NetworkSearch(Rules(), Whims(0), temperature=1.0, reuse=False)
    drawn = [made.search(place, limit, seed) for seed in range(300)]
    chosen = Counter(found.column for found in drawn)
    for column, share in enumerate(plain[0].policy or ()):
        assert chosen[column] / 300 == pytest.approx(share, abs=0.12)
    assert all(found.pv[0] == found.column for found in drawn)
    cold = NetworkSearch(Rules(), Whims(0), temperature=0.05, reuse=False)
    for found in (cold.search(place, limit, seed) for seed in range(20)):
        assert found.policy is not None
        assert found.policy[found.column] > 0.7 * max(found.policy)


# --- networks ---


def test_the_mean_with_the_mirror_image_can_be_asked_for(tmp_path: Path) -> None:
    path = save_network(tmp_path)
    position = Position.from_moves("12")
    values = {}
    for mirror in (False, True):
        evaluator = NetworkEvaluator(path, mirror=mirror)
        found = NetworkSearch(Rules(), evaluator).search(position, Limit(simulations=1))
        values[mirror] = evaluator.values(Batch.of(folded(position)[0]))[0]
        assert found.value == pytest.approx(values[mirror], abs=1e-6)
    assert abs(values[True] - values[False]) > 1e-3


def test_one_without_values_is_refused(tmp_path: Path) -> None:
    made = NetworkSearch(Rules(), NetworkEvaluator(save_network(tmp_path, "cnn")))
    with pytest.raises(BadModel, match="does not tell what positions are worth"):
        made.search(Position(), Limit(simulations=1))


def test_proofs_go_with_a_network() -> None:
    with pytest.raises(BadOption, match="agent mcts: proof goes with net"):
        agent("mcts:proof=100")
    with pytest.raises(BadOption, match="proof"):
        agent("mcts:net=auto,proof=10000000")


@pytest.mark.usefixtures("tiny_networks")
def test_the_option_says_how_far_proofs_go() -> None:
    place, limit = Position.from_moves("44533343"), Limit(simulations=100)
    leaves = [
        agent(f"mcts:net=auto,proof={proof}", seed=1).analyze(place, limit).leaves for proof in (0, 3000)
    ]
    assert leaves[0] > leaves[1]
    assert agent("mcts:net=auto", seed=1).analyze(place, limit).values == (
        agent("mcts:net=auto,proof=300", seed=1).analyze(place, limit).values
    )


@pytest.mark.usefixtures("tiny_networks")
@pytest.mark.parametrize("option", ["style=random", "cut=3", "eval=power", "playouts=2"])
def test_with_a_network_no_game_is_played_out(option: str) -> None:
    with pytest.raises(BadOption, match="agent mcts: with net no game is played out: leave out style"):
        agent(f"mcts:net=auto,{option}")


@pytest.mark.parametrize("slip", [0.0, 0.2])
def test_a_search_by_steps_is_the_same_search(slip: float) -> None:
    for seed, position in enumerate(unfinished(SMALL, 8, range(8)) + unfinished(STANDARD, 8, range(20))):
        limit = Limit(simulations=1 + 20 * seed)
        whole = search(position, slip, limit=limit, seed=seed, noise=0.25, memory_mb=1)
        steps = by_steps(position, slip, limit=limit, seed=seed, noise=0.25, memory_mb=1)
        assert replace(steps, seconds=0) == replace(whole, seconds=0)


def test_fewer_answers_kept_are_asked_for_again_and_change_nothing() -> None:
    position, limit = Position.from_moves("44", STANDARD), Limit(simulations=400)
    few, many = (search(position, limit=limit, answers=answers, at_once=1) for answers in (16, 1 << 15))
    assert (few.policy, few.values, few.simulations) == (many.policy, many.values, many.simulations)
    assert few.leaves > many.leaves
    assert few.memory < many.memory


def test_what_is_proven_below_is_so() -> None:
    solver, seen = Solver(SMALL), 0
    for seed, position in enumerate(unfinished(SMALL, 12, range(6))):
        made = NetworkSearch(Rules(SMALL), Whims(seed), memory_mb=1)
        made.search(position, Limit(simulations=150))
        chance = np.random.default_rng(seed)
        for _ in range(20):
            aside = made.proven_below(position, chance)
            if aside is None:
                continue
            there, column, value = aside
            exact = solver.analyze(there)
            assert exact.scores is not None
            assert there.columns_played[: position.ply] == position.columns_played
            assert sign(exact.score or 0) == sign(exact.scores[column] or 0) == value
            seen += 1
    assert seen > 50


def test_with_slip_any_seed_will_do() -> None:
    for seed in (0, 1, 2**62, 2**64 - 1):  # streams below and above the largest signed number
        assert search(Position(SMALL), 0.2, limit=Limit(simulations=200), seed=seed).simulations == 200
