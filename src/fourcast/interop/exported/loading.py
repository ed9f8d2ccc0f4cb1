"""The part of an exported file that brings its modules to life; `interop.export` writes it."""

# ruff: noqa: E402

from __future__ import annotations

PACKAGE, KIND, SOURCES, BOOK = "", "", "", ""  # the exported file's own

# --- from here on, this is what the file holds ---

import atexit
import base64
import importlib.abc
import importlib.util
import json
import os
import shutil
import sys
import tempfile
import warnings
import zlib
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

MOVE_SECONDS = 0.85  # the most for a move; the rest of a second is the margin
LOAD_SECONDS = 5.0  # the most that loading waits for compiled code
STANDARD = (6, 7, 4)


def _unfold(text: str) -> bytes:
    return zlib.decompress(base64.b85decode("".join(text.split())))


def _has_numba() -> bool:
    """Whether Numba can be used; if it is there but broken, that is told."""
    try:
        importlib.import_module("numba")
    except ModuleNotFoundError:
        return False
    except Exception as error:  # noqa: BLE001  # whatever it is, the game goes on
        _tell(f"Numba cannot be used: {error!r}")
        return False
    return True


def _tell(text: str) -> None:
    print(f"fourcast agent: {text}", file=sys.stderr)


class _InMemory(importlib.abc.SourceLoader):
    """Imports the modules from memory, where no folder can be written to."""

    def __init__(self, files: dict[str, str]) -> None:
        self.files = {f"{PACKAGE}/{path}": text.encode() for path, text in files.items()}

    def find_spec(self, name: str, _path: Any = None, _target: Any = None) -> ModuleSpec | None:
        place = name.replace(".", "/")
        for path, is_package in ((f"{place}/__init__.py", True), (f"{place}.py", False)):
            if path in self.files:
                return importlib.util.spec_from_loader(name, self, origin=path, is_package=is_package)
        return None

    def get_filename(self, name: str) -> str:
        found = self.find_spec(name)
        if found is None or found.origin is None:
            raise ImportError(name)
        return found.origin

    def get_data(self, path: Any) -> bytes:
        if path not in self.files:
            raise OSError(path)
        return self.files[path]


def _written(files: dict[str, str], folder: Path) -> bool:
    """Whether the folder now holds the files, and nobody but us can have put them there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if hasattr(os, "getuid") and folder.stat().st_uid != os.getuid():
            return False
        for path, text in files.items():
            place = folder / path
            if not place.is_file() or place.read_bytes() != text.encode():
                place.parent.mkdir(parents=True, exist_ok=True)
                fresh = place.with_name(f"{place.name}.{os.getpid()}")
                fresh.write_bytes(text.encode())
                fresh.replace(place)
        return os.access(folder, os.W_OK | os.X_OK)
    except OSError:
        return False


def _folder(files: dict[str, str]) -> Path | None:
    """A folder with the files, so that compiled code is kept beside them; None if there is no place."""
    try:
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        if _written(files, cache / "fourcast" / PACKAGE):
            return cache / "fourcast" / PACKAGE
    except (OSError, RuntimeError):  # nobody's home
        pass
    try:
        private = Path(tempfile.mkdtemp(prefix="fourcast-"))
    except OSError:
        return None
    if _written(files, private):
        atexit.register(shutil.rmtree, private, ignore_errors=True)
        return private
    return None


def _bring_in() -> bool:
    """Import the package under a name of its own, compiled if that can be; whether it is."""
    if PACKAGE in sys.modules:
        return bool(vars(sys.modules[PACKAGE])["compiled"])
    files = json.loads(_unfold(SOURCES))
    folder = _folder(files)
    if folder is None:
        sys.meta_path.append(_InMemory(files))
        package = importlib.import_module(PACKAGE)
    else:
        init = folder / "__init__.py"
        spec = importlib.util.spec_from_file_location(PACKAGE, init, submodule_search_locations=[str(folder)])
        assert spec is not None
        assert spec.loader is not None
        package = importlib.util.module_from_spec(spec)
        sys.modules[PACKAGE] = package
        spec.loader.exec_module(package)
    compiled = folder is not None and _has_numba()
    if not compiled:
        importlib.import_module(f"{PACKAGE}.kernels.plain").stand_in()
    vars(package)["compiled"] = compiled
    return compiled


def _engine(geometry: Any) -> Any:
    """The engine of a board, which begins to get ready when it is first asked for."""
    book = _unfold(BOOK) if (geometry.rows, geometry.columns, geometry.connect) == STANDARD else None
    return _engines.engine_for(geometry, book, solves=COMPILED and KIND == "perfect")


def _choose(position: Any, seconds: float, patience: float) -> int:
    """A legal column, whatever happens."""
    try:
        engine = _engine(position.geometry)
        column: int = engine.choose(position, seconds, patience)
        if engine.failure is not None:
            _tell(f"not all of it could be prepared: {engine.failure!r}")
            engine.failure = None
    except Exception as error:  # noqa: BLE001  # a game is not to be lost by it
        _tell(f"the search has failed: {error!r}")
        column = importlib.import_module(f"{PACKAGE}.game.guess").guess(position)
    return column


with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    COMPILED = _bring_in()
    _engines = importlib.import_module(f"{PACKAGE}.interop.engine")
    _observation = importlib.import_module(f"{PACKAGE}.interop.observation")
    FourcastError = importlib.import_module(f"{PACKAGE}.game.errors").FourcastError
_Geometry = importlib.import_module(f"{PACKAGE}.game.geometry").Geometry
_standard = _engine(_Geometry(*STANDARD))
_standard.wait(LOAD_SECONDS)

if __name__ == "__main__":
    try:
        boards = [_Geometry.parse(text) for text in sys.argv[1:]] or [_Geometry(*STANDARD)]
    except FourcastError as error:
        sys.exit(f"fourcast agent: {error}")
    for board in boards:
        ready = _engine(board).wait(600)
        played = (
            f"{KIND}, {'compiled' if COMPILED else 'without Numba'}{f', {board}' if sys.argv[1:] else ''}"
        )
        print(f"{played}: {'ready' if ready else 'not ready'}")
