// A finished game: its requests, the table at each point, and links to the calculator.
import { EMPTY, queryOf } from "$domain/calculator/calculatorState";
import { afterEvent } from "$domain/game/reducer";
import { NOTHING, type HandState, type TableState } from "$domain/game/tableState";
import { windOf, WINDS } from "$domain/seats";
import { tilesOf } from "$domain/tiles/notation";
import type { GameReview, Replay, View } from "$generated/wire";
import { send } from "$data/requests";

/** The requests for a game played here or for an uploaded record. */
export function sourceOf(kind: "games" | "uploads", id: string) {
  const [game, upload] = [{ game_id: id }, { upload_id: id }];
  const played = kind === "games";
  return {
    replay: () =>
      played
        ? send("GET /api/games/{game_id}/replay", { path: game })
        : send("GET /api/uploads/{upload_id}/replay", { path: upload }),
    moment: (step: number) =>
      played
        ? send("GET /api/games/{game_id}/replay/{step}", { path: { ...game, step } })
        : send("GET /api/uploads/{upload_id}/replay/{step}", { path: { ...upload, step } }),
    /** The latest review of a seat by a judge. */
    review: (seat: number, judge: string, signal: AbortSignal): Promise<GameReview> =>
      played
        ? send("GET /api/games/{game_id}/review", { path: game, query: { seat, judge } }, signal)
        : send("GET /api/uploads/{upload_id}/review", { path: upload, query: { seat } }, signal),
    /** Create a new table that continues the game from a step. */
    whatIf: (step: number, seat: number) =>
      played
        ? send("POST /api/games/{game_id}/what-if", { path: game, body: { step, seat } })
        : send("POST /api/uploads/{upload_id}/what-if", { path: upload, body: { step, seat } }),
  };
}

export type Source = ReturnType<typeof sourceOf>;

/** Return a function for the table after the first `event` events; results are cached. */
export function tablesOf({ wall, replacements, man, hands, events }: Replay): (event: number) => TableState {
  const nothing: TableState = { ...NOTHING, set: { wall, replacements, man } };
  const cache: Record<number, TableState> = {};
  const at = (event: number): TableState => {
    if (cache[event]) return cache[event];
    const start = hands.findLast((hand) => hand.event < event)?.event ?? 0;
    const before = event - 1 <= start ? nothing : at(event - 1);
    const last = events[event - 1];
    return (cache[event] = last ? afterEvent(before, last) : before);
  };
  return at;
}

/** Hide the tiles that the seat could not see. */
export function asSeenFrom(hand: HandState, seat: number): HandState {
  const seats = hand.seats.map((each, i) =>
    i === seat ? each : { ...each, hand: null, drawn: null, holding: each.drawn !== null },
  );
  return { ...hand, seats };
}

/** The URL of the calculator with a seat's current hand. */
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
