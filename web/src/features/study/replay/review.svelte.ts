// A seat's review: which moments the reader walks through, the reader's answers, the turning points of the game, and
// the reader's way, which keeps the position and the answers while deeper results arrive.
import { SvelteMap, SvelteSet } from "svelte/reactivity";
import type { GameReview, Safety } from "$generated/wire";
import type { Action } from "$domain/game/choices";
import type { GameEvent } from "$domain/game/reducer";
import { kindOf, plainOf, type Tile, tilesOf } from "$domain/tiles/notation";
import { dotted, formatted, listed, number, t } from "$domain/words.svelte";

export type Decision = GameReview["review"]["decisions"][number];
export type Verdict = Decision["verdict"];
type Chances = GameReview["review"]["chances"];

const COSTLIEST = 3;
const ROUND = 10; // points
const POLL_MS = 2_000;
const MAX_POLL_MS = 30_000;
const SLOWER = 1.5;
const MOST_STILL = 40; // answers without progress before the walk stops asking

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

/** The turning points with the expected place before and after; `lines` are those of `linesOf`. */
export function turningPoints(hands: readonly number[], lines: readonly (readonly number[])[]): TurningPoint[] {
  const place = (at: number): number => lines.reduce((sum, line, i) => sum + (i + 1) * (line[at] ?? 0), 0);
  return hands.map((hand) => ({ hand, before: place(hand), after: place(hand + 1) }));
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

type Request = (seat: number, judge: string, signal: AbortSignal) => Promise<GameReview>;

export class Walk {
  review = $state.raw<GameReview | null>(null);
  /** Why there is no review. */
  problem = $state("");
  /** Whether the server still makes progress. */
  checking = $state(false);
  /** The step of the current moment; null outside the walk. */
  at = $state<number | null>(null);
  visited = $state.raw<readonly number[]>([]);
  readonly answers = new SvelteMap<number, Action>();
  readonly seen = new SvelteSet<number>();

  constructor(private readonly request: Request) {}

  readonly decisions = $derived(this.review?.review.decisions ?? []);
  readonly order = $derived(walkOf(this.decisions).map(({ step }) => step));
  readonly unclear = $derived(withVerdict(this.decisions, "unclear"));
  readonly decision = $derived(this.decisionAt(this.at));
  /** The number of moments to walk through, with those visited that are no longer mistakes. */
  readonly count = $derived(new Set([...this.visited, ...this.order]).size);
  readonly place = $derived(this.at === null ? 0 : this.visited.indexOf(this.at) + 1);
  readonly after = $derived(this.at === null ? null : stepAfter(this.at, this.visited, this.order));
  readonly before = $derived(this.at === null ? null : stepBefore(this.at, this.visited));

  decisionAt(step: number | null): Decision | null {
    return this.decisions.find((one) => one.step === step) ?? null;
  }

  whyAt(step: number): readonly string[] {
    return this.review?.why[step] ?? [];
  }

  go(step: number | null): void {
    this.at = step;
    if (step !== null && !this.visited.includes(step)) this.visited = [...this.visited, step];
  }

  /** Go to the first moment that was not answered. */
  begin(): void {
    const open = [...this.visited, ...this.order].find((step) => !this.seen.has(step));
    this.go(open ?? this.order[0] ?? null);
  }

  /** Load the review of a seat, and again while deeper results come. Returns a function that stops it. */
  follow(seat: number, judge: string): () => void {
    const stop = new AbortController();
    this.review = null;
    this.problem = "";
    this.at = null;
    this.visited = [];
    this.answers.clear();
    this.seen.clear();
    this.checking = true;
    void this.poll(seat, judge, stop.signal).finally(() => {
      if (!stop.signal.aborted) this.checking = false;
    });
    return () => stop.abort();
  }

  private async poll(seat: number, judge: string, signal: AbortSignal): Promise<void> {
    let [wait, still] = [POLL_MS, 0];
    while (!signal.aborted && still < MOST_STILL) {
      const before = this.review?.review.progress ?? -1;
      try {
        const latest = await this.request(seat, judge, signal);
        if (signal.aborted) return;
        this.review = latest;
      } catch (error) {
        if (signal.aborted) return;
        this.problem = error instanceof Error ? error.message : String(error);
        if (!this.review) return;
      }
      if (!this.review?.deeper) return;
      const grown = this.review.review.progress > before;
      still = grown ? 0 : still + 1;
      wait = grown ? POLL_MS : Math.min(wait * SLOWER, MAX_POLL_MS);
      await new Promise((done) => setTimeout(done, wait));
    }
  }
}

/** Why tiles are safe or dangerous. */
export interface Reason {
  label: string;
  tiles: Tile[];
}
export interface Against {
  opponent: number;
  /** The reasons for the tiles in question. */
  asked: Reason[];
  /** The reasons for all tiles of the hand, safest first. */
  all: Reason[];
}

export function safetyLabel({ code, tiles, unseen, dora }: Safety): string {
  const label = t(`review.safety.label.${code}`, { tiles: `⟦${tiles}⟧`, count: unseen });
  return dotted(label, dora && t("review.safety.label.dora"));
}

/** The opponents of `rows`, with the reasons for the tiles in question. */
export function byOpponent(rows: readonly Safety[], inQuestion: readonly Tile[]): Against[] {
  const kinds = new Set(inQuestion.map(kindOf));
  return [...new Set(rows.map((row) => row.opponent))].map((opponent) => {
    const mine = rows.filter((row) => row.opponent === opponent);
    return { opponent, asked: byReason(mine.filter((row) => kinds.has(kindOf(row.tile)))), all: byReason(mine) };
  });
}

function byReason(rows: readonly Safety[]): Reason[] {
  const tiles = new Map<string, Tile[]>();
  for (const row of rows) tiles.set(safetyLabel(row), [...(tiles.get(safetyLabel(row)) ?? []), row.tile]);
  return [...tiles].map(([label, tiles]) => ({ label, tiles }));
}
