"""An account owner and the ways to sign in to the account."""

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
    """Return a number that no other test uses."""
    return next(_NUMBERS)


class Owner(Person):
    """The owner of an account, who can confirm a mail address."""

    def __init__(self, site: Site) -> None:
        self.site, self.name = site, f"ways {numbered()}"
        self.address = f"{self.name.replace(' ', '.')}@example.org"
        super().__init__(site.url, self.name)
        self.post("/api/register", name=self.name, password=PASSWORD)

    def confirm(self, address: str | None = None) -> None:
        """Confirm an address by opening the link in the mail."""
        to = address or self.address
        self.post("/api/me/address", address=to.upper(), password=PASSWORD)
        self.post("/api/address/confirm", token=token_in(self.site.box.to(to)[-1], "mail"))

    @property
    def ways(self) -> dict[str, Any]:
        """The ways to sign in to the account."""
        ways: dict[str, Any] = self.get("/api/me/ways")
        return ways


def token_in(text: str, page: str) -> str:
    """Return the token in the first link to a page in a mail."""
    match = re.search(rf"{re.escape(SITE)}/{page}/([\w-]+)", text)
    assert match, text
    return match[1]


def device_of(_owner: Person) -> Authenticator:
    """Create an authenticator that works with the site."""
    return Authenticator(SITE, "parlour.example.org")


def add_passkey(owner: Owner) -> Authenticator:
    """Add a passkey to an account; return its device."""
    device = device_of(owner)
    options = owner.post("/api/me/passkeys/begin", password=PASSWORD)["options"]
    owner.post("/api/me/passkeys", credential=device.make(options))
    return device


def passkey_options(url: str) -> str:
    """Request the options for signing in with a passkey."""
    return str(httpx.post(f"{url}/api/passkey/begin").json()["options"])


def sign_in_with(url: str, credential: str) -> str:
    """Sign in with a passkey; return the account's name or the error code."""
    answer = httpx.post(f"{url}/api/passkey", json={"credential": credential})
    return str(answer.json()["name"]) if answer.is_success else code_of(answer)


def sign_in_at_provider(who: Person, **body: Any) -> httpx.Response:
    """Sign in at the provider; return the site's last response."""
    url = who.post("/api/oidc", **body)["url"]
    back = httpx.get(url).headers["location"]
    assert back.startswith(f"{SITE}/api/oidc/callback?")
    return who.http.get(back.removeprefix(SITE))


def refusal(answer: httpx.Response) -> str:
    """Return the error code in a redirect to the settings, or an empty string."""
    assert answer.status_code == 303
    return str(answer.headers["location"]).partition("refused=")[2]
