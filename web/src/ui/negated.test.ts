import { expect, test } from "vitest";
import { negated } from "./negated";

test.each([
  ["", "-"],
  ["-", ""],
  ["12,300", "-12,300"],
  ["-12300", "12300"],
  ["−500", "500"],
  [" ▲ 500", " 500"],
])("%j becomes %j", (text, other) => expect(negated(text)).toBe(other));
