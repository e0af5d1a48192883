"""Browsers in which the owner of an account has signed in; guessing elsewhere cannot lock them out.

A browser keeps a sign for each account, derived from the stored password hash and the browser's own mark. So
the server stores nothing more, nobody else can make a sign, and a new password voids all of them.
"""

import hmac
from typing import Final, NamedTuple

LENGTH: Final = 24  # hexadecimal digits of a sign: 96 bits
MOST: Final = 4  # accounts that one browser is known for; the oldest is dropped


class SignInOrigin(NamedTuple):
    """Where a sign-in attempt comes from: the address, the browser's mark, and the signs it keeps."""

    address: str
    browser: str = ""
    signs: str = ""


def sign_of(person: str, password: str, browser: str) -> str:
    """The sign of a browser for an account; ``password`` is the stored hash."""
    return hmac.digest(password.encode(), f"known {person} {browser}".encode(), "sha256").hex()[:LENGTH]


def is_known(origin: SignInOrigin, person: str, password: str | None) -> bool:
    """Whether the owner has signed in there since this password was set."""
    if not password or not origin.browser:
        return False
    wanted = sign_of(person, password, origin.browser)
    return any(hmac.compare_digest(wanted, sign) for sign in _signs(origin.signs))


def with_sign(signs: str, sign: str) -> str:
    """The signs that a browser keeps from now on, the newest first."""
    return ".".join([sign, *(other for other in _signs(signs) if other != sign)][:MOST])


def _signs(signs: str) -> list[str]:
    return [sign for sign in signs.split(".")[:MOST] if len(sign) == LENGTH and sign.isascii()]
