import { describe, expect, test } from "vitest";
import { seatsOf } from "../seats";
import type { Own, View, Sync, TableInfo, Update } from "$generated/wire";
import { afterEvent, cryOf, type GameEvent, reduce } from "./reducer";
import { NOTHING, isOver, replacementsLeft, type HandState, type TableState } from "./tableState";
import { USUAL_SET, type TileSet } from "../tiles/tileSet";

interface Step {
  seq: number;
  events: GameEvent[];
  view: View;
}

interface Played {
  set: TileSet;
  steps: Step[];
}

// Written by web/record.py before the tests; the build does not need it
const files = import.meta.glob<Played[]>("/src/generated/stream.json", { eager: true, import: "default" });
const recorded = Object.values(files).flat();
const SEAT = 1;

function own(view: View, ask: number | null = null): Own {
  const { hand, drawn, waits, furiten, offered, legal, fouls } = view;
  return { hand, drawn, waits, furiten, offered, ask, legal, fouls, left_ms: null };
}

function update(step: Step, events = step.events): Update {
  return { type: "update", game: 1, seq: step.seq, events, own: own(step.view), clock: null };
}

function sync(step: Step): Sync {
  return {
    type: "sync",
    game: 1,
    view_seq: step.seq,
    seq: step.seq,
    view: step.view,
    events: [],
    own: own(step.view),
    clock: null,
  };
}

const seated: TableState = { ...NOTHING, seat: SEAT };
const begun: TableState = { ...seated, game: 1, seq: 0 };

/** A new game at a table with this tile set. */
function withSet(set: TileSet): TableState {
  const table = { id: "x", rules: { ...set } } as TableInfo;
  return reduce(begun, { message: { type: "table", table }, at: 0 });
}

function after(steps: readonly Step[]): TableState {
  return steps.reduce((state, step) => reduce(state, { message: update(step), at: 0 }), begun);
}

test("there are recorded games with three and with four players", () => {
  expect(new Set(recorded.map(({ steps }) => steps[0]?.view.scores.length))).toEqual(new Set([3, 4]));
});

describe.each(recorded.map((played, i) => ({ ...played, i })))("game $i", ({ steps, set }) => {
  test("the state derived from events matches the seat's view", () => {
    let state = withSet(set);
    for (const step of steps) {
      state = reduce(state, { message: update(step), at: 0 });
      if (state.final) break;
      const seen = reduce(withSet(set), { message: sync(step), at: 0 }).hand;
      const { seats, lastDiscard: _, turn: __, ...known } = state.hand ?? expect.fail();
      const { seats: seenSeats, lastDiscard: ___, turn: ____, ...rest } = seen ?? expect.fail();
      expect(known).toEqual(rest);
      seats.forEach((seat, i) => {
        const { riichi, holding, deposited, ...public_ } = seat;
        const { riichi: seenRiichi, holding: _h, deposited: _d, ...expected } = seenSeats[i] ?? expect.fail();
        expect(public_).toEqual(expected);
        expect(riichi !== null).toBe(seenRiichi !== null);
        void holding;
        void deposited;
      });
    }
    const seats = steps[0]?.view.scores.length ?? 0;
    expect(state.final?.places.toSorted()).toEqual(seatsOf(seats).map((seat) => seat + 1));
  });

  test("a repeated update changes nothing", () => {
    const state = after(steps.slice(0, 9));
    const last = steps[8] ?? expect.fail();
    expect(reduce(state, { message: update(last), at: 0 })).toEqual(state);
  });

  test("only the new events of an overlapping update are applied", () => {
    const [first, second] = [steps[3], steps[4]];
    if (!first || !second) expect.fail();
    const both = update(second, [...first.events, ...second.events]);
    expect(reduce(after(steps.slice(0, 4)), { message: both, at: 0 })).toEqual(after(steps.slice(0, 5)));
  });
});

test("the length of the wall comes from the table's rules", () => {
  const event: GameEvent = {
    type: "hand_started", number: 0, dealer: 0, honba: 0, deposits: 0, scores: [35000, 35000, 35000],
    indicator: "1m", hands: [null, null, null],
  }; // prettier-ignore
  const drew: GameEvent = { type: "drew", seat: 0 };
  expect([event, drew].reduce(afterEvent, withSet({ ...USUAL_SET, wall: 55 })).hand?.wallLeft).toBe(54);
});

test("a north set aside leaves the hand and is replaced from the dead wall", () => {
  const begin: GameEvent = {
    type: "hand_started", number: 0, dealer: 1, honba: 0, deposits: 0, scores: [35000, 35000, 35000],
    indicator: "1m", hands: [null, "119m2345678p44z", null],
  }; // prettier-ignore
  const events: GameEvent[] = [begin, { type: "drew", seat: 1, tile: "9s" }, { type: "kita_declared", seat: 1 }];
  const state = events.reduce(afterEvent, withSet({ wall: 55, replacements: 8, man: "one_nine" }));
  expect(state.cry).toMatchObject({ seat: 1, word: "kita" });
  const hand = state.hand as HandState;
  expect(hand.seats.map(({ kita }) => kita)).toEqual([0, 1, 0]);
  expect(hand.seats[1]).toMatchObject({
    drawn: null,
    holding: false,
    melds: [],
    hand: ["1m", "1m", "9m", "2p", "3p", "4p", "5p", "6p", "7p", "8p", "9s", "4z"],
  });
  expect([hand.wallLeft, replacementsLeft(hand)]).toEqual([54, 7]);
  expect(afterEvent(state, { type: "drew", seat: 1, tile: "1s", rinshan: true }).hand?.seats[1]).toMatchObject({
    drawn: "1s",
    holding: true,
  });
});

test("the previous player is on the left even with three players", () => {
  const begin: GameEvent = {
    type: "hand_started", number: 0, dealer: 0, honba: 0, deposits: 0, scores: [35000, 35000, 35000], indicator: "1m", hands: [null, null, null],
  }; // prettier-ignore
  const meld = { type: "pon", tiles: "555p", called: "5p", from: "across" } as const;
  const events: GameEvent[] = [begin, { type: "discarded", seat: 2, tile: "5p" }, { type: "called", seat: 0, meld }];
  expect(events.reduce(afterEvent, withSet(USUAL_SET)).hand?.seats[0]?.melds).toEqual([{ ...meld, from: "left" }]);
});

test("an update of another game is ignored", () => {
  const [step] = recorded[0]?.steps ?? expect.fail();
  if (!step) expect.fail();
  const message: Update = { ...update(step), game: 2 };
  expect(reduce(begun, { message, at: 0 })).toBe(begun);
});

test("a seat without a request keeps its information and has no choices", () => {
  const { steps } = recorded[0] ?? expect.fail();
  const state = after(steps.slice(0, 3));
  const quiet: Update = { type: "update", game: 1, seq: state.seq ?? 0, events: [], own: null, clock: null };
  const next = reduce(state, { message: quiet, at: 5 });
  expect(next.own?.ask).toBeNull();
  expect(next.own?.legal).toEqual([]);
  expect(next.hand).toEqual(state.hand);
});

test("a table message replaces the previous one", () => {
  const table = { id: "x", status: "finished", rules: { wall: 70 } } as TableInfo;
  expect(reduce(begun, { message: { type: "table", table }, at: 0 }).table).toBe(table);
});

describe("the automatic answers", () => {
  const enable = { type: "automatic", changed: { discard: true } } as const;
  const enabled = (state: TableState): TableState => reduce(state, { message: enable, at: 0 });

  test("end with the hand", () => {
    for (const { steps } of recorded) {
      let state = begun;
      for (const step of steps) {
        const before = enabled(state);
        state = reduce(before, { message: update(step), at: 0 });
        const dealt = step.events.some((event) => event.type === "hand_started" || event.type === "game_started");
        expect(state.automatic.discard).toBe(!dealt);
        expect(state.automatic.win).toBe(false);
      }
    }
  });

  test("survive a reconnection within the hand, but not into the next one", () => {
    const { steps } = recorded[0] ?? expect.fail();
    const [first, last] = [steps[2] ?? expect.fail(), steps.findLast((step) => step.view.number > 0) ?? expect.fail()];
    const state = enabled(after(steps.slice(0, 3)));
    expect(reduce(state, { message: sync(first), at: 0 }).automatic.discard).toBe(true);
    expect(reduce(state, { message: sync(last), at: 0 }).automatic.discard).toBe(false);
  });
});

test("deposits distributed at the end of a game are separate from the payments of the hand", () => {
  const drawn: GameEvent = { type: "hand_drawn", kind: "exhausted" };
  const moved: GameEvent = { type: "points_moved", deltas: [3000, -1000, -1000, -1000], scores: [0, 0, 0, 0] };
  const given: GameEvent = {
    type: "points_moved",
    deltas: [1000, 0, 0, 0],
    scores: [0, 0, 0, 0],
    reason: "leftover_deposits",
  };
  const state = [drawn, moved, given].reduce(afterEvent, begun);
  expect(state.outcome?.deltas).toEqual([4000, -1000, -1000, -1000]);
  expect(state.outcome?.given).toEqual({ reason: "leftover_deposits", deltas: [1000, 0, 0, 0] });
});

test("the chips of a hand and the final chips and yakitori are stored", () => {
  const drawn: GameEvent = { type: "hand_drawn", kind: "exhausted" };
  const moved: GameEvent = {
    type: "points_moved",
    deltas: [3000, -3000, 0, 0],
    scores: [0, 0, 0, 0],
    chips: [2, -2, 0, 0],
  };
  const given: GameEvent = {
    type: "points_moved",
    deltas: [1000, 0, 0, 0],
    scores: [0, 0, 0, 0],
    reason: "leftover_deposits",
  };
  expect([drawn, moved, given].reduce(afterEvent, begun).outcome?.chips).toEqual([2, -2, 0, 0]);
  expect(afterEvent(afterEvent(begun, drawn), given).outcome?.chips).toBeNull();
  const ended: GameEvent = {
    type: "game_ended",
    final: [4, 3, 2, 1],
    places: [1, 2, 3, 4],
    chips: [2, -2, 0, 0],
    yakitori: [1000, 1000, -2000, 0],
  };
  expect(afterEvent(begun, ended).final).toMatchObject({ chips: [2, -2, 0, 0], yakitori: [1000, 1000, -2000, 0] });
  expect(afterEvent(begun, { ...ended, chips: null, yakitori: null }).final).toMatchObject({
    chips: null,
    yakitori: null,
  });
});

test("a game is over for spectators when they have seen its end", () => {
  const table = { id: "x", status: "finished", rules: { wall: 70 } } as TableInfo;
  const finished = reduce(after((recorded[0] ?? expect.fail()).steps.slice(0, 3)), {
    message: { type: "table", table },
    at: 0,
  });
  const watched: TableState = { ...finished, seat: null };
  const ended: GameEvent = { type: "game_ended", final: [4, 3, 2, 1], places: [1, 2, 3, 4] };
  expect(isOver({ ...finished, seat: 0 })).toBe(true);
  expect(isOver(watched)).toBe(false);
  expect(isOver(afterEvent(watched, ended))).toBe(true);
  expect(isOver({ ...watched, hand: null })).toBe(true); // spectators who join later see only the result
  expect(isOver({ ...watched, table: { ...table, status: "aborted" } })).toBe(true);
});

const called = (type: string): unknown => ({ type: "called", seat: 2, meld: { type, tiles: "" } });

test.each([
  [{ type: "discarded", seat: 1, tile: "1m" }, null],
  [{ type: "discarded", seat: 1, tile: "1m", riichi: "open" }, "open_riichi"],
  [{ type: "discarded", seat: 1, tile: "1m", riichi: "riichi" }, "riichi"],
  [called("chi"), "chi"],
  [called("pon"), "pon"],
  [called("daiminkan"), "kan"],
  [{ type: "kita_declared", seat: 2 }, "kita"],
  [{ type: "won", seat: 3, source: 1 }, "ron"],
  [{ type: "won", seat: 3, source: null }, "tsumo"],
  [{ type: "drew", seat: 1 }, null],
])("the call announced by %o", (event, word) => {
  expect(cryOf(event as GameEvent)?.word ?? null).toBe(word);
});
