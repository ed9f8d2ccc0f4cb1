"""The examples at the head of the modules are true."""

from __future__ import annotations

import doctest
from importlib import import_module

import pytest


@pytest.mark.parametrize("name", ["gymnasium", "gymnasium_vector", "openspiel", "pettingzoo", "vector"])
def test_the_example_of_a_module_is_true(name: str) -> None:
    result = doctest.testmod(import_module(f"fourcast.interop.{name}"))
    assert result.attempted > 3
    assert result.failed == 0
