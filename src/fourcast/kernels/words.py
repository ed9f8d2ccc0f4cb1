"""Machine words of 64 and 128 bits for compiled code.

Numba has no 128-bit integer, and its 64-bit ones turn into floats when signed and unsigned meet. `WordType`
is an unsigned integer of either width with exactly the operators that bitboards need: & | ^ ~ + - between
words, shifts by a plain integer, ==, != and truth. LLVM compiles both widths natively. Words live inside
compiled code only; at the border they are uint64 halves (`join`, `low`, `high`).

In type annotations a word is an `int`, which it behaves like.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model


class WordType(types.Type):
    """The Numba type of a word."""

    def __init__(self, width: int) -> None:
        self.width = width
        super().__init__(f"Word{width}")


@register_model(WordType)
class _WordModel(models.PrimitiveModel):
    def __init__(self, manager: Any, word: WordType) -> None:
        super().__init__(manager, word, ir.IntType(word.width))


def _between_words(operation: Any, method: str) -> None:
    @infer_global(operation)
    class _Typing(AbstractTemplate):
        def generic(self, args: Any, _kws: Any) -> Any:
            left, right = args
            if isinstance(left, WordType) and left == right:
                return signature(left, left, right)
            return None

    @lower_builtin(operation, WordType, WordType)
    def _lower(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return getattr(builder, method)(*args)


def _shift(operation: Any, method: str) -> None:
    @infer_global(operation)
    class _Typing(AbstractTemplate):
        def generic(self, args: Any, _kws: Any) -> Any:
            word, count = args
            if isinstance(word, WordType) and isinstance(count, types.Integer):
                return signature(word, word, count)
            return None

    @lower_builtin(operation, WordType, types.Integer)
    def _lower(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        word, count = args
        if count.type.width < word.type.width:
            count = builder.zext(count, word.type)
        return getattr(builder, method)(word, count)


def _comparison(operation: Any, symbol: str) -> None:
    @infer_global(operation)
    class _Typing(AbstractTemplate):
        def generic(self, args: Any, _kws: Any) -> Any:
            left, right = args
            if isinstance(left, WordType) and left == right:
                return signature(types.boolean, left, right)
            return None

    @lower_builtin(operation, WordType, WordType)
    def _lower(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.icmp_unsigned(symbol, *args)


for _name, _method in (("and_", "and_"), ("or_", "or_"), ("xor", "xor"), ("add", "add"), ("sub", "sub")):
    _between_words(getattr(operator, _name), _method)
    _between_words(getattr(operator, "i" + _name.rstrip("_")), _method)
for _name, _method in (("lshift", "shl"), ("rshift", "lshr")):
    _shift(getattr(operator, _name), _method)
    _shift(getattr(operator, "i" + _name), _method)
for _name, _symbol in (("eq", "=="), ("ne", "!="), ("lt", "<")):
    _comparison(getattr(operator, _name), _symbol)


@infer_global(operator.invert)
class _InvertTyping(AbstractTemplate):
    def generic(self, args: Any, _kws: Any) -> Any:
        return signature(args[0], args[0]) if isinstance(args[0], WordType) else None


@lower_builtin(operator.invert, WordType)
def _lower_invert(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
    return builder.not_(args[0])


@infer_global(bool)
class _TruthTyping(AbstractTemplate):
    def generic(self, args: Any, _kws: Any) -> Any:
        return signature(types.boolean, args[0]) if isinstance(args[0], WordType) else None


@lower_builtin(bool, WordType)
def _lower_truth(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
    return builder.icmp_unsigned("!=", args[0], args[0].type(0))


@intrinsic
def popcount(_typing: Any, word: Any) -> Any:
    """How many bits of a word are set, as an int64."""
    if not isinstance(word, WordType):
        return None

    def codegen(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        count = builder.ctpop(args[0])
        return builder.trunc(count, ir.IntType(64)) if word.width > 64 else count

    return types.int64(word), codegen


@intrinsic
def lowest(_typing: Any, word: Any) -> Any:
    """The index of a word's lowest set bit, as an int64; the word must not be zero."""
    if not isinstance(word, WordType):
        return None

    def codegen(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        count = builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))
        return builder.trunc(count, ir.IntType(64)) if word.width > 64 else count

    return types.int64(word), codegen


@intrinsic
def low(_typing: Any, word: Any) -> Any:
    """The lower 64 bits of a word, as a uint64."""
    if not isinstance(word, WordType):
        return None

    def codegen(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.trunc(args[0], ir.IntType(64)) if word.width > 64 else args[0]

    return types.uint64(word), codegen


@intrinsic
def high(_typing: Any, word: Any) -> Any:
    """The upper 64 bits of a word, as a uint64; 0 for a word of 64 bits."""
    if not isinstance(word, WordType):
        return None

    def codegen(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        if word.width == 64:
            return ir.Constant(ir.IntType(64), 0)
        return builder.trunc(builder.lshr(args[0], args[0].type(64)), ir.IntType(64))

    return types.uint64(word), codegen


@intrinsic
def multiply_wide(_typing: Any, left: Any, right: Any) -> Any:
    """The 128-bit product of two uint64, as its (upper, lower) uint64 halves."""
    if left != types.uint64 or right != types.uint64:
        return None
    halves = types.UniTuple(types.uint64, 2)

    def codegen(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        wide = ir.IntType(128)
        product = builder.mul(*(builder.zext(arg, wide) for arg in args))
        upper = builder.trunc(builder.lshr(product, wide(64)), ir.IntType(64))
        return context.make_tuple(builder, halves, [upper, builder.trunc(product, ir.IntType(64))])

    return halves(types.uint64, types.uint64), codegen
