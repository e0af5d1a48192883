import "fake-indexeddb/auto";
import { afterEach, describe, expect, test } from "vitest";
import type { HandBody, PaymentsInfo, RecordedGameInfo, RecordedHand, RecordedVersion } from "$generated/wire";
import type { Hand } from "$domain/enteredHand";
import { Refused } from "$data/requests";
import { project, type UnsentEntry } from "./projection";
import {
  resolved,
  exportQueue,
  lastId,
  importQueue,
  Outbox,
  rebased,
  canReplaceTheirs,
  missingFrom,
  without,
  type QueuedHand,
} from "./queue";
import { begun, shuffled } from "$domain/starting";
import { Store } from "./offlineStore";

const DRAW: Hand = { end: "draw", tenpai: [0] };
const OFFLINE = new Refused("offline", "");
let [names, bodies] = [0, 0];
const stores: Store[] = [];

function store(): Store {
  const stored = new Store(`test-${names++}`);
  stores.push(stored);
  return stored;
}

afterEach(async () => {
  await Promise.all(stores.splice(0).map((opened) => opened.close()));
});

function body(follows: string, more: Partial<HandBody> = {}): HandBody {
  return { id: `entry-${bodies++}`, follows, action: "add", place: null, hand: DRAW, why: "", ...more };
}

function waiting(hand: HandBody, game = "game"): Omit<QueuedHand, "order"> {
  return { event: "event", game, body: hand, at: "", refused: "", conflict: null };
}

/** Stores entries like the real server: ids are unique, and each entry must follow the newest one. */
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

/** Reproducible pseudo-random numbers. */
function numbers(seed: number): () => number {
  let state = seed * 2654435761 + 1;
  return () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

describe("an unreliable network", () => {
  test.each(Array.from({ length: 12 }, (_, seed) => seed))("loses and duplicates no hand (seed %i)", async (seed) => {
    const [server, stored, random] = [new Server(), store(), numbers(seed)];
    let reliable = false;
    const unreliably = async (act: () => void): Promise<void> => {
      if (!reliable && random() < 0.4) throw OFFLINE; // the request is lost
      act();
      if (!reliable && random() < 0.4) throw OFFLINE; // the answer is lost
    };
    const post = {
      start: ({ body: { id } }: { body: { id: string } }) => unreliably(() => server.start(id)),
      hand: (queued: QueuedHand) => unreliably(() => server.enter(queued.body)),
    };
    let sent = "";
    const outbox = new Outbox(stored, post, async () => void (sent = server.head));
    await stored.put("starting", { event: "event", body: { id: "game", stage: "s", players: [] }, refused: "" });
    const order: string[] = [];
    for (let i = 0; i < 12; i++) {
      const next = body(lastId({ head: sent, hands: [] }, await stored.waiting("game"), []));
      order.push(next.id);
      await stored.add(waiting(next));
      await Promise.all([outbox.flush(), random() < 0.5 ? outbox.flush() : null]);
    }
    reliable = true;
    await outbox.flush();
    expect(server.started).toEqual(new Set(["game"]));
    expect(server.entries.map(({ id }) => id)).toEqual(order);
    expect([await stored.waiting(), await stored.starting()]).toEqual([[], []]);
  });
});

describe("the outbox", () => {
  test("keeps both versions of a conflict and sends nothing until it is resolved", async () => {
    const [server, stored] = [new Server(), store()];
    const outbox = new Outbox(
      stored,
      { start: async () => undefined, hand: async (queued) => server.enter(queued.body) },
      async () => undefined,
    );
    server.enter(body(""));
    const [mine, next] = [body(""), body("")];
    await stored.add(waiting(mine));
    await stored.add(waiting({ ...next, follows: mine.id }));
    await outbox.flush();
    const stuck = await stored.waiting("game");
    expect(stuck.map(({ conflict }) => conflict?.theirs.length)).toEqual([1, undefined]);
    expect(server.entries).toHaveLength(1);
    await stored.replace("game", resolved(stuck, "after"));
    await outbox.flush();
    expect(server.entries.map(({ id }) => id).slice(1)).toEqual([mine.id, next.id]);
    expect(await stored.waiting()).toEqual([]);
  });

  test("stops at a refused hand but continues with other games", async () => {
    const [stored, sent] = [store(), [] as string[]];
    const hand = async (queued: QueuedHand): Promise<void> => {
      if (queued.game === "bad") throw new Refused("hand_locked", "", "", 403);
      sent.push(queued.body.id);
    };
    const outbox = new Outbox(stored, { start: async () => undefined, hand }, async () => undefined);
    const bad = body("");
    await stored.add(waiting(bad, "bad"));
    await stored.add(waiting(body(bad.id), "bad"));
    const reliable = body("");
    await stored.add(waiting(reliable, "good"));
    await outbox.flush();
    expect(sent).toEqual([reliable.id]);
    expect((await stored.waiting("bad")).map(({ refused }) => refused)).toEqual(["hand_locked", ""]);
  });

  test.each([
    [0, "offline"],
    [503, "storage_lost"],
    [429, "too_many"],
    [401, "signed_out"],
  ])("retries after status %i", async (status, code) => {
    const stored = store();
    const refuse = async (): Promise<void> => {
      throw new Refused(code, "", "", status);
    };
    await stored.add(waiting(body("")));
    await new Outbox(stored, { start: refuse, hand: refuse }, async () => undefined).flush();
    expect((await stored.waiting()).map(({ refused, conflict }) => [refused, conflict])).toEqual([["", null]]);
  });
});

describe("the queue", () => {
  const chain = (count: number, head: string): QueuedHand[] =>
    rebased(
      Array.from({ length: count }, (_, order) => ({ ...waiting(body("")), order })),
      head,
    );

  test("stays a chain after any removal", () => {
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

  test("resolves a conflict by keeping theirs, mine or both", () => {
    const [first, second] = chain(2, "");
    const theirs = [version(body(""), 5)];
    const stuck = [{ ...(first as QueuedHand), conflict: { theirs, head: "new" } }, second as QueuedHand];
    expect(canReplaceTheirs(stuck[0] as QueuedHand)).toBe(true);
    expect(resolved(stuck, "instead")[0]?.body).toMatchObject({ action: "replace", place: 5, follows: "new" });
    expect(resolved(stuck, "theirs").map(({ body: sent }) => [sent.id, sent.follows])).toEqual([
      [second?.body.id, "new"],
    ]);
    expect(resolved(stuck, "after").map(({ body: sent }) => sent.follows)).toEqual(["new", first?.body.id]);
  });

  test("continues from the last sent entry before its response arrives", () => {
    const [first, second] = chain(2, "head") as [QueuedHand, QueuedHand];
    const game = (head: string, ...versions: string[]) =>
      ({ head, hands: versions.map((id) => ({ version: id })) }) as never;
    expect(lastId(game("head"), [first, second], [first, second])).toBe(second.body.id);
    expect(lastId(game("head"), [], [first, second])).toBe(second.body.id); // both were just sent
    expect(lastId(game(second.body.id, first.body.id, second.body.id), [], [first, second])).toBe(second.body.id);
    expect(lastId(game("theirs", first.body.id, second.body.id, "theirs"), [], [first, second])).toBe("theirs");
    expect(lastId(game("head"), [], [{ ...first, refused: "no" }])).toBe("head");
    expect(lastId(game("head"), [], [])).toBe("head");
  });

  test("skips entries the server already has", () => {
    const queue = chain(3, "");
    const ids = (info: { head: string; hands: { version: string }[] }) =>
      missingFrom(info as never, queue).map(({ body: { id } }) => id);
    const [first, second, third] = queue.map(({ body: { id } }) => id) as [string, string, string];
    expect(ids({ head: "", hands: [] })).toEqual([first, second, third]);
    expect(ids({ head: second, hands: [] })).toEqual([third]);
    expect(ids({ head: "other", hands: [{ version: first }, { version: "other" }] })).toEqual([second, third]);
  });

  test("can be moved to another phone as a file", () => {
    const queue = chain(2, "");
    const starting = [{ event: "event", body: { id: "game", stage: "s", players: [] }, refused: "" }];
    expect(importQueue(exportQueue(starting, queue))).toEqual({
      starting,
      waiting: queue.map(({ order: _, ...item }) => item),
    });
    for (const text of ["", "{}", "[1]", '{"kind":"jantaku-recorder-queue","waiting":[{}],"starting":[]}'])
      expect(importQueue(text)).toBeNull();
  });
});

describe("a game with unsent hands", () => {
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

  test("adds them after the server's hands", () => {
    const info: RecordedGameInfo = {
      ...start,
      hands: [known(DRAW, { deltas: [3000, -1000, -1000, -1000], scores: [28000, 24000, 24000, 24000] })],
      honba: 1,
      scores: [28000, 24000, 24000, 24000],
    };
    const { rows, next } = project(info, [{ id: "x", action: "add", place: null, hand: win }], table);
    expect(rows.map(({ number, honba, scores, known: server }) => [number, honba, scores[0], server !== null])).toEqual(
      [
        [0, 0, 28000, true],
        [0, 1, 36000, false],
      ],
    );
    expect(next).toMatchObject({ number: 0, honba: 2, deposits: 0, scores: [36000, 16000, 24000, 24000] });
  });

  test("settles all hands after a correction again", () => {
    const first = known(DRAW, { deltas: [3000, -1000, -1000, -1000], scores: [28000, 24000, 24000, 24000] });
    const second = known(win, {
      version: "w",
      honba: 1,
      deltas: [8000, -8000, 0, 0],
      scores: [36000, 16000, 24000, 24000],
    });
    const info: RecordedGameInfo = { ...start, hands: [first, second], honba: 2, scores: second.scores };
    const { rows } = project(
      info,
      [{ id: "x", action: "replace", place: 0, hand: { end: "draw", tenpai: [] } }],
      table,
    );
    expect(rows.map(({ number, honba, scores }) => [number, honba, scores])).toEqual([
      [0, 0, [25000, 25000, 25000, 25000]],
      [1, 1, [30500, 19500, 25000, 25000]],
    ]);
    expect(project(info, [{ id: "x", action: "remove", place: 1, hand: null }], table).next.scores).toEqual(
      first.scores,
    );
    expect(project(info, [{ id: "x", action: "insert", place: 0, hand: DRAW }], table).rows).toHaveLength(3);
    const ended = { ...info, only_points: true, scores: [40000, 30000, 20000, 10000] };
    expect(project(ended, [{ id: "x", action: "add", place: null, hand: DRAW }], table)).toMatchObject({
      rows: { length: 2 },
      next: { scores: ended.scores },
    });
  });

  const add = (hand: object, id = "x"): UnsentEntry => ({ id, action: "add", place: null, hand: hand as never });
  const rons = (count: number, winner: number, from: number): UnsentEntry[] =>
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

  /** Every hand before South 4; the dealer never wins. */
  function untilLast(): UnsentEntry[] {
    return Array.from({ length: 7 }, (_, number) =>
      rons(1, (number + 1) % 4, (number + 2) % 4).map((sending) => ({ ...sending, id: `h${number}` })),
    ).flat();
  }

  test("ends with its last hand and refuses further hands", () => {
    const last = add({ end: "ron", from: 1, wins: [{ seat: 0, han: 1, fu: 30 }] }, "last");
    expect(project(start, untilLast(), under({}))).toMatchObject({ over: false, refused: null, next: { number: 7 } });
    expect(project(start, [...untilLast(), last], under({}))).toMatchObject({
      over: true,
      optional: false,
      refused: null,
      next: { number: 7 },
    });
    expect(project(start, [...untilLast(), last, add(DRAW, "more")], under({}))).toMatchObject({
      refused: { at: 8, refusal: { code: "game_is_over" } },
    });
  });

  test("may end if the dealer so chooses, and another hand means that the dealer continued", () => {
    const last = add({ end: "tsumo", wins: [{ seat: 3, limit: "mangan" }] }, "last");
    const optional = under({ agari_yame: "optional" });
    expect(project(start, [...untilLast(), last], optional)).toMatchObject({ over: true, optional: true });
    expect(project(start, [...untilLast(), last, add(DRAW, "more")], optional)).toMatchObject({
      refused: null,
      rows: { length: 9 },
    });
    expect(project(start, [...untilLast(), last], under({ agari_yame: "off" }))).toMatchObject({ over: false });
    expect(project(start, [...untilLast(), last], under({ agari_yame: "forced" }))).toMatchObject({
      over: true,
      optional: false,
    });
  });

  test("continues an ended game from the points before its leftover deposits were awarded", () => {
    const table = under({ agari_yame: "optional" });
    const hands = [...untilLast(), add({ end: "draw", riichi: [0], tenpai: [0, 3] }, "last")];
    const here = project(start, hands, table);
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
    expect(project(info, [], table)).toMatchObject({
      over: true,
      optional: true,
      next: { scores: here.next.scores },
    });
    const on = project(info, [add({ end: "tsumo", wins: [{ seat: 1, han: 1, fu: 30 }] }, "more")], table);
    expect(on).toEqual({
      ...project(start, [...hands, add({ end: "tsumo", wins: [{ seat: 1, han: 1, fu: 30 }] }, "more")], table),
      rows: on.rows,
    });
    expect(on.rows.at(-1)).toMatchObject({ deposits: 1 });
  });

  test("names the first surplus hand when a correction ends the game early", () => {
    const broke = {
      id: "c",
      action: "replace" as const,
      place: 0,
      hand: { end: "ron", from: 1, wins: [{ seat: 0, yakuman: 1 }] } as never,
    };
    expect(project(start, [...rons(3, 0, 1), broke], under({}))).toMatchObject({
      refused: { at: 1, refusal: { code: "game_is_over" } },
    });
  });
});

test("seats are shuffled fairly", () => {
  const random = numbers(3);
  const first = Array.from({ length: 400 }, () => shuffled(["a", "b", "c", "d"], random)[0]);
  for (const seat of ["a", "b", "c", "d"]) expect(first.filter((entry) => entry === seat).length).toBeGreaterThan(60);
});
