"""Looking through an ONNX file before anybody opens it.

ONNX is protobuf: fields with a number and a type, some of which hold other messages. onnxruntime would load
far more than a network of a board needs: tensors from other files on this machine, operators of other makers,
loops that need not end. So only what is known here gets through, and whatever else there is is refused.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourcast.game.errors import BadModel, shown

MOST_NODES = 2000
MOST_NUMBER = 65_536  # of a tensor's sides, and of what a node is told
MOST_LAYERS = 5  # of what is told by dimensions

#: What a network may be made of: nothing that loops, branches, or makes much of little.
OPERATORS = frozenset(
    {
        "Add",
        "AveragePool",
        "BatchNormalization",
        "Cast",
        "Clip",
        "Concat",
        "Constant",
        "Conv",
        "Div",
        "Flatten",
        "Gemm",
        "GlobalAveragePool",
        "GlobalMaxPool",
        "Identity",
        "LeakyRelu",
        "LogSoftmax",
        "MatMul",
        "Max",
        "MaxPool",
        "Min",
        "Mul",
        "Neg",
        "ReduceMax",
        "ReduceMean",
        "ReduceSum",
        "Relu",
        "Reshape",
        "Sigmoid",
        "Softmax",
        "Sqrt",
        "Squeeze",
        "Sub",
        "Tanh",
        "Transpose",
        "Unsqueeze",
    }
)

_NUMBER, _FIXED_64, _BYTES, _FIXED_32 = 0, 1, 2, 5  # how a field is written

# The fields that are looked into, by message, as onnx.proto numbers them.
_MODEL_GRAPH, _MODEL_TRAINING, _MODEL_FUNCTIONS = 7, 20, 25
_GRAPH_NODE, _GRAPH_TENSOR, _GRAPH_SPARSE = 1, 5, 15
_NODE_OPERATOR, _NODE_ATTRIBUTE, _NODE_DOMAIN = 4, 5, 7
_ATTRIBUTE_NAME, _ATTRIBUTE_INT, _ATTRIBUTE_TENSOR, _ATTRIBUTE_INTS, _ATTRIBUTE_DOC = 1, 3, 5, 8, 13
_ATTRIBUTE_PLAIN = {
    _ATTRIBUTE_NAME,
    2,
    _ATTRIBUTE_INT,
    4,
    _ATTRIBUTE_TENSOR,
    7,
    _ATTRIBUTE_INTS,
    _ATTRIBUTE_DOC,
    20,
}
_TENSOR_DIMS, _TENSOR_EXTERNAL, _TENSOR_LOCATION = 1, 13, 14

Field = tuple[int, int, int, memoryview]  # its number, how it is written, its number or 0, its bytes or none


def scan(data: bytes) -> None:
    """See that a file is a plain network.

    Raises:
        BadModel: It is not ONNX, or there is something in it that a network of a board does not need.
    """
    graphs = 0
    for number, way, _, within in _fields(memoryview(data)):
        if number in (_MODEL_TRAINING, _MODEL_FUNCTIONS):
            raise BadModel("it has functions of its own, which are not read")
        if number == _MODEL_GRAPH and way == _BYTES:
            graphs += 1
            _scan_graph(within)
    if graphs != 1:
        raise BadModel("it is not ONNX, or not whole: it has no network")


def _scan_graph(graph: memoryview) -> None:
    nodes = 0
    for number, _, _, within in _fields(graph):
        if number == _GRAPH_SPARSE:
            raise BadModel("it has sparse tensors, which are not read")
        if number == _GRAPH_TENSOR:
            _scan_tensor(within)
        elif number == _GRAPH_NODE:
            nodes += 1
            _scan_node(within)
    if nodes > MOST_NODES:
        raise BadModel(f"it has {nodes:,} nodes, and {MOST_NODES:,} is the most")


def _scan_node(node: memoryview) -> None:
    operator = domain = ""
    for number, _, _, within in _fields(node):
        if number == _NODE_OPERATOR:
            operator = bytes(within).decode("utf-8", "replace")
        elif number == _NODE_DOMAIN:
            domain = bytes(within).decode("utf-8", "replace")
        elif number == _NODE_ATTRIBUTE:
            _scan_attribute(within)
    if operator not in OPERATORS or domain not in ("", "ai.onnx"):
        raise BadModel(f"it has the operator {shown(f'{domain}.{operator}'.strip('.'))}, which is not read")


def _scan_attribute(attribute: memoryview) -> None:
    for number, way, value, within in _fields(attribute):
        if number not in _ATTRIBUTE_PLAIN:
            raise BadModel("it has nodes within nodes, or others that are not read")
        if number == _ATTRIBUTE_TENSOR:
            _scan_tensor(within)
        elif number in (_ATTRIBUTE_INT, _ATTRIBUTE_INTS):
            for each in _numbers(within) if way == _BYTES else (value,):
                if not -MOST_NUMBER <= _signed(each) <= MOST_NUMBER:
                    raise BadModel(f"a node is told the number {_signed(each)}, which is too large")


def _scan_tensor(tensor: memoryview) -> None:
    sides: list[int] = []
    for number, way, value, within in _fields(tensor):
        if number == _TENSOR_EXTERNAL or (number == _TENSOR_LOCATION and value):
            raise BadModel("a part of it is in another file, which is not read")
        if number == _TENSOR_DIMS:
            sides += _numbers(within) if way == _BYTES else [value]
    if len(sides) > MOST_LAYERS or any(side > MOST_NUMBER for side in sides):
        raise BadModel("a tensor of it is too large")


def _fields(message: memoryview) -> Iterator[Field]:
    """The fields of a message, one after the other.

    Raises:
        BadModel: It is no message, or it ends too soon.
    """
    at, end = 0, len(message)
    nothing = message[:0]
    while at < end:
        tag, at = _number(message, at)
        way, value, start = tag & 7, 0, at
        if way == _NUMBER:
            value, at = _number(message, at)
        elif way == _BYTES:
            size, start = _number(message, at)
            at = start + size
        elif way in (_FIXED_32, _FIXED_64):
            at += 4 if way == _FIXED_32 else 8
        else:
            at = end + 1
        if at > end or tag >> 3 == 0:
            raise BadModel("it is not ONNX, or not whole")
        yield tag >> 3, way, value, message[start:at] if way == _BYTES else nothing


def _number(message: memoryview, at: int) -> tuple[int, int]:
    """A number of 64 bits, seven in a byte, the lowest first; and where it ends."""
    number = 0
    for shift in range(0, 70, 7):
        if at >= len(message):
            break
        byte = message[at]
        at += 1
        number |= (byte & 127) << shift
        if byte < 128:
            return number & (1 << 64) - 1, at
    raise BadModel("it is not ONNX, or not whole")


def _numbers(message: memoryview) -> list[int]:
    """Numbers that are written one after the other."""
    found, at = [], 0
    while at < len(message):
        number, at = _number(message, at)
        found.append(number)
    return found


def _signed(number: int) -> int:
    return number - (1 << 64) if number >> 63 else number
