"""A window to play in, with mouse and keyboard; needs the extra `desktop` (pygame-ce)."""
