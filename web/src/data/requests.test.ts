// The type check is the test: if TypeScript accepted one of these calls, it would report an unused directive.
import { expect, test, vi } from "vitest";
import type { GuestBody, LoginBody } from "$generated/wire";
import { send } from "./requests";
import type { TableSocket } from "./tableSocket";

const login = { name: "Mina", password: "correct horse" };
const more = { ...login, language: "en" as const };
const options = { clock: true, blinds: 5 };
declare const socket: TableSocket;

export function refused(): void {
  // @ts-expect-error an extra field in a literal
  void send("POST /api/login", { body: { name: "Mina", password: "correct horse", language: "en" } });
  // @ts-expect-error a missing field
  void send("POST /api/login", { body: { name: "Mina" } });
  // @ts-expect-error an extra field in a nested object
  void send("POST /api/tables", { body: { name: "x", options } });
  // @ts-expect-error a value outside the choices
  void send("PATCH /api/me", { body: { language: "de" } });
  // @ts-expect-error a misspelled field of a hand
  void send("POST /api/waits", { body: { hand: "123m", meld: [] } });
  // @ts-expect-error a wind that does not exist
  void send("POST /api/explain", { body: { hand: "123m", win: "4m", by: "ron", seat: "left" } });
  // @ts-expect-error a hand has no winning tile
  void send("POST /api/discards", { body: { hand: "123m", win: "4m" } });
  // @ts-expect-error a field of another message
  socket.send({ type: "ready", agree: true });
}

export function accepted(): void {
  const body: LoginBody = login;
  const guest: GuestBody = { name: "Mina", language: "ko" };
  void send("POST /api/login", { body: login });
  void send("POST /api/login", { body });
  void send("POST /api/guest", { body: guest });
  void send("POST /api/register", { body: more });
  socket.send({ type: "abort", agree: true });
  socket.send({ type: "act", game: 1, ask: 2, action: { type: "discard", tile: "5m", drawn: true } });
}

test("fields go into the path, the query and the body", async () => {
  const asked: [string, RequestInit][] = [];
  vi.stubGlobal("fetch", async (url: string, options: RequestInit) => {
    asked.push([url, options]);
    return new Response("{}");
  });
  await send("POST /api/tables/{table_id}/join", { path: { table_id: "a/b" }, body: { seat: 2 } });
  await send("GET /api/games", { query: { mine: true, before: null } });
  await send("GET /api/games", { query: { mine: false, before: "17" } });
  vi.unstubAllGlobals();
  const urls = asked.map(([url]) => new URL(url, "http://here"));
  expect(urls.map((url) => url.pathname)).toEqual(["/api/tables/a%2Fb/join", "/api/games", "/api/games"]);
  expect(asked[0]?.[1]).toMatchObject({ method: "POST", body: '{"seat":2}' });
  expect(urls[1]?.searchParams.get("mine")).toBe("true");
  expect(urls[1]?.searchParams.has("before")).toBe(false);
  expect(urls[2]?.searchParams.get("before")).toBe("17");
});
