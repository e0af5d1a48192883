import { expect, test } from "vitest";
import { bookletAddress, logoSize } from "./booklet";

test("the URL names the rules, the format and the paper", () => {
  const address = bookletAddress("bgm-2025", { format: "pdf", paper: "phone", club: " ", date: "" });
  expect(address).toBe("/api/rules/bgm-2025/booklet?format=pdf&paper=phone");
});

test("typed text cannot add a parameter or a path", () => {
  const address = bookletAddress("a/b", { format: "html", club: "A&B=1#?", date: "6월 1일" });
  const url = new URL(address, "https://club.example");
  expect(url.pathname).toBe("/api/rules/a%2Fb/booklet");
  expect([...url.searchParams.keys()]).toEqual(["format", "club", "date"]);
  expect(url.searchParams.get("club")).toBe("A&B=1#?");
});

test("a logo keeps its proportions and is never enlarged", () => {
  expect(logoSize(4800, 1200)).toEqual({ width: 480, height: 120 });
  expect(logoSize(100, 2400)).toEqual({ width: 10, height: 240 });
  expect(logoSize(60, 40)).toEqual({ width: 60, height: 40 });
  expect(logoSize(100_000, 1)).toEqual({ width: 480, height: 1 });
});
