"""Monte Carlo tree search: its proofs, its values, its limits and what it keeps."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from fourcast import BadShape, Geometry, Limit, Position, Rules
from fourcast.agents import agent, new_game
from fourcast.game.analysis import Analysis
from fourcast.game.tree import END, INNER, LEAF, MOST_DRAWN, PRUNED, TreeNode
from fourcast.search.pool import Node
from fourcast.search.uct import ENOUGH
from fourcast.search.verdict import best_child
from tests import naive
from tests.boards import play_peacefully, play_some, twin

SMALL = Geometry.parse("3x4x3")
STANDARD = Geometry()


def ask(position: Position, spec: str = "mcts", *, slip: float = 0.0, limit: Limit | None = None) -> Analysis:
    return agent(spec, Rules(position.geometry, slip), seed=1).analyze(position, limit or Limit())


def unfinished(geometry: Geometry, count: int, plies: range) -> list[Position]:
    """Positions of random games that go on, of so many plies each."""
    found = (play_peacefully(geometry, seed, plies[seed % len(plies)]) for seed in range(10 * count))
    return [position for position in found if not position.is_over][:count]


def sign(number: float) -> int:
    return (number > 0) - (number < 0)


# --- proofs ---


@pytest.mark.slow
@pytest.mark.parametrize(("board", "plies"), [("3x4x3", range(8)), ("4x4x4", range(5, 12))])
def test_what_it_proves_is_so(board: str, plies: range) -> None:
    proven = exact = 0
    for position in unfinished(Geometry.parse(board), 40, plies):
        found = ask(position, "mcts:simulations=20000")
        score = naive.score(*twin(position))
        if found.bounds is None:
            continue
        proven += 1
        assert found.value == sign(score)
        assert found.bounds[0] <= score <= found.bounds[1]
        after = naive.score(*twin(position.play(found.column)))
        assert sign(-after) == sign(score), "and the column that it plays keeps it"
        exact += found.exact
        assert found.exact == (found.score is not None)
        if found.exact:
            assert found.score == score
    assert proven >= 25
    assert exact >= 10


def test_a_win_in_one_is_found_before_any_game_is_played() -> None:
    found = 0
    for seed in range(300):
        position = play_some(STANDARD, seed)
        if winning := position.winning_columns(position.turn):
            answer = ask(position, limit=Limit(simulations=1))
            assert answer.column in winning
            assert (answer.value, answer.exact, answer.simulations) == (1.0, True, 0)
            assert answer.plies_to_end == 1
            assert answer.pv == (answer.column,)
            found += 1
    assert found > 20


def test_a_forced_block_is_found_before_any_game_is_played() -> None:
    blocks = losses = 0
    for seed in range(600):
        position = play_some(STANDARD, seed)
        threats = position.winning_columns(1 - position.turn)
        if not threats or position.winning_columns(position.turn):
            continue
        answer = ask(position, limit=Limit(simulations=1))
        assert answer.column in threats
        assert answer.values is not None
        assert all(answer.values[column] == -1.0 for column in position.legal if column not in threats)
        blocks += 1
        if len(threats) > 1:
            assert (answer.value, answer.plies_to_end) == (-1.0, 2)
            losses += 1
    assert blocks > 20
    assert losses > 2


def test_the_end_of_a_game_is_drawn_by_the_column_that_gives_nothing_away() -> None:
    seen = 0
    for seed in range(4000):
        position = play_peacefully(SMALL, seed, SMALL.cells - 2)
        if position.is_over or naive.score(*twin(position)) != 0:
            continue
        found = ask(position)
        assert (found.value, found.score, found.simulations) == (0.0, 0, 0)
        assert naive.score(*twin(position.play(found.column))) == 0
        lost = [c for c in position.legal if naive.score(*twin(position.play(c))) > 0]
        assert found.values is not None
        assert all(found.values[column] == -1.0 for column in lost)
        seen += bool(lost)
    assert seen > 5


# --- slip ---


@pytest.mark.parametrize("slip", [0.2, 0.9])
def test_with_slip_what_it_proves_is_what_enumeration_says(slip: float) -> None:
    """With slip 0.9, the best column to aim at is the one where the disc should not land."""
    proven = 0
    for position in unfinished(SMALL, 30, range(6, 11)):
        limit = Limit(simulations=50_000)
        found = ask(position, slip=slip, limit=limit)
        assert found.values is not None
        exact = naive.aims_with_slip(*twin(position), slip)
        if found.simulations < 50_000:
            proven += 1
            assert found.value == pytest.approx(max(exact.values()), abs=1e-12)
            assert found.values[found.column] == pytest.approx(max(exact.values()), abs=1e-12)
            for column, value in exact.items():
                assert found.values[column] == pytest.approx(value, abs=1e-12)
        assert not found.exact, "a score is a whole number of discs"
    assert proven >= 20


@pytest.mark.parametrize("slip", [0.2, 0.9])
def test_with_slip_values_draw_near_to_those_of_best_play(slip: float) -> None:
    for position in unfinished(SMALL, 6, range(3, 5)):
        found = ask(position, slip=slip, limit=Limit(simulations=200_000))
        exact = naive.aims_with_slip(*twin(position), slip)
        assert found.values is not None
        for column, value in exact.items():
            assert found.values[column] == pytest.approx(value, abs=0.1)
        assert exact[found.column] > max(exact.values()) - 0.03


def test_with_slip_a_win_in_one_is_aimed_at() -> None:
    seen = 0
    for seed in range(100):
        position = play_some(STANDARD, seed)
        if winning := position.winning_columns(position.turn):
            assert ask(position, slip=0.2, limit=Limit(simulations=50)).column in winning
            seen += 1
    assert seen > 5


@pytest.mark.slow
@pytest.mark.parametrize("board", ["9x12x4", "8x1x3"])
@pytest.mark.parametrize("slip", [0.0, 0.2, 0.9])
def test_it_plays_on_boards_of_every_shape(board: str, slip: float) -> None:
    rules = Rules(board, slip)
    for seed in range(6):
        position = play_some(rules.geometry, seed)
        player = agent("mcts", rules, seed=seed)
        for _ in range(4):
            if position.is_over:
                break
            found = player.analyze(position, Limit(simulations=300))
            assert found.column in position.legal
            assert found.pv[0] == found.column
            assert found.policy is not None
            assert sum(found.policy) == pytest.approx(1)
            assert found.values is not None
            for column in range(rules.geometry.columns):
                value = found.values[column]
                assert value is None or -1 <= value <= 1
                assert (value is None and found.policy[column] == 0) or column in position.legal
            line = position
            for column in found.pv:
                line = line.play(column)
            position = position.play(found.column)


def test_another_board_is_refused() -> None:
    with pytest.raises(BadShape):
        agent("mcts").analyze(Position("5x5x4"), Limit())


# --- limits ---


def test_simulations_are_kept_exactly() -> None:
    for spec in ("mcts", "mcts:playouts=7", "mcts:cut=4", "mcts:style=random"):
        assert ask(Position(), spec, limit=Limit(simulations=1003)).simulations == 1003
    assert ask(Position(), "mcts:simulations=500", limit=Limit(simulations=1003)).simulations == 500
    assert ask(Position(), "mcts:simulations=500", limit=Limit(seconds=100)).simulations == 500
    assert ask(Position()).simulations == ENOUGH
    leaves = ask(Position(), "mcts:playouts=7", limit=Limit(simulations=700)).leaves
    assert leaves == 100, "seven games from each leaf"


def test_a_tree_that_is_full_grows_no_more() -> None:
    small = ask(Position(), limit=Limit(nodes=100, simulations=5000))
    assert 90 < small.nodes <= 100
    assert small.simulations == 5000
    least = ask(Position(), limit=Limit(nodes=1, simulations=50))
    assert (least.nodes, least.column) == (1, 3)
    full = ask(Position(), "mcts:memory_mb=1", limit=Limit(simulations=100_000))
    assert full.nodes <= 2**20 // 32 < full.nodes + 7
    assert full.simulations == 100_000
    assert small.memory < full.memory < 2**20 + 10_000


def test_time_runs_out() -> None:
    found = ask(Position(), limit=Limit(seconds=0.05))
    assert found.simulations > 0


def test_another_thread_can_watch_and_stop_it() -> None:
    player = agent("mcts", seed=1)
    answers: list[Analysis] = []
    limit = Limit(simulations=10**12)
    thread = threading.Thread(target=lambda: answers.append(player.analyze(Position(), limit)))
    thread.start()
    while player.progress.simulations < 1000:  # type: ignore[attr-defined]
        time.sleep(0.01)
    assert player.progress.column in range(7)  # type: ignore[attr-defined]
    assert player.progress.nodes > 100  # type: ignore[attr-defined]
    player.stop()  # type: ignore[attr-defined]
    thread.join()
    assert answers[0].column in range(7)
    assert 1000 <= answers[0].simulations < 10**12


# --- chance, and what is kept ---


def test_the_same_seed_gives_the_same_answer() -> None:
    places = [Position(), *(Position.from_moves(moves) for moves in ("44", "4435", "1"))]
    limit = Limit(simulations=700)
    used = agent("mcts", seed=4)
    for place in places:
        new_game(used)
        fresh, other = (agent("mcts", seed=seed).analyze(place, limit) for seed in (4, 5))
        again = used.analyze(place, limit)
        assert (again.values, again.nodes, again.pv) == (fresh.values, fresh.nodes, fresh.pv)
        assert fresh.values != other.values


def test_the_tree_grows_on_with_the_game() -> None:
    first, second = Position.from_moves("4"), Position.from_moves("4453")
    player = agent("mcts:tree=3", seed=1)
    before = player.analyze(first, Limit(simulations=50_000)).tree
    node = before
    for column in (3, 4, 2):
        assert node is not None
        node = next(child for child in node.children if child.column == column)
    assert node is not None
    assert node.visits > 50
    after = player.analyze(second, Limit(simulations=1))
    assert after.simulations == 1, "what is kept does not count"
    assert after.tree is not None
    assert after.tree.visits == node.visits + 1
    total = sum(child.visits for child in after.tree.children)
    assert after.tree.visits - 2 <= total <= after.tree.visits
    deep = [child for child in after.tree.children if child.children]
    assert deep, "with everything below it"
    assert after.nodes > len(list(after.tree.walk()))


def test_the_tree_is_kept_only_for_the_same_game() -> None:
    limit = Limit(simulations=2000)
    place = Position.from_moves("4453")
    fresh = agent("mcts", seed=1).analyze(place, limit)
    for moves in ("4", "44"):
        kept = agent("mcts", seed=1)
        kept.analyze(Position.from_moves(moves), limit)
        assert kept.analyze(place, limit).nodes > fresh.nodes
    for moves, spec, again in (
        ("44", "mcts", True),
        ("44", "mcts:reuse=no", False),
        ("5", "mcts", False),  # the same discs in another order
        ("4453", "mcts", False),
        ("44534", "mcts", False),
    ):
        player = agent(spec, seed=1)
        player.analyze(Position.from_moves(moves), limit)
        if again:
            new_game(player)
        found = player.analyze(place, limit)
        assert (found.values, found.nodes) == (fresh.values, fresh.nodes)


@pytest.mark.parametrize("moves", ["4433", "771573617165", "723716573156"])
def test_a_proven_win_is_played_to_its_end(moves: str) -> None:
    position = Position.from_moves(moves)
    winner = position.turn
    player = agent("mcts", seed=1)
    ends = []
    while not position.is_over:
        found = player.analyze(position, Limit(simulations=20_000))
        assert found.value == 1.0
        assert found.bounds is not None
        ends.append(found.bounds[0])
        position = position.play(found.column)
        if not position.is_over:
            position = position.play(agent("random", seed=position.ply).analyze(position, Limit()).column)
    assert position.outcome is not None
    assert position.outcome.winner == winner
    assert ends == sorted(ends), "never later than was proven before"


# --- what a leaf is worth ---


def test_playouts_that_are_cut_are_evaluated() -> None:
    position = Position.from_moves("44")
    limit = Limit(simulations=2000)
    values = [ask(position, f"mcts:cut=2,eval={name}", limit=limit).values for name in ("windows", "power")]
    assert values[0] != values[1]
    blind = ask(Position(), "mcts:cut=2,eval=lines", limit=Limit(simulations=300))
    assert blind.value == 0.0, "nobody has a line so soon"


def test_playouts_are_sharp_or_random() -> None:
    limit = Limit(simulations=2000)
    assert ask(Position(), limit=limit).values != ask(Position(), "mcts:style=random", limit=limit).values


# --- the tree ---


def test_the_tree_that_is_shown_is_the_one_that_was_grown() -> None:
    position = Position.from_moves("141742612152")
    found = ask(position, "mcts:tree=2", limit=Limit(simulations=3000))
    tree = found.tree
    assert tree is not None
    assert tree.depth == 2
    assert (tree.visits, tree.value) == (3000, found.value)
    best = [child for child in tree.children if child.best]
    assert [child.column for child in best] == [found.column]
    assert best[0].value == -found.value  # type: ignore[operator]
    pruned = {child.column for child in tree.children if child.kind == "pruned"}
    assert pruned == {c for c in position.legal if _gives(position, c)} == {2}
    assert found.policy is not None
    visits = sum(child.visits for child in tree.children)
    for child in tree.children:
        assert child.column is not None
        assert child.visits == pytest.approx(found.policy[child.column] * visits)


@pytest.mark.slow
def test_with_slip_only_the_end_of_the_game_is_a_win_in_so_many_moves() -> None:
    position = Position.from_moves("4232243141231342", "5x4x4")
    tree = ask(position, "mcts:tree=9", slip=0.2).tree
    assert tree is not None
    assert tree.plies_to_end is None
    assert tree.value == pytest.approx(0.84)
    kinds = set()
    for node, there in _positions(tree, position):
        assert (node.kind == END) == there.is_over
        assert node.plies_to_end == (0 if there.is_over and node.value else None)
        kinds.add(node.kind)
    assert kinds >= {INNER, END}


@pytest.mark.slow
@pytest.mark.parametrize(("board", "slip"), [("6x7x4", 0.0), ("5x10x4", 0.0), ("5x10x4", 0.2)])
def test_a_tree_too_large_to_be_shown_is_cropped_below_a_whole_ply(board: str, slip: float) -> None:
    position = Position(board)
    found = ask(position, "mcts:tree=20", slip=slip, limit=Limit(simulations=30_000))
    whole = found.tree
    assert whole is not None
    assert found.nodes > MOST_DRAWN > sum(whole.sizes)
    plies = len(whole.sizes) - 1
    assert plies >= 3
    for node, there in _positions(whole, position):
        deep = there.ply - position.ply == plies
        assert node.cropped == (deep and node.kind == INNER)
        assert bool(node.children) == (node.kind == INNER and not deep)
        if node.children:
            assert sorted(child.column or 0 for child in node.children) == list(there.legal)
    asked = ask(position, f"mcts:tree={plies}", slip=slip, limit=Limit(simulations=30_000)).tree
    assert asked is not None
    assert asked.sizes == whole.sizes
    assert not any(node.cropped for node in asked.walk())


def test_a_root_that_is_seen_through_at_a_glance_is_the_whole_tree() -> None:
    tree = ask(Position.from_moves("435362"), "mcts:tree=3").tree
    assert tree == TreeNode(kind=LEAF, value=1.0, plies_to_end=1, games=True)


def test_a_root_without_room_for_children_is_worth_what_its_games_say() -> None:
    tree = ask(Position.from_moves("444"), "mcts:tree=3", limit=Limit(nodes=1, simulations=500)).tree
    assert tree is not None
    assert (tree.kind, tree.visits, tree.children, tree.cropped) == (LEAF, 500, (), False)
    assert tree.value is not None
    assert -1 < tree.value < 0


def _positions(node: TreeNode, position: Position) -> Iterator[tuple[TreeNode, Position]]:
    yield node, position
    for child in node.children:
        if child.kind != PRUNED:
            assert child.column is not None
            yield from _positions(child, position.play(child.column))


def _gives(position: Position, column: int) -> bool:
    after = position.play(column)
    return bool(after.winning_columns(after.turn))


def test_a_proven_draw_is_better_than_what_looks_lost_and_worse_than_what_looks_won() -> None:
    def child(column: int, value: float, visits: int, *, proven: bool = False) -> Node:
        return Node(column, column, value, visits, proven, 3, 0, 0)

    drawn, lost = child(1, 0.0, 10, proven=True), child(2, -1.0, 900, proven=True)
    for value, wanted in ((-0.1, 1), (0.1, 0)):
        best = best_child([child(0, value, 500), drawn, lost])
        assert best is not None
        assert best.column == wanted
