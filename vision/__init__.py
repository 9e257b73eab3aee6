"""From a camera frame to a reading of the table, and from readings to turns."""
