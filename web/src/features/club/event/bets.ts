import type { BetBalance, BetInfo, BetList, EventEntry } from "$generated/wire";
import { number, t } from "$domain/words.svelte";

export function opponentsOf(players: readonly string[], entries: readonly EventEntry[], me: string): EventEntry[] {
  const others = players.filter((player) => player !== me).map((player) => entries.find(({ id }) => id === player));
  return others.filter((entry): entry is EventEntry => entry?.account === true);
}

export function waitingForMe(bets: readonly BetInfo[]): BetInfo[] {
  return bets.filter((bet) => bet.status === "offered" && !bet.offered_by_me);
}

/** The bets on a game, newest first; without a game all of them. */
export function betsOn(bets: readonly BetInfo[], game: string | null): BetInfo[] {
  return bets.filter((bet) => game === null || bet.game === game).reverse();
}

export function settledWith({ bets, balances }: BetList): BetBalance[] {
  return balances.filter(({ entry }) => bets.some((bet) => bet.entry === entry && bet.status === "settled"));
}

export function termsOf(bet: { kind: BetInfo["kind"]; stake: number }): string {
  return t(`event.bet.terms_${bet.kind}`, { stake: number(bet.stake) });
}
