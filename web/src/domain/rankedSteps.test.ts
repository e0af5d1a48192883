import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { stepName } from "./rankedSteps";
import { loadWords, setLanguage } from "./words.svelte";

beforeAll(async () => {
  vi.stubGlobal("document", { documentElement: {} });
  await loadWords("play");
  await setLanguage("en");
});
afterAll(() => vi.unstubAllGlobals());

test.each([
  [0, "9 kyu"],
  [8, "1 kyu"],
  [9, "1 dan"],
  [10, "2 dan"],
  [18, "10 dan"],
])("step %i is %s", (step, name) => expect(stepName(step)).toBe(name));
