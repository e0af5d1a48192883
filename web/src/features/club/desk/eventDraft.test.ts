import { sample } from "$domain/sample";
import { changedFields } from "$domain/changedFields";
import { expect, test } from "vitest";
import type { EventInfo, StagePlan } from "$generated/wire";
import { type EventDraft, eventDraft, eventPatch, nextStage, removeStage, stagePlan } from "./eventDraft";
import { beginning, currentStage, fieldOf, instantOf, today } from "./timeFields";

const LEAGUE = { id: "league", kind: "open", counts: "all", min_games: 3, opens: "2025-06-01T00:00:30+09:00" } as const;
const FINAL = { id: "final", kind: "rounds", from: "league", cut: 20, carry: 0.5, counts: { best: 5 } } as const;
const INFO = sample<EventInfo>({
  name: "대회",
  about: "",
  rules: "bgm-2025",
  listed: true,
  hidden_standings: false,
  correction_min: 30,
  confirm_alone: false,
  online_tables: true,
  spectators: true,
  registration: { open: true, moderated: false, limit: null },
  tie_breaks: ["firsts"],
  stages: [LEAGUE, FINAL],
});

const changes = (draft: EventDraft) => changedFields(eventPatch(draft), eventPatch(eventDraft(INFO)));

test("a form that nobody has touched changes nothing", () => {
  expect(changes(eventDraft(INFO))).toEqual({});
});

test("only what was changed is sent, so that others' changes stay", () => {
  const draft = eventDraft(INFO);
  draft.name = " Summer ";
  draft.registration.limit = 40;
  expect(changes(draft)).toEqual({ name: "Summer", registration: { open: true, moderated: false, limit: 40 } });
});

test("a stage without what is not set goes through the form unchanged", () => {
  for (const stage of [LEAGUE, FINAL, { ...LEAGUE, ranks_unplayed: true }])
    expect(stagePlan({ ...stage, max_games: null, name: " ", closes: null })).toEqual(stage);
  expect(stagePlan({ ...FINAL, from: null })).toEqual({ id: "final", kind: "rounds", counts: { best: 5 } });
});

test("a further stage follows the last one, and a removed one leaves no gap", () => {
  const third = nextStage([LEAGUE, FINAL]);
  expect([third.id, third.from]).toEqual(["stage2", "final"]);
  expect(removeStage([LEAGUE, FINAL, third], "final").map((stage) => [stage.id, stage.from])).toEqual([
    ["league", undefined],
    ["stage2", "league"],
  ]);
  expect(nextStage([LEAGUE]).id).toBe("final");
});

test("a time field shows the device's zone and keeps an instant that was not changed", () => {
  const instant = "2025-06-01T00:00:30+09:00";
  expect(instantOf(fieldOf(instant), instant)).toBe(instant);
  expect(new Date(instantOf("2025-06-01T12:30") ?? "").getMinutes()).toBe(30);
  expect([fieldOf(null), instantOf(""), instantOf("nonsense")]).toEqual(["", null, null]);
});

test("the stages of a template move together to a new beginning", () => {
  const stages = [
    { id: "a", opens: "2025-06-01T00:00:00+09:00", closes: "2025-06-15T00:00:00+09:00" },
    { id: "b", opens: "2025-06-20T00:00:00+09:00", closes: null },
  ];
  expect(beginning(stages, "2026-11-01T00:00:00.000Z").map((stage) => [stage.opens, stage.closes])).toEqual([
    ["2026-11-01T00:00:00.000Z", "2026-11-15T00:00:00.000Z"],
    ["2026-11-20T00:00:00.000Z", null],
  ]);
  const undated: StagePlan[] = [{ id: "c" }];
  expect([beginning(stages, null), beginning(undated, "2026-11-01T00:00:00.000Z")]).toEqual([stages, undated]);
  expect(today(new Date(2026, 10, 22, 13, 30))).toBe("2026-11-22T00:00");
});

test("the stage of now is the last that has begun and not ended, else the first", () => {
  const [first, second] = [
    { id: "a", opens: "2026-11-01T00:00Z", closes: "2026-11-15T00:00Z" },
    { id: "b", opens: "2026-11-14T00:00Z" },
  ];
  const at = (day: number): string => currentStage([first, second], Date.UTC(2026, 10, day));
  expect([at(2), at(14), at(20), currentStage([{ id: "x" }, { id: "y" }], 0), currentStage([], 0)]).toEqual([
    "a",
    "b",
    "b",
    "x",
    "",
  ]);
});
