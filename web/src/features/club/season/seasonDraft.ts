import type { SeasonInfo, SeasonPart, SeasonPatch } from "$generated/wire";
import { newId } from "$data/newId";

export interface PartDraft {
  id: string;
  name: string;
  ranked: boolean;
  /** How much of its points counts for the year, and how much of the year the best bring into it, in percent. */
  share: number | null;
  brings: number | null;
  event: string;
}

type Fields = Omit<SeasonPatch, "revision">;

export interface SeasonDraft extends Pick<SeasonInfo, "name" | "cut" | "listed"> {
  min_games: number | null;
  parts: PartDraft[];
}

const percentOf = (share: number): number => Math.round(share * 10_000) / 100;
const shareOf = (percent: number | null): number => Math.min(1, Math.max(0, Math.round((percent ?? 0) * 100) / 10_000));

export function partDraft({ id, name = "", ranked = true, share = 1, brings = 0, event }: SeasonPart): PartDraft {
  return { id, name, ranked, share: percentOf(share), brings: percentOf(brings), event: event ?? "" };
}

export function newPart(): PartDraft {
  return partDraft({ id: newId() });
}

export function seasonDraft({ name, cut, min_games, listed, parts }: SeasonInfo): SeasonDraft {
  return { name, cut, min_games: min_games || null, listed, parts: parts.map(partDraft) };
}

export function partsBody(parts: readonly PartDraft[]): SeasonPart[] {
  return parts.map(({ name, share, brings, event, ...part }) => ({
    ...part,
    name: name.trim(),
    event: event || null,
    share: shareOf(share),
    brings: shareOf(brings),
  }));
}

export function seasonPatch(draft: SeasonDraft): Fields {
  return { ...draft, name: draft.name.trim(), min_games: draft.min_games ?? 0, parts: partsBody(draft.parts) };
}

/** Whether the year counts otherwise than before: other events, or by other rules. */
export function changesRanking(draft: SeasonDraft, season: SeasonInfo): boolean {
  const events = (parts: readonly SeasonPart[]): string =>
    JSON.stringify(parts.flatMap(({ ranked, event, share }) => (ranked && event ? [[event, share ?? 1]] : [])).sort());
  return events(partsBody(draft.parts)) !== events(season.parts) || (draft.min_games ?? 0) !== season.min_games;
}

export function moved<Item>(list: readonly Item[], at: number, by: number): Item[] {
  const [items, to] = [[...list], at + by];
  if (to < 0 || to >= items.length) return items;
  items.splice(to, 0, ...items.splice(at, 1));
  return items;
}
