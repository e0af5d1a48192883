import { expect, test } from "vitest";
import { pathOf, parsePath } from "./eventAddress";

test("paths and pages are converted both ways", () => {
  expect(parsePath("/events/e1")).toEqual({ page: "home", of: "" });
  expect(parsePath("/events/e1/standings")).toEqual({ page: "standings", of: "" });
  expect(parsePath(pathOf("e1", "players", "홍 길동"))).toEqual({ page: "players", of: "홍 길동" });
  expect(parsePath("/events/e1/standings/x").page).toBe(null);
  expect(parsePath("/events/e1/games/g/more").page).toBe(null);
  expect(parsePath("/events/e1/none").page).toBe(null);
});
