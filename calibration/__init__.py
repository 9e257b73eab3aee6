"""What is known about lens, table plane and light."""
