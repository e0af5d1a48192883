import { expect, test, vi } from "vitest";
import { AsyncAction } from "./asyncAction.svelte";

vi.mock("$data/notices.svelte", () => ({ showError: vi.fn() }));

test("a double click runs the action once; a later click runs it again", async () => {
  const work = new AsyncAction();
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

test("a failed action can be retried", async () => {
  const work = new AsyncAction();
  await work.run(() => Promise.reject(new Error("no")));
  expect(work.busy).toBe(false);
});
