// A hand as people enter it: what the page collects, and the JSON that the server takes (docs/club.md).
import type { PaymentsInfo } from "../generated/wire";
import { from as inTurn, windOf } from "../lib/seats";

export type End = "ron" | "tsumo" | "draw" | "abort" | "foul";
export type Worth = { han: number; fu: number } | { limit: string } | { yakuman: number };

export interface Win {
  seat: number;
  han?: number;
  fu?: number;
  limit?: string;
  yakuman?: number;
  pao?: { seats: number[]; yakuman?: number };
  feeder?: number;
  yaku?: string[];
}

export interface Foul {
  seat: number;
  foul: string;
}

export interface Hand {
  end: End;
  riichi?: number[];
  wins?: Win[];
  from?: number;
  tenpai?: number[];
  nagashi?: number[];
  kind?: string;
  seat?: number;
  fouls?: Foul[];
  riichi_tile?: boolean;
  stop?: boolean;
}

/** A hand that is being entered; `end` is null while it is played. */
export interface Draft {
  end: End | null;
  riichi: number[];
  wins: Win[];
  from: number | null;
  tenpai: number[];
  nagashi: number[];
  kind: string | null;
  seat: number | null;
  fouls: Foul[];
  riichiTile: boolean;
}

export const EMPTY: Draft = {
  end: null, riichi: [], wins: [], from: null, tenpai: [], nagashi: [], kind: null, seat: null, fouls: [], riichiTile: false,
}; // prettier-ignore

const CHOMBO = new Set(["chombo", "expulsion"]);
const WITH_SEAT: Record<string, "from" | "seat"> = { sanchahou: "from", kyuushu_kyuuhai: "seat" };

export function flipped(seats: readonly number[], seat: number): number[] {
  return seats.includes(seat) ? seats.filter((other) => other !== seat) : [...seats, seat].sort((a, b) => a - b);
}

/** The draft with another win, or another worth of a win; whoever dealt in cannot win. */
export function won(draft: Draft, seat: number, worth: Worth, yaku: string[] = []): Draft {
  const before = draft.wins.find((win) => win.seat === seat);
  const kept = "yakuman" in worth && before?.pao ? { pao: before.pao } : {};
  const win: Win = { seat, ...worth, ...kept, ...(yaku.length ? { yaku } : {}), ...(before?.feeder === undefined ? {} : { feeder: before.feeder }) };
  const wins = before ? draft.wins.map((other) => (other.seat === seat ? win : other)) : [...draft.wins, win];
  return { ...draft, wins };
}

export function hasWorth(win: Win): boolean {
  return win.han !== undefined || win.limit !== undefined || win.yakuman !== undefined;
}

/** Start entering a ron, or a tsumo where `from` is the winner. */
export function beginWin(draft: Draft, from: number, winner: number): Draft {
  const tsumo = from === winner;
  return { ...draft, end: tsumo ? "tsumo" : "ron", from: tsumo ? null : from, wins: [{ seat: winner }], kind: null, riichiTile: false };
}

/** Begin a draw: whoever is in riichi is tenpai. */
export function beginDraw(draft: Draft): Draft {
  return { ...draft, end: "draw", wins: [], from: null, kind: null, tenpai: [...draft.riichi], nagashi: [] };
}

/** Whether a foul ends the hand under the rules. */
export function endsHand(foul: Foul, table: PaymentsInfo): boolean {
  return CHOMBO.has(table.fouls[foul.foul] ?? "");
}

function winsOf(draft: Draft): Partial<Hand> | null {
  if (!draft.wins.length || !draft.wins.every(hasWorth)) return null;
  if (draft.end === "tsumo") return { wins: draft.wins };
  if (draft.from === null) return null;
  return { wins: draft.wins, from: draft.from, ...(draft.riichiTile ? { riichi_tile: true } : {}) };
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
  return {
    end: draft.end,
    ...(draft.riichi.length ? { riichi: draft.riichi } : {}),
    ...parts,
    ...(draft.fouls.length ? { fouls: draft.fouls } : {}),
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
  };
}

export function keyOf(worth: Worth | Win): string {
  if ("yakuman" in worth && worth.yakuman !== undefined) return `yakuman:${worth.yakuman}`;
  if ("limit" in worth && worth.limit !== undefined) return `limit:${worth.limit}`;
  return "han" in worth && worth.han !== undefined ? `${worth.han}:${worth.fu}` : "";
}

/** Whether a worth can be entered now: the table has no payment for it, or honba ask for two han. */
export function impossible(row: PaymentsInfo["wins"][number], tsumo: boolean, honba: number, table: PaymentsInfo): boolean {
  const needs = table.two_han_from_honba;
  const low = needs > 0 && honba >= needs && Number(row.worth.han ?? needs) < 2;
  return (tsumo ? row.tsumo : row.ron) === null || low;
}

/** The winners of a ron from the nearest to the discarder on. */
export function nearestFirst(wins: readonly Win[], from: number, seats: number): Win[] {
  return inTurn(from, seats).flatMap((seat) => wins.filter((win) => win.seat === seat));
}

export function isDealer(seat: number, number: number, seats: number): boolean {
  return windOf(seat, number % seats, seats) === 0;
}
