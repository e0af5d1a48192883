// A finished game: where it is loaded from, the table at each moment, its reviews, and a way to the calculator.
import { SvelteMap } from "svelte/reactivity";
import { EMPTY, queryOf } from "$domain/calculator/calculatorState";
import { afterEvent } from "$domain/game/reducer";
import { NOTHING, type HandState, type TableState } from "$domain/game/tableState";
import { learnYaku } from "$domain/ownYakuNames.svelte";
import { windOf, WINDS } from "$domain/seats";
import { tilesOf } from "$domain/tiles/notation";
import type { GameReview, Replay, ReplayMoment, View, WhatIfTable } from "$generated/wire";
import { send } from "$data/requests";

/** A game that was played here or an uploaded record: the same requests at two addresses. */
export interface Source {
  kind: "games" | "uploads";
  id: string;
}

export async function replayOf({ kind, id }: Source): Promise<Replay> {
  const game = await (kind === "games"
    ? send("GET /api/games/{game_id}/replay", { path: { game_id: id } })
    : send("GET /api/uploads/{upload_id}/replay", { path: { upload_id: id } }));
  learnYaku(game.own_yaku);
  return game;
}

export function momentOf({ kind, id }: Source, step: number): Promise<ReplayMoment> {
  return kind === "games"
    ? send("GET /api/games/{game_id}/replay/{step}", { path: { game_id: id, step } })
    : send("GET /api/uploads/{upload_id}/replay/{step}", { path: { upload_id: id, step } });
}

export function reviewOf({ kind, id }: Source, seat: number): Promise<GameReview> {
  return kind === "games"
    ? send("GET /api/games/{game_id}/review", { path: { game_id: id }, query: { seat } })
    : send("GET /api/uploads/{upload_id}/review", { path: { upload_id: id }, query: { seat } });
}

export function whatIf({ kind, id }: Source, step: number, seat: number): Promise<WhatIfTable> {
  return kind === "games"
    ? send("POST /api/games/{game_id}/what-if", { path: { game_id: id }, body: { step, seat } })
    : send("POST /api/uploads/{upload_id}/what-if", { path: { upload_id: id }, body: { step, seat } });
}

/** The reviews of the seats, each asked for once. */
export class Reviews {
  readonly of = new SvelteMap<number, GameReview>();
  private readonly asked = new Set<number>();

  constructor(private readonly source: Source) {}

  /** Ask for the review of a seat, unless it is known; a failure lets somebody ask again. */
  async load(seat: number): Promise<void> {
    if (this.asked.has(seat)) return;
    this.asked.add(seat);
    try {
      this.of.set(seat, await reviewOf(this.source, seat));
    } catch (error) {
      this.asked.delete(seat);
      throw error;
    }
  }
}

/** The table after each event, computed once for the shown hand. */
export class ReplayTables {
  private readonly kept = new Map<number, TableState>();
  private readonly nothing: TableState;

  constructor(private readonly replay: Replay) {
    const { wall, replacements, man } = replay;
    this.nothing = { ...NOTHING, set: { wall, replacements, man } };
  }

  private start(event: number): number {
    const starts = this.replay.hands.map((hand) => hand.event).filter((first) => first <= event);
    return starts.at(-1) ?? 0;
  }

  /** The table after the events before `event`. */
  at(event: number): TableState {
    const kept = this.kept.get(event);
    if (kept) return kept;
    const from = this.start(Math.max(event - 1, 0));
    const before = event - 1 <= from ? this.nothing : this.at(event - 1);
    const last = this.replay.events[event - 1];
    const state = last ? afterEvent(before, last) : before;
    this.kept.set(event, state);
    return state;
  }
}

/** The hand without the tiles that the seat could not see. */
export function asSeenFrom(hand: HandState, seat: number): HandState {
  const seats = hand.seats.map((each, i) =>
    i === seat ? each : { ...each, hand: null, drawn: null, holding: each.drawn !== null },
  );
  return { ...hand, seats };
}

/** The address of the calculator with the hand of a seat, as it is drawn. */
export function calculatorOf(view: View, seat: number, rules: string): string {
  const count = view.scores.length;
  const query = queryOf({
    ...EMPTY,
    hand: [...tilesOf(view.hand), ...tilesOf(view.drawn ?? "")],
    melds: view.melds[seat] ?? [],
    dora: tilesOf(view.indicators.join("")),
    by: view.drawn ? "tsumo" : "ron",
    round: view.round,
    seat: WINDS[windOf(seat, view.dealer, count)] ?? "east",
    riichi: view.riichi[seat] ?? "",
    honba: view.honba,
    deposits: view.deposits,
    kita: view.kita[seat] ?? 0,
    rules,
  });
  return `/calc?${query}`;
}
