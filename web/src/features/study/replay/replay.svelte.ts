// A finished game: where it is loaded from, the table at each moment, its reviews, and a way to the calculator.
import { SvelteMap } from "svelte/reactivity";
import { EMPTY, queryOf } from "$domain/calculator/calculatorState";
import { afterEvent } from "$domain/game/reducer";
import { NOTHING, type HandState, type TableState } from "$domain/game/tableState";
import { windOf, WINDS } from "$domain/seats";
import { tilesOf } from "$domain/tiles/notation";
import type { GameReview, Replay, View } from "$generated/wire";
import { send } from "$data/requests";

/** The requests of a game that was played here, or of an uploaded record. */
export function sourceOf(kind: "games" | "uploads", id: string) {
  const [game, upload] = [{ game_id: id }, { upload_id: id }];
  const played = kind === "games";
  return {
    kind,
    id,
    replay: () =>
      played
        ? send("GET /api/games/{game_id}/replay", { path: game })
        : send("GET /api/uploads/{upload_id}/replay", { path: upload }),
    moment: (step: number) =>
      played
        ? send("GET /api/games/{game_id}/replay/{step}", { path: { ...game, step } })
        : send("GET /api/uploads/{upload_id}/replay/{step}", { path: { ...upload, step } }),
    review: (seat: number) =>
      played
        ? send("GET /api/games/{game_id}/review", { path: game, query: { seat } })
        : send("GET /api/uploads/{upload_id}/review", { path: upload, query: { seat } }),
    /** A table of one's own at which the game goes on from there. */
    whatIf: (step: number, seat: number) =>
      played
        ? send("POST /api/games/{game_id}/what-if", { path: game, body: { step, seat } })
        : send("POST /api/uploads/{upload_id}/what-if", { path: upload, body: { step, seat } }),
  };
}

/** The reviews of the seats, each asked for once. */
export class Reviews {
  readonly of = new SvelteMap<number, GameReview>();
  private readonly asked = new Set<number>();

  constructor(private readonly review: (seat: number) => Promise<GameReview>) {}

  /** Ask for the review of a seat, unless it is known; a failure lets somebody ask again. */
  async load(seat: number): Promise<void> {
    if (this.asked.has(seat)) return;
    this.asked.add(seat);
    try {
      this.of.set(seat, await this.review(seat));
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

  /** The table after the events before `event`. */
  at(event: number): TableState {
    const kept = this.kept.get(event);
    if (kept) return kept;
    const start = this.replay.hands.findLast((hand) => hand.event < event)?.event ?? 0;
    const before = event - 1 <= start ? this.nothing : this.at(event - 1);
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
