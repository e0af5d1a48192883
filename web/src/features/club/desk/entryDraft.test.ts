import { expect, test } from "vitest";
import { entryChanges } from "./entryDraft";

test("only what was changed in the form is sent, so that a name that somebody else has changed stays", () => {
  const before = { name: "Mina", team: "A" };
  expect(entryChanges({ ...before, account: "" }, before)).toEqual({});
  expect(entryChanges({ name: " Mina ", team: "B", account: " mina " }, before)).toEqual({
    team: "B",
    account: "mina",
  });
});
