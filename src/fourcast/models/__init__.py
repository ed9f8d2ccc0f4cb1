"""Model files: a card that says what a model is, the model beside it, and trees that can be asked."""
