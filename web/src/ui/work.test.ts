import { expect, test, vi } from "vitest";
import { Work } from "./work.svelte";

vi.mock("$data/notices.svelte", () => ({ complain: vi.fn() }));

test("a double click starts the work once, and later clicks start it again", async () => {
  const work = new Work();
  let done = () => {};
  const act = vi.fn(() => new Promise<void>((resolve) => (done = resolve)));
  const first = work.run(act);
  await work.run(act);
  expect(act).toHaveBeenCalledTimes(1);
  done();
  await first;
  void work.run(act);
  expect(act).toHaveBeenCalledTimes(2);
});

test("work that failed can be tried again", async () => {
  const work = new Work();
  await work.run(() => Promise.reject(new Error("no")));
  expect(work.busy).toBe(false);
});
