import "fake-indexeddb/auto";
import { afterEach, describe, expect, test } from "vitest";
import type { HandBody, PaymentsInfo, RecordedGameInfo, RecordedHand, RecordedVersion } from "$generated/wire";
import type { Hand } from "$domain/enteredHand";
import { Refused } from "$data/requests";
import { projected, type Sending } from "./projected";
import {
  decided,
  exported,
  following,
  imported,
  Outbox,
  rebased,
  replaceable,
  unknownTo,
  without,
  type Waiting,
} from "./queue";
import { begun, shuffled } from "$domain/starting";
import { Store } from "./offlineStore";

const DRAW: Hand = { end: "draw", tenpai: [0] };
const LOST = new Refused("offline", "");
let [names, made] = [0, 0];
const stores: Store[] = [];

function store(): Store {
  const kept = new Store(`test-${names++}`);
  stores.push(kept);
  return kept;
}

afterEach(async () => {
  await Promise.all(stores.splice(0).map((opened) => opened.close()));
});

function body(follows: string, more: Partial<HandBody> = {}): HandBody {
  return { id: `entry-${made++}`, follows, action: "add", place: null, hand: DRAW, why: "", ...more };
}

function waiting(hand: HandBody, game = "game"): Omit<Waiting, "order"> {
  return { event: "event", game, body: hand, at: "", refused: "", conflict: null };
}

/** A server that keeps entries as ours does: an id counts once, and an entry follows the newest one. */
class Server {
  readonly entries: HandBody[] = [];
  readonly started = new Set<string>();

  start(id: string): void {
    this.started.add(id);
  }

  get head(): string {
    return this.entries.at(-1)?.id ?? "";
  }

  enter(hand: HandBody): void {
    if (this.entries.some(({ id }) => id === hand.id)) return;
    if (hand.follows !== this.head) {
      const after = this.entries.findIndex(({ id }) => id === hand.follows) + 1;
      const theirs = this.entries.slice(after).map((entry) => version(entry, this.entries.indexOf(entry)));
      throw new Refused("hand_conflict", "", "follows", 409, { error: {}, yours: hand, theirs, head: this.head });
    }
    this.entries.push(hand);
  }
}

function version(hand: HandBody, place: number): RecordedVersion {
  return {
    id: hand.id,
    follows: hand.follows,
    revision: place,
    action: hand.action ?? "add",
    place,
    hand: hand.hand ?? null,
    seat: 1,
    at: null,
    why: "",
  };
}

/** Numbers that look random and are the same in every run. */
function numbers(seed: number): () => number {
  let state = seed * 2654435761 + 1;
  return () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

describe("a network that fails at random", () => {
  test.each(Array.from({ length: 12 }, (_, seed) => seed))("loses no hand and counts none twice (%i)", async (seed) => {
    const [server, kept, random] = [new Server(), store(), numbers(seed)];
    let good = false;
    const shaky = async (act: () => void): Promise<void> => {
      if (!good && random() < 0.4) throw LOST; // the request is lost
      act();
      if (!good && random() < 0.4) throw LOST; // the answer is lost
    };
    const post = {
      start: ({ body: { id } }: { body: { id: string } }) => shaky(() => server.start(id)),
      hand: (queued: Waiting) => shaky(() => server.enter(queued.body)),
    };
    let sent = "";
    const outbox = new Outbox(kept, post, async () => void (sent = server.head));
    await kept.put("starting", { event: "event", body: { id: "game", stage: "s", players: [] }, refused: "" });
    const order: string[] = [];
    for (let i = 0; i < 12; i++) {
      const next = body(following({ head: sent, hands: [] }, await kept.waiting("game"), []));
      order.push(next.id);
      await kept.add(waiting(next));
      await Promise.all([outbox.flush(), random() < 0.5 ? outbox.flush() : null]);
    }
    good = true;
    await outbox.flush();
    expect(server.started).toEqual(new Set(["game"]));
    expect(server.entries.map(({ id }) => id)).toEqual(order);
    expect([await kept.waiting(), await kept.starting()]).toEqual([[], []]);
  });
});

describe("the outbox", () => {
  test("keeps both versions of a conflict and sends nothing until somebody decides", async () => {
    const [server, kept] = [new Server(), store()];
    const outbox = new Outbox(
      kept,
      { start: async () => undefined, hand: async (queued) => server.enter(queued.body) },
      async () => undefined,
    );
    server.enter(body(""));
    const [mine, next] = [body(""), body("")];
    await kept.add(waiting(mine));
    await kept.add(waiting({ ...next, follows: mine.id }));
    await outbox.flush();
    const stuck = await kept.waiting("game");
    expect(stuck.map(({ conflict }) => conflict?.theirs.length)).toEqual([1, undefined]);
    expect(server.entries).toHaveLength(1);
    await kept.replace("game", decided(stuck, "after"));
    await outbox.flush();
    expect(server.entries.map(({ id }) => id).slice(1)).toEqual([mine.id, next.id]);
    expect(await kept.waiting()).toEqual([]);
  });

  test("stops a game at what the server refuses, and goes on with other games", async () => {
    const [kept, sent] = [store(), [] as string[]];
    const hand = async (queued: Waiting): Promise<void> => {
      if (queued.game === "bad") throw new Refused("hand_locked", "", "", 403);
      sent.push(queued.body.id);
    };
    const outbox = new Outbox(kept, { start: async () => undefined, hand }, async () => undefined);
    const bad = body("");
    await kept.add(waiting(bad, "bad"));
    await kept.add(waiting(body(bad.id), "bad"));
    const good = body("");
    await kept.add(waiting(good, "good"));
    await outbox.flush();
    expect(sent).toEqual([good.id]);
    expect((await kept.waiting("bad")).map(({ refused }) => refused)).toEqual(["hand_locked", ""]);
  });

  test.each([
    [0, "offline"],
    [503, "storage_lost"],
    [429, "too_many"],
    [401, "signed_out"],
  ])("tries again after %i", async (status, code) => {
    const kept = store();
    const refuse = async (): Promise<void> => {
      throw new Refused(code, "", "", status);
    };
    await kept.add(waiting(body("")));
    await new Outbox(kept, { start: refuse, hand: refuse }, async () => undefined).flush();
    expect((await kept.waiting()).map(({ refused, conflict }) => [refused, conflict])).toEqual([["", null]]);
  });
});

describe("the queue", () => {
  const chain = (count: number, head: string): Waiting[] =>
    rebased(
      Array.from({ length: count }, (_, order) => ({ ...waiting(body("")), order })),
      head,
    );

  test("stays a chain whatever is taken out", () => {
    const queue = chain(4, "head");
    for (const queued of queue) {
      const rest = without(queue, queued.body.id, "head");
      expect(rest.map(({ body: { follows } }) => follows)).toEqual([
        "head",
        ...rest.slice(0, -1).map(({ body: { id } }) => id),
      ]);
      expect(rest).toHaveLength(3);
    }
  });

  test("replaces theirs by mine, drops mine, or keeps both", () => {
    const [first, second] = chain(2, "");
    const theirs = [version(body(""), 5)];
    const stuck = [{ ...(first as Waiting), conflict: { theirs, head: "new" } }, second as Waiting];
    expect(replaceable(stuck[0] as Waiting)).toBe(true);
    expect(decided(stuck, "instead")[0]?.body).toMatchObject({ action: "replace", place: 5, follows: "new" });
    expect(decided(stuck, "theirs").map(({ body: sent }) => [sent.id, sent.follows])).toEqual([
      [second?.body.id, "new"],
    ]);
    expect(decided(stuck, "after").map(({ body: sent }) => sent.follows)).toEqual(["new", first?.body.id]);
  });

  test("follows what was sent before the page has seen its answer", () => {
    const [first, second] = chain(2, "head") as [Waiting, Waiting];
    const game = (head: string, ...versions: string[]) =>
      ({ head, hands: versions.map((id) => ({ version: id })) }) as never;
    expect(following(game("head"), [first, second], [first, second])).toBe(second.body.id);
    expect(following(game("head"), [], [first, second])).toBe(second.body.id); // both were sent this moment
    expect(following(game(second.body.id, first.body.id, second.body.id), [], [first, second])).toBe(second.body.id);
    expect(following(game("theirs", first.body.id, second.body.id, "theirs"), [], [first, second])).toBe("theirs");
    expect(following(game("head"), [], [{ ...first, refused: "no" }])).toBe("head");
    expect(following(game("head"), [], [])).toBe("head");
  });

  test("does not show twice what the server has already", () => {
    const queue = chain(3, "");
    const ids = (info: { head: string; hands: { version: string }[] }) =>
      unknownTo(info as never, queue).map(({ body: { id } }) => id);
    const [first, second, third] = queue.map(({ body: { id } }) => id) as [string, string, string];
    expect(ids({ head: "", hands: [] })).toEqual([first, second, third]);
    expect(ids({ head: second, hands: [] })).toEqual([third]);
    expect(ids({ head: "other", hands: [{ version: first }, { version: "other" }] })).toEqual([second, third]);
  });

  test("goes to another phone as a file", () => {
    const queue = chain(2, "");
    const starting = [{ event: "event", body: { id: "game", stage: "s", players: [] }, refused: "" }];
    expect(imported(exported(starting, queue))).toEqual({
      starting,
      waiting: queue.map(({ order: _, ...item }) => item),
    });
    for (const text of ["", "{}", "[1]", '{"kind":"jantaku-recorder-queue","waiting":[{}],"starting":[]}'])
      expect(imported(text)).toBeNull();
  });
});

describe("a game with what waits", () => {
  const files = import.meta.glob<{ table: PaymentsInfo }[]>("/src/generated/hands.json", {
    eager: true,
    import: "default",
  });
  const table = Object.values(files).flat()[0]?.table as PaymentsInfo;
  const start = begun({ id: "game", stage: "s", players: ["a", "b", "c", "d"] }, [], table);
  const win: Hand = { end: "ron", from: 1, wins: [{ seat: 0, han: 3, fu: 40 }] };

  function known(hand: object, more: Partial<RecordedHand>): RecordedHand {
    const trust = { trust: "proposed" as const, entered: 0, disputed: false, since: null };
    return {
      version: "v",
      hand: hand as never,
      winners: [],
      number: 0,
      dealer: 0,
      honba: 0,
      deposits: 0,
      deltas: [],
      scores: [],
      ...trust,
      ...more,
    };
  }

  test("adds them after what the server has", () => {
    const info: RecordedGameInfo = {
      ...start,
      hands: [known(DRAW, { deltas: [3000, -1000, -1000, -1000], scores: [28000, 24000, 24000, 24000] })],
      honba: 1,
      scores: [28000, 24000, 24000, 24000],
    };
    const { rows, next } = projected(info, [{ id: "x", action: "add", place: null, hand: win }], table);
    expect(rows.map(({ number, honba, scores, known: server }) => [number, honba, scores[0], server !== null])).toEqual(
      [
        [0, 0, 28000, true],
        [0, 1, 36000, false],
      ],
    );
    expect(next).toMatchObject({ number: 0, honba: 2, deposits: 0, scores: [36000, 16000, 24000, 24000] });
  });

  test("works out everything after a correction again", () => {
    const first = known(DRAW, { deltas: [3000, -1000, -1000, -1000], scores: [28000, 24000, 24000, 24000] });
    const second = known(win, {
      version: "w",
      honba: 1,
      deltas: [8000, -8000, 0, 0],
      scores: [36000, 16000, 24000, 24000],
    });
    const info: RecordedGameInfo = { ...start, hands: [first, second], honba: 2, scores: second.scores };
    const { rows } = projected(
      info,
      [{ id: "x", action: "replace", place: 0, hand: { end: "draw", tenpai: [] } }],
      table,
    );
    expect(rows.map(({ number, honba, scores }) => [number, honba, scores])).toEqual([
      [0, 0, [25000, 25000, 25000, 25000]],
      [1, 1, [30500, 19500, 25000, 25000]],
    ]);
    expect(projected(info, [{ id: "x", action: "remove", place: 1, hand: null }], table).next.scores).toEqual(
      first.scores,
    );
    expect(projected(info, [{ id: "x", action: "insert", place: 0, hand: DRAW }], table).rows).toHaveLength(3);
    const ended = { ...info, only_points: true, scores: [40000, 30000, 20000, 10000] };
    expect(projected(ended, [{ id: "x", action: "add", place: null, hand: DRAW }], table)).toMatchObject({
      rows: { length: 2 },
      next: { scores: ended.scores },
    });
  });

  const add = (hand: object, id = "x"): Sending => ({ id, action: "add", place: null, hand: hand as never });
  const rons = (count: number, winner: number, from: number): Sending[] =>
    Array.from({ length: count }, (_, i) =>
      add({ end: "ron", from, wins: [{ seat: winner, han: 1, fu: 30 }] }, `r${i}`),
    );
  const under = (end: Partial<PaymentsInfo["options"]["end"]>): PaymentsInfo => ({
    ...standardTable,
    options: {
      ...standardTable.options,
      end: { ...standardTable.options.end, extension: "none", tobi: "below_zero", top_points: 0, ...end },
    },
  });
  const standardTable = Object.values(files)
    .flat()
    .find(({ table: { rules } }) => rules === "standard")?.table as PaymentsInfo;

  /** Hands up to the last one of the South round: nobody wins as dealer. */
  function untilLast(): Sending[] {
    return Array.from({ length: 7 }, (_, number) =>
      rons(1, (number + 1) % 4, (number + 2) % 4).map((sending) => ({ ...sending, id: `h${number}` })),
    ).flat();
  }

  test("is over after its last hand, and takes none after it", () => {
    const last = add({ end: "ron", from: 1, wins: [{ seat: 0, han: 1, fu: 30 }] }, "last");
    expect(projected(start, untilLast(), under({}))).toMatchObject({ over: false, refused: null, next: { number: 7 } });
    expect(projected(start, [...untilLast(), last], under({}))).toMatchObject({
      over: true,
      optional: false,
      refused: null,
      next: { number: 7 },
    });
    expect(projected(start, [...untilLast(), last, add(DRAW, "more")], under({}))).toMatchObject({
      refused: { at: 8, refusal: { code: "game_is_over" } },
    });
  });

  test("may go on where the dealer has the choice, and a hand after it tells that it did", () => {
    const last = add({ end: "tsumo", wins: [{ seat: 3, limit: "mangan" }] }, "last");
    const optional = under({ agari_yame: "optional" });
    expect(projected(start, [...untilLast(), last], optional)).toMatchObject({ over: true, optional: true });
    expect(projected(start, [...untilLast(), last, add(DRAW, "more")], optional)).toMatchObject({
      refused: null,
      rows: { length: 9 },
    });
    expect(projected(start, [...untilLast(), last], under({ agari_yame: "off" }))).toMatchObject({ over: false });
    expect(projected(start, [...untilLast(), last], under({ agari_yame: "forced" }))).toMatchObject({
      over: true,
      optional: false,
    });
  });

  test("that the server ended goes on from the points on the table, without the sticks that its end gave away", () => {
    const table = under({ agari_yame: "optional" });
    const hands = [...untilLast(), add({ end: "draw", riichi: [0], tenpai: [0, 3] }, "last")];
    const here = projected(start, hands, table);
    expect(here).toMatchObject({ over: true, optional: true });
    const served = here.rows.map(({ id, hand, number, honba, deposits, dealer, deltas, scores }) =>
      known(hand, { version: id, number, honba, deposits, dealer, deltas, scores }),
    );
    const info: RecordedGameInfo = {
      ...start,
      hands: served,
      status: "over",
      number: 7,
      honba: 0,
      deposits: 0,
      scores: here.next.scores,
      places: here.places,
    };
    expect(projected(info, [], table)).toMatchObject({
      over: true,
      optional: true,
      next: { scores: here.next.scores },
    });
    const on = projected(info, [add({ end: "tsumo", wins: [{ seat: 1, han: 1, fu: 30 }] }, "more")], table);
    expect(on).toEqual({
      ...projected(start, [...hands, add({ end: "tsumo", wins: [{ seat: 1, han: 1, fu: 30 }] }, "more")], table),
      rows: on.rows,
    });
    expect(on.rows.at(-1)).toMatchObject({ deposits: 1 });
  });

  test("that a correction ends earlier names the hand that no longer fits", () => {
    const broke = {
      id: "c",
      action: "replace" as const,
      place: 0,
      hand: { end: "ron", from: 1, wins: [{ seat: 0, yakuman: 1 }] } as never,
    };
    expect(projected(start, [...rons(3, 0, 1), broke], under({}))).toMatchObject({
      refused: { at: 1, refusal: { code: "game_is_over" } },
    });
  });
});

test("seats are drawn fairly", () => {
  const random = numbers(3);
  const first = Array.from({ length: 400 }, () => shuffled(["a", "b", "c", "d"], random)[0]);
  for (const seat of ["a", "b", "c", "d"]) expect(first.filter((entry) => entry === seat).length).toBeGreaterThan(60);
});
