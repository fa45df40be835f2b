"""Recorded sessions as a source of cases: their shapes, with stand-ins for every text of theirs."""

from contextcert.corpus.folder import read_corpus
from contextcert.corpus.values import Corpus, CorpusError, Recorded, Replaced, RolledBack, Session

__all__ = [
    "Corpus",
    "CorpusError",
    "Recorded",
    "Replaced",
    "RolledBack",
    "Session",
    "read_corpus",
]
