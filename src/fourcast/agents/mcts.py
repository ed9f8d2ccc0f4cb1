"""A player that grows a tree of games."""

from __future__ import annotations

from fourcast.agents.chance import seed_for
from fourcast.agents.options import number, one_of, whole
from fourcast.agents.registry import register
from fourcast.agents.searching import EVAL, TREE, SearchingAgent
from fourcast.game.analysis import Analysis
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.rules import Rules


@register(
    "mcts",
    whole("simulations", None, "most games of one move; without any limit, 10,000"),
    number("c", 1.2, "how readily it explores", most=100),
    one_of("style", "sharp", ("sharp", "random"), "sharp: playouts win, block and give nothing away"),
    whole("cut", 0, "plies after which a playout is evaluated; 0 plays to the end", least=0, most=128),
    EVAL,
    whole("playouts", 1, "games from each leaf", most=1000),
    whole("memory_mb", 64, "room for the tree; when it is full, the tree grows no more", most=65536),
    one_of("reuse", "yes", ("yes", "no"), "yes: keep the tree for the rest of the game"),
    TREE,
)
class MctsAgent(SearchingAgent):
    """Monte Carlo tree search that proves what it can, slip included."""

    def __init__(
        self,
        rules: Rules,
        seed: int | None = None,
        *,
        simulations: int | None = None,
        c: float = 1.2,
        style: str = "sharp",
        cut: int = 0,
        eval: str = "windows",  # noqa: A002  # the option's name
        playouts: int = 1,
        memory_mb: int = 64,
        reuse: str = "yes",
        tree: int = 0,
    ) -> None:
        from fourcast.search.uct import TreeSearch

        self._trees = TreeSearch(
            rules,
            simulations=simulations,
            explore=c,
            sharp=style == "sharp",
            cut=cut,
            evaluation=eval,
            playouts=playouts,
            memory_mb=memory_mb,
            reuse=reuse == "yes",
            tree=tree,
        )
        super().__init__(rules, seed, self._trees)

    def analyze(self, position: Position, limit: Limit) -> Analysis:
        """What the tree says, grown on from the game's last one."""
        return self._trees.search(position, limit, seed_for(self.seed, position))

    def new_game(self) -> None:
        """Forget the tree."""
        self._trees.forget()
