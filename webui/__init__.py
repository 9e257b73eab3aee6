"""The page that the family sees."""
