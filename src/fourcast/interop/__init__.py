"""At home elsewhere: other people's environments, games and tools, imported only when used."""
