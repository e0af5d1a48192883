// How each hand of a game came about: every version of it, the newest last.
import type { RecordedVersion } from "$generated/wire";

/** The versions of each hand that stands now, in the order of the hands. */
export function histories(versions: readonly RecordedVersion[]): RecordedVersion[][] {
  const hands: RecordedVersion[][] = [];
  for (const version of versions) {
    if (version.action === "remove") hands.splice(version.place, 1);
    else if (version.action === "replace") hands[version.place] = [...(hands[version.place] ?? []), version];
    else hands.splice(version.place, 0, [version]);
  }
  return hands;
}

/** The hand to which a version belongs, and its versions; `null` if the hand was removed. */
export function handOf(
  versions: readonly RecordedVersion[],
  version: string,
): { index: number; history: RecordedVersion[] } | null {
  const all = histories(versions);
  const index = all.findIndex((history) => history.some((entered) => entered.id === version));
  return index < 0 ? null : { index, history: all[index] ?? [] };
}
