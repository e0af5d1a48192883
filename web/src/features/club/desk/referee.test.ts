import { sample } from "$domain/sample";
import { expect, test } from "vitest";
import type {
  ClaimInfo,
  DoubtfulGame,
  EventEntry,
  EventRounds,
  RecordedSummary,
  RecordedVersion,
  RefereeCall,
  RoundInfo,
} from "$generated/wire";
import { attention, roundProblems } from "./desk.svelte";
import { disputedHand, histories } from "./referee";
import { chomboPoints, presets } from "./referee";

test("matters that need attention are counted, others omitted", () => {
  const entries = [{ status: "asked" }, { status: "playing" }, { status: "asked" }] as EventEntry[];
  const unfinished = [{ status: "over" }, { status: "playing" }, { status: "expired" }] as RecordedSummary[];
  const calls = [{ kind: "call" }, { kind: "dispute" }, { kind: "call" }] as RefereeCall[];
  const claims = [{ state: "asked" }, { state: "taken" }] as ClaimInfo[];
  const none = { entries: [], unfinished: [], calls: [], doubts: [], heldUp: [], claims: [] };
  const doubts = [{}] as DoubtfulGame[];
  const matters = attention({ ...none, entries, unfinished, calls, doubts, claims });
  expect(matters.map(({ matter, count }) => ({ matter, count }))).toEqual([
    { matter: "disputes", count: 1 },
    { matter: "calls", count: 2 },
    { matter: "doubts", count: 1 },
    { matter: "over", count: 1 },
    { matter: "expired", count: 1 },
    { matter: "asked", count: 2 },
    { matter: "claims", count: 1 },
  ]);
  expect(attention(none)).toEqual([]);
});

test("stages without rounds and seats of absent players are reported", () => {
  const entries = [
    { id: "a", status: "playing" },
    { id: "b", status: "withdrawn" },
    { id: "c", status: "playing" },
  ] as EventEntry[];
  const round = (number: number, state: RoundInfo["state"]) => ({
    number,
    state,
    tables: [{ players: ["a", "b", "c"] }],
  });
  const stages = sample<EventRounds["stages"]>([
    {
      stage: "s",
      rounds: [round(1, "done"), round(2, "running"), round(3, "published")],
      absences: [
        { entry: "c", first: 3, last: null },
        { entry: "a", first: 1, last: 2 },
      ],
    },
    { stage: "f", rounds: [], absences: [] },
  ]);
  expect(roundProblems({ stages }, entries)).toEqual({
    unplanned: ["f"],
    seatsToFill: [{ stage: "s", number: 3, entries: ["b", "c"] }],
  });
});

test("presets are the fouls penalised by the rules", () => {
  const fouls = {
    mode: "penalise",
    chombo: "to_each",
    chombo_points: 3000,
    furiten_ron: "chombo",
    call_slip: "deposit_1000",
    late_pickup: "dead_hand",
    wrong_draw_in_riichi: "none",
  };
  expect(presets({ fouls }, 4)).toEqual([
    { foul: "furiten_ron", cost: "chombo", points: -9000 },
    { foul: "call_slip", cost: "deposit_1000", points: -1000 },
    { foul: "late_pickup", cost: "dead_hand", points: 0 },
  ]);
  expect(presets({}, 4)).toEqual([]);
  expect(
    ["mangan", "flat", "deduct", "to_each"].map((chombo) => chomboPoints({ chombo, chombo_points: 20_000 }, 3)),
  ).toEqual([8000, 20_000, 20_000, 40_000]);
});

const entry = (id: string, action: string, place: number): RecordedVersion =>
  ({ id, action, place }) as RecordedVersion;

test("a hand keeps its history when hands before it are inserted or removed", () => {
  const all = [
    entry("a", "add", 0),
    entry("b", "add", 1),
    entry("b2", "replace", 1),
    entry("x", "insert", 0),
    entry("a2", "replace", 1),
    entry("x2", "remove", 0),
  ];
  expect(histories(all).map((hand) => hand.map((version) => version.id))).toEqual([
    ["a", "a2"],
    ["b", "b2"],
  ]);
  expect(disputedHand(all, "b")).toMatchObject({ index: 1 });
  expect(disputedHand(all, "x")).toBeNull();
});
