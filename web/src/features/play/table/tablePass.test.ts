import { beforeEach, expect, test } from "vitest";
import { TablePass } from "./tablePass";

const finger = { clientX: 100, clientY: 100, button: 0, pointerType: "touch", isPrimary: true };
let tablePass: TablePass;
beforeEach(() => {
  tablePass = new TablePass();
  tablePass.setQuestion(1000);
});

function tap(from: number, to: number, moved = 0): boolean {
  const down = tablePass.down({ ...finger, timeStamp: from }, true);
  return down || tablePass.up({ ...finger, timeStamp: to, clientX: 100 + moved });
}

test("a short tap passes", () => {
  expect(tap(1500, 1600)).toBe(true);
});

test.each([
  ["started before the question was visible", 1300, 1400, 0],
  ["held too long", 1500, 2000, 0],
  ["dragged across the table", 1500, 1600, 30],
])("a tap does not pass: %s", (_, from, to, moved) => {
  expect(tap(from, to, moved)).toBe(false);
});

test("a finger already down when the next question arrives does not pass", () => {
  tablePass.down({ ...finger, timeStamp: 1500 }, true);
  tablePass.setQuestion(1550);
  expect(tablePass.up({ ...finger, timeStamp: 1600 })).toBe(false);
});

test("a right click passes at once without opening the browser's menu", () => {
  expect(tablePass.menu({ timeStamp: 1000 })).toBe(false);
  expect(tablePass.down({ ...finger, pointerType: "mouse", button: 2, timeStamp: 1010 }, false)).toBe(true);
  expect(tablePass.menu({ timeStamp: 1020 })).toBe(true);
});

test("nothing passes without a question", () => {
  tablePass.setQuestion(null);
  expect(tap(1500, 1600)).toBe(false);
  expect(tablePass.down({ ...finger, pointerType: "mouse", button: 2, timeStamp: 1700 }, false)).toBe(false);
});

test("a tap on a tile, a plate or a button does not pass", () => {
  tablePass.down({ ...finger, timeStamp: 1500 }, false);
  expect(tablePass.up({ ...finger, timeStamp: 1600 })).toBe(false);
});
