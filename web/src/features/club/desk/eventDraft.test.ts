import { sample } from "$domain/sample";
import { changedFields } from "$domain/changedFields";
import { expect, test } from "vitest";
import type { EventInfo, StagePlan } from "$generated/wire";
import { type EventDraft, eventDraft, eventPatch, nextStage, removeStage, stagePlan } from "./eventDraft";
import { shiftStages, currentStage, toFieldValue, toInstant, today } from "./timeFields";

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

test("an untouched form changes nothing", () => {
  expect(changes(eventDraft(INFO))).toEqual({});
});

test("only changed fields are sent, so that others' changes stay", () => {
  const draft = eventDraft(INFO);
  draft.name = " Summer ";
  draft.registration.limit = 40;
  expect(changes(draft)).toEqual({ name: "Summer", registration: { open: true, moderated: false, limit: 40 } });
});

test("a stage passes through the form unchanged, without its unset fields", () => {
  for (const stage of [LEAGUE, FINAL, { ...LEAGUE, ranks_unplayed: true }])
    expect(stagePlan({ ...stage, max_games: null, name: " ", closes: null })).toEqual(stage);
  expect(stagePlan({ ...FINAL, from: null })).toEqual({ id: "final", kind: "rounds", counts: { best: 5 } });
});

test("a new stage follows the last one, and removing a stage leaves no gap", () => {
  const third = nextStage([LEAGUE, FINAL]);
  expect([third.id, third.from]).toEqual(["stage2", "final"]);
  expect(removeStage([LEAGUE, FINAL, third], "final").map((stage) => [stage.id, stage.from])).toEqual([
    ["league", undefined],
    ["stage2", "league"],
  ]);
  expect(nextStage([LEAGUE]).id).toBe("final");
});

test("a time field shows the device's time zone and keeps an unchanged instant", () => {
  const instant = "2025-06-01T00:00:30+09:00";
  expect(toInstant(toFieldValue(instant), instant)).toBe(instant);
  expect(new Date(toInstant("2025-06-01T12:30") ?? "").getMinutes()).toBe(30);
  expect([toFieldValue(null), toInstant(""), toInstant("nonsense")]).toEqual(["", null, null]);
});

test("the stages of a template move together to a new start date", () => {
  const stages = [
    { id: "a", opens: "2025-06-01T00:00:00+09:00", closes: "2025-06-15T00:00:00+09:00" },
    { id: "b", opens: "2025-06-20T00:00:00+09:00", closes: null },
  ];
  expect(shiftStages(stages, "2026-11-01T00:00:00.000Z").map((stage) => [stage.opens, stage.closes])).toEqual([
    ["2026-11-01T00:00:00.000Z", "2026-11-15T00:00:00.000Z"],
    ["2026-11-20T00:00:00.000Z", null],
  ]);
  const undated: StagePlan[] = [{ id: "c" }];
  expect([shiftStages(stages, null), shiftStages(undated, "2026-11-01T00:00:00.000Z")]).toEqual([stages, undated]);
  expect(today(new Date(2026, 10, 22, 13, 30))).toBe("2026-11-22T00:00");
});

test("the current stage is the last one in progress, else the first", () => {
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
