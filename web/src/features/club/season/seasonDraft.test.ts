import { describe, expect, test } from "vitest";
import type { SeasonInfo } from "$generated/wire";
import { changedFields, rebased } from "$domain/changedFields";
import {
  changesRanking,
  moved,
  newPart,
  percentOf,
  type SeasonDraft,
  seasonDraft,
  seasonPatch,
  shareOf,
} from "./seasonDraft";

const PART = {
  share: 1,
  brings: 0,
  event_name: "Event",
  rules: "standard",
  rules_name: "Standard",
  status: "open",
  opens: null,
  closes: null,
  hidden: false,
  role: null,
  plays: false,
} as const;
const SEASON: SeasonInfo = {
  id: "s",
  name: "시즌",
  cut: 20,
  min_games: 0,
  listed: true,
  mine: true,
  revision: 1,
  parts: [
    { ...PART, id: "a", name: "전반기", ranked: true, event: "e1" },
    {
      ...PART,
      id: "b",
      name: "",
      ranked: false,
      event: null,
      event_name: null,
      rules: null,
      rules_name: null,
      status: null,
    },
  ],
};

const seasonChanges = (draft: SeasonDraft, season: SeasonInfo) =>
  changedFields(seasonPatch(draft), seasonPatch(seasonDraft(season)));

describe("a season form", () => {
  test("sends no unchanged fields", () => expect(seasonChanges(seasonDraft(SEASON), SEASON)).toEqual({}));
  test("merges its changes with changes made by others", () => {
    const draft = seasonDraft(SEASON);
    draft.cut = 8;
    const now: SeasonInfo = { ...SEASON, revision: 2, cut: 4, name: "새 시즌", parts: SEASON.parts.slice(1) };
    const result = rebased(draft, seasonDraft(SEASON), seasonDraft(now));
    expect(seasonChanges(result, now)).toEqual({ cut: 8 });
    expect(result.parts).toEqual(seasonDraft(now).parts);
    expect(seasonChanges(rebased(seasonDraft(SEASON), seasonDraft(SEASON), seasonDraft(now)), now)).toEqual({});
  });
  test("trims the name and sends an empty cut as null", () => {
    const draft = seasonDraft(SEASON);
    draft.name = " Year ";
    draft.cut = null;
    expect(seasonChanges(draft, SEASON)).toEqual({ name: "Year", cut: null });
  });
  test("sends all parts in order if any of them changed", () => {
    const draft = seasonDraft(SEASON);
    draft.parts = moved(draft.parts, 0, 1);
    expect(seasonChanges(draft, SEASON)).toEqual({
      parts: [
        { id: "b", name: "", ranked: false, event: null, share: 1, brings: 0 },
        { id: "a", name: "전반기", ranked: true, event: "e1", share: 1, brings: 0 },
      ],
    });
  });
});

test("the ranking depends on the counting events, not on their order or names", () => {
  const draft = seasonDraft(SEASON);
  draft.parts = [newPart(), ...moved(draft.parts, 1, -1)];
  expect(changesRanking(draft, SEASON)).toBe(false);
  draft.parts[0] = { ...newPart(), event: "e2" };
  expect(changesRanking(draft, SEASON)).toBe(true);
  expect(changesRanking({ ...draft, parts: [] }, SEASON)).toBe(true);
  const same = seasonDraft(SEASON);
  expect(changesRanking({ ...same, min_games: 3 }, SEASON)).toBe(true);
  expect(changesRanking({ ...same, parts: same.parts.map((part) => ({ ...part, share: 0.5 })) }, SEASON)).toBe(true);
});

test("items stay within the list when moved", () => {
  expect([moved(["a", "b"], 0, -1), moved(["a", "b"], 1, 1), moved(["a", "b"], 1, -1)]).toEqual([
    ["a", "b"],
    ["a", "b"],
    ["b", "a"],
  ]);
});

test.each([
  [0.5, 50],
  [0.3333, 33.33],
  [0.29, 29],
])("a share of %d is displayed as %d percent", (share, percent) => {
  expect([percentOf(share), shareOf(percent)]).toEqual([percent, share]);
});

test("a share is 0 for an empty field and stays between 0 and 1", () => {
  expect([shareOf(NaN), shareOf(120), shareOf(-1)]).toEqual([0, 1, 0]);
});
