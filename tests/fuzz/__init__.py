"""Bad input of every kind: requests, pictures and files that nobody in good faith would send."""
