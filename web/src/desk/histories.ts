// How each hand of a game came about: every version of it, the newest last.
import type { RecordedVersion } from "../generated/wire";

/** The versions of each hand that stands now, in the order of the hands. */
export function histories(versions: readonly RecordedVersion[]): RecordedVersion[][] {
  const hands: RecordedVersion[][] = [];
  for (const one of versions) {
    if (one.action === "remove") hands.splice(one.place, 1);
    else if (one.action === "replace") hands[one.place] = [...(hands[one.place] ?? []), one];
    else hands.splice(one.place, 0, [one]);
  }
  return hands;
}

/** The hand to which a version belongs, and its versions; `null` if the hand was removed. */
export function handOf(versions: readonly RecordedVersion[], version: string): { place: number; history: RecordedVersion[] } | null {
  const all = histories(versions);
  const place = all.findIndex((history) => history.some((one) => one.id === version));
  return place < 0 ? null : { place, history: all[place] ?? [] };
}
