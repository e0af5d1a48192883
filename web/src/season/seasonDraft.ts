// A season as a form shows it, and the changes that are sent.
import type { SeasonInfo, SeasonPart, SeasonPatch } from "../generated/wire";
import { newId } from "../net/newId";
import { tidyWords, wordsOf, type ThreeWords } from "../desk/threeWords";
import { changedFields } from "../lib/changedFields";
import { countingBody, countingDraft, percentOf, shareOf, type CountingDraft } from "./counting";

export interface PartDraft {
  id: string;
  name: ThreeWords;
  ranked: boolean;
  /** How much of its points counts for the year, and how much of the year the best bring into it, in percent. */
  share: string;
  brings: string;
  /** Empty while no event is open for the part. */
  event: string;
}

export interface SeasonDraft {
  name: ThreeWords;
  cut: string;
  counting: CountingDraft;
  listed: boolean;
  parts: PartDraft[];
}

/** The fields of a season that a form changes. */
type Fields = Pick<SeasonPatch, keyof SeasonDraft>;

export function partDraft(part: SeasonPart): PartDraft {
  return { id: part.id, name: wordsOf(part.name), ranked: part.ranked ?? true, share: percentOf(part.share ?? 1), brings: percentOf(part.brings ?? 0), event: part.event ?? "" };
}

export function newPart(): PartDraft {
  return partDraft({ id: newId() });
}

export function seasonDraft({ name, cut, counting, listed, parts }: SeasonInfo): SeasonDraft {
  return { name: wordsOf(name), cut: cut === null ? "" : String(cut), counting: countingDraft(counting), listed, parts: parts.map(partDraft) };
}

/** The parts as they are sent. */
export function partsBody(parts: readonly PartDraft[]): SeasonPart[] {
  return parts.map(({ id, name, ranked, share, brings, event }) => ({ id, name: tidyWords(name) ?? {}, ranked, event: event || null, share: shareOf(share), brings: shareOf(brings) }));
}

/** A number of players as it is sent; null if there is none. */
export function cutOf(typed: string): number | null {
  return typed.trim() === "" ? null : Number(typed);
}

function patch(draft: SeasonDraft): Fields {
  return { name: tidyWords(draft.name) ?? {}, cut: cutOf(draft.cut), counting: countingBody(draft.counting), listed: draft.listed, parts: partsBody(draft.parts) };
}

/** What a form has changed; fields that it has not changed are left out. */
export function seasonChanges(draft: SeasonDraft, season: SeasonInfo): Fields {
  return changedFields(patch(draft), patch(seasonDraft(season)));
}

/** Whether the year counts otherwise than before: other events, or by other rules. */
export function changesRanking(draft: SeasonDraft, season: SeasonInfo): boolean {
  const events = (parts: readonly SeasonPart[]): string => JSON.stringify(parts.flatMap(({ ranked, event, share }) => (ranked && event ? [[event, share ?? 1]] : [])).sort());
  const before = seasonDraft(season);
  return events(partsBody(draft.parts)) !== events(season.parts) || JSON.stringify(countingBody(draft.counting)) !== JSON.stringify(countingBody(before.counting));
}

/** A list with one item moved by some places; the same list if it would leave its end. */
export function moved<Item>(list: readonly Item[], at: number, by: number): Item[] {
  const [items, to] = [[...list], at + by];
  if (to < 0 || to >= items.length) return items;
  items.splice(to, 0, ...items.splice(at, 1));
  return items;
}
