"""What must hold: one check per clause, and the judge that applies them to what a subject answered."""
