"""What a person reads in a terminal; whatever came from a subject or a file is escaped."""
