"""The game itself: tiles, rules, points, and a record that cannot be lost."""
