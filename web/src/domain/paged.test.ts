import { expect, test } from "vitest";
import { joined } from "./paged";

test("a page loaded twice adds each row once", () => {
  const [first, second] = [
    [{ id: "a" }, { id: "b" }],
    [{ id: "b" }, { id: "c" }],
  ];
  expect(joined(joined(first, second), second).map(({ id }) => id)).toEqual(["a", "b", "c"]);
});
