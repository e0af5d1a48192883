"""Somebody with an account, and the ways into it."""

import re
from itertools import count
from typing import Any

import httpx

from server.authenticator import Authenticator
from server.mail_site import SITE, Site
from server.parlour import PASSWORD, Person, code_of

OTHER = "battery staple"
_NUMBERS = count(101)


def numbered() -> int:
    """A number that no other test gets."""
    return next(_NUMBERS)


class Owner(Person):
    """Somebody with an account and, soon, a mail address."""

    def __init__(self, site: Site) -> None:
        self.site, self.name = site, f"ways {numbered()}"
        self.address = f"{self.name.replace(' ', '.')}@example.org"
        super().__init__(site.url, self.name)
        self.post("/api/register", name=self.name, password=PASSWORD)

    def confirm(self, address: str | None = None) -> None:
        """Confirm an address by the link in the mail."""
        to = address or self.address
        self.post("/api/me/address", address=to.upper(), password=PASSWORD)
        self.post("/api/address/confirm", token=token_in(self.site.box.to(to)[-1], "mail"))

    @property
    def ways(self) -> dict[str, Any]:
        """The ways into the account."""
        ways: dict[str, Any] = self.get("/api/me/ways")
        return ways


def token_in(text: str, page: str) -> str:
    """The token of the first link to a page in a mail."""
    match = re.search(rf"{re.escape(SITE)}/{page}/([\w-]+)", text)
    assert match, text
    return match[1]


def device_of(_owner: Person) -> Authenticator:
    """A device at the pages of the site."""
    return Authenticator(SITE, "parlour.example.org")


def add_passkey(owner: Owner) -> Authenticator:
    """A passkey of an account."""
    device = device_of(owner)
    options = owner.post("/api/me/passkeys/begin", password=PASSWORD)["options"]
    owner.post("/api/me/passkeys", credential=device.make(options))
    return device


def begun(url: str) -> str:
    """What a browser needs to sign in with a passkey."""
    return str(httpx.post(f"{url}/api/passkey/begin").json()["options"])


def enters(url: str, credential: str) -> str:
    """The name of whoever a passkey lets in, or the refusal."""
    answer = httpx.post(f"{url}/api/passkey", json={"credential": credential})
    return str(answer.json()["name"]) if answer.is_success else code_of(answer)


def through(who: Person, **body: Any) -> httpx.Response:
    """Go to the provider and come back; the last answer."""
    url = who.post("/api/oidc", **body)["url"]
    back = httpx.get(url).headers["location"]
    assert back.startswith(f"{SITE}/api/oidc/callback?")
    return who.http.get(back.removeprefix(SITE))


def refusal(answer: httpx.Response) -> str:
    """Why one is sent back to the settings; empty if it has worked."""
    assert answer.status_code == 303
    return str(answer.headers["location"]).partition("refused=")[2]
