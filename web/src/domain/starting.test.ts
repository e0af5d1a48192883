import { expect, test } from "vitest";
import { tableOf } from "./starting";

test("only a short number is accepted as the table in a URL", () => {
  const tables = ["table=12", "", "table=", "table=1234", "table=%E2%80%AE12", "table=1<b>"].map((query) =>
    tableOf(new URLSearchParams(query)),
  );
  expect(tables).toEqual(["12", "", "", "", "", ""]);
});
