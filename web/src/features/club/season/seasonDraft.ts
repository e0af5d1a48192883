import type { SeasonInfo, SeasonPart, SeasonPatch } from "$generated/wire";
import { newId } from "$data/newId";

export type PartDraft = Required<SeasonPart>;
export type SeasonDraft = Pick<SeasonInfo, "name" | "cut" | "min_games" | "listed"> & { parts: PartDraft[] };

export function percentOf(share: number): number {
  return Math.round(share * 10_000) / 100;
}

export function shareOf(percent: number): number {
  return Math.min(1, Math.max(0, Math.round((percent || 0) * 100) / 10_000));
}

export function newPart(): PartDraft {
  return { id: newId(), name: "", ranked: true, share: 1, brings: 0, event: null };
}

export function seasonDraft({ name, cut, min_games, listed, parts }: SeasonInfo): SeasonDraft {
  return {
    name,
    cut,
    min_games,
    listed,
    parts: parts.map(({ id, name, ranked, share, brings, event }) => ({ id, name, ranked, share, brings, event })),
  };
}

export function seasonPatch(draft: SeasonDraft): Omit<SeasonPatch, "revision"> {
  const parts = draft.parts.map((part) => ({ ...part, name: part.name.trim() }));
  return { ...draft, name: draft.name.trim(), parts };
}

/** Whether the draft changes the ranking: other counting events, shares or minimum games. */
export function changesRanking(draft: SeasonDraft, season: SeasonInfo): boolean {
  const events = (parts: readonly SeasonPart[]): string =>
    JSON.stringify(parts.flatMap(({ ranked, event, share }) => (ranked && event ? [[event, share]] : [])).sort());
  return events(draft.parts) !== events(season.parts) || draft.min_games !== season.min_games;
}

export function moved<Item>(list: readonly Item[], at: number, by: number): Item[] {
  const [items, to] = [[...list], at + by];
  if (to < 0 || to >= items.length) return items;
  items.splice(to, 0, ...items.splice(at, 1));
  return items;
}
