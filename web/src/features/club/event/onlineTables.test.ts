import { expect, test } from "vitest";
import type { SeatInfo } from "$generated/wire";
import { mayOpen, standingOf } from "./onlineTables";

const seat = (person: string): SeatInfo => ({
  name: person,
  person,
  bot: null,
  connected: true,
  shows_numbers: false,
  away: false,
  gone: false,
  ready: false,
  wants_seat: null,
  wants_abort: false,
  wants_rematch: false,
  shows_hand: false,
});

test("a table is mine, has a seat for me, or is to be watched", () => {
  const seats = [seat("a"), null, null, null];
  expect(standingOf({ seats, status: "waiting" }, "a")).toBe("mine");
  expect(standingOf({ seats, status: "waiting" }, "b")).toBe("free");
  expect(standingOf({ seats, status: "waiting" }, null)).toBe("free");
  expect(standingOf({ seats: seats.map((info) => info ?? seat("x")), status: "waiting" }, "b")).toBe("watch");
  expect(standingOf({ seats, status: "playing" }, "b")).toBe("watch");
});

test("who plays opens tables for open stages within their dates", () => {
  const entry = { status: "playing" } as never;
  const stages = [{ id: "a" }, { id: "b", kind: "rounds" as const }, { id: "c", closes: "2026-01-01T00:00:00Z" }];
  const now = Date.parse("2026-02-01T00:00:00Z");
  expect(mayOpen({ status: "open", entry, role: null, stages, online_tables: true }, now).map(({ id }) => id)).toEqual([
    "a",
  ]);
  expect(mayOpen({ status: "open", entry: null, role: null, stages, online_tables: true }, now)).toEqual([]);
  expect(mayOpen({ status: "open", entry, role: null, stages, online_tables: false }, now)).toEqual([]);
  expect(mayOpen({ status: "open", entry, role: "recorder", stages, online_tables: false }, now)).toHaveLength(1);
  expect(mayOpen({ status: "closed", entry, role: "organiser", stages, online_tables: true }, now)).toEqual([]);
});
