"""The calls on a page for people: plain HTML from the OpenAPI document, with nothing from elsewhere."""

from __future__ import annotations

from html import escape
from typing import Any


def describe(document: dict[str, Any]) -> str:
    """A page that lists every call, what it takes and what it answers with.

    Args:
        document: The OpenAPI document.
    """
    info = document["info"]
    parts = [
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(info['title'])}: calls</title>\n</head>\n<body>\n<main>",
        f"<h1>{escape(info['title'])} {escape(info['version'])}</h1>",
        f"<p>{escape(info['description'])}</p>",
        '<p>The same for programs: <a href="/api/openapi.json">/api/openapi.json</a></p>',
    ]
    for path, methods in document["paths"].items():
        for method, call in methods.items():
            parts += _call(document, method, path, call)
    return "\n".join([*parts, "</main>\n</body>\n</html>\n"])


def _call(document: dict[str, Any], method: str, path: str, call: dict[str, Any]) -> list[str]:
    lines = [
        f"<h2><code>{method.upper()} {escape(path)}</code></h2>",
        f"<p>{escape(call['description'])}</p>",
    ]
    taken = [
        (each["name"], each["schema"], each.get("description", "")) for each in call.get("parameters", ())
    ]
    body = call.get("requestBody")
    if body is not None:
        schema = _resolved(document, body["content"]["application/json"]["schema"])
        taken += [
            (name, field, field.get("description", ""))
            for name, field in schema.get("properties", {}).items()
        ]
    if taken:
        lines.append("<table>\n<tr><th>takes</th><th>type</th><th>default</th><th></th></tr>")
        lines += [_row(name, schema, words) for name, schema, words in taken]
        lines.append("</table>")
    answers = (
        f"<li>{escape(status)}: {escape(answer['description'])}</li>"
        for status, answer in call["responses"].items()
    )
    return [*lines, "<ul>", *answers, "</ul>"]


def _row(name: str, schema: dict[str, Any], words: str) -> str:
    default = "" if "default" not in schema else repr(schema["default"])
    cells = (f"<code>{escape(name)}</code>", escape(_type(schema)), escape(default), escape(words))
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _type(schema: dict[str, Any]) -> str:
    """What a field takes, in a word or two."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(_type(each) for each in schema["anyOf"])
    if schema.get("type") == "array":
        return f"list of {_type(schema['items'])}"
    return str(schema.get("type", "anything"))


def _resolved(document: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    if "$ref" not in schema:
        return schema
    found: dict[str, Any] = document["components"]["schemas"][str(schema["$ref"]).rpartition("/")[2]]
    return found
