"""What a network makes of positions: which columns it would play, and what they are worth."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from fourcast.game.errors import BadModel, BadOption
from fourcast.game.geometry import STANDARD, Geometry
from fourcast.models.card import NETWORKS, Card
from fourcast.models.files import load_card, read_model_bytes
from fourcast.models.shelf import find

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from fourcast.kernels.batch import Batch
    from fourcast.models.onnx_file import Network

    Values = npt.NDArray[np.float64]
    Logits = npt.NDArray[np.float32]

_AT_ONCE = 256  # positions that a network is asked about together; more take no less time each
_KEPT = 4  # networks that a process keeps


class NetworkEvaluator:
    """A network of the kind `cnn` or `network`; only the latter tells what positions are worth.

    Attributes:
        card: The network's card.
        mirror: Whether the mean with the mirror image is taken.
    """

    def __init__(
        self,
        model: Card | Path | str,
        geometry: Geometry = STANDARD,
        *,
        mirror: bool | None = None,
        graph: bytes | None = None,
    ) -> None:
        """Find the network; its file is read when it is first asked.

        Args:
            model: A card, the name of a shipped model, or the path of a card or of the model beside it.
            geometry: The board that it shall play on.
            mirror: Whether to take the mean with the mirror image; without it, what the card says.
            graph: The network itself, in ONNX, where it is in no file.

        Raises:
            BadModel: There is no such network, it is not sound, or it is for another board.
        """
        from fourcast.kernels.planes import plane_codes

        card = model if isinstance(model, Card) else find(model)
        if card.kind not in NETWORKS:
            raise BadModel(f"model {card.path}: it is of the kind {card.kind}, not {' or '.join(NETWORKS)}")
        self.card = card
        self._check_board(geometry)
        try:
            self._codes = plane_codes(card.planes)
        except BadOption as error:
            raise BadModel(f"model {card.path}: {error}") from None
        self.mirror = card.mirror if mirror is None else mirror
        self._own: Network | None = None
        if graph is not None:
            from fourcast.models.onnx_file import Network

            self._own = Network(card, graph)

    def load(self) -> None:
        """Read the network now, so that one that is damaged is found before it is asked.

        Raises:
            BadModel: It cannot be read.
            MissingExtra: onnxruntime is not installed.
        """
        self._network()

    @property
    def has_value(self) -> bool:
        """Whether it tells what positions are worth."""
        return self.card.kind == "network"

    def values(self, batch: Batch) -> Values:
        """What each position is worth to its side to move: shape (positions,), in [-1, 1].

        Raises:
            BadModel: It cannot be read, is for another board, or does not tell that.
        """
        return self._values(self.ask(batch)[1], len(batch))

    def priors(self, batch: Batch) -> Values:
        """How likely it would play each column: shape (positions, columns), summing to 1; full ones are 0.

        Of a game that is over, all are 0.

        Raises:
            BadModel: It cannot be read, or is for another board.
        """
        return self._priors(batch, self.ask(batch)[0])

    def judge(self, batch: Batch) -> tuple[Values, Values]:
        """Values and priors, from one run of the network.

        Raises:
            BadModel: It cannot be read, is for another board, or does not tell what positions are worth.
        """
        logits, values = self.ask(batch)
        return self._values(values, len(batch)), self._priors(batch, logits)

    def ask(self, batch: Batch) -> tuple[Logits, Logits | None]:
        """What the network itself says: logits of columns and, of the kind `network`, values.

        With `mirror`, what it says of the mirror images comes after that: twice as many rows.

        Raises:
            BadModel: It cannot be read, or is for another board.
        """
        import numpy as np

        from fourcast.kernels.planes import write_planes

        self._check_board(batch.geometry)
        network, count = self._network(), len(batch)
        board, rows = batch.geometry, 1 + self.mirror
        logits = np.empty((rows * count, board.columns), dtype=np.float32)
        values = np.empty(rows * count, dtype=np.float32) if self.has_value else None
        for first in range(0, count, _AT_ONCE):
            some = min(_AT_ONCE, count - first)
            planes = np.empty((rows * some, len(self._codes), board.rows, board.columns), dtype=np.float32)
            write_planes(batch.board, batch.stones[first : first + some], self._codes, planes)
            if self.mirror:
                planes[some:] = planes[:some, :, :, ::-1]  # every plane of an image is the plane in a mirror
            liked, worth = self._run(network, planes)
            for image in range(rows):
                into = slice(image * count + first, image * count + first + some)
                logits[into] = liked[image * some : (image + 1) * some]
                if values is not None and worth is not None:
                    values[into] = worth[image * some : (image + 1) * some]
        return logits, values

    def _run(self, network: Network, planes: Logits) -> tuple[Logits, Logits | None]:
        try:
            return network.run(planes)
        except BadModel as error:
            raise BadModel(f"model {self.card.path.with_name(self.card.file)}: {error}") from None

    def _values(self, values: Logits | None, count: int) -> Values:
        import numpy as np

        if values is None:
            raise BadModel(
                f"model {self.card.path}: it is of the kind {self.card.kind}, "
                "which does not tell what a position is worth"
            )
        found = values.astype(np.float64)
        return (found[:count] + found[count:]) / 2 if self.mirror else found

    def _priors(self, batch: Batch, logits: Logits) -> Values:
        import numpy as np

        from fourcast.kernels.priors import write_priors

        priors = np.empty((len(batch), batch.geometry.columns))
        write_priors(batch.board, batch.stones, logits, self.mirror, priors)
        return priors

    def _network(self) -> Network:
        return self._own or _load(self.card.path.absolute(), self.card.sha256)

    def _check_board(self, geometry: Geometry) -> None:
        if geometry != self.card.geometry:
            raise BadModel(f"model {self.card.path}: it is for board {self.card.geometry}, not {geometry}")


@lru_cache(maxsize=_KEPT)
def _load(path: Path, sha256: str) -> Network:
    """The network whose card is there and has that hash; a new one has another."""
    from fourcast.models.onnx_file import Network

    card = load_card(path)
    if card.sha256 != sha256:
        raise BadModel(f"model {path}: another one has taken its place")
    data = read_model_bytes(card)
    try:
        return Network(card, data)
    except BadModel as error:
        raise BadModel(f"model {path.with_name(card.file)}: {error}") from None
