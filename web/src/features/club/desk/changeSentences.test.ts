import { sample } from "$domain/sample";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { RoundInfo, AuditEntry, EventRounds, RecordedSummary } from "$generated/wire";
import { loadWords, speak } from "$domain/words.svelte";
import { cardsOf, schedules } from "./seatingCards";
import { sentence, type Names } from "./changeSentences";

beforeAll(async () => {
  vi.stubGlobal("document", { documentElement: {} });
  await loadWords("club");
  await speak("en");
});
afterAll(() => vi.unstubAllGlobals());

const PEOPLE: Record<string, string> = { e1: "Ann", e2: "Ben", e3: "Cho", e4: "Dai" };
const NAMES: Names = {
  entry: (id) => PEOPLE[id] ?? id,
  stage: (id) => `<${id}>`,
  players: () => Object.values(PEOPLE),
};

function sentences(change: Partial<AuditEntry>): string[] {
  const { text, details } = sentence(
    { at: null, name: "Org", game: null, entry: null, before: null, after: null, why: "", ...change } as AuditEntry,
    NAMES,
  );
  return [text, ...details.map(({ field, before, after }) => `${field}: ${before} → ${after}`)];
}

test.each<[Partial<AuditEntry>, string[]]>([
  [{ action: "create" }, ["Org opened the event."]],
  [
    { action: "change", before: { correction_min: 30, listed: true }, after: { correction_min: 10, listed: true } },
    ["Org changed the settings.", "Minutes for corrections: 30 → 10"],
  ],
  [
    {
      action: "change",
      before: { stages: [{ id: "a", kind: "open", min_games: null }] },
      after: { stages: [{ id: "a", kind: "open", min_games: 3 }] },
    },
    ["Org changed the settings.", "Stages: <a> (Open) → <a> (Open, fewest games 3)"],
  ],
  [{ action: "change", before: { name: "A" }, after: { name: "B" } }, ["Org changed the settings.", "Name: A → B"]],
  [{ action: "status", before: "open", after: "closed" }, ["Org finished the event."]],
  [{ action: "staff", after: { person: "Ref", role: "referee" } }, ["Org gave Ref a role: Referee."]],
  [{ action: "staff", before: "referee", after: { person: "Ref", role: null } }, ["Org took the role of Ref away."]],
  [{ action: "entry", entry: "e1", after: { status: "playing" } }, ["Org registered Ann."]],
  [
    { action: "entry", entry: "e1", before: { status: "asked" }, after: { status: "playing" } },
    ["Org admitted Ann.", "Status: Asking to take part → Playing"],
  ],
  [
    { action: "entry", entry: "e1", before: { status: "playing" }, after: { status: "playing", changed: ["name"] } },
    ["Org changed the entry of Ann."],
  ],
  [
    { action: "entry", entry: "e1", before: { status: "playing" }, after: { status: "playing", checked_in: true } },
    ["Org checked Ann in.", "Checked in: – → yes"],
  ],
  [
    { action: "entry", entry: "e1", before: { status: "playing" }, after: { status: "playing" } },
    ["Org changed whose account Ann is."],
  ],
  [{ action: "merge", entry: "e2", before: { entry: "e1", games: 2 } }, ["Org merged Ann into Ben."]],
  [
    { action: "game", game: "g", after: { stage: "a", players: ["e1", "e2", "e3", "e4"], scores: null } },
    ["Org started a game: Ann, Ben, Cho, Dai."],
  ],
  [
    { action: "hand", game: "g", after: { place: 1, action: "add", hand: { end: "draw", tenpai: [0] } } },
    ["Org entered hand 2 of Ann, Ben, Cho, Dai.", "Hand: – → Exhaustive draw · Tenpai: Ann"],
  ],
  [
    { action: "points", game: "g", before: { scores: null }, after: { scores: [1000, 2, 3, 4] } },
    ["Org entered the final points of Ann, Ben, Cho, Dai.", "Points: – → Ann 1,000, Ben 2, Cho 3, Dai 4"],
  ],
  [
    { action: "cleared", game: "g", before: { reasons: ["quick"] } },
    ["Org looked at the game of Ann, Ben, Cho, Dai and left it as it is."],
  ],
  [
    { action: "confirm", game: "g", after: { seats: [0], confirmed: true } },
    ["Org confirmed the game of Ann, Ben, Cho, Dai. It counts."],
  ],
  [
    { action: "penalty", entry: "e1", after: { number: 1, stage: "a", points: -20000 } },
    ["Org gave Ann −20,000 points."],
  ],
  [{ action: "penalty_cancelled", entry: "e1", before: { points: -20000 } }, ["Org took −20,000 points of Ann back."]],
  [
    { action: "seating", after: { stage: "a", rounds: [1, 2, 3], made_by: "plan", seed: 7, repeats: 4, bound: 2 } },
    ["Org seated rounds 1, 2, 3 of <a>.", "How: – → Planned", "Seed: – → 7", "Repeated meetings: – → 4"],
  ],
  [
    { action: "seating", before: { stage: "a", rounds: [2] }, after: { stage: "a", rounds: [] } },
    ["Org discarded seatings of <a>."],
  ],
  [{ action: "seating_published", after: { stage: "a", round: 2, tables: [] } }, ["Org published round 2 of <a>."]],
  [{ action: "round_start", after: { stage: "a", round: 2 } }, ["Org started round 2 of <a>."]],
  [{ action: "round_taken_back", after: { stage: "a", round: 2 } }, ["Org took back that round 2 of <a> had begun."]],
  [
    { action: "timer", after: { stage: "a", round: 2, table: 3, extra_s: 300 } },
    ["Org changed the timer of round 2 of <a>.", "Table: – → 3", "Extra seconds: – → 300"],
  ],
  [
    { action: "seats", game: "g", before: ["e1", "e2"], after: ["e2", "e1"] },
    ["Org changed the seats of a game.", "Players: Ann, Ben → Ben, Ann"],
  ],
  [
    { action: "absence", entry: "e1", before: { rounds: [] }, after: { stage: "a", first: 2, last: null } },
    ["Org said in which rounds Ann does not play."],
  ],
  [{ action: "replace", entry: "e1", after: { stage: "a", by: "e2" } }, ["Ben replaces Ann (Org)."]],
  [
    { action: "something_new", before: { status: "a" }, after: { status: "b" } },
    ["Org: something_new", "Status: a → b"],
  ],
])("%j", (change, wanted) => {
  expect(sentences(change)).toEqual(wanted);
});

test("each player of a game gets a card with the others", () => {
  const games = [{ id: "g", number: 4, label: "T1", players: ["e1", "e2", "e3"] }] as RecordedSummary[];
  expect(cardsOf(games, NAMES.entry)[1]).toEqual({
    game: "g",
    number: 4,
    label: "T1",
    seat: 1,
    name: "Ben",
    others: ["Ann", "Cho"],
  });
});

test("each player gets a plan of the published rounds", () => {
  const round = (number: number, state: RoundInfo["state"], players: string[]) => ({
    number,
    state,
    tables: [{ number: 7, players }],
  });
  const stages = [
    {
      stage: "a",
      rounds: [
        round(1, "done", ["e1"]),
        round(2, "running", ["e2", "e1"]),
        round(3, "published", ["e1", "e2"]),
        round(4, "drafted", ["e1"]),
      ],
    },
  ];
  expect(schedules(sample<EventRounds>({ stages })).get("e1")).toEqual([
    { stage: "a", round: 2, table: 7, seat: 1 },
    { stage: "a", round: 3, table: 7, seat: 0 },
  ]);
  expect(schedules(null).size).toBe(0);
});
