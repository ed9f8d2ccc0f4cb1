"""Measurements: one module a subject, each figure beside its bar and its peer."""
