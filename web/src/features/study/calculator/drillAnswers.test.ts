import { expect, test } from "vitest";
import { choicesFor } from "./drillAnswers";

test.each([[0], [1000], [3900], [8000], [32000]])("%i is among four different answers", (points) => {
  for (let seed = 0; seed < 5; seed++) {
    const choices = choicesFor(points, seed);
    expect(new Set(choices).size).toBe(4);
    expect(choices).toContain(points);
  }
});
