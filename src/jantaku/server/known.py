"""Browsers in which the owner of an account has signed in: guessing from elsewhere does not shut them out.

A browser keeps a sign for each account, made from the stored hash of the password and the browser's own mark.
So nothing more is stored, nobody else can make one, and another password makes all of them void.
"""

import hmac
from typing import Final, NamedTuple

LENGTH: Final = 24  # hexadecimal digits of a sign: 96 bits
MOST: Final = 4  # accounts that one browser is known for; the oldest gives way


class Whence(NamedTuple):
    """Where a try to sign in comes from: the address, the browser's mark, and the signs that it keeps."""

    address: str
    browser: str = ""
    signs: str = ""


def sign_of(person: str, password: str, browser: str) -> str:
    """The sign of a browser for an account; ``password`` is its stored hash."""
    return hmac.digest(password.encode(), f"known {person} {browser}".encode(), "sha256").hex()[:LENGTH]


def is_known(whence: Whence, person: str, password: str | None) -> bool:
    """Whether the owner has signed in there since the password is this one."""
    if not password or not whence.browser:
        return False
    wanted = sign_of(person, password, whence.browser)
    return any(hmac.compare_digest(wanted, sign) for sign in _signs(whence.signs))


def with_sign(signs: str, sign: str) -> str:
    """The signs that a browser keeps from now on, the newest first."""
    return ".".join([sign, *(one for one in _signs(signs) if one != sign)][:MOST])


def _signs(signs: str) -> list[str]:
    return [one for one in signs.split(".")[:MOST] if len(one) == LENGTH and one.isascii()]
