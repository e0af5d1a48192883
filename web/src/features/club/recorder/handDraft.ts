import type { PaymentsInfo, RecordedScore } from "$generated/wire";
import type { Hand, Win, Worth } from "$domain/enteredHand";

type Lists = "riichi" | "wins" | "tenpai" | "nagashi" | "fouls";

/** A hand being entered; `end` is unset until the hand has ended. */
export type Draft = Partial<Hand> & Required<Pick<Hand, Lists>>;
export type Abort = NonNullable<Hand["kind"]>;
type Row = PaymentsInfo["wins"][number];

export const EMPTY_DRAFT: Draft = { riichi: [], wins: [], tenpai: [], nagashi: [], fouls: [] };

/** The extra seat that an abortive draw requires: the discarder or the declaring player. */
export const REQUIRED_SEAT: { [kind in Abort]?: "from" | "seat" } = { sanchahou: "from", kyuushu_kyuuhai: "seat" };

export function toggled(seats: readonly number[], seat: number): number[] {
  return seats.includes(seat) ? seats.filter((other) => other !== seat) : [...seats, seat].sort((a, b) => a - b);
}

function nonEmpty<Value>(values: Value[]): Value[] | undefined {
  return values.length ? values : undefined;
}

function withoutUndefined<Of extends object>(fields: Of): Of {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Of;
}

export interface WinDetails {
  yaku: string[];
  bonus: Record<string, number>;
  riichi: boolean;
  open: boolean;
  tiles?: string;
}

type ScoreFields = Partial<Pick<RecordedScore, "yakuman" | "yaku" | "han" | "fu" | "limit">>;
const LIMITS = ["mangan", "haneman", "baiman", "sanbaiman"] as const;
const BONUS = ["red_dora", "ura_dora"]; // dora that may pay chips

export function worthOfScore(score: ScoreFields): { worth: Worth } & Pick<WinDetails, "yaku" | "bonus"> {
  const yaku = score.yaku ?? {};
  const bonus = Object.fromEntries(Object.entries(yaku).filter(([name, han]) => BONUS.includes(name) && han));
  return { worth: worthFrom(score), yaku: Object.keys(yaku), bonus };
}

function worthFrom({ yakuman, limit, han, fu }: ScoreFields): Worth {
  if (yakuman) return { yakuman };
  if (!limit) return { han: han ?? 0, fu: fu ?? 0 };
  const below = LIMITS.find((each) => each === limit);
  return below ? { limit: below } : { yakuman: 1 }; // counted yakuman
}

export function withWin(draft: Draft, seat: number, worth: Worth, details?: WinDetails): Draft {
  const before = draft.wins.find((win) => win.seat === seat);
  const win = withoutUndefined<Win>({
    seat,
    ...worth,
    pao: worth.yakuman ? before?.pao : undefined,
    feeder: before?.feeder,
    yaku: details && nonEmpty(details.yaku),
    tiles: details?.tiles || undefined,
    bonus: details && Object.keys(details.bonus).length ? details.bonus : undefined,
    open: details?.open ?? before?.open,
  });
  const wins = before ? draft.wins.map((other) => (other.seat === seat ? win : other)) : [...draft.wins, win];
  const riichi = details && details.riichi !== draft.riichi.includes(seat) ? toggled(draft.riichi, seat) : draft.riichi;
  return { ...draft, riichi, wins };
}

export function hasWorth(win: Win): boolean {
  return keyOf(win) !== "";
}

/** Start entering a ron, or a tsumo if `from` is the winner. */
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

/** Add another ron. The third turns the hand into a draw if the rules include sanchahou. */
export function addRon(draft: Draft, seat: number, table: PaymentsInfo): Partial<Draft> {
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

/** Whether the number of chips must be entered; for yakuman and known yaku it follows from the win. */
export function needsChips(win: Win, table: PaymentsInfo): boolean {
  return Boolean(table.chips) && !win.yakuman && !win.yaku;
}

/** Seats that called, without those in riichi; undefined if calls were not recorded. */
export function callersOf({ calls, riichi }: Draft): number[] | undefined {
  return calls?.filter((seat) => !riichi.includes(seat));
}

/** Toggle a seat's call; with null, toggle “nobody called”. */
export function toggleCall({ calls }: Draft, seat: number | null): Pick<Draft, "calls"> {
  if (seat === null) return { calls: calls?.length === 0 ? undefined : [] };
  return { calls: nonEmpty(toggled(calls ?? [], seat)) };
}

function endOf(draft: Draft): Partial<Hand> | null {
  const { end, wins, from, kind, tenpai, nagashi, riichi, calls } = draft;
  switch (end) {
    case "ron":
    case "tsumo": {
      if (!wins.length || !wins.every(hasWorth) || (end === "ron" && from == null)) return null;
      // A riichi hand is closed, and recorded calls show which of the others are open
      const isImplied = (win: Win): boolean => calls !== undefined || riichi.includes(win.seat);
      const all = wins.map((win) => withoutUndefined({ ...win, open: isImplied(win) ? undefined : win.open }));
      return end === "tsumo" ? { wins: all } : { wins: all, from, riichi_tile: draft.riichi_tile || undefined };
    }
    case "draw":
      return { tenpai, nagashi: nonEmpty(nagashi) };
    case "abort": {
      const required = kind && REQUIRED_SEAT[kind];
      if (!kind || (required && draft[required] == null)) return null;
      return { kind, ...(required && { [required]: draft[required] }) };
    }
    case "foul":
      return draft.fouls.length ? {} : null;
    default:
      return null;
  }
}

/** The hand to send; null while the draft is incomplete. */
export function handOf(draft: Draft): Hand | null {
  const ended = endOf(draft);
  if (!draft.end || !ended) return null;
  const { end, riichi, fouls, wareme, stop } = draft;
  return withoutUndefined({
    end,
    riichi: nonEmpty(riichi),
    ...ended,
    fouls: nonEmpty(fouls),
    calls: callersOf(draft),
    wareme,
    stop,
  });
}

export function draftOf(hand: Hand): Draft {
  return { ...EMPTY_DRAFT, ...hand };
}

export function keyOf({ yakuman, limit, han, fu }: Worth): string {
  if (yakuman) return `yakuman:${yakuman}`;
  return limit ? `limit:${limit}` : han === undefined ? "" : `${han}:${fu}`;
}

/** Whether the rules exclude a value: no payment is defined, or the honba count requires two han. */
export function unavailable(row: Row, tsumo: boolean, honba: number, table: PaymentsInfo): boolean {
  const twoHanFrom = table.two_han_from_honba;
  const tooFewHan = twoHanFrom > 0 && honba >= twoHanFrom && (row.worth.han ?? 2) < 2;
  return (tsumo ? row.tsumo : row.ron) === null || tooFewHan;
}
