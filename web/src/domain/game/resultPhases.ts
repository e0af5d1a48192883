// The result of a hand: opened hands, payments between seats, and the timing of the presentation.
import type { Won } from "$generated/wire";
import { sorted, tilesOf, type Tile } from "../tiles/notation";
import type { Outcome, Seat } from "./tableState";

/** The player's setting for results: full scenes, brief, or all at once. */
export type Presentation = "full" | "brief" | "none";

export interface Phase {
  /** `look`: the table with opened hands while a win is called; `present`: a win, yaku by yaku; `paid`: the payments. */
  name: "look" | "present" | "paid";
  /** The index of the win being presented, or of the last one. */
  win: number;
}

export interface Step extends Phase {
  /** Milliseconds after the end of the hand. */
  at: number;
}

/** The ranks of a win, lowest first; higher ones get a heavier presentation. */
export const RANKS = ["plain", "mangan", "haneman", "baiman", "sanbaiman", "yakuman"] as const;
export type Rank = (typeof RANKS)[number];

/** The size of a result: a panel beside the table, one over it, or the whole screen. */
export type Size = "small" | "large" | "whole";

/** When the parts of a win appear, in milliseconds from its start. */
export interface WinTimes {
  yaku: { id: string; han: number; at: number }[];
  /** When each ura indicator is turned, before the ura dora are listed. */
  ura: number[];
  fu: number;
  value: number;
  end: number;
}

const LOOK = 1400; // time to look at the opened hands
const EACH = 500; // extra time for each further hand of a draw
const CALLED = 900; // announcement of a draw that opens no hands
const DRAW = 700; // until the points of a draw move
const READ = 900; // to read a win before the next one
const CALL = { plain: 500, mangan: 850, haneman: 900, baiman: 950, sanbaiman: 1000, yakuman: 1400 } as const;
const HELD = { plain: 200, mangan: 500, haneman: 600, baiman: 700, sanbaiman: 800, yakuman: 1500 } as const;
const PARTS = {
  quick: { laid: 60, step: 60, longest: 240, turn: 60, part: 60 },
  brief: { laid: 250, step: 190, longest: 1700, turn: 0, part: 220 },
  full: { laid: 450, step: 240, longest: 1900, turn: 420, part: 280 },
} as const;

/** The rank of a win; a counted yakuman (kazoe) ranks as a yakuman. */
export function rankOf({ limit, yakuman }: Pick<Won["score"], "limit" | "yakuman">): Rank {
  if (yakuman > 0) return "yakuman";
  return RANKS.find((rank) => rank === limit) ?? "plain";
}

/** The size of a result, by its best hand. */
export function sizeOf(wins: readonly Pick<Won, "score">[]): Size {
  const best = Math.max(0, ...wins.map(({ score }) => RANKS.indexOf(rankOf(score))));
  return best === 0 ? "small" : best < RANKS.length - 1 ? "large" : "whole";
}

export function callOf(win: Pick<Won, "score">): number {
  return CALL[rankOf(win.score)];
}

/** The timing of a win. Ura dora come last, after their indicators. Wins below mangan are quick even in full scenes. */
export function timesOf({ score, ura = "" }: Pick<Won, "score" | "ura">, presentation: Presentation): WinTimes {
  const rank = rankOf(score);
  const full = presentation === "full";
  const { laid, step, longest, turn, part } = PARTS[!full ? "brief" : rank === "plain" ? "quick" : "full"];
  const all = Object.entries(score.yaku);
  const apart = Math.min(step, longest / Math.max(1, all.length));
  let at: number = laid;
  const next = (pause: number): number => (at += pause) - pause;
  const named = (late: boolean): WinTimes["yaku"] =>
    all.filter(([id]) => (id === "ura_dora") === late).map(([id, han]) => ({ id, han, at: next(apart) }));
  const first = named(false);
  const turned = Array.from({ length: (ura.match(/\d/g) ?? []).length }, () => next(turn));
  const yaku = [...first, ...named(true)];
  const fu = next(part);
  const value = next(part);
  return { yaku, ura: turned, fu, value, end: at + (full ? HELD[rank] : part) };
}

export function stepsOf(outcome: Outcome, presentation: Presentation): Step[] {
  const last = Math.max(0, outcome.wins.length - 1);
  if (presentation === "none") return [{ name: "paid", win: last, at: 0 }];
  const steps: Step[] = [];
  let at = 0;
  const add = (name: Phase["name"], win: number, ms: number): void => {
    if (ms > 0) steps.push({ name, win, at });
    at += ms;
  };
  const full = presentation === "full";
  const opened = openedHands(outcome).length;
  if (outcome.draw) {
    add("look", 0, opened ? LOOK + (opened - 1) * EACH : full ? CALLED : 0);
    add("present", 0, DRAW);
  } else if (!full) add("look", 0, LOOK);
  const staged = sizeOf(outcome.wins) !== "small"; // otherwise the wins are called together
  outcome.wins.forEach((win, i) => {
    if (full) add("look", i, staged || i === 0 ? callOf(win) : 0);
    add("present", i, timesOf(win, presentation).end + (full && staged && i < last ? READ : 0));
  });
  return [...steps, { name: "paid", win: last, at }];
}

export function phaseAt(steps: readonly Step[], elapsed: number): Phase {
  const { name, win } = steps.findLast(({ at }) => at <= elapsed) ?? { name: "paid", win: 0 };
  return { name, win };
}

/** The time to skip to on a press: the start of the next phase. */
export function skipped(steps: readonly Step[], elapsed: number): number {
  return steps.find(({ at }) => at > elapsed)?.at ?? elapsed;
}

export interface Opened {
  seat: Seat;
  tiles: Tile[];
  /** The winning tile; null in a draw. */
  winning: Tile | null;
  waits: Tile[];
}

/** The length of an opened hand with its rim, in tile widths. */
export function lengthOf({ tiles, winning }: Opened): number {
  return tiles.length + (winning ? 1.4 : 0) + 0.6;
}

/** Winners' hands, or the tenpai hands of a draw with their waits. */
export function openedHands({ wins, draw }: Outcome): Opened[] {
  const won = wins.map(({ seat, hand, tile }) => ({ seat, tiles: sorted(tilesOf(hand)), winning: tile, waits: [] }));
  const shown = (draw?.hands ?? []).flatMap((text, seat) => {
    return text
      ? [{ seat, tiles: sorted(tilesOf(text)), winning: null, waits: tilesOf(draw?.waits?.[seat] ?? "") }]
      : [];
  });
  return [...won, ...shown];
}

interface Flow {
  from: number;
  to: number;
  points: number;
}

export function scoresBefore({ scores, deltas }: Pick<Outcome, "scores" | "deltas">): number[] {
  return scores.map((score, seat) => score - (deltas[seat] ?? 0));
}

const STICKS = [10000, 5000, 1000, 100] as const;
const MAX_STICKS = 8; // drawn for one payment

/** Derive the payments between seats from their point changes, without points from deposits. */
export function flowsOf(deltas: readonly number[]): Flow[] {
  const left = deltas.map((points) => Math.max(0, points));
  return deltas.flatMap((points, from) => {
    let owed = Math.max(0, -points);
    return left.flatMap((wanted, to) => {
      const paid = Math.min(owed, wanted);
      owed -= paid;
      left[to] = wanted - paid;
      return paid > 0 ? [{ from, to, points: paid }] : [];
    });
  });
}

/** The sticks of a payment, largest first; a long tail of small ones is cut off. */
export function sticksOf(points: number): number[] {
  const sticks: number[] = [];
  let left = points;
  for (const value of STICKS) {
    for (; left >= value && sticks.length < MAX_STICKS; left -= value) sticks.push(value);
  }
  return sticks;
}
