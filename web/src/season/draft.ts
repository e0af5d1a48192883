// A season as a form shows it, and the changes that are sent.
import type { SeasonInfo, SeasonPart, SeasonPatch } from "../generated/wire";
import { newId } from "../desk/ids";
import { tidyWords, wordsOf, type ThreeWords } from "../desk/threeWords";

export interface PartDraft {
  id: string;
  name: ThreeWords;
  ranked: boolean;
  /** Empty while no event is open for the part. */
  event: string;
}

export interface SeasonDraft {
  name: ThreeWords;
  cut: string;
  listed: boolean;
  parts: PartDraft[];
}

/** The fields of a season that a form changes. */
type Fields = Pick<SeasonPatch, keyof SeasonDraft>;

export function partDraft(part: SeasonPart): PartDraft {
  return { id: part.id, name: wordsOf(part.name), ranked: part.ranked ?? true, event: part.event ?? "" };
}

export function newPart(): PartDraft {
  return partDraft({ id: newId() });
}

export function seasonDraft({ name, cut, listed, parts }: SeasonInfo): SeasonDraft {
  return { name: wordsOf(name), cut: cut === null ? "" : String(cut), listed, parts: parts.map(partDraft) };
}

/** The parts as they are sent. */
export function partsBody(parts: readonly PartDraft[]): SeasonPart[] {
  return parts.map(({ id, name, ranked, event }) => ({ id, name: tidyWords(name) ?? {}, ranked, event: event || null }));
}

/** A number of players as it is sent; null if there is none. */
export function cutOf(typed: string): number | null {
  return typed.trim() === "" ? null : Number(typed);
}

function patch(draft: SeasonDraft): Fields {
  return { name: tidyWords(draft.name) ?? {}, cut: cutOf(draft.cut), listed: draft.listed, parts: partsBody(draft.parts) };
}

/** What a form has changed; fields that it has not changed are left out. */
export function seasonChanges(draft: SeasonDraft, season: SeasonInfo): Fields {
  const [now, then] = [patch(draft), patch(seasonDraft(season))];
  const names = Object.keys(now) as (keyof SeasonDraft)[];
  return Object.fromEntries(names.filter((name) => JSON.stringify(now[name]) !== JSON.stringify(then[name])).map((name) => [name, now[name]]));
}

/** Whether other events than before count for the year. */
export function changesRanking(draft: SeasonDraft, season: SeasonInfo): boolean {
  const counting = (parts: readonly SeasonPart[]): string => JSON.stringify(parts.flatMap(({ ranked, event }) => (ranked && event ? [event] : [])).sort());
  return counting(partsBody(draft.parts)) !== counting(season.parts);
}

/** A list with one item moved by some places; the same list if it would leave its end. */
export function moved<Item>(list: readonly Item[], at: number, by: number): Item[] {
  const [found, to] = [[...list], at + by];
  if (to < 0 || to >= found.length) return found;
  found.splice(to, 0, ...found.splice(at, 1));
  return found;
}
