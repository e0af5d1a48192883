import { expect, test } from "vitest";
import { appendPage } from "./paged";

test("a page loaded twice adds each row once", () => {
  const [first, second] = [
    [{ id: "a" }, { id: "b" }],
    [{ id: "b" }, { id: "c" }],
  ];
  expect(appendPage(appendPage(first, second), second).map(({ id }) => id)).toEqual(["a", "b", "c"]);
});
