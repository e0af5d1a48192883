import type { RecordedVersion } from "$generated/wire";

/** Version history of each current hand, oldest version first. */
export function histories(versions: readonly RecordedVersion[]): RecordedVersion[][] {
  const hands: RecordedVersion[][] = [];
  for (const version of versions) {
    if (version.action === "remove") hands.splice(version.place, 1);
    else if (version.action === "replace") hands[version.place] = [...(hands[version.place] ?? []), version];
    else hands.splice(version.place, 0, [version]);
  }
  return hands;
}

/** Find the hand of a version, with its history; `null` if the hand was removed. */
export function disputedHand(
  versions: readonly RecordedVersion[],
  version: string,
): { index: number; history: RecordedVersion[] } | null {
  const all = histories(versions);
  const index = all.findIndex((history) => history.some((entered) => entered.id === version));
  return index < 0 ? null : { index, history: all[index] ?? [] };
}

export type Cost = "chombo" | "dead_hand" | "deposit_1000" | "noten_at_draw" | "expulsion";

export interface Preset {
  foul: string;
  cost: Cost;
  /** Points deducted after the game; 0 for warnings and penalties paid at the table. */
  points: number;
}

const MANGAN = 8000;
const DEPOSIT = 1000;

interface Fouls {
  chombo?: string;
  chombo_points?: number;
  [foul: string]: unknown;
}

export function chomboPoints({ chombo = "mangan", chombo_points: points = 0 }: Fouls, seats: number): number {
  if (chombo === "mangan") return MANGAN;
  return chombo === "to_each" ? points * (seats - 1) : points;
}

/** Fouls with a penalty under the rules; `tree` holds the options by section. */
export function presets(tree: { [section: string]: unknown }, seats: number): Preset[] {
  const { mode: _mode, chombo: _chombo, chombo_points: _points, ...fouls } = (tree["fouls"] ?? {}) as Fouls;
  const points: Partial<Record<Cost, number>> = {
    chombo: -chomboPoints((tree["fouls"] ?? {}) as Fouls, seats),
    deposit_1000: -DEPOSIT,
  };
  return Object.entries(fouls)
    .filter(([, cost]) => typeof cost === "string" && cost !== "none")
    .map(([foul, cost]) => ({ foul, cost: cost as Cost, points: points[cost as Cost] ?? 0 }));
}
