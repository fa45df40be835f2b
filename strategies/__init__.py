"""What to try: the enumeration of all small histories, and Hypothesis strategies for large ones."""
