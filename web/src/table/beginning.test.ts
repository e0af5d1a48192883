import { expect, test } from "vitest";
import type { SeatInfo, TableInfo } from "../generated/wire";
import { waitsFor } from "./beginning";

function table(people: (string | null)[], spectators = true): TableInfo {
  const seats = people.map((person) => person && ({ name: person, person } as SeatInfo));
  return { owner: "host", host: "Host", seats, options: { spectators } } as unknown as TableInfo;
}

const FULL = ["host", "mina", "sora", "ren"];

test.each([
  ["host", ["host", null, null, null], null],
  ["host", FULL, "room.you_start"],
  ["mina", ["host", "mina", null, null], "room.host_starts"],
  ["mina", FULL, "room.full"],
  ["guest", ["host", null, null, null], "room.sit_down"],
  ["guest", FULL, "room.full_watch"],
  [null, FULL, "room.full_watch"],
] as const)("%s at %o", (me, people, key) => {
  expect(waitsFor(table([...people]), me)).toBe(key);
});

test("nobody is promised to watch where that is off", () => {
  expect(waitsFor(table(FULL, false), "guest")).toBe("room.full_closed");
});
