import { sample } from "$domain/sample";
import { expect, test } from "vitest";
import type { TableInfo } from "$generated/wire";
import { hintsAllowed, waitsFor } from "./tableInfo";

function table(people: (string | null)[], spectators = true): TableInfo {
  const seats = people.map((person) => (person === null ? null : { name: person, person }));
  return sample<TableInfo>({ owner: "host", host: "Host", seats, options: { spectators } });
}

const FULL = ["host", "mina", "sora", "ren"];

test.each([
  ["host", ["host", null, null, null], null],
  ["host", FULL, "room.all_ready"],
  ["mina", ["host", "mina", null, null], "room.host_starts"],
  ["mina", FULL, "room.all_ready"],
  ["guest", ["host", null, null, null], "room.sit_down"],
  ["guest", FULL, "room.full_watch"],
  [null, FULL, "room.full_watch"],
] as const)("%s at %o is told %s", (me, people, key) => {
  expect(waitsFor(table([...people]), me)).toBe(key);
});

test("a host alone with bots can simply start", () => {
  const { seats, ...rest } = table(["host", "a", "b", "c"]);
  const bots = seats.map((seat, i) => (i === 0 || !seat ? seat : { ...seat, person: null, bot: "gentle" }));
  expect(waitsFor({ seats: bots, ...rest }, "host")).toBe("room.you_start");
});

test("guests are not invited to watch a table without spectators", () => {
  expect(waitsFor(table(FULL, false), "guest")).toBe("room.full_closed");
});

test.each([
  { hints: true, rated: false, wanted: true, allowed: true },
  { hints: true, rated: false, wanted: false, allowed: false },
  { hints: false, rated: false, wanted: true, allowed: false },
  { hints: true, rated: true, wanted: true, allowed: false },
])(
  "hints require an unrated table that allows them and a player who wants them: $hints $rated $wanted",
  ({ hints, rated, wanted, allowed }) => {
    expect(hintsAllowed({ options: { hints, rated } }, wanted)).toBe(allowed);
  },
);

test("no hints are requested before the table is known", () => expect(hintsAllowed(null, true)).toBe(false));
