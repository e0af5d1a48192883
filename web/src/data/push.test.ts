import { expect, test } from "vitest";
import { browserState } from "./push";

test.each([
  ["notifications need https", true, false, undefined, "default", "none"],
  ["an old browser has no notifications", false, true, undefined, "default", "none"],
  ["Safari on a phone requires the home screen", false, true, false, "default", "home"],
  ["a blocked permission is reported", true, true, undefined, "denied", "denied"],
  ["otherwise the server decides", true, true, true, "granted", null],
  ["the server decides before permission is requested", true, true, undefined, "default", null],
] as const)("%s", (_, supported, secure, installed, permission, state) => {
  expect(browserState(supported, secure, installed, permission)).toBe(state);
});
