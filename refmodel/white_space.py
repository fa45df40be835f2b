"""White space as SPEC 4.4 has it: the Unicode White_Space set, spelt out.

`str.strip()` without an argument takes U+001C to U+001F too, which are not in the set.
"""

from typing import Final

WHITE_SPACE: Final = (
    "\t\n\v\f\r \x85\xa0\u1680"
    "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""Every character of the set, in code point order."""


def trim(text: str) -> str:
    """Give the text without white space at both ends."""
    return text.strip(WHITE_SPACE)


def trim_start(text: str) -> str:
    """Give the text without leading white space."""
    return text.lstrip(WHITE_SPACE)
