// The player's last choice of ranked queues, stored on this device.
import type { LineBody, WaitBody } from "$generated/wire";

export const FAMILIES = ["standard", "tenhou", "mahjongsoul"] as const;
export const LENGTHS = ["east", "hanchan"] as const;
export const PLAYERS = [4, 3] as const;
/** Seconds after which bots may fill the table; null: never. */
export const BOTS_AFTER = [null, 60, 180, 300] as const;
const KEPT = "jantaku.ranked";

export interface Wish {
  families: readonly LineBody["family"][];
  lengths: readonly LineBody["length"][];
  players: readonly LineBody["players"][];
  bots: number | null;
  away: boolean;
}

export const FIRST: Wish = { families: FAMILIES, lengths: ["east"], players: [4], bots: null, away: false };

export function linesOf(wish: Wish): LineBody[] {
  return wish.families.flatMap((family) =>
    wish.lengths.flatMap((length) => wish.players.map((players) => ({ family, length, players }))),
  );
}

/** Toggle a choice, but never remove the last one. */
export function toggled<T>(chosen: readonly T[], item: T): readonly T[] {
  const rest = chosen.filter((other) => other !== item);
  return rest.length === chosen.length ? [...chosen, item] : rest.length ? rest : chosen;
}

export function bodyOf(wish: Wish, daily: boolean): WaitBody {
  return { lines: linesOf(wish), bots_after_s: daily ? null : wish.bots, away: wish.away, daily };
}

export function storeWish(wish: Wish): void {
  localStorage.setItem(KEPT, JSON.stringify(wish));
}

export function storedWish(text = localStorage.getItem(KEPT)): Wish {
  try {
    const stored = JSON.parse(text ?? "") as Partial<Record<keyof Wish, unknown>>;
    const some = <T>(all: readonly T[], value: unknown): readonly T[] =>
      Array.isArray(value) ? all.filter((choice) => value.includes(choice)) : [];
    const wish: Wish = {
      families: some(FAMILIES, stored.families),
      lengths: some(LENGTHS, stored.lengths),
      players: some(PLAYERS, stored.players),
      bots: BOTS_AFTER.find((minutes) => minutes === stored.bots) ?? null,
      away: stored.away === true,
    };
    return linesOf(wish).length ? wish : FIRST;
  } catch {
    return FIRST;
  }
}
