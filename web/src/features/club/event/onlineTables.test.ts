import { expect, test } from "vitest";
import type { SeatInfo } from "$generated/wire";
import { openableStages, tableRole } from "./onlineTables";

const seat = (person: string): SeatInfo => ({
  name: person,
  person,
  bot: null,
  connected: true,
  shows_profile: false,
  away: false,
  gone: false,
  ready: false,
  wants_seat: null,
  wants_abort: false,
  wants_rematch: false,
  shows_hand: false,
});

test("a table is the user's own, has a free seat or can be watched", () => {
  const seats = [seat("a"), null, null, null];
  expect(tableRole({ seats, status: "waiting" }, "a")).toBe("mine");
  expect(tableRole({ seats, status: "waiting" }, "b")).toBe("free");
  expect(tableRole({ seats, status: "waiting" }, null)).toBe("free");
  expect(tableRole({ seats: seats.map((info) => info ?? seat("x")), status: "waiting" }, "b")).toBe("watch");
  expect(tableRole({ seats, status: "playing" }, "b")).toBe("watch");
});

test("players may open tables for open stages within their dates", () => {
  const entry = { status: "playing" } as never;
  const stages = [{ id: "a" }, { id: "b", kind: "rounds" as const }, { id: "c", closes: "2026-01-01T00:00:00Z" }];
  const now = Date.parse("2026-02-01T00:00:00Z");
  expect(
    openableStages({ status: "open", entry, role: null, stages, online_tables: true }, now).map(({ id }) => id),
  ).toEqual(["a"]);
  expect(openableStages({ status: "open", entry: null, role: null, stages, online_tables: true }, now)).toEqual([]);
  expect(openableStages({ status: "open", entry, role: null, stages, online_tables: false }, now)).toEqual([]);
  expect(openableStages({ status: "open", entry, role: "recorder", stages, online_tables: false }, now)).toHaveLength(
    1,
  );
  expect(openableStages({ status: "closed", entry, role: "organiser", stages, online_tables: true }, now)).toEqual([]);
});
