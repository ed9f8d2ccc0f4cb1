"""The page's files: served from one folder, with types, validation and compression."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from pathlib import Path

from fastapi import Request
from fastapi.responses import Response

from fourcast.web.faults import NotFound

STATIC = Path(__file__).parent / "static"
INDEX, MISSING = "index.html", "missing.html"

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
_PACKED_ALREADY = (".png", ".woff2", ".ico")
_SMALL = 256  # bytes that are not worth packing


@dataclass(frozen=True, slots=True)
class File:
    """A file as it is sent.

    Attributes:
        changed: When it was changed, in nanoseconds.
        type: Its content type.
        tag: Changes with its content.
        plain: Its content.
        packed: The same, compressed; None where that is not worth it.
    """

    changed: int
    type: str
    tag: str
    plain: bytes
    packed: bytes | None


class Pages:
    """The files of a folder; `NAME.html` is found under `/NAME`, and `index.html` under `/`.

    Attributes:
        folder: Where they are.
    """

    def __init__(self, folder: Path = STATIC) -> None:
        self.folder = folder.resolve()
        self._files: dict[Path, File] = {}

    def find(self, path: str) -> File:
        """The file that a path of the address means.

        Raises:
            NotFound: There is none.
        """
        name = path.strip("/") or INDEX
        parts = name.split("/")
        wanted = self.folder.joinpath(*parts)
        if "\\" in name or "\0" in name or any(part.startswith(".") or not part for part in parts):
            raise NotFound(f"there is no {path[:80]!r} here")
        if not wanted.suffix:
            wanted = wanted.with_suffix(".html")
        try:
            inside = wanted.resolve().is_relative_to(self.folder)
            if inside and wanted.suffix in TYPES and wanted.is_file():
                return self._read(wanted)
        except OSError:  # such as a name that is too long
            pass
        raise NotFound(f"there is no {path[:80]!r} here")

    def _read(self, path: Path) -> File:
        """The file as it is now; one that has not changed is not read again."""
        changed = path.stat().st_mtime_ns
        known = self._files.get(path)
        if known is not None and known.changed == changed:
            return known
        plain = path.read_bytes()
        packed = None
        if path.suffix not in _PACKED_ALREADY and len(plain) > _SMALL:
            packed = gzip.compress(plain, 9, mtime=0)
        tag = f'"{hashlib.blake2b(plain, digest_size=12).hexdigest()}"'
        self._files[path] = file = File(changed, TYPES[path.suffix], tag, plain, packed)
        return file

    def answer(self, request: Request) -> Response:
        """The file that a request asks for, packed if the caller can unpack it; 304 if it has it already.

        Raises:
            NotFound: There is none.
        """
        file = self.find(request.url.path)
        if file.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=_headers(file))
        return _sent(file, request)

    def missing(self, request: Request) -> Response:
        """What a browser shows where there is nothing."""
        return _sent(self.find(MISSING), request, 404)


def _headers(file: File) -> dict[str, str]:
    return {"etag": file.tag, "cache-control": "no-cache", "vary": "accept-encoding"}


def _sent(file: File, request: Request, status: int = 200) -> Response:
    """A file, packed if the caller can unpack it."""
    headers = _headers(file)
    body = file.plain
    if file.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
        body = file.packed
    return Response(body, status, headers, media_type=file.type)
