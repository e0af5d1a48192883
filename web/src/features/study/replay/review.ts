// A seat's review: which moments the reader walks through, the reader's answers, and the turning points of the game.
import type { GameReview } from "$generated/wire";
import type { Action } from "$domain/game/choices";
import type { GameEvent } from "$domain/game/reducer";
import { formatted, listed, number, t } from "$domain/words.svelte";
import { tilesOf, plainOf } from "$domain/tiles/notation";

export type Decision = GameReview["review"]["decisions"][number];
export type Verdict = Decision["verdict"];
type Chances = GameReview["review"]["chances"];

const COSTLIEST = 3;
const MOST_TURNS = 3;
const LEAST_TURN = 0.2; // places; a smaller change is not a turning point
const ROUND = 10; // points

/** The loss of a mistake in points; 0 for any other decision. */
export function lossOf({ verdict, compared }: Decision): number {
  return verdict === "mistake" ? (compared?.loss ?? 0) : 0;
}

export function withVerdict(decisions: readonly Decision[], verdict: Verdict): Decision[] {
  return decisions.filter((one) => one.verdict === verdict);
}

/** The mistakes in the order of the walk: the costliest first, then the others in the order of the game. */
export function walkOf(decisions: readonly Decision[]): Decision[] {
  const mistakes = withVerdict(decisions, "mistake");
  const first = mistakes.toSorted((a, b) => lossOf(b) - lossOf(a)).slice(0, COSTLIEST);
  return [...first, ...mistakes.filter((one) => !first.includes(one))];
}

export const costliest = (decisions: readonly Decision[]): Decision[] => walkOf(decisions).slice(0, COSTLIEST);

/** The step after `at`: the next one that was visited, otherwise the first of `order` that was not. */
export function stepAfter(at: number, visited: readonly number[], order: readonly number[]): number | null {
  return visited[visited.indexOf(at) + 1] ?? order.find((step) => !visited.includes(step)) ?? null;
}

export function stepBefore(at: number, visited: readonly number[]): number | null {
  return visited[visited.indexOf(at) - 1] ?? null;
}

/** Whether two actions are the same choice, whether the tile was drawn or held, and whichever red tile a call uses. */
export function isSameChoice(one: Action, other: Action): boolean {
  if (one.type === "discard" && other.type === "discard")
    return one.tile === other.tile && (one.riichi ?? null) === (other.riichi ?? null);
  if (one.type === "chi" && other.type === "chi") return kindsOf(one.tiles) === kindsOf(other.tiles);
  if (one.type === "kan" && other.type === "kan")
    return one.kind === other.kind && plainOf(one.tile) === plainOf(other.tile);
  return one.type === other.type;
}

const kindsOf = (tiles: string): string => tilesOf(tiles).map(plainOf).sort().join(" ");

/** How an answer relates to the choices that the judge compared. */
export function judged(answer: Action, { played, best }: Decision): "best" | "played" | "other" {
  if (isSameChoice(answer, best)) return "best";
  return isSameChoice(answer, played) ? "played" : "other";
}

const points = (value: number): string => number(Math.round(value / ROUND) * ROUND);

export function lossInWords(decision: Decision): string {
  return t("learn.review.loss", { points: points(lossOf(decision)) });
}

export function intervalInWords({ low, high }: { low: number; high: number }): string {
  return t("learn.review.interval", { low: points(low), high: points(high) });
}

/** A rating on the scale of a program. */
export function ratingInWords(judge: string, rating: number): string {
  return t("learn.review.rating", { judge, rating: formatted(rating, { maximumFractionDigits: 2 }) });
}

/** A hand that changed the place that a seat could expect. */
export interface TurningPoint {
  hand: number;
  before: number;
  after: number;
}

/** The hands that changed the expected place most, in the order of the game; `lines` are those of `linesOf`. */
export function turningPoints(lines: readonly (readonly number[])[]): TurningPoint[] {
  const places = (lines[0] ?? []).map((_, at) =>
    lines.reduce((sum, line, place) => sum + (place + 1) * (line[at] ?? 0), 0),
  );
  const changes = places.slice(1).map((after, hand) => ({ hand, before: places[hand] ?? 0, after }));
  const size = ({ before, after }: TurningPoint): number => Math.abs(after - before);
  return changes
    .filter((change) => size(change) >= LEAST_TURN)
    .toSorted((a, b) => size(b) - size(a))
    .slice(0, MOST_TURNS)
    .sort((a, b) => a.hand - b.hand);
}

/** The chance of each place for a seat, as a line over the game. */
export function linesOf(chances: Chances, seat: number): number[][] {
  const own = chances.map((seats) => seats[seat] ?? []);
  return (own[0] ?? []).map((_, place) => own.map((places) => places[place] ?? 0));
}

/** How a hand ended as seen from a seat, in words; `events` are those of the hand. */
export function endingInWords(events: readonly GameEvent[], seat: number, names: readonly string[]): string {
  const wins = events.filter((event) => event.type === "won");
  const nameOf = (at: number | null | undefined): string => names[at ?? -1] ?? "";
  const own = wins.find((win) => win.seat === seat);
  const first = own ?? wins[0];
  if (!first) return t("learn.review.ended.draw");
  const [player, other] = [listed(wins.map((win) => nameOf(win.seat))), nameOf(first.source)];
  if (own) return own.source == null ? t("learn.review.ended.tsumo") : t("learn.review.ended.ron", { other });
  if (first.source == null) return t("learn.review.ended.other_tsumo", { player });
  return first.source === seat
    ? t("learn.review.ended.dealt_in", { player })
    : t("learn.review.ended.other_ron", { player, other });
}

/** The points that a hand gave a seat. */
export function gainOf(events: readonly GameEvent[], seat: number): number {
  return events.reduce((sum, event) => sum + (event.type === "points_moved" ? (event.deltas[seat] ?? 0) : 0), 0);
}
