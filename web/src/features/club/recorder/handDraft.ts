import type { PaymentsInfo, RecordedScore } from "$generated/wire";
import type { Hand, Win, Worth } from "$domain/enteredHand";

type Lists = "riichi" | "wins" | "tenpai" | "nagashi" | "fouls";

/** A hand that is being entered; it has no `end` while it is played. */
export type Draft = Partial<Hand> & Required<Pick<Hand, Lists>>;
export type Abort = NonNullable<Hand["kind"]>;
type Row = PaymentsInfo["wins"][number];

export const EMPTY: Draft = { riichi: [], wins: [], tenpai: [], nagashi: [], fouls: [] };

export const ASKED: { [kind in Abort]?: "from" | "seat" } = { sanchahou: "from", kyuushu_kyuuhai: "seat" };

export function flipped(seats: readonly number[], seat: number): number[] {
  return seats.includes(seat) ? seats.filter((other) => other !== seat) : [...seats, seat].sort((a, b) => a - b);
}

function some<Value>(values: Value[]): Value[] | undefined {
  return values.length ? values : undefined;
}

function known<Of extends object>(fields: Of): Of {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Of;
}

export interface WinDetails {
  yaku: string[];
  bonus: Record<string, number>;
  riichi: boolean;
  open: boolean;
  tiles?: string;
}

type Counted = Partial<Pick<RecordedScore, "yakuman" | "yaku" | "han" | "fu" | "limit">>;
const LIMITS = ["mangan", "haneman", "baiman", "sanbaiman"] as const;
const BONUS = ["red_dora", "ura_dora"]; // the dora that chips are paid for

export function worthOfScore(score: Counted): { worth: Worth } & Pick<WinDetails, "yaku" | "bonus"> {
  const yaku = score.yaku ?? {};
  const bonus = Object.fromEntries(Object.entries(yaku).filter(([name, han]) => BONUS.includes(name) && han));
  return { worth: worthIn(score), yaku: Object.keys(yaku), bonus };
}

function worthIn({ yakuman, limit, han, fu }: Counted): Worth {
  if (yakuman) return { yakuman };
  if (!limit) return { han: han ?? 0, fu: fu ?? 0 };
  const below = LIMITS.find((each) => each === limit);
  return below ? { limit: below } : { yakuman: 1 }; // counted yakuman
}

export function won(draft: Draft, seat: number, worth: Worth, details?: WinDetails): Draft {
  const before = draft.wins.find((win) => win.seat === seat);
  const win = known<Win>({
    seat,
    ...worth,
    pao: worth.yakuman ? before?.pao : undefined,
    feeder: before?.feeder,
    yaku: details && some(details.yaku),
    tiles: details?.tiles || undefined,
    bonus: details && Object.keys(details.bonus).length ? details.bonus : undefined,
    open: details?.open ?? before?.open,
  });
  const wins = before ? draft.wins.map((other) => (other.seat === seat ? win : other)) : [...draft.wins, win];
  const riichi = details && details.riichi !== draft.riichi.includes(seat) ? flipped(draft.riichi, seat) : draft.riichi;
  return { ...draft, riichi, wins };
}

export function hasWorth(win: Win): boolean {
  return keyOf(win) !== "";
}

/** Start entering a ron, or a tsumo where `from` is the winner. */
export function beginWin(draft: Draft, from: number, winner: number): Draft {
  const end = from === winner ? "tsumo" : "ron";
  return {
    ...draft,
    end,
    from: end === "ron" ? from : undefined,
    wins: [{ seat: winner }],
    kind: undefined,
    riichi_tile: false,
  };
}

/** Another winner by ron; the third makes the hand a draw where the rules say so, and nothing more is asked. */
export function alsoWon(draft: Draft, seat: number, table: PaymentsInfo): Partial<Draft> {
  if (draft.wins.length < 2 || !table.aborts.includes("sanchahou")) return { wins: [...draft.wins, { seat }] };
  return { ...beginAbort("sanchahou", draft.riichi), from: draft.from };
}

export function beginDraw({ riichi }: Pick<Draft, "riichi">): Partial<Draft> {
  return { end: "draw", riichi, wins: [], from: undefined, kind: undefined, tenpai: [...riichi], nagashi: [] };
}

export function beginAbort(kind: Abort, riichi: number[]): Partial<Draft> {
  const none = { from: undefined, seat: undefined, wins: [], tenpai: [], nagashi: [], riichi_tile: false };
  return { end: "abort", kind, riichi, ...none };
}

/** Whether somebody has to say how many chips a win pays: yakuman and known tiles tell it themselves. */
export function asksChips(win: Win, table: PaymentsInfo): boolean {
  return Boolean(table.chips) && !win.yakuman && !win.yaku;
}

/** Who has called, nobody in riichi among them; undefined: nobody has noted it. */
export function callsOf({ calls, riichi }: Draft): number[] | undefined {
  return calls?.filter((seat) => !riichi.includes(seat));
}

/** Note that a seat has called, or has not; without a seat: that nobody has. */
export function called({ calls }: Draft, seat: number | null): Pick<Draft, "calls"> {
  if (seat === null) return { calls: calls?.length === 0 ? undefined : [] };
  return { calls: some(flipped(calls ?? [], seat)) };
}

function endOf(draft: Draft): Partial<Hand> | null {
  const { end, wins, from, kind, tenpai, nagashi, riichi, calls } = draft;
  switch (end) {
    case "ron":
    case "tsumo": {
      if (!wins.length || !wins.every(hasWorth) || (end === "ron" && from == null)) return null;
      // A hand in riichi is closed, and calls tell which of the others are open
      const told = (win: Win): boolean => calls !== undefined || riichi.includes(win.seat);
      const all = wins.map((win) => known({ ...win, open: told(win) ? undefined : win.open }));
      return end === "tsumo" ? { wins: all } : { wins: all, from, riichi_tile: draft.riichi_tile || undefined };
    }
    case "draw":
      return { tenpai, nagashi: some(nagashi) };
    case "abort": {
      const asked = kind && ASKED[kind];
      if (!kind || (asked && draft[asked] == null)) return null;
      return { kind, ...(asked && { [asked]: draft[asked] }) };
    }
    case "foul":
      return draft.fouls.length ? {} : null;
    default:
      return null;
  }
}

/** The hand for the server; null while something is missing. */
export function handOf(draft: Draft): Hand | null {
  const ended = endOf(draft);
  if (!draft.end || !ended) return null;
  const { end, riichi, fouls, wareme, stop } = draft;
  return known({ end, riichi: some(riichi), ...ended, fouls: some(fouls), calls: callsOf(draft), wareme, stop });
}

export function draftOf(hand: Hand): Draft {
  return { ...EMPTY, ...hand };
}

export function keyOf({ yakuman, limit, han, fu }: Worth): string {
  if (yakuman) return `yakuman:${yakuman}`;
  return limit ? `limit:${limit}` : han === undefined ? "" : `${han}:${fu}`;
}

/** Whether a worth can be entered now: the table has no payment for it, or honba ask for two han. */
export function impossible(row: Row, tsumo: boolean, honba: number, table: PaymentsInfo): boolean {
  const needs = table.two_han_from_honba;
  const low = needs > 0 && honba >= needs && (row.worth.han ?? 2) < 2;
  return (tsumo ? row.tsumo : row.ron) === null || low;
}
