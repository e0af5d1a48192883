import "fake-indexeddb/auto";
import { generate } from "lean-qr";
import { describe, expect, test } from "vitest";
import { complete, withPart, links, MOST_CODES, partsIn, decodedParts, type Part } from "./qrParts";
import { newId } from "../net/newId";
import { imported, type Starting, type Taken, type Waiting } from "./queue";
import { Store } from "./offlineStore";
import { takeOver } from "./takeover";

const PAGE = "https://club.example/record/0123456789abcdef/fedcba9876543210";
const START: Starting = { event: "event", body: { id: "started-here", stage: "league", players: ["a", "b", "c", "d"], label: "3" }, refused: "no network" };

/** So many hands that wait, each after the one before it; the first is in conflict. */
function queue(count: number): Waiting[] {
  const ids = Array.from({ length: count }, newId);
  return ids.map((id, order) => ({
    order,
    event: "event",
    game: "game",
    at: "2025-06-01T12:00:00.000Z",
    refused: "",
    conflict: order ? null : { theirs: [], head: "theirs" },
    body: { id, follows: ids[order - 1] ?? "", action: "add", place: null, why: "", hand: { end: "ron", from: 1, wins: [{ seat: 0, han: 3, fu: 40 }] } },
  }));
}

async function read(codes: readonly string[]): Promise<Taken | null> {
  let parts: Part[] = [];
  for (const link of codes) for (const part of partsIn(link)) parts = withPart(parts, part);
  return complete(parts) ? decodedParts(parts) : null;
}

describe("what waits as QR codes", () => {
  test("comes out as it went in, whatever the order in which the codes are read", async () => {
    const waiting = queue(30);
    const parts = (await links(PAGE, [START], waiting)) ?? [];
    expect(parts.length).toBeGreaterThan(1);
    const taken = await read([...parts].reverse());
    expect(taken?.starting).toEqual([{ ...START, refused: "" }]);
    expect(taken?.waiting).toEqual(waiting.map(({ order: _, ...item }) => ({ ...item, conflict: null })));
    expect(await read(parts.slice(1))).toBeNull();
    expect(await read([parts.join("\n")])).toEqual(taken);
  });

  test("needs one code for the hands of one game", async () => {
    const parts = (await links(PAGE, [], queue(8))) ?? [];
    expect(parts).toHaveLength(1);
    expect(generate(parts[0] ?? "").size).toBeLessThanOrEqual(101);
  });

  test("becomes a file when it takes too many codes", async () => {
    expect(await links(PAGE, [], queue(600))).toBeNull();
  });

  test("is refused when a code is damaged, foreign or too long", async () => {
    const [link = ""] = (await links(PAGE, [], queue(2))) ?? [];
    const damaged = link.replace(/.(?=.{9}$)/, (letter) => (letter === "A" ? "B" : "A"));
    expect(await read([damaged])).toBeNull();
    const foreign = ["", "#queue=", "#queue=0.1.00000000.AA", "#queue=2.1.00000000.AA", `#queue=1.${MOST_CODES + 1}.00000000.AA`, "#queue=1.1.0000000g.AA"];
    for (const text of foreign) expect(partsIn(text)).toEqual([]);
    expect(imported(JSON.stringify({ kind: "jantaku-recorder-queue", starting: [], waiting: [], more: "x".repeat(1_000_000) }))).toBeNull();
  });

  test("is taken over once, however often it is read", async () => {
    const store = new Store("taken");
    const taken = await read((await links(PAGE, [START], queue(5))) ?? []);
    for (let i = 0; i < 2; i++) if (taken) await takeOver(store, taken);
    expect((await store.waiting()).map(({ body }) => body.id)).toEqual(taken?.waiting.map(({ body }) => body.id));
    expect(await store.starting()).toHaveLength(1);
    await store.close();
  });
});
