// What people entered for a hand, in words.
import type { Key } from "$generated/keys";
import type { Hand, Win } from "$domain/enteredHand";
import { yakuName } from "$domain/scoreInWords";
import { listed, maybe, t } from "$domain/words.svelte";

/** A sentence about a hand, and what it is worth. */
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

const MANY: readonly string[] = ["yakuman", "double_yakuman", "triple_yakuman"];

/** The value of a win as it was entered. */
export function worthOf(win: Win): string {
  if (win.yakuman) {
    const name = MANY[win.yakuman - 1];
    return name ? t(`explain.limit.${name}` as Key) : t("explain.limit.many_yakuman", { count: win.yakuman });
  }
  if (win.limit) return t(`explain.limit.${win.limit}` as Key);
  return win.fu ? t("score.han_fu", { han: win.han ?? 0, fu: win.fu }) : t("score.han", { han: win.han ?? 0 });
}

function winLine(win: Win, hand: Hand, names: readonly string[]): HandLine {
  const player = names[win.seat] ?? "";
  const text =
    hand.end === "ron" ? t("win.ron", { player, from: names[hand.from ?? -1] ?? "" }) : t("win.tsumo", { player });
  const chips = win.chips ? [t("event.game.chips", { count: win.chips })] : [];
  const liable = win.pao ? [t("event.game.pao", { players: named(win.pao.seats, names) })] : [];
  const yaku = win.yaku?.length ? listed(win.yaku.map(yakuName)) : t("event.game.no_yaku");
  return { text, worth: worthOf(win), notes: [yaku, ...chips, ...liable] };
}

function named(seats: readonly number[], names: readonly string[]): string {
  return listed(seats.map((seat) => names[seat] ?? ""));
}

function drawLines({ tenpai = [], nagashi = [] }: Hand, names: readonly string[]): HandLine[] {
  const notes = [tenpai.length ? t("draw.tenpai", { players: named(tenpai, names) }) : t("draw.nobody")];
  if (nagashi.length) notes.push(t("draw.nagashi", { players: named(nagashi, names) }));
  return [{ text: t("draw.exhausted"), worth: "", notes }];
}

/** A hand in words; `names` by seat, `winners`: the seats whose wins stand, where somebody has settled the hand. */
export function handInWords(hand: Hand, names: readonly string[], winners?: readonly number[]): HandInWords {
  const notes = hand.riichi?.length ? [t("event.game.riichi", { players: named(hand.riichi, names) })] : [];
  for (const { seat, foul } of hand.fouls ?? []) {
    const name = maybe(`options.fouls.${foul}.label`, foul);
    notes.push(t("event.game.foul", { player: names[seat] ?? "", foul: name }));
  }
  return { lines: linesOf(hand, names, winners), notes };
}

function linesOf(hand: Hand, names: readonly string[], winners?: readonly number[]): HandLine[] {
  switch (hand.end) {
    case "ron":
    case "tsumo": {
      const wins = hand.wins ?? [];
      const standing = winners ? wins.filter((win) => winners.includes(win.seat)) : wins;
      return standing.length
        ? standing.map((win) => winLine(win, hand, names))
        : [
            {
              text: t("event.game.abort"),
              worth: t("draw.sanchahou"),
              notes: [
                named(
                  wins.map((win) => win.seat),
                  names,
                ),
              ],
            },
          ];
    }
    case "draw":
      return drawLines(hand, names);
    case "abort":
      return [{ text: t("event.game.abort"), worth: maybe(`draw.${hand.kind}`, hand.kind ?? ""), notes: [] }];
    case "foul":
      return [{ text: t("event.game.foul_end"), worth: "", notes: [] }];
  }
}
