import { expect, test } from "vitest";
import { locally } from "./push";

test.each([
  ["plain http has none", true, false, undefined, "default", "none"],
  ["an old browser has none", false, true, undefined, "default", "none"],
  ["Safari on a phone wants the home screen first", false, true, false, "default", "home"],
  ["a browser that blocks them says so", true, true, undefined, "denied", "denied"],
  ["else the server knows", true, true, true, "granted", null],
  ["also before anybody has asked", true, true, undefined, "default", null],
] as const)("%s", (_, has, secure, installed, permission, state) => {
  expect(locally(has, secure, installed, permission)).toBe(state);
});
