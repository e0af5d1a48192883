import { beforeEach, expect, test, vi } from "vitest";
import { ownSeat, rememberName } from "./ownNames";

const NAMES = ["Aki", "NoName", "NoName", "Dan"];

beforeEach(() => {
  const store = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => store.get(key) ?? null,
    setItem: (key: string, value: string) => store.set(key, value),
  });
});

test("the seat is that of the person's name or of a remembered one", () => {
  expect(ownSeat(NAMES, undefined)).toBeNull();
  expect(ownSeat(NAMES, "Mina")).toBeNull();
  expect(ownSeat(NAMES, "Dan")).toBe(3);
  rememberName("Aki");
  expect(ownSeat(NAMES, "Mina")).toBe(0);
});

test("the name chosen last comes first", () => {
  rememberName("Dan");
  rememberName("Aki");
  expect(ownSeat(NAMES, undefined)).toBe(0);
  rememberName("Dan");
  expect(ownSeat(NAMES, undefined)).toBe(3);
});

test("a name of several players or of none is not a seat", () => {
  rememberName("NoName");
  rememberName("");
  expect(ownSeat(NAMES, undefined)).toBeNull();
  expect(ownSeat(["", ""], "")).toBeNull();
});

test("damaged storage is ignored", () => {
  localStorage.setItem("jantaku.names", '{"a":1}');
  expect(ownSeat(NAMES, "Dan")).toBe(3);
});
