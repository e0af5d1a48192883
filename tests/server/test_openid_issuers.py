"""The issuer of an OpenID provider is compared to the letter, with a slash at its end or without."""

from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from jantaku.server.errors import ServerError
from jantaku.server.people.accounts import AccountService
from jantaku.server.people.openid import OpenId
from jantaku.server.settings import Outside
from jantaku.server.storage.services import Services
from server.openid_provider import CLIENT, SECRET, provided
from server.parlour import quick

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("named", "issuer", "signed", "works"),
    [
        ("{}", "{}", "{}", True),
        ("{}/", "{}/", "{}/", True),
        ("{}/", "{}", "{}", False),
        ("{}", "{}/", "{}/", False),
        ("{}/", "{}/", "{}", False),
        ("{}", "{}", "{}/", False),
        ("{}", "{}//", "{}//", False),
    ],
)
async def test_issuers(tmp_path: Path, named: str, issuer: str, signed: str, works: bool) -> None:
    with provided() as provider:
        here = provider.issuer
        provider.issuer = issuer.format(here)
        provider.changes = {"iss": signed.format(here)}
        outside = Outside(oidc=named.format(here), oidc_client=CLIENT, oidc_secret=SECRET)
        settings = replace(quick(tmp_path), outside=outside, public_url="https://parlour.example.org")
        services = Services(settings)
        await services.lease.open_store()
        try:
            openid = OpenId(services, AccountService(services))
            if works:
                assert await _came(openid) == "Mina"
            else:
                with pytest.raises(ServerError) as refused:
                    await _came(openid)
                assert refused.value.code == "oidc_failed"
        finally:
            await services.store.close()


async def _came(openid: OpenId) -> str:
    """The name of somebody who signs in by the provider."""
    url, state = await openid.begin(None, None, link=False)
    async with httpx.AsyncClient() as client:
        back = (await client.get(url)).headers["location"]
    code = parse_qs(urlsplit(back).query)["code"][0]
    return (await openid.finish(None, code, state, state, "en")).name
