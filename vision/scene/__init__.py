"""Drawn tables: pictures of tiles made by the program, for training and for the simulated table.

Lengths are in tile edges: a tile is 1 wide, x to the right, y towards the viewer, z up from the
table. Colours are linear light, RGB, 0 to 1, until `sensor.develop` turns them into a frame.
"""
