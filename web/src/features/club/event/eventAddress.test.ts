import { expect, test } from "vitest";
import { codeIn, pathOf, whereIn } from "./eventAddress";

test("addresses lead to pages and back", () => {
  expect(whereIn("/events/e1")).toEqual({ page: "home", of: "" });
  expect(whereIn("/events/e1/standings")).toEqual({ page: "standings", of: "" });
  expect(whereIn(pathOf("e1", "players", "홍 길동"))).toEqual({ page: "players", of: "홍 길동" });
  expect(whereIn("/events/e1/standings/x").page).toBe(null);
  expect(whereIn("/events/e1/games/g/more").page).toBe(null);
  expect(whereIn("/events/e1/none").page).toBe(null);
});

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
