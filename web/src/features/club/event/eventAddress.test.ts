import { expect, test } from "vitest";
import { pathOf, whereIn } from "./eventAddress";

test("addresses lead to pages and back", () => {
  expect(whereIn("/events/e1")).toEqual({ page: "home", of: "" });
  expect(whereIn("/events/e1/standings")).toEqual({ page: "standings", of: "" });
  expect(whereIn(pathOf("e1", "players", "홍 길동"))).toEqual({ page: "players", of: "홍 길동" });
  expect(whereIn("/events/e1/standings/x").page).toBe(null);
  expect(whereIn("/events/e1/games/g/more").page).toBe(null);
  expect(whereIn("/events/e1/none").page).toBe(null);
});
