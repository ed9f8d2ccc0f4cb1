"""A player that grows a tree of games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fourcast.agents.chance import seed_for
from fourcast.agents.network import TAKES, network_for
from fourcast.agents.options import number, one_of, text, whole
from fourcast.agents.registry import register
from fourcast.agents.searching import EVAL, TREE, SearchingAgent
from fourcast.game.analysis import Analysis
from fourcast.game.errors import BadOption
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.rules import Rules

if TYPE_CHECKING:
    from fourcast.search.puct import NetworkSearch
    from fourcast.search.uct import TreeSearch


@register(
    "mcts",
    whole("simulations", None, "most games of one move; without any limit, 10,000"),
    number("c", None, "how readily it explores; 1.2, or 1.5 with a network", most=100),
    one_of("style", "sharp", ("sharp", "random"), "sharp: playouts win, block and give nothing away"),
    whole("cut", 0, "plies after which a playout is evaluated; 0 plays to the end", least=0, most=128),
    EVAL,
    whole("playouts", 1, "games from each leaf", most=1000),
    whole("memory_mb", 64, "room for the tree; when it is full, the tree grows no more", most=65536),
    one_of("reuse", "yes", ("yes", "no"), "yes: keep the tree for the rest of the game"),
    TREE,
    text("net", "a network that is asked instead of playing games out", TAKES),
    whole(
        "proof",
        None,
        "with net: nodes of the exact search to prove a position, so that it need not be asked; 300",
        least=0,
        most=1_000_000,
    ),
)
class MctsAgent(SearchingAgent):
    """Monte Carlo tree search that proves what it can, slip included."""

    _trees: TreeSearch | NetworkSearch

    def __init__(
        self,
        rules: Rules,
        seed: int | None = None,
        *,
        simulations: int | None = None,
        c: float | None = None,
        style: str = "sharp",
        cut: int = 0,
        eval: str = "windows",  # noqa: A002  # the option's name
        playouts: int = 1,
        memory_mb: int = 64,
        reuse: str = "yes",
        tree: int = 0,
        net: str | None = None,
        proof: int | None = None,
    ) -> None:
        from fourcast.search.uct import EXPLORE, TreeSearch

        if net is not None:
            if (style, cut, eval, playouts) != ("sharp", 0, "windows", 1):
                raise BadOption(
                    "agent mcts: with net no game is played out: leave out style, cut, eval and playouts"
                )
            self._trees = _network_search(
                rules,
                net,
                c,
                proof,
                simulations=simulations,
                memory_mb=memory_mb,
                reuse=reuse == "yes",
                tree=tree,
            )
            super().__init__(rules, seed, self._trees)
            return
        if proof is not None:
            raise BadOption("agent mcts: proof goes with net: without a network, leave it out")
        self._trees = TreeSearch(
            rules,
            simulations=simulations,
            explore=EXPLORE if c is None else c,
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


def _network_search(
    rules: Rules, net: str, c: float | None, proof: int | None, **options: Any
) -> NetworkSearch:
    """The search that asks a network, which is read now."""
    from fourcast.evaluators.network import NetworkEvaluator
    from fourcast.search.puct import EXPLORE, PROOF_NODES, NetworkSearch

    card = network_for("network", rules.geometry, net, "mcts:net").card
    # It asks about one of a position and its mirror image, so that both are alike at half the price.
    evaluator = NetworkEvaluator(card, rules.geometry, mirror=False)
    return NetworkSearch(
        rules,
        evaluator,
        explore=EXPLORE if c is None else c,
        proof=PROOF_NODES if proof is None else proof,
        **options,
    )
