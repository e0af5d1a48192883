import { expect, test } from "vitest";
import { codeIn } from "./checkInLink";

test.each([
  ["https://club.example/events/e1?code=k7", "k7"],
  ["http://192.168.0.5:8000/events/e1?code=k7&x=1", "k7"],
  ["https://club.example/events/e2?code=k7", ""],
  ["https://club.example/events/e1", ""],
  ["k7", ""],
  ["", ""],
])("the check-in code of this event in %j", (text, code) => {
  expect(codeIn(text, "e1")).toBe(code);
});
