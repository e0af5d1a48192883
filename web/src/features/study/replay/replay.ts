// A finished game: where it is loaded from, the table at each moment, and a way to the calculator.
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
  const reviews: Record<number, Promise<GameReview>> = {};
  const review = (seat: number) =>
    played
      ? send("GET /api/games/{game_id}/review", { path: game, query: { seat } })
      : send("GET /api/uploads/{upload_id}/review", { path: upload, query: { seat } });
  return {
    replay: () =>
      played
        ? send("GET /api/games/{game_id}/replay", { path: game })
        : send("GET /api/uploads/{upload_id}/replay", { path: upload }),
    moment: (step: number) =>
      played
        ? send("GET /api/games/{game_id}/replay/{step}", { path: { ...game, step } })
        : send("GET /api/uploads/{upload_id}/replay/{step}", { path: { ...upload, step } }),
    /** The review of a seat, asked for once; after a failure somebody may ask again. */
    review(seat: number): Promise<GameReview> {
      const asked = (reviews[seat] ??= review(seat));
      asked.catch(() => delete reviews[seat]);
      return asked;
    },
    /** A table of one's own at which the game goes on from there. */
    whatIf: (step: number, seat: number) =>
      played
        ? send("POST /api/games/{game_id}/what-if", { path: game, body: { step, seat } })
        : send("POST /api/uploads/{upload_id}/what-if", { path: upload, body: { step, seat } }),
  };
}

/** The table after the events before each one, computed once for the shown hand. */
export function tablesOf({ wall, replacements, man, hands, events }: Replay): (event: number) => TableState {
  const nothing: TableState = { ...NOTHING, set: { wall, replacements, man } };
  const kept: Record<number, TableState> = {};
  const at = (event: number): TableState => {
    if (kept[event]) return kept[event];
    const start = hands.findLast((hand) => hand.event < event)?.event ?? 0;
    const before = event - 1 <= start ? nothing : at(event - 1);
    const last = events[event - 1];
    return (kept[event] = last ? afterEvent(before, last) : before);
  };
  return at;
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
