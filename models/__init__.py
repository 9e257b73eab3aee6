"""Training data, training, judging, and the shipped model file."""
