"""The calls on a page for people: plain HTML from the OpenAPI document, with nothing from elsewhere."""

from __future__ import annotations

from html import escape
from typing import Any

EXAMPLE = "curl -s {address}api/analyze -H 'content-type: application/json' -d '{{\"moves\": \"4453\"}}'"
HEAD = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}: calls</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/css/base.css">
<link rel="stylesheet" href="/css/panels.css">
<link rel="stylesheet" href="/css/calls.css">
</head>
<body>
<header><a class="brand" href="/"><img class="mark" src="/icon.svg" alt=""><span>{title}</span></a></header>
<main class="calls">
"""


def describe(document: dict[str, Any], address: str) -> str:
    """A page that lists every call, what it takes and what it answers with.

    Args:
        document: The OpenAPI document.
        address: Where the server is, as its reader has it; ends with a slash.
    """
    info = document["info"]
    calls = [
        (method, path, call)
        for path, methods in document["paths"].items()
        for method, call in methods.items()
    ]
    parts = [
        HEAD.format(title=escape(info["title"])),
        f"<h1>The calls of {escape(info['title'])} {escape(info['version'])}</h1>",
        f"<p>{escape(info['description'])}</p>",
        f'<pre tabindex="0"><code>{escape(EXAMPLE.format(address=address))}</code></pre>',
        '<p>The same for programs: <a href="/api/openapi.json">/api/openapi.json</a></p>',
        '<ul class="all">',
        *(
            f'<li><a href="#{_anchor(method, path)}"><code>{method.upper()} {escape(path)}</code></a></li>'
            for method, path, _ in calls
        ),
        "</ul>",
    ]
    for method, path, call in calls:
        parts += _call(document, method, path, call)
    return "\n".join([*parts, "</main>\n</body>\n</html>\n"])


def _call(document: dict[str, Any], method: str, path: str, call: dict[str, Any]) -> list[str]:
    lines = [
        f'<section class="card" id="{_anchor(method, path)}">',
        f"<h2><code>{method.upper()} {escape(path)}</code></h2>",
        f"<p>{_prose(call['description'])}</p>",
    ]
    taken = [
        (each["name"], each["schema"], each.get("description", "")) for each in call.get("parameters", ())
    ]
    body = call.get("requestBody")
    if body is not None:
        taken += _fields(document, body["content"]["application/json"]["schema"])
    lines += _table(document, "takes", taken)
    answer = call["responses"]["200"]["content"]
    if "application/json" in answer:
        lines += _table(document, "answers with", _fields(document, answer["application/json"]["schema"]))
    answers = (
        f"<li><code>{escape(status)}</code> {escape(answer['description'])}</li>"
        for status, answer in call["responses"].items()
    )
    return [*lines, "<ul>", *answers, "</ul>", "</section>"]


def _fields(document: dict[str, Any], schema: dict[str, Any]) -> list[tuple[str, dict[str, Any], str]]:
    """The name, the schema and the words of each field of an object."""
    properties = _resolved(document, schema).get("properties", {})
    return [
        (name, field, field.get("description") or _resolved(document, field).get("description", ""))
        for name, field in properties.items()
    ]


def _table(document: dict[str, Any], title: str, fields: list[tuple[str, dict[str, Any], str]]) -> list[str]:
    if not fields:
        return []
    rows = [(title, "type", "default", "meaning")]
    rows += [
        (f"<code>{escape(name)}</code>", escape(_type(document, schema)), _default(schema), _prose(words))
        for name, schema, words in fields
    ]
    used = [column for column in zip(*rows, strict=True) if any(column[1:])]  # no column is empty
    head, *body = zip(*used, strict=True)
    return [
        f'<div class="scroll" tabindex="0" role="region" aria-label="{title}">\n<table>',
        "<thead><tr>" + "".join(f'<th scope="col">{cell}</th>' for cell in head) + "</tr></thead>",
        *(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in body),
        "</table>\n</div>",
    ]


def _default(schema: dict[str, Any]) -> str:
    default = schema.get("default")
    return "" if default is None or isinstance(default, dict) else escape(str(default))


def _prose(words: str) -> str:
    """Words with `code` in them."""
    parts = escape(words).split("`")
    return "".join(f"<code>{part}</code>" if index % 2 else part for index, part in enumerate(parts))


def _type(document: dict[str, Any], schema: dict[str, Any]) -> str:
    """What a field is, in a few words; of an object, the names of its fields."""
    if "$ref" in schema:
        names = ", ".join(_resolved(document, schema).get("properties", ()))
        return f"{{{names}}}"
    if "anyOf" in schema:
        return " or ".join(_type(document, each) for each in schema["anyOf"])
    if schema.get("type") == "array":
        each = _type(document, schema["items"])
        return f"list of ({each})" if " or " in each else f"list of {each}"
    return str(schema.get("type", "anything"))


def _resolved(document: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    if "$ref" not in schema:
        return schema
    found: dict[str, Any] = document["components"]["schemas"][str(schema["$ref"]).rpartition("/")[2]]
    return found


def _anchor(method: str, path: str) -> str:
    letters = "".join(letter if letter.isalnum() else "-" for letter in path)
    return f"{method}{letters}".rstrip("-")
