// An entered hand in words: structured for its page, as lines for the desk, and as a single line for the recorder.
import type { Foul, Hand, Win, Worth } from "./enteredHand";
import { hanOf, limitName, yakuName } from "./scoreInWords";
import { listed, maybe, t } from "./words.svelte";

/** A sentence about a hand, with its value. */
export interface HandLine {
  text: string;
  worth: string;
  /** Further remarks: yaku, liability. */
  notes: readonly string[];
}

export interface HandInWords {
  lines: readonly HandLine[];
  /** Riichi and fouls. */
  notes: readonly string[];
}

export function worthOf({ yakuman = 0, limit = null, han = 0, fu }: Worth): string {
  return limitName({ yakuman, limit }) || hanOf({ yakuman, limit, han, fu: fu || null });
}

export function foulName(foul: string): string {
  return maybe(`options.fouls.${foul}.label`, foul);
}

export function abortName(kind: string): string {
  return maybe(`draw.${kind}`, kind);
}

export function costName(cost: string): string {
  return maybe(`options.foul_cost.values.${cost}`, cost);
}

type Names = readonly string[];

const called = (seats: readonly number[], names: Names): string => listed(seats.map((seat) => names[seat] ?? ""));

const liable = (win: Win, names: Names): string[] =>
  win.pao ? [t("event.game.pao", { players: called(win.pao.seats, names) })] : [];

const foulNote = ({ seat, foul }: Foul, names: Names): string =>
  t("event.game.foul", { player: names[seat] ?? "", foul: foulName(foul) });

/** The valid wins; `winners` are their seats, null while the hand is not settled. */
function validWins({ wins = [] }: Hand, winners: readonly number[] | null): readonly Win[] {
  return winners ? wins.filter(({ seat }) => winners.includes(seat)) : wins;
}

function linesOf(hand: Hand, names: Names, winners: readonly number[] | null): HandLine[] {
  switch (hand.end) {
    case "ron":
    case "tsumo": {
      const wins = validWins(hand, winners);
      const all = hand.wins?.map(({ seat }) => seat) ?? [];
      if (!wins.length)
        return [{ text: t("event.game.abort"), worth: abortName("sanchahou"), notes: [called(all, names)] }];
      return wins.map((win) => ({
        text: t(`win.${hand.end as "ron" | "tsumo"}`, {
          player: names[win.seat] ?? "",
          from: names[hand.from ?? -1] ?? "",
        }),
        worth: worthOf(win),
        notes: [
          win.yaku?.length ? listed(win.yaku.map(yakuName)) : t("event.game.no_yaku"),
          ...(win.chips ? [t("event.game.chips", { count: win.chips })] : []),
          ...liable(win, names),
        ],
      }));
    }
    case "draw": {
      const { tenpai = [], nagashi = [] } = hand;
      const notes = [tenpai.length ? t("draw.tenpai", { players: called(tenpai, names) }) : t("draw.nobody")];
      if (nagashi.length) notes.push(t("draw.nagashi", { players: called(nagashi, names) }));
      return [{ text: t("draw.exhausted"), worth: "", notes }];
    }
    case "abort":
      return [{ text: t("event.game.abort"), worth: abortName(hand.kind ?? ""), notes: [] }];
    case "foul":
      return [{ text: t("event.game.foul_end"), worth: "", notes: [] }];
  }
}

export function handInWords(hand: Hand, names: Names, winners: readonly number[] | null = null): HandInWords {
  const riichi = hand.riichi?.length ? [t("event.game.riichi", { players: called(hand.riichi, names) })] : [];
  const fouls = (hand.fouls ?? []).map((foul) => foulNote(foul, names));
  return { lines: linesOf(hand, names, winners), notes: [...riichi, ...fouls] };
}

/** A hand as plain lines: the ending or each win with its remarks, then riichi and fouls. */
export function handLines(hand: Hand | null, names: Names, winners: readonly number[] | null = null): string[] {
  if (!hand) return [];
  const { lines, notes } = handInWords(hand, names, winners);
  return [...lines.flatMap(({ text, worth, notes: more }) => [worth ? `${text}: ${worth}` : text, ...more]), ...notes];
}

/** A hand in one line: "Kim: ron from Park, 3 han 40 fu". */
export function handSummary(hand: Hand, names: Names, winners: readonly number[] | null = null): string {
  if (hand.end === "foul") return listed((hand.fouls ?? []).map((foul) => foulNote(foul, names)));
  const summary = (win: Win): string =>
    t(`recorder.said.${hand.end as "ron" | "tsumo"}`, {
      name: names[win.seat] ?? "",
      from: names[hand.from ?? -1] ?? "",
      worth: worthOf(win),
    });
  const wins = validWins(hand, winners);
  if (wins.length) return wins.map((win) => [summary(win), ...liable(win, names)].join(" · ")).join(" / ");
  const [line] = linesOf(hand, names, winners);
  return [line?.worth || line?.text, ...(line?.notes ?? [])].join(" · ");
}
