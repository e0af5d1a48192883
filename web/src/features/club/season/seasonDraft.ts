// A season as a form shows it, and the changes that are sent.
import type { SeasonInfo, SeasonPart, SeasonPatch } from "$generated/wire";
import { newId } from "$data/newId";
import { changedFields } from "$domain/changedFields";
import { percentOf, shareOf } from "./counting";

export interface PartDraft {
  id: string;
  name: string;
  ranked: boolean;
  /** How much of its points counts for the year, and how much of the year the best bring into it, in percent. */
  share: string;
  brings: string;
  /** Empty while no event is open for the part. */
  event: string;
}

export interface SeasonDraft {
  name: string;
  cut: string;
  minGames: string;
  listed: boolean;
  parts: PartDraft[];
}

/** The fields of a season that a form changes. */
type Fields = Omit<SeasonPatch, "revision">;

export function partDraft(part: SeasonPart): PartDraft {
  return {
    id: part.id,
    name: part.name ?? "",
    ranked: part.ranked ?? true,
    share: percentOf(part.share ?? 1),
    brings: percentOf(part.brings ?? 0),
    event: part.event ?? "",
  };
}

export function newPart(): PartDraft {
  return partDraft({ id: newId() });
}

export function seasonDraft({ name, cut, min_games, listed, parts }: SeasonInfo): SeasonDraft {
  return {
    name,
    cut: cut === null ? "" : String(cut),
    minGames: min_games ? String(min_games) : "",
    listed,
    parts: parts.map(partDraft),
  };
}

/** The parts as they are sent. */
export function partsBody(parts: readonly PartDraft[]): SeasonPart[] {
  return parts.map(({ id, name, ranked, share, brings, event }) => ({
    id,
    name: name.trim(),
    ranked,
    event: event || null,
    share: shareOf(share),
    brings: shareOf(brings),
  }));
}

/** A number of players as it is sent; null if there is none. */
export function cutOf(typed: string): number | null {
  return typed.trim() === "" ? null : Number(typed);
}

function patch(draft: SeasonDraft): Fields {
  return {
    name: draft.name.trim(),
    cut: cutOf(draft.cut),
    min_games: Number(draft.minGames),
    listed: draft.listed,
    parts: partsBody(draft.parts),
  };
}

/** What a form has changed; fields that it has not changed are left out. */
export function seasonChanges(draft: SeasonDraft, season: SeasonInfo): Fields {
  return changedFields(patch(draft), patch(seasonDraft(season)));
}

/** Whether the year counts otherwise than before: other events, or by other rules. */
export function changesRanking(draft: SeasonDraft, season: SeasonInfo): boolean {
  const events = (parts: readonly SeasonPart[]): string =>
    JSON.stringify(parts.flatMap(({ ranked, event, share }) => (ranked && event ? [[event, share ?? 1]] : [])).sort());
  return events(partsBody(draft.parts)) !== events(season.parts) || Number(draft.minGames) !== season.min_games;
}

/** A list with one item moved by some places; the same list if it would leave its end. */
export function moved<Item>(list: readonly Item[], at: number, by: number): Item[] {
  const [items, to] = [[...list], at + by];
  if (to < 0 || to >= items.length) return items;
  items.splice(to, 0, ...items.splice(at, 1));
  return items;
}
