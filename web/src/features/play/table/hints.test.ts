import { expect, it } from "vitest";
import { hintsAllowed } from "./hints";

it.each([
  { hints: true, rated: false, wanted: true, allowed: true },
  { hints: true, rated: false, wanted: false, allowed: false },
  { hints: false, rated: false, wanted: true, allowed: false },
  { hints: true, rated: true, wanted: true, allowed: false },
])(
  "asks for hints only where table, rating and player allow them: $hints $rated $wanted",
  ({ hints, rated, wanted, allowed }) => {
    expect(hintsAllowed({ options: { hints, rated } }, wanted)).toBe(allowed);
  },
);

it("asks for nothing before the table is known", () => expect(hintsAllowed(null, true)).toBe(false));
