"""`fourcast tree`: what a search has looked at, in text, SVG and JSON."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from fourcast.agents import agent_entries
from tests.cli.command import fourcast

DOCS = Path(__file__).parents[2] / "docs"
SVG = "{http://www.w3.org/2000/svg}"
KEEPERS = ", ".join(
    entry.name for entry in agent_entries() if "tree" in [option.name for option in entry.options]
)


def test_the_text_tells_who_where_and_every_node() -> None:
    done = fourcast("tree", "444", "--agent", "alphabeta:depth=2")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[:11] == [
        "alphabeta:depth=2",
        "after 444: O plays 4",
        "21 nodes, 13 leaves, 6 cutoffs",
        "values are seen by O; * is the best move",
        "",
        "O to move  -6  (21 nodes)",
        "  4* -6  (8 nodes)",
        "    4  -3",
        "    3* -6",
        "    5  -6",
        "    2  -6",
    ]
    assert lines[14:18] == [
        "  3  <= -6  (2 nodes)",
        "    4* -6",
        "    pruned: 1 2 3 5 6 7",
        "  5  <= -6  (2 nodes)",
    ]
    assert max(map(len, lines)) <= 80


def test_the_drawing_is_written_and_one_line_says_so(tmp_path: Path) -> None:
    path = tmp_path / "tree.svg"
    path.write_text("what was there before")
    done = fourcast("tree", "444", "-o", str(path))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{path}: 100 nodes of alphabeta:depth=3, after 444: O plays 4 (0)\n"
    root = ElementTree.parse(path).getroot()
    nodes = [group for group in root.iter(f"{SVG}g") if (group.get("class") or "").startswith("node ")]
    assert len(nodes) == 100
    words = [text.text for text in root.iter(f"{SVG}text")]
    for line in ("alphabeta:depth=3", "after 444: O plays 4", "100 nodes, 76 leaves, 13 cutoffs"):
        assert line in words
    assert os.listdir(tmp_path) == ["tree.svg"]


def test_json_has_the_analysis_and_the_tree(tmp_path: Path) -> None:
    path = tmp_path / "tree.svg"
    done = fourcast("tree", "--agent", "minimax:depth=3", "--json", "-o", str(path))
    assert (done.returncode, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    assert (document["nodes"], document["column"], document["line"][0]) == (400, 3, "4")

    def count(node: dict[str, list[dict[str, object]]]) -> int:
        return 1 + sum(map(count, node["children"]))  # type: ignore[arg-type]

    assert count(document["tree"]) == 400
    assert document["tree"]["value"] == document["value"]
    assert path.exists()
    pruned = json.loads(fourcast("tree", "--json").stdout)
    assert pruned["tree"]["points"] == document["tree"]["points"]


def test_fewer_plies_show_less() -> None:
    done = fourcast("tree", "44552263", "--agent", "alphabeta:depth=5", "--plies", "1")
    lines = done.stdout.splitlines()[5:]
    assert [line.split()[0] for line in lines] == ["X", "4", "3", "5", "2", "6", "1", "7*"]
    assert lines[0].startswith("X to move  wins in 1  (")
    assert lines[-1] == "  7* X wins"
    own = fourcast("tree", "44552263", "--agent", "alphabeta:depth=5,tree=1")
    assert own.stdout.splitlines()[5:] == lines


@pytest.mark.slow
def test_other_boards_slip_and_drawn_boards() -> None:
    done = fourcast("tree", "9ab", "--board", "5x12x4", "--slip", "0.2", "--seed", "1", "--plies", "1")
    assert done.returncode == 0
    assert "after 9ab (5x12x4): O plays " in done.stdout
    drawing = fourcast("board", "444").stdout.split("\n\n")[0]
    drawn = fourcast("tree", "--text", "-", stdin=drawing)
    assert drawn.stdout == fourcast("tree", "444").stdout


@pytest.mark.slow
def test_a_tree_too_large_to_draw_is_refused_and_something_smaller_offered(tmp_path: Path) -> None:
    arguments = ["tree", "--agent", "minimax:depth=6", "--plies"]
    for more in ([], ["-o", str(tmp_path / "tree.svg")]):
        done = fourcast(*arguments, "6", *more)
        assert (done.returncode, done.stdout) == (2, "")
        assert "the tree has 137,257 nodes, too many to draw; --plies 5 would do" in done.stderr
    assert os.listdir(tmp_path) == []
    assert fourcast(*arguments, "5").returncode == 0
    assert fourcast(*arguments, "6", "--json").returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["mcts:simulations=100000", "alphabeta:depth=12"])
def test_a_tree_that_was_too_large_to_keep_is_refused_in_the_same_words(spec: str) -> None:
    arguments = ["tree", "444", "--agent", spec, "--seed", "1", "--plies"]
    done = fourcast(*arguments, "20")
    assert (done.returncode, done.stdout) == (2, "")
    refused = re.search(
        r"the tree has over 20,000 nodes, too many to draw; --plies (\d) would do", done.stderr
    )
    assert refused is not None
    assert fourcast(*arguments, refused[1]).returncode == 0
    document = json.loads(fourcast(*arguments, "20", "--json").stdout)
    level = [document["tree"]]
    while level and not any(node["cropped"] for node in level):
        level = [child for node in level for child in node["children"]]
    assert level


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        (["435362"], ["after 435362: X plays 7", "X to move  wins in 1"]),
        (["444", "--limit", "nodes=1", "--seed", "1"], ["after 444: O plays 4", "O to move  -0."]),
    ],
)
def test_a_tree_of_one_node_is_shown(arguments: list[str], lines: list[str], tmp_path: Path) -> None:
    done = fourcast("tree", *arguments, "--agent", "mcts")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[1] == lines[0]
    assert done.stdout.splitlines()[-1].startswith(lines[1])
    path = tmp_path / "tree.svg"
    drawn = fourcast("tree", *arguments, "--agent", "mcts", "-o", str(path))
    assert drawn.stdout.startswith(f"{path}: 1 node of mcts, {lines[0]} (")


@pytest.mark.slow
def test_the_star_is_on_the_column_that_is_aimed_at() -> None:
    """Where most discs slip, one aims at the landing that should not be hit."""
    done = fourcast(
        *("tree", "414244312333", "--board", "4x4x4", "--slip", "0.8", "--plies", "1"),
        *("--agent", "expectimax"),
    )
    lines = done.stdout.splitlines()
    assert lines[1].endswith("X plays 2")
    assert [line for line in lines[6:] if "*" in line] == ["  2* +0.04  (6 nodes)"]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (
            ["444", "--limit", "nodes=10"],
            "after 444: alphabeta:depth=3 has kept no tree, it was not done within",
        ),
        (["--agent", "alphabeta:early=centre"], "the empty board: alphabeta:early=centre has kept no tree"),
    ],
)
def test_without_a_tree_one_line_says_why(arguments: list[str], why: str, tmp_path: Path) -> None:
    done = fourcast("tree", *arguments, "-o", str(tmp_path / "tree.svg"))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"fourcast: {why}")
    assert len(done.stderr.splitlines()) == 1
    assert os.listdir(tmp_path) == []
    document = json.loads(fourcast("tree", *arguments, "--json").stdout)
    assert "tree" not in document
    assert document["column"] == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["1212121"], "the game is over, first player (X) wins on move 7"),
        (["--agent", "deep-blue"], "there is no agent 'deep-blue'; known: "),
        (["--agent", "alphabeta:deep=3"], "agent alphabeta has no option 'deep'; it has: "),
        (["--agent", "random"], f"agent random keeps no search tree; these do: {KEEPERS}\n"),
        (["--limit", "soon"], "limit 'soon': "),
        (["--slip", "2"], "slip 2.0: "),
        (["--plies", "0"], "Invalid value for '--plies'"),
        (["--plies", "21"], "Invalid value for '--plies'"),
        (["-o", "tree.png"], "Invalid value for -o: tree.png does not end in .svg"),
        (["-o", ".svg"], "Invalid value for -o: .svg is an ending without a name; tree.svg would do"),
        (["-o", "no/such/tree.svg"], "Invalid value for -o: there is no folder no/such"),
        (["44", "--text", "-"], "give either MOVES or --text, not both"),
    ],
)
def test_wrong_input_is_one_line_and_a_2(arguments: list[str], message: str) -> None:
    done = fourcast("tree", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith(f"fourcast: {message}")


def test_those_that_search_keep_trees() -> None:
    assert {"alphabeta", "expectimax", "minimax", "negamax"} <= set(KEEPERS.split(", "))
    assert "random" not in KEEPERS


def test_the_example_in_the_docs_is_true() -> None:
    page = (DOCS / "tree.md").read_text()
    example = page.split("```\n$ fourcast ")[1].split("```")[0]
    command, _, shown = example.partition("\n")
    assert fourcast(*command.split()).stdout == shown


def test_the_help_has_an_example() -> None:
    done = fourcast("tree", "-h")
    assert "Example: fourcast tree" in done.stdout
    assert "depth=6, nodes=100000, simulations=800" in " ".join(done.stdout.split())
    assert max(map(len, done.stdout.splitlines())) <= 80
