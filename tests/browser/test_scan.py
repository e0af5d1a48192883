"""QR codes in the page: the camera reads the check-in code where the browser can."""

from collections.abc import Callable

from browser.contexts import expect
from browser.parlour import Guest, requires_axe, serious_faults, slow_in_a_browser
from jantaku import terms

pytestmark = slow_in_a_browser
EVENT = terms.table("event", "en")
SCAN = terms.table("web", "en")["scan"]
CAMERA = """said => {
    window.cameraStopped = 0;
    const canvas = document.createElement("canvas");
    const drawing = canvas.getContext("2d");
    setInterval(() => drawing.fillRect(0, 0, 9, 9), 50);
    navigator.mediaDevices.getUserMedia = async () => {
        const stream = canvas.captureStream(5);
        for (const track of stream.getTracks()) {
            const stop = track.stop.bind(track);
            track.stop = () => { window.cameraStopped += 1; stop(); };
        }
        return stream;
    };
    let looks = 0;
    const next = () => [{ rawValue: said[Math.min(looks++, said.length - 1)] }];
    window.BarcodeDetector = class { async detect() { return next(); } };
}"""


@requires_axe
def test_a_player_checks_in_by_the_camera(stranger: Callable[..., Guest]) -> None:
    organiser, player = stranger(), stranger()
    organiser.post("register", {"name": "scan maker", "password": "correct horse", "language": "en"})
    player.post("register", {"name": "scan player", "password": "correct horse", "language": "en"})
    event = organiser.post("events", {"name": "Scan", "rules": "tenhou"})["id"]
    player.post(f"events/{event}/entries", {})
    code = organiser.page.request.get(f"/api/events/{event}").json()["code"]
    link = organiser.page.request.get(f"/api/events/{event}/invite?code={code}").json()["url"]
    page = player.page
    page.goto(f"/events/{event}")
    expect(page.get_by_text(SCAN["by_camera_app"])).to_be_visible()  # this browser reads no codes
    page.add_init_script(f"({CAMERA})({['https://elsewhere.example/', link]!r})")
    page.reload()
    page.get_by_role("button", name=SCAN["start"]).click()
    expect(page.get_by_text(EVENT["register"]["checked_in"])).to_be_visible()
    expect(page.locator("video")).to_have_count(0)
    assert page.evaluate("window.cameraStopped") == 1
    assert serious_faults(player) == []
