// The type check is the test: if TypeScript accepted one of these calls, it would report an unused directive.
import { expect, test, vi } from "vitest";
import type { GuestBody, LoginBody } from "../generated/wire";
import { api } from "./api";
import type { TableSocket } from "./socket";

const login = { name: "Mina", password: "correct horse" };
const more = { ...login, language: "en" as const };
const options = { clock: true, blinds: 5 };
declare const socket: TableSocket;

export function refused(): void {
  // @ts-expect-error a field too many in a variable
  void api.login(more);
  // @ts-expect-error a field too many in a literal
  void api.login({ name: "Mina", password: "correct horse", language: "en" });
  // @ts-expect-error a field too few
  void api.login({ name: "Mina" });
  // @ts-expect-error a field too many further down
  void api.createTable({ name: "x", options });
  // @ts-expect-error a value outside the choices
  void api.patchMe({ language: "de" });
  // @ts-expect-error a misspelled field of a hand
  void api.waits({ hand: "123m", meld: [] });
  // @ts-expect-error a wind that does not exist
  void api.explain({ hand: "123m", win: "4m", by: "ron", seat: "left" });
  // @ts-expect-error a hand has no winning tile
  void api.discards({ hand: "123m", win: "4m" });
  // @ts-expect-error another message's field
  socket.send({ type: "ready", agree: true });
  const abort = { type: "abort" as const, agree: true, why: "late" };
  // @ts-expect-error a field that no message has
  socket.send(abort);
}

export function taken(): void {
  const body: LoginBody = login;
  const guest: GuestBody = { name: "Mina", language: "ko" };
  void api.login(login);
  void api.login(body);
  void api.guest(guest);
  void api.register(more);
  socket.send({ type: "abort", agree: true });
  socket.send({ type: "act", game: 1, ask: 2, action: { type: "discard", tile: "5m", drawn: true } });
}

test("a request has its fields in the path, the query and the body", async () => {
  const asked: [string, RequestInit][] = [];
  vi.stubGlobal("fetch", async (url: string, options: RequestInit) => {
    asked.push([url, options]);
    return new Response("{}");
  });
  await api.join("a/b", 2);
  await api.games(true);
  await api.games(false, "17");
  vi.unstubAllGlobals();
  const urls = asked.map(([url]) => new URL(url, "http://here"));
  expect(urls.map((url) => url.pathname)).toEqual(["/api/tables/a%2Fb/join", "/api/games", "/api/games"]);
  expect(asked[0]?.[1]).toMatchObject({ method: "POST", body: '{"seat":2}' });
  expect(urls[1]?.searchParams.get("mine")).toBe("true");
  expect(urls[1]?.searchParams.has("before")).toBe(false);
  expect(urls[2]?.searchParams.get("before")).toBe("17");
});
