// A finished game, stepped through: the table after any number of its events.
import type { Replay } from "$generated/wire";
import { afterEvent } from "$domain/game/events";
import { NOTHING, type HandState, type TableState } from "$domain/game/tableState";

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

  get length(): number {
    return this.replay.events.length;
  }
}

/** The hand without the tiles that the seat could not see. */
export function asSeenFrom(hand: HandState, seat: number): HandState {
  const seats = hand.seats.map((each, i) =>
    i === seat ? each : { ...each, hand: null, drawn: null, holding: each.drawn !== null },
  );
  return { ...hand, seats };
}
