import { beforeEach, expect, test, vi } from "vitest";
import { showError } from "$data/notices.svelte";
import { negated, wholeIn } from "./numberField";

vi.mock("$data/notices.svelte", () => ({ showError: vi.fn() }));
beforeEach(() => vi.clearAllMocks());

test.each([
  ["3", 3],
  ["0", 0],
  ["99", 99],
])("a whole number within the bounds is accepted: %s", (value, expected) => {
  expect(wholeIn({ value, min: "0", max: "99" }, 7)).toBe(expected);
  expect(showError).not.toHaveBeenCalled();
});

test.each(["", " ", "100", "-1", "2.5", "x"])("anything else restores the old number with an error: %j", (value) => {
  const field = { value, min: "0", max: "99" };
  expect(wholeIn(field, 7)).toBe(7);
  expect(field.value).toBe("7");
  expect(showError).toHaveBeenCalledOnce();
});

test.each([
  ["", "-"],
  ["-", ""],
  ["12,300", "-12,300"],
  ["-12300", "12300"],
  ["−500", "500"],
  [" ▲ 500", " 500"],
])("%j with the sign flipped is %j", (text, other) => expect(negated(text)).toBe(other));
