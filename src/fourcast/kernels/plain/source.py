"""What Numba does for a kernel, done to its source as far as Python gains by it.

- What the kernel asks of its board is put in as numbers; what follows from them is worked out, and branches
  that are never taken are left away.
- Loops whose rounds are known are written out.
- `load`, `store`, `popcount` and the like are written out where they are called.
- `np.uint64(n)` and `np.int64(n)` are n. Where compiled code would drop what does not fit into 64 bits, in
  products and shifts of a uint64, it is cut off. `store` cuts by itself.

Sums and differences of uint64 are not cut: kernels let none of them overflow.
"""

from __future__ import annotations

import ast
import copy
import inspect
import operator
import textwrap
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any, cast

import numpy as np

from fourcast.kernels.plain.memory import WORDS
from fourcast.kernels.plain.words import HALF

MOST_ROUNDS = 16  # of a loop that is written out

_SUMS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}
_COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}

# What is written out, with its arguments in place of a, b and c.
_WRITTEN = {
    "popcount": "a.bit_count()",
    "lowest_bit": "(a & -a).bit_length() - 1",
    "load": "WORDS[(a >> 3) + b]",
    "watch": "WORDS[(a >> 3) + b]",
    "store": "WORDS[(a >> 3) + b] = c",
}
_IN_ONE_WORD = {"low": "a", "high": "0", "join": "b"}
_IN_TWO_WORDS = {"low": "a & HALF", "high": "a >> 64", "join": "b | c << 64"}


def specialised(
    function: FunctionType, numbers: Mapping[str, int]
) -> tuple[Callable[..., Any], tuple[str, ...]]:
    """A function whose board is known.

    Args:
        function: A kernel's, as it stands in its source.
        numbers: What `board.name` is, by name; none if it has no board.

    Returns:
        The function, with a namespace of its own, and the global names that it uses.
    """
    globals_ = {
        name: value.item() if isinstance(value, np.generic) else value
        for name, value in function.__globals__.items()
    }
    unsigned = {name for name, value in function.__globals__.items() if isinstance(value, np.uint64)} - set(
        function.__code__.co_varnames
    )
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    definition = cast(ast.FunctionDef, tree.body[0])
    definition.decorator_list = []
    constants = {
        name: value
        for name in function.__code__.co_names
        if type(value := globals_.get(name)) is int and name not in function.__code__.co_varnames
    }
    _Specialiser(numbers, constants, unsigned).visit(definition)
    ast.fix_missing_locations(tree)
    globals_ |= {"WORDS": WORDS, "HALF": HALF}
    exec(compile(tree, inspect.getfile(function), "exec", dont_inherit=True), globals_)
    made = globals_[definition.name]
    return made, made.__code__.co_names


class _Put(ast.NodeTransformer):
    """Puts expressions in the places of names."""

    def __init__(self, values: Mapping[str, ast.expr]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        value = self.values.get(node.id)
        return node if value is None or not isinstance(node.ctx, ast.Load) else copy.deepcopy(value)


class _Specialiser(ast.NodeTransformer):
    def __init__(self, numbers: Mapping[str, int], constants: Mapping[str, int], unsigned: set[str]) -> None:
        self.numbers = numbers
        self.constants = constants
        self.unsigned = unsigned
        self.written = _WRITTEN | (_IN_ONE_WORD if numbers.get("halves", 2) == 1 else _IN_TWO_WORDS)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.returns = None
        for argument in node.args.args:
            argument.annotation = None
        node.body = self._statements(node.body) or [ast.Pass()]
        return node

    def _statements(self, body: list[ast.stmt]) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        for statement in body:
            made: Any = self.visit(statement)
            found += made if isinstance(made, list) else [made]
        return found

    def _is_unsigned(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Name):
            return node.id in self.unsigned
        return isinstance(node, ast.Call) and ast.unparse(node.func) == "np.uint64"

    # --- expressions ---

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if isinstance(node.ctx, ast.Load) and node.id in self.constants:
            return ast.Constant(self.constants[node.id])
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if isinstance(node.value, ast.Name) and node.value.id == "board" and node.attr in self.numbers:
            return ast.Constant(self.numbers[node.attr])
        self.generic_visit(node)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        cut = isinstance(node.op, ast.Mult | ast.LShift) and (
            self._is_unsigned(node.left) or self._is_unsigned(node.right)
        )
        self.generic_visit(node)
        left, right = node.left, node.right
        if _is_number(left) and _is_number(right) and type(node.op) in _SUMS:
            result = _SUMS[type(node.op)](left.value, right.value)  # type: ignore[attr-defined]
            return ast.Constant(result & HALF if cut else result)
        if isinstance(node.op, ast.LShift | ast.RShift) and _is_number(right) and right.value == 0:  # type: ignore[attr-defined]
            return left
        return ast.BinOp(node, ast.BitAnd(), ast.Constant(HALF)) if cut else node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.operand, ast.Constant) and isinstance(node.op, ast.Not):
            return ast.Constant(not node.operand.value)
        if _is_number(node.operand) and isinstance(node.op, ast.USub | ast.Invert):
            value = node.operand.value  # type: ignore[attr-defined]
            return ast.Constant(-value if isinstance(node.op, ast.USub) else ~value)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        """What is known is left away; kernels ask of `and` and `or` only whether they are true."""
        self.generic_visit(node)
        settles = isinstance(node.op, ast.Or)  # a true one settles `or`, and a false one `and`
        values = [
            each
            for each in node.values
            if not (isinstance(each, ast.Constant) and bool(each.value) != settles)
        ]
        if not values or (isinstance(values[0], ast.Constant) and bool(values[0].value) == settles):
            return ast.Constant(settles if values else not settles)
        return values[0] if len(values) == 1 else ast.BoolOp(node.op, values)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        sides = [node.left, *node.comparators]
        if len(sides) == 2 and all(map(_is_number, sides)):
            left, right = (side.value for side in sides)  # type: ignore[attr-defined]
            return ast.Constant(_COMPARISONS[type(node.ops[0])](left, right))
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.test, ast.Constant):
            return node.body if node.test.value else node.orelse
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        name = ast.unparse(node.func)
        if name in ("np.uint64", "np.int64"):
            return node.args[0]
        if name in ("min", "max") and all(map(_is_number, node.args)):
            chosen: Callable[..., int] = min if name == "min" else max
            return ast.Constant(chosen(each.value for each in node.args))  # type: ignore[attr-defined]
        if name in self.written and name != "store":
            twice = name == "lowest_bit" and not isinstance(node.args[0], ast.Name)
            if not twice:  # its argument would be worked out two times
                places = dict(zip("abc", node.args, strict=False))
                written = ast.parse(self.written[name], mode="eval").body
                return cast(ast.expr, self.visit(_Put(places).visit(written)))
        return node

    # --- statements ---

    def visit_Expr(self, node: ast.Expr) -> Any:
        if isinstance(node.value, ast.Constant):
            return []
        self.generic_visit(node)
        call = node.value
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
            if call.func.id == "prefetch":
                return []
            if call.func.id == "store":
                places = dict(zip("abc", call.args, strict=True))
                return _Put(places).visit(ast.parse(self.written["store"]).body[0])
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        assert node.value is not None
        return ast.Assign([node.target], self.visit(node.value))

    def visit_If(self, node: ast.If) -> Any:
        node.test = self.visit(node.test)
        if isinstance(node.test, ast.Constant):
            return self._statements(node.body if node.test.value else node.orelse)
        node.body = self._statements(node.body) or [ast.Pass()]
        node.orelse = self._statements(node.orelse)
        return node

    def visit_While(self, node: ast.While) -> ast.stmt:
        node.test = self.visit(node.test)
        node.body = self._statements(node.body) or [ast.Pass()]
        return node

    def visit_For(self, node: ast.For) -> Any:
        node.iter = self.visit(node.iter)
        rounds = _rounds(node)
        if rounds is None:
            node.body = self._statements(node.body) or [ast.Pass()]
            return node
        name = cast(ast.Name, node.target).id
        found: list[ast.stmt] = []
        for number in rounds:
            put = _Put({name: ast.Constant(number)})
            found += self._statements([put.visit(copy.deepcopy(each)) for each in node.body])
        if rounds:  # as the loop would leave it
            found.append(ast.Assign([node.target], ast.Constant(rounds[-1])))
        return found


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int


def _rounds(loop: ast.For) -> list[int] | None:
    """What a loop's variable is in each round, if that is known and the loop can be written out."""
    iterated = loop.iter
    if isinstance(iterated, ast.Tuple):
        values: list[ast.expr] = iterated.elts
    elif isinstance(iterated, ast.Call) and ast.unparse(iterated.func) == "range":
        values = iterated.args
    else:
        return None
    if not isinstance(loop.target, ast.Name) or not all(map(_is_number, values)):
        return None
    numbers = [value.value for value in values]  # type: ignore[attr-defined]
    if not isinstance(iterated, ast.Tuple):
        numbers = list(range(*numbers))
    leaves = any(isinstance(each, ast.Break | ast.Continue) for each in ast.walk(loop))
    return None if leaves or len(numbers) > MOST_ROUNDS else numbers
