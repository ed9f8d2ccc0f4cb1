"""The web: a stateless JSON interface under `/api`, and the page that is served beside it."""
