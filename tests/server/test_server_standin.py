"""The parlour opens before anything is compiled, and games continue when the compiled code takes over."""

import subprocess
import sys
import threading
from pathlib import Path

import httpx
import pytest
from starlette.requests import Request

from jantaku.errors import RequestError
from jantaku.server.edge.shared_links import invite_to
from jantaku.server.run import listen, server
from jantaku.server.settings import Settings
from jantaku.server.standin import standing_in
from server.parlour import IMPORTS, WAIT_S, Person, quick, simplest


@pytest.mark.slow
def test_a_game_continues_when_the_compiled_code_takes_over(tmp_path: Path) -> None:
    """Begun with the stand-in, continued with the server that follows it on the same socket."""
    settings, begun = quick(tmp_path), threading.Event()
    with listen("127.0.0.1", 0) as listening:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        with standing_in(settings, listening, begun.set):
            assert begun.is_set()
            person = Person(url, "Mina")
            table = person.table(bots=3)
            person.post(f"/api/tables/{table['id']}/start")
            line = person.socket(table["id"])
            for _ in range(3):
                own = line.asked()
                assert own is not None
                assert line.act(simplest(own))["type"] == "ack"
            last = line.seq
        line.close()
        ready = threading.Event()
        following = server(settings, listening, ready.set)
        thread = threading.Thread(target=following.run, daemon=True)
        thread.start()
        try:
            assert ready.wait(WAIT_S)
            again = person.socket(table["id"], game=1, last=last)
            own = again.asked()
            assert own is not None
            assert again.seq >= last
            assert again.act(simplest(own))["type"] == "ack"
            again.close()
            person.close()
        finally:
            following.should_exit = True
            thread.join(WAIT_S)


@pytest.mark.slow
def test_the_stand_in_ends_with_its_parent_process(tmp_path: Path) -> None:
    """When the parent is killed, no process keeps the port."""
    code = (
        "import sys, time;from pathlib import Path;from server.parlour import quick;"
        "from jantaku.server.run import listen;from jantaku.server.standin import standing_in\n"
        "if __name__ == '__main__':\n"
        "  settings = quick(Path(sys.argv[1]))\n"
        "  with listen('127.0.0.1', 0) as found, standing_in(settings, found, lambda: None):\n"
        "    print(found.getsockname()[1], flush=True)\n"
        "    time.sleep(60)\n"
    )
    program = tmp_path / "begins.py"
    program.write_text(code)
    process = subprocess.Popen(
        [sys.executable, str(program), str(tmp_path)],
        env={"PYTHONPATH": IMPORTS, "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    port = int(process.stdout.readline())
    assert httpx.get(f"http://127.0.0.1:{port}/api/health").status_code == 200
    process.kill()
    process.wait()
    process.stdout.close()
    pause = threading.Event()
    for _ in range(200):
        try:
            listen("127.0.0.1", port).close()
            break
        except RequestError:
            pause.wait(0.05)
    else:
        pytest.fail("somebody still listens")


def test_a_port_in_use_is_reported() -> None:
    """And what to do about it."""
    with listen("127.0.0.1", 0) as first, pytest.raises(RequestError) as refused:
        listen("127.0.0.1", first.getsockname()[1])
    assert refused.value.code == "port_in_use"
    with pytest.raises(RequestError) as refused:
        listen("203.0.113.1", 0)
    assert refused.value.code == "cannot_listen"


@pytest.mark.parametrize(
    ("host", "public", "nearby", "base", "here"),
    [
        ("localhost:8000", "", "", "http://localhost:8000", True),
        ("127.0.0.1", "", "", "http://127.0.0.1", True),
        ("[::1]:80", "", "", "http://[::1]:80", True),
        ("localhost:8000", "", "http://10.0.0.5:8000", "http://10.0.0.5:8000", False),
        ("box.local:8000", "", "http://10.0.0.5:8000", "http://box.local:8000", False),
        ("localhost:8000", "https://mj.example", "http://10.0.0.5:8000", "https://mj.example", False),
    ],
)
def test_links_work_on_other_devices(host: str, public: str, nearby: str, base: str, here: bool) -> None:
    """The public address, the requested one, or the network address instead of ``localhost``."""
    scope = {
        "type": "http",
        "method": "GET",
        "scheme": "http",
        "path": "/",
        "server": ("127.0.0.1", 8000),
        "query_string": b"",
        "headers": [(b"host", host.encode())],
    }
    invite = invite_to(Request(scope), Settings(public_url=public, nearby_url=nearby), "/t/x")
    assert (invite.url, invite.only_here) == (f"{base}/t/x", here)
