import { beforeEach, expect, test, vi } from "vitest";
import { Refused } from "./requests";
import { showError } from "./notices.svelte";
import { Query } from "./query.svelte";

vi.mock("./notices.svelte", () => ({ showError: vi.fn() }));
beforeEach(() => vi.clearAllMocks());

/** A server whose answers the test triggers. */
function slow() {
  const waiting: { answer: (revision: number) => void; fail: (error: unknown) => void }[] = [];
  const get = () =>
    new Promise<{ revision: number }>((answer, fail) =>
      waiting.push({ answer: (revision) => answer({ revision }), fail }),
    );
  const loader = new Query(get, { revision: ({ revision }) => revision });
  return { waiting, loader };
}
const settled = (): Promise<void> => new Promise((done) => setTimeout(done));

test("an answer that arrives after a later request's is dropped", async () => {
  const { waiting, loader } = slow();
  const [first, second] = [loader.load(), loader.load()];
  waiting[1]?.answer(2);
  await second;
  waiting[0]?.answer(1);
  await first;
  expect(loader.value).toEqual({ revision: 2 });
});

test("the user's own change and the news of it cost one load", async () => {
  const { waiting, loader } = slow();
  const first = loader.load();
  waiting[0]?.answer(1);
  await first;
  void loader.catchUp(2); // the news arrives first
  const changed = loader.changed(); // then the response to the change
  waiting[1]?.answer(2);
  await changed;
  void loader.catchUp(2); // the same revision again after a reconnection
  await settled();
  expect(waiting).toHaveLength(2);
});

test("any amount of news during a load causes one more load", async () => {
  const { waiting, loader } = slow();
  const first = loader.load();
  for (const revision of [2, 3, 4]) void loader.catchUp(revision);
  waiting[0]?.answer(1);
  await first;
  await settled();
  waiting[1]?.answer(4);
  await settled();
  expect(waiting).toHaveLength(2);
  expect(loader.value).toEqual({ revision: 4 });
});

test("a value set during a load stays, and later loads work", async () => {
  const { waiting, loader } = slow();
  const first = loader.load();
  loader.put({ revision: 5 });
  waiting[0]?.answer(1);
  await first;
  expect(loader.value).toEqual({ revision: 5 });
  const changed = loader.changed();
  waiting[1]?.answer(6);
  await changed;
  expect(loader.value).toEqual({ revision: 6 });
});

test("the state tells whether there is a value and why not", async () => {
  const { waiting, loader } = slow();
  expect(loader.state).toBe("loading");
  const end = async (error: unknown): Promise<string> => {
    const load = loader.load();
    waiting.at(-1)?.fail(error);
    await load;
    return loader.state;
  };
  expect(await end(new Refused("offline", "no network"))).toBe("offline");
  expect(await end(new Refused("server", "broken"))).toBe("failed");
  expect(loader.problem).toBe("broken");
  const load = loader.load();
  waiting.at(-1)?.answer(1);
  await load;
  expect([loader.state, loader.problem]).toEqual(["ready", ""]);
  expect(await end(new Refused("offline", "no network"))).toBe("stale");
  expect(showError).toHaveBeenCalledTimes(3);
  expect(await end(new Refused("standings_hidden", "hidden"))).toBe("hidden");
  expect(loader.value).toBeNull();
  expect(showError).toHaveBeenCalledTimes(3);
});

test("a load is cancelled silently by a later one and with its component", async () => {
  const asked: AbortSignal[] = [];
  const get = (signal: AbortSignal) =>
    new Promise<number>((_, fail) => {
      asked.push(signal);
      signal.addEventListener("abort", () => fail(new DOMException("cancelled", "AbortError")));
    });
  const query = new Query(get);
  void query.load();
  void query.load();
  expect(asked.map((signal) => signal.aborted)).toEqual([true, false]);
  query.cancel();
  await settled();
  expect(asked.map((signal) => signal.aborted)).toEqual([true, true]);
  expect([query.state, query.problem]).toEqual(["loading", ""]);
  expect(showError).not.toHaveBeenCalled();
});
