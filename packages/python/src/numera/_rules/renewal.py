"""When an access token is renewed. Source: specification, "Authentication": a minute before `expires_in` runs out, and once more on
a 401; a second 401 is final.
"""

from typing import Literal


def renew_at(issued_at: float, expires_in: float) -> float:
    """The minute before the end, or half the life of a token that lives for less than two."""
    return issued_at + max(expires_in - 60, expires_in / 2)


def after_unauthenticated(*, is_renewable: bool, refusals: int) -> Literal["renew", "stop"]:
    """What follows a 401.

    Args:
        is_renewable: False for a static credential, of which there is no other.
        refusals: How many 401 this call has got, this one included.
    """
    return "renew" if is_renewable and refusals == 1 else "stop"
