"""Machine words of 64 and 128 bits for compiled code.

Numba has no 128-bit integer, and its 64-bit ones turn into floats when signed and unsigned meet. `WordType`
is an unsigned integer of either width with exactly the operators that bitboards need: & | ^ ~ + - between
words, shifts by a plain integer (by the width or more leaves 0, as with Python's integers), ==, !=, < and
truth. LLVM compiles both widths natively. Words live inside compiled code only; at the border they are uint64
halves (`join`, `low`, `high`).

In type annotations a word is an `int`, which it behaves like.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model


class WordType(types.Type):
    """The Numba type of a word."""

    def __init__(self, width: int) -> None:
        self.width = width
        # Numba takes tuples of types for the same if they are called the same. In an exported file the
        # package has a name of its own, and both may be in one process.
        super().__init__(f"{__name__.partition('.')[0]}.Word{width}")


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
        width = word.type.width
        fits = builder.icmp_unsigned("<", count, count.type(width))
        if count.type.width < width:
            count = builder.zext(count, word.type)
        return builder.select(fits, getattr(builder, method)(word, count), word.type(0))


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


def _instruction(name: str, result: Any, emit: Callable[[Any, Any], Any]) -> Any:
    """A function of one word for compiled code; `emit(builder, word)` makes the LLVM value it returns."""

    def typed(_typing: Any, word: Any) -> Any:
        if not isinstance(word, WordType):
            return None
        return result(word), lambda _context, builder, _signature, args: emit(builder, args[0])

    typed.__name__ = typed.__qualname__ = name
    return intrinsic(typed)


def _int64(builder: Any, value: Any) -> Any:
    """The lower 64 bits of an LLVM integer."""
    return builder.trunc(value, ir.IntType(64)) if value.type.width > 64 else value


def _upper(builder: Any, word: Any) -> Any:
    if word.type.width == 64:
        return ir.Constant(ir.IntType(64), 0)
    return _int64(builder, builder.lshr(word, word.type(64)))


#: How many bits of a word are set.
popcount: Callable[[int], int] = _instruction(
    "popcount", types.int64, lambda builder, word: _int64(builder, builder.ctpop(word))
)

#: The index of the lowest bit that is set; the word must not be 0.
lowest_bit: Callable[[int], int] = _instruction(
    "lowest_bit",
    types.int64,
    lambda builder, word: _int64(builder, builder.cttz(word, ir.Constant(ir.IntType(1), 1))),
)

#: The lower 64 bits of a word.
low: Callable[[int], np.uint64] = _instruction("low", types.uint64, _int64)

#: The upper 64 bits of a word; 0 for a word of 64 bits.
high: Callable[[int], np.uint64] = _instruction("high", types.uint64, _upper)


def _type_multiply_wide(_typing: Any, left: Any, right: Any) -> Any:
    if left != types.uint64 or right != types.uint64:
        return None
    halves = types.UniTuple(types.uint64, 2)

    def emit(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        wide = ir.IntType(128)
        product = builder.mul(*(builder.zext(arg, wide) for arg in args))
        return context.make_tuple(builder, halves, [_upper(builder, product), _int64(builder, product)])

    return halves(types.uint64, types.uint64), emit


#: The 128-bit product of two uint64, as its upper and its lower half.
multiply_wide: Callable[[np.uint64, np.uint64], tuple[np.uint64, np.uint64]] = cast(
    Any, intrinsic(_type_multiply_wide)
)


def _type_lowest_of_32(_typing: Any, number: Any) -> Any:
    if number != types.uint32:
        return None

    def emit(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.uint32(types.uint32), emit


#: The index of the lowest bit that is set in a uint32, which must not be 0.
lowest_of_32: Callable[[np.uint32], np.uint32] = cast(Any, intrinsic(_type_lowest_of_32))
