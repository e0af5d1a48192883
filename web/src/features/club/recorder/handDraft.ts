// A hand while it is entered: what the page collects until it is the hand that the server takes.
import type { PaymentsInfo } from "$generated/wire";
import type { End, Foul, Hand, Win, Worth } from "$domain/enteredHand";
import { windOf } from "$domain/seats";

/** A hand that is being entered; `end` is null while it is played. */
export interface Draft {
  end: End | null;
  riichi: readonly number[];
  wins: readonly Win[];
  from: number | null;
  tenpai: readonly number[];
  nagashi: readonly number[];
  kind: string | null;
  seat: number | null;
  fouls: readonly Foul[];
  riichiTile: boolean;
  /** Who called a tile; null: nobody has noted it. */
  calls: readonly number[] | null;
  /** At whose wall the deal began; null: not said. */
  wareme: number | null;
  /** Whether the dealer of the last hand ends the game; null: not said. */
  stop: boolean | null;
}

export const EMPTY: Draft = {
  end: null, riichi: [], wins: [], from: null, tenpai: [], nagashi: [], kind: null, seat: null, fouls: [], riichiTile: false, calls: null, wareme: null, stop: null,
}; // prettier-ignore

const WITH_SEAT: Record<string, "from" | "seat"> = { sanchahou: "from", kyuushu_kyuuhai: "seat" };

export function flipped(seats: readonly number[], seat: number): number[] {
  return seats.includes(seat) ? seats.filter((other) => other !== seat) : [...seats, seat].sort((a, b) => a - b);
}

/** What the tiles of a win tell beside its worth. */
export interface WinDetails {
  yaku: string[];
  bonus: Record<string, number>;
  riichi: boolean;
  open: boolean;
  tiles?: string;
}

/** The draft with another win, or another worth of a win; tiles also tell whether the winner has laid a stick. */
export function won(draft: Draft, seat: number, worth: Worth, details?: WinDetails): Draft {
  const before = draft.wins.find((win) => win.seat === seat);
  const pao = "yakuman" in worth && before?.pao ? { pao: before.pao } : {};
  const feeder = before?.feeder === undefined ? {} : { feeder: before.feeder };
  const open = details?.open ?? before?.open;
  const bonus = details && Object.keys(details.bonus).length ? { bonus: details.bonus } : {};
  const win: Win = {
    seat,
    ...worth,
    ...pao,
    ...feeder,
    ...(details?.yaku.length ? { yaku: details.yaku } : {}),
    ...(details?.tiles ? { tiles: details.tiles } : {}),
    ...bonus,
    ...(open === undefined ? {} : { open }),
  };
  const wins = before ? draft.wins.map((other) => (other.seat === seat ? win : other)) : [...draft.wins, win];
  const riichi = details && details.riichi !== draft.riichi.includes(seat) ? flipped(draft.riichi, seat) : draft.riichi;
  return { ...draft, riichi, wins };
}

export function hasWorth(win: Win): boolean {
  return win.han !== undefined || win.limit !== undefined || win.yakuman !== undefined;
}

/** Start entering a ron, or a tsumo where `from` is the winner. */
export function beginWin(draft: Draft, from: number, winner: number): Draft {
  const tsumo = from === winner;
  return {
    ...draft,
    end: tsumo ? "tsumo" : "ron",
    from: tsumo ? null : from,
    wins: [{ seat: winner }],
    kind: null,
    riichiTile: false,
  };
}

/** Another winner by ron; the third makes the hand a draw where the rules say so, and nothing more is asked. */
export function alsoWon(draft: Draft, seat: number, table: PaymentsInfo): Partial<Draft> {
  if (draft.wins.length === 2 && table.aborts.includes("sanchahou"))
    return { end: "abort", kind: "sanchahou", wins: [], seat: null, tenpai: [], nagashi: [], riichiTile: false };
  return { wins: [...draft.wins, { seat }] };
}

/** Begin a draw: whoever is in riichi is tenpai. */
export function beginDraw(draft: Draft): Draft {
  return { ...draft, end: "draw", wins: [], from: null, kind: null, tenpai: [...draft.riichi], nagashi: [] };
}

/** A hand in riichi is closed, and calls tell which of the others are open. */
function plain(win: Win, draft: Draft): Win {
  const { open, ...rest } = win;
  return open === undefined || draft.calls !== null || draft.riichi.includes(win.seat) ? rest : win;
}

/** Whether somebody has to say how many chips a win pays: yakuman and known tiles tell it themselves. */
export function asksChips(win: Win, table: PaymentsInfo): boolean {
  return Boolean(table.chips) && !win.yakuman && !win.yaku;
}

function winsOf(draft: Draft): Partial<Hand> | null {
  if (!draft.wins.length || !draft.wins.every(hasWorth)) return null;
  const wins = draft.wins.map((win) => plain(win, draft));
  if (draft.end === "tsumo") return { wins };
  if (draft.from === null) return null;
  return { wins, from: draft.from, ...(draft.riichiTile ? { riichi_tile: true } : {}) };
}

/** Who has called, nobody in riichi among them; null: nobody has noted it. */
export function callsOf(draft: Draft): number[] | null {
  return draft.calls?.filter((seat) => !draft.riichi.includes(seat)) ?? null;
}

/** Note that a seat has called, or has not; without a seat: that nobody has. */
export function called(draft: Draft, seat: number | null): Pick<Draft, "calls"> {
  if (seat === null) return { calls: draft.calls?.length === 0 ? null : [] };
  const calls = flipped(draft.calls ?? [], seat);
  return { calls: calls.length ? calls : null };
}

function abortOf(draft: Draft): Partial<Hand> | null {
  if (draft.kind === null) return null;
  const named = WITH_SEAT[draft.kind];
  const seat = named === "from" ? draft.from : draft.seat;
  if (named && seat === null) return null;
  return { kind: draft.kind, ...(named ? { [named]: seat } : {}) };
}

const PARTS: Record<End, (draft: Draft) => Partial<Hand> | null> = {
  ron: winsOf,
  tsumo: winsOf,
  draw: ({ tenpai, nagashi }) => ({ tenpai, ...(nagashi.length ? { nagashi } : {}) }),
  abort: abortOf,
  foul: ({ fouls }) => (fouls.length ? {} : null),
};

/** The hand for the server; null while something is missing. */
export function handOf(draft: Draft): Hand | null {
  if (draft.end === null) return null;
  const parts = PARTS[draft.end](draft);
  if (!parts) return null;
  const calls = callsOf(draft);
  return {
    end: draft.end,
    ...(draft.riichi.length ? { riichi: draft.riichi } : {}),
    ...parts,
    ...(draft.fouls.length ? { fouls: draft.fouls } : {}),
    ...(calls ? { calls } : {}),
    ...(draft.wareme === null ? {} : { wareme: draft.wareme }),
    ...(draft.stop === null ? {} : { stop: draft.stop }),
  };
}

/** What was entered, to be changed. */
export function draftOf(hand: Hand): Draft {
  return {
    ...EMPTY,
    end: hand.end,
    riichi: hand.riichi ?? [],
    wins: hand.wins ?? [],
    from: hand.from ?? null,
    tenpai: hand.tenpai ?? [],
    nagashi: hand.nagashi ?? [],
    kind: hand.kind ?? null,
    seat: hand.seat ?? null,
    fouls: hand.fouls ?? [],
    riichiTile: hand.riichi_tile ?? false,
    calls: hand.calls ?? null,
    wareme: hand.wareme ?? null,
    stop: hand.stop ?? null,
  };
}

export function keyOf(worth: Worth | Win): string {
  if ("yakuman" in worth && worth.yakuman !== undefined) return `yakuman:${worth.yakuman}`;
  if ("limit" in worth && worth.limit !== undefined) return `limit:${worth.limit}`;
  return "han" in worth && worth.han !== undefined ? `${worth.han}:${worth.fu}` : "";
}

/** Whether a worth can be entered now: the table has no payment for it, or honba ask for two han. */
export function impossible(
  row: PaymentsInfo["wins"][number],
  tsumo: boolean,
  honba: number,
  table: PaymentsInfo,
): boolean {
  const needs = table.two_han_from_honba;
  const low = needs > 0 && honba >= needs && row.worth.han !== undefined && Number(row.worth.han) < 2;
  return (tsumo ? row.tsumo : row.ron) === null || low;
}

export function isDealer(seat: number, number: number, seats: number): boolean {
  return windOf(seat, number % seats, seats) === 0;
}
