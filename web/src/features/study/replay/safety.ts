// Why tiles are safe or dangerous, arranged by opponent.
import type { Safety } from "$generated/wire";
import { kindOf, type Tile } from "$domain/tiles/notation";
import { dotted, t } from "$domain/words.svelte";

export interface Reason {
  label: string;
  tiles: Tile[];
}
export interface Against {
  opponent: number;
  /** The reasons for the tiles in question. */
  asked: Reason[];
  /** The reasons for all tiles of the hand, safest first. */
  all: Reason[];
}

export function safetyLabel({ code, tiles, unseen, dora }: Safety): string {
  const label = t(`review.safety.label.${code}`, { tiles: `⟦${tiles}⟧`, count: unseen });
  return dotted(label, dora && t("review.safety.label.dora"));
}

/** The opponents of `rows`, with the reasons for the tiles in question. */
export function byOpponent(rows: readonly Safety[], inQuestion: readonly Tile[]): Against[] {
  const kinds = new Set(inQuestion.map(kindOf));
  return [...new Set(rows.map((row) => row.opponent))].map((opponent) => {
    const mine = rows.filter((row) => row.opponent === opponent);
    return { opponent, asked: byReason(mine.filter((row) => kinds.has(kindOf(row.tile)))), all: byReason(mine) };
  });
}

function byReason(rows: readonly Safety[]): Reason[] {
  const tiles = new Map<string, Tile[]>();
  for (const row of rows) tiles.set(safetyLabel(row), [...(tiles.get(safetyLabel(row)) ?? []), row.tile]);
  return [...tiles].map(([label, tiles]) => ({ label, tiles }));
}
