import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ReconnectingSocket, type Link } from "./reconnectingSocket";
import { TableSocket } from "./tableSocket";

/** A fake socket; the test plays the server. */
class Socket extends EventTarget {
  static readonly OPEN = 1;
  static made: Socket[] = [];
  readyState = Socket.OPEN;
  sent: string[] = [];

  constructor(readonly url: string) {
    super();
    Socket.made.push(this);
  }

  send(text: string): void {
    this.sent.push(text);
  }

  close(): void {
    this.fail(1000);
  }

  fail(code: number): void {
    this.dispatchEvent(Object.assign(new Event("close"), { code }));
  }

  receive(data: string): void {
    this.dispatchEvent(Object.assign(new Event("message"), { data }));
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  Socket.made = [];
  vi.stubGlobal("WebSocket", Socket);
  vi.stubGlobal("window", Object.assign(new EventTarget(), { setTimeout }));
  vi.stubGlobal("location", { protocol: "https:", host: "club.test" });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function opened(): { line: ReconnectingSocket; links: Link[]; heard: string[] } {
  const [links, heard]: [Link[], string[]] = [[], []];
  const line = new ReconnectingSocket({
    path: "/ws/events/e",
    receive: (text) => heard.push(text),
    changed: (link) => links.push(link),
  });
  line.open();
  return { line, links, heard };
}

const newest = (): Socket => Socket.made.at(-1) ?? expect.fail();

test("it reconnects with growing delays, which start over after a working connection", () => {
  const { line, heard } = opened();
  expect(newest().url).toBe("wss://club.test/ws/events/e");
  const waits = [300, 700, 1500, 3000, 5000, 5000];
  for (const wait of waits) {
    const count = Socket.made.length;
    newest().fail(1006);
    vi.advanceTimersByTime(wait - 1);
    expect(Socket.made.length).toBe(count);
    vi.advanceTimersByTime(1);
    expect(Socket.made.length).toBe(count + 1);
  }
  newest().receive("news");
  line.markOpen();
  newest().fail(1013);
  vi.advanceTimersByTime(300);
  expect(Socket.made.length).toBe(waits.length + 2);
  expect(heard).toEqual(["news"]);
});

test.each([
  [4404, "refused"],
  [4401, "refused"],
  [4409, "replaced"],
] as const)("it does not reconnect after close code %i", (code, link) => {
  const { links } = opened();
  newest().fail(code);
  vi.advanceTimersByTime(60_000);
  expect([Socket.made.length, links.at(-1)]).toEqual([1, link]);
});

test("closing it cancels a pending reconnection", () => {
  const { line } = opened();
  newest().fail(1006);
  line.close();
  vi.advanceTimersByTime(60_000);
  expect(Socket.made.length).toBe(1);
});

test("it retries while offline, and at once when the network returns", () => {
  const { line, links } = opened();
  line.markOpen();
  window.dispatchEvent(new Event("offline"));
  expect(links.at(-1)).toBe("lost");
  vi.advanceTimersByTime(300);
  expect(Socket.made.length).toBe(2);
  for (const wait of [700, 1500]) {
    newest().fail(1006);
    vi.advanceTimersByTime(wait);
  }
  newest().fail(1006); // the next attempt would follow in three seconds
  window.dispatchEvent(new Event("online"));
  expect(Socket.made.length).toBe(5);
});

test("a table's connection that acknowledges nothing is replaced", () => {
  const state = () => ({ game: 1, last: 1 });
  const wanted = { table: "t", watch: false, allHands: false, language: () => "en" as const, known: state };
  const line = new TableSocket({ ...wanted, receive: () => undefined, changed: () => undefined });
  const welcome = JSON.stringify({ type: "welcome" });
  newest().receive(welcome);
  const first = line.send({ type: "ready" });
  newest().receive(JSON.stringify({ type: "ack", id: first }));
  vi.advanceTimersByTime(60_000);
  expect(Socket.made.length).toBe(1);
  const second = line.send({ type: "ready" });
  vi.advanceTimersByTime(6500);
  expect(Socket.made.length).toBe(2);
  newest().receive(welcome);
  expect(newest().sent.filter((text) => text.includes(second)).length).toBe(1);
});
