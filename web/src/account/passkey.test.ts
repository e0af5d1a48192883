import { expect, it } from "vitest";
import { bytesOf, textOf } from "./passkey";

it("reads what it writes", () => {
  const data = Uint8Array.from({ length: 256 }, (_, i) => i);
  expect(textOf(data)).not.toMatch(/[+/=]/);
  expect(bytesOf(textOf(data))).toEqual(data);
});
